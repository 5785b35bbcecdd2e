// The keys of a cache's changes as they happen, by server-sent events.
import { useEffect, useRef, useState } from './hooks.js';
import { html } from './html.js';
import { listen, path } from './rest.js';
import { Plot, Table, useHistory } from './ui.js';
import { shownKey } from './entries.js';

const SHOWN_MAX = 200;
const DRAW_MILLIS = 1000;
const KINDS = {
  'cache-entry-created': 'created',
  'cache-entry-modified': 'modified',
  'cache-entry-removed': 'removed',
  'cache-entry-expired': 'expired',
};
const NAMES = Object.values(KINDS);

function readKey(data) {
  try {
    return shownKey(JSON.parse(data));
  } catch {
    return data;
  }
}

function zeros() {
  return Object.fromEntries(NAMES.map((name) => [name, 0]));
}

export function Changes({ name }) {
  const [state, setState] = useState({ events: [], sample: undefined, message: 'Connecting …' });
  const [isPaused, setPaused] = useState(false);
  const pending = useRef({ events: [], counts: zeros() });
  const history = useHistory('changes.' + name, state.sample);
  useEffect(() => {
    if (isPaused) return undefined;
    const over = new AbortController();
    const show = (message) => setState((before) => ({ ...before, message }));
    let at = performance.now();
    const drawing = setInterval(() => {
      const { events, counts } = pending.current;
      pending.current = { events: [], counts: zeros() };
      const now = performance.now();
      const seconds = (now - at) / 1000;
      at = now;
      if (document.hidden && events.length === 0) return;
      setState((before) => ({
        ...before,
        events: [...events.reverse(), ...before.events].slice(0, SHOWN_MAX),
        sample: NAMES.map((each) => counts[each] / seconds),
      }));
    }, DRAW_MILLIS);
    show('Listening to changes.');
    listen(path('caches', name, 'listen'), (event, data) => {
      const kind = KINDS[event];
      if (!kind) return;
      pending.current.counts[kind]++;
      pending.current.events.push({ kind, key: readKey(data), at: new Date() });
      if (pending.current.events.length > SHOWN_MAX) pending.current.events.shift();
    }, over.signal)
      .then(() => show('The server has ended the stream: this page was too slow, or the cache is gone.'))
      .catch((failure) => { if (!over.signal.aborted) show(failure.message); });
    return () => {
      over.abort();
      clearInterval(drawing);
    };
  }, [name, isPaused]);
  return html`
    <div class="viewhead">
      <p role="status">${isPaused ? 'Paused.' : state.message}</p>
      <div class="buttons">
        <button onClick=${() => setPaused(!isPaused)}>${isPaused ? 'Listen again' : 'Pause'}</button>
      </div>
    </div>
    <div class="plots"><${Plot} title="Changes per second in the cluster" history=${history} names=${NAMES} /></div>
    <${Table} caption="Changed keys, the newest first" rows=${state.events}
      empty="No change since this view was opened."
      columns=${[
        { name: 'Key', cell: (row) => html`<code>${row.key}</code>` },
        { name: 'Change', cell: (row) => row.kind },
        { name: 'Time', cell: (row) => row.at.toLocaleTimeString() },
      ]} />`;
}
