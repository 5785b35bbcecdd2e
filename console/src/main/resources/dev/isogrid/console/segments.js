// Which node keeps which segment of a cache, and which copies are on their way.
import { useEffect, useRef, useState } from './hooks.js';
import { html } from './html.js';
import { json, path, sameJson } from './rest.js';
import { Failure, Field, Head, Table, count, useLive } from './ui.js';

const CELL = 18;
const CELL_SMALL = 6;
const MANY = 4096;
/** Hues that differ from each other and from the red of errors. */
const HUES = [212, 150, 275, 48, 185, 315, 95, 250, 30, 165, 290, 70];

/** A letter or two for a node, so that colour is not the only mark. */
function mark(position) {
  return position < 26 ? String.fromCharCode(65 + position)
    : String.fromCharCode(64 + Math.floor(position / 26), 65 + (position % 26));
}

function colour(position, isDark) {
  const round = Math.floor(position / HUES.length) % 3;
  const lightness = isDark ? 30 + round * 5 : 78 - round * 8;
  return `hsl(${HUES[position % HUES.length]} ${isDark ? 50 : 65}% ${lightness}%)`;
}

function summary(map) {
  const rows = map.nodes.map((name, position) => ({
    name, position, primaries: 0, backups: 0, receiving: 0,
  }));
  map.segments.forEach((segment) => {
    if (segment.primary >= 0) rows[segment.primary].primaries++;
    segment.backups.forEach((position) => { rows[position].backups++; });
    segment.receiving.forEach((position) => { rows[position].receiving++; });
  });
  return rows;
}

function describe(map, index) {
  const segment = map.segments[index];
  if (!segment) return '';
  const names = (positions) => positions.map((position) => map.nodes[position]).join(', ');
  const primary = segment.primary < 0
    ? `nobody serves it; the entries are on ${names(segment.backups)}`
    : `primary ${map.nodes[segment.primary]}`;
  const backups = segment.primary >= 0 && segment.backups.length > 0
    ? `; backups ${names(segment.backups)}` : '';
  const receiving = segment.receiving.length > 0
    ? `; being copied to ${names(segment.receiving)}` : '';
  return `Segment ${index}: ${primary}${backups}${receiving}.`;
}

function draw(canvas, map, changed, chosen) {
  const isMany = map.segments.length > MANY;
  const cell = isMany ? CELL_SMALL : CELL;
  const columns = Math.max(1, Math.floor(canvas.parentElement.clientWidth / cell));
  const rows = Math.ceil(map.segments.length / columns);
  const scale = devicePixelRatio || 1;
  canvas.width = columns * cell * scale;
  canvas.height = rows * cell * scale;
  canvas.style.width = `${columns * cell}px`;
  canvas.style.height = `${rows * cell}px`;
  const style = getComputedStyle(canvas);
  const isDark = style.getPropertyValue('--dark').trim() === '1';
  const pen = canvas.getContext('2d');
  pen.scale(scale, scale);
  pen.font = '10px system-ui, sans-serif';
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  map.segments.forEach((segment, index) => {
    const x = (index % columns) * cell;
    const y = Math.floor(index / columns) * cell;
    pen.fillStyle = segment.primary < 0 ? style.getPropertyValue('--bad')
      : colour(segment.primary, isDark);
    pen.fillRect(x + 0.5, y + 0.5, cell - 1, cell - 1);
    if (segment.receiving.length > 0 || changed.has(index)) {
      pen.strokeStyle = style.getPropertyValue(segment.receiving.length > 0 ? '--busy' : '--text');
      pen.lineWidth = isMany ? 1 : 2;
      pen.strokeRect(x + 2, y + 2, cell - 4, cell - 4);
    }
    if (!isMany) {
      pen.fillStyle = isDark ? '#fff' : '#000';
      pen.fillText(segment.primary < 0 ? '!' : mark(segment.primary), x + cell / 2, y + cell / 2);
    }
    if (index === chosen) {
      pen.strokeStyle = style.getPropertyValue('--text');
      pen.lineWidth = 2;
      pen.strokeRect(x + 1, y + 1, cell - 2, cell - 2);
    }
  });
  return { columns, cell };
}

/** Segments whose primary is another than a few seconds ago. */
function useChanges(map) {
  const state = useRef({ map: null, changed: new Map() });
  if (map && map !== state.current.map) {
    const { map: before, changed } = state.current;
    const now = Date.now();
    changed.forEach((at, index) => { if (now - at > 5000) changed.delete(index); });
    if (before && before.segments.length === map.segments.length) {
      map.segments.forEach((segment, index) => {
        const name = (of, position) => of.nodes[position];
        if (name(map, segment.primary) !== name(before, before.segments[index].primary)) {
          changed.set(index, now);
        }
      });
    }
    state.current.map = map;
  }
  return state.current.changed;
}

function Picture({ map, chosen, setChosen }) {
  const canvas = useRef(null);
  const layout = useRef(null);
  const changed = useChanges(map);
  useEffect(() => {
    const redraw = () => { layout.current = draw(canvas.current, map, changed, chosen); };
    redraw();
    const observer = new ResizeObserver(redraw);
    observer.observe(canvas.current.parentElement);
    const theme = new MutationObserver(redraw);
    theme.observe(document.documentElement, { attributes: true });
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', redraw);
    return () => {
      observer.disconnect();
      theme.disconnect();
      dark.removeEventListener('change', redraw);
    };
  }, [map, chosen]);
  const point = (event) => {
    const { columns, cell } = layout.current;
    const index = Math.floor(event.offsetY / cell) * columns + Math.floor(event.offsetX / cell);
    if (index >= 0 && index < map.segments.length) setChosen(index);
  };
  const keys = (event) => {
    const step = {
      ArrowRight: 1, ArrowLeft: -1, ArrowDown: layout.current.columns,
      ArrowUp: -layout.current.columns,
    }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = (chosen ?? -1) + step;
    if (next >= 0 && next < map.segments.length) setChosen(next);
  };
  return html`
    <div class="map" tabindex="0" role="group" onKeyDown=${keys}
        aria-label="Map of ${map.segments.length} segments; arrow keys choose one. The table of nodes says the same.">
      <canvas ref=${canvas} onPointerMove=${point} onClick=${point} aria-hidden="true"></canvas>
    </div>`;
}

function Contents({ map }) {
  const [chosen, setChosen] = useState(null);
  const rows = summary(map);
  const moving = map.segments.filter((segment) => segment.receiving.length > 0).length;
  const offline = map.segments.filter((segment) => segment.primary < 0).length;
  const wanted = map.owners - 1;
  const lacking = map.segments.filter((segment) =>
    segment.primary >= 0 && segment.backups.length < wanted).length;
  return html`
    <p role="status">
      ${count(map.segments.length)} segments, ${map.owners} ${map.owners === 1 ? 'copy' : 'copies'} each.
      ${' '}${moving === 0 ? 'Nothing moves.' : `${count(moving)} are being copied.`}
      ${lacking > 0 ? ` ${count(lacking)} lack a copy.` : ''}
      ${offline > 0 ? ` ${count(offline)} are offline.` : ''}
    </p>
    <section class="card" aria-labelledby="map">
      <h2 id="map">Segments by primary</h2>
      <${Picture} map=${map} chosen=${chosen} setChosen=${setChosen} />
      <p class="chosen" aria-live="polite">
        ${chosen === null ? 'Point at a segment, or choose one with the arrow keys.'
          : describe(map, chosen)}</p>
      <p class="note">An orange frame: a copy is on its way. A plain frame: the primary has just
        changed. An exclamation mark: nobody serves the segment.</p>
    </section>
    <section class="card" aria-labelledby="owners">
      <h2 id="owners">Nodes</h2>
      <${Table} caption="Segments per node" rows=${rows} id=${(row) => row.name}
        columns=${[
          { name: 'Node', cell: (row) => html`<${Key} position=${row.position} /> ${row.name}` },
          { name: 'Primary of', number: true, cell: (row) => count(row.primaries) },
          { name: 'Backup of', number: true, cell: (row) => count(row.backups) },
          { name: 'Receives', number: true, cell: (row) => count(row.receiving) },
        ]} />
    </section>`;
}

function Key({ position }) {
  const span = useRef(null);
  useEffect(() => {
    const paint = () => {
      const isDark = getComputedStyle(span.current).getPropertyValue('--dark').trim() === '1';
      span.current.style.background = colour(position, isDark);
    };
    paint();
    const theme = new MutationObserver(paint);
    theme.observe(document.documentElement, { attributes: true });
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', paint);
    return () => {
      theme.disconnect();
      dark.removeEventListener('change', paint);
    };
  }, [position]);
  return html`<span class="nodekey" ref=${span} aria-hidden="true">${mark(position)}</span>`;
}

export function SegmentMap({ args }) {
  const caches = useLive(() => json('caches'), [], 10_000);
  const names = caches.value ?? [];
  const name = args[0] || names[0];
  const map = useLive(name ? sameJson(path('caches', name, 'segments')) : null, [name], 1000);
  return html`
    <${Head} title="Segment map">
      ${names.length > 0 && html`
        <${Field} label="Cache" value=${name}
          onChange=${(chosen) => { location.hash = '#/segments/' + encodeURIComponent(chosen); }}>
          ${names.map((each) => html`<option value=${each} selected=${each === name}>${each}</option>`)}
        <//>`}
    <//>
    <${Failure} error=${caches.error || map.error} />
    ${caches.value && names.length === 0 && html`<p class="empty">There is no cache.</p>`}
    ${map.value && html`<${Contents} map=${map.value} />`}`;
}
