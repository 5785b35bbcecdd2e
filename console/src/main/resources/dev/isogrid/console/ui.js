// What the views share: live figures, plots, tables, dialogs, messages, numbers as people read them.
import { createContext } from './preact.js';
import { useContext, useEffect, useRef, useState } from './hooks.js';
import { html } from './html.js';

/** No figure is asked for more often than this. */
const POLL_MILLIS_MIN = 1000;

/** Samples of a plot: four minutes at two seconds. */
const HISTORY_MAX = 120;

export const Session = createContext(null);

/** What an object has of a name that users chose: no method of all objects, such as constructor. */
export function own(object, name) {
  return object && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** What the user may do: can('ADMIN'), canCache('books', 'WRITE'). */
export function useRights() {
  const { acl } = useContext(Session);
  const has = (list, permission) => {
    const group = permission.startsWith('BULK_') ? 'ALL_' + permission.slice(5)
      : ['READ', 'WRITE'].includes(permission) ? 'ALL_' + permission : permission;
    return (list || []).some((each) => each === 'ALL' || each === permission || each === group);
  };
  return {
    can: (permission) => has(acl.global, permission),
    canCache: (name, permission) => has(own(acl.caches, name) ?? acl.global, permission),
  };
}

// ---- numbers

const PLAIN = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export function count(number) {
  return number === undefined || number < 0 || Number.isNaN(number) ? '–' : PLAIN.format(number);
}

export function rate(number) {
  if (number === undefined || Number.isNaN(number)) return '–';
  return number > 0 && number < 10 ? number.toFixed(1) : SHORT.format(number);
}

export function bytes(number) {
  if (number === undefined || number < 0 || Number.isNaN(number)) return '–';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  let left = number;
  while (left >= 1024 && unit < units.length - 1) {
    left /= 1024;
    unit++;
  }
  return `${unit === 0 || left >= 100 ? left.toFixed(0) : left.toFixed(1)} ${units[unit]}`;
}

export function duration(seconds) {
  if (seconds === undefined || seconds < 0) return '–';
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) {
    const rest = Math.floor(seconds % 60);
    return `${Math.floor(seconds / 60)} min${rest > 0 ? ` ${rest} s` : ''}`;
  }
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** A short time with three digits or so. */
export function time(seconds) {
  if (seconds === undefined || seconds < 0 || Number.isNaN(seconds)) return '–';
  if (seconds < 0.001) return `${Number((seconds * 1e6).toPrecision(3))} µs`;
  return seconds < 1 ? `${Number((seconds * 1e3).toPrecision(3))} ms`
    : `${Number(seconds.toPrecision(3))} s`;
}

// ---- messages

let showMessage = () => {};

/** Tells the user something at the edge of the page, and to a screen reader. */
export function say(message, isError = false) {
  showMessage({ message, isError });
}

/** Runs something that the user asked for; tells of its failure. Returns whether it worked. */
export async function attempt(task, done) {
  try {
    await task();
    if (done) say(done);
    return true;
  } catch (failure) {
    say(failure.message, true);
    return false;
  }
}

export function Messages() {
  const [shown, setShown] = useState(null);
  useEffect(() => {
    showMessage = setShown;
    return () => { showMessage = () => {}; };
  }, []);
  useEffect(() => {
    if (!shown || shown.isError) return undefined;
    const timer = setTimeout(() => setShown(null), 6000);
    return () => clearTimeout(timer);
  }, [shown]);
  return html`
    <div class="messages" aria-live="polite" role="status">
      ${shown && html`
        <div class=${shown.isError ? 'message bad' : 'message'}>
          <span>${shown.message}</span>
          <button class="plain" onClick=${() => setShown(null)} aria-label="Close the message">×</button>
        </div>`}
    </div>`;
}

// ---- live figures

/**
 * Asks for something now and again and again, but not while the page is hidden.
 *
 * @param ask returns a promise; null to ask for nothing
 * @param keys when one of them changes, it is asked for at once
 */
export function useLive(ask, keys = [], millis = 2000) {
  const [state, setState] = useState({ value: undefined, error: null });
  const again = useRef(() => {});
  useEffect(() => {
    let isOver = false;
    let timer;
    let isAsking = false;
    let isDue = false;
    const next = async () => {
      clearTimeout(timer);
      isDue = isAsking;
      if (!ask || isOver || isAsking || document.hidden) return;
      isAsking = true;
      try {
        const value = await ask();
        // The same answer draws nothing anew.
        if (!isOver) {
          setState((before) => (before.value === value && !before.error ? before
            : { value, error: null }));
        }
      } catch (error) {
        if (!isOver) setState((before) => ({ value: before.value, error }));
      }
      isAsking = false;
      if (isDue) next();
      else if (!isOver) timer = setTimeout(next, Math.max(POLL_MILLIS_MIN, millis));
    };
    setState({ value: undefined, error: null });
    again.current = next;
    next();
    document.addEventListener('visibilitychange', next);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', next);
    };
  }, keys);
  return { ...state, refresh: () => again.current() };
}

const histories = new Map();

/** The samples of a plot so far; kept while other views are shown. */
export function useHistory(name, sample) {
  const last = useRef(undefined);
  if (!histories.has(name)) {
    if (histories.size > 50) histories.delete(histories.keys().next().value);
    histories.set(name, []);
  }
  const history = histories.get(name);
  if (sample !== undefined && sample !== last.current) {
    last.current = sample;
    history.push({ at: Date.now(), values: sample });
    if (history.length > HISTORY_MAX) history.shift();
  }
  return history;
}

export function Failure({ error }) {
  return error && html`<p class="failure" role="alert">${error.message}</p>`;
}

// ---- plots

function top(values, form) {
  const highest = Math.max(0, ...values.filter((value) => Number.isFinite(value)));
  if (highest === 0) return form === bytes ? 1024 : 1;
  if (form === bytes) return Math.max(1024, 2 ** Math.ceil(Math.log2(highest)));
  const power = 10 ** Math.floor(Math.log10(highest));
  return [1, 2, 5, 10].map((factor) => factor * power).find((bound) => bound >= highest);
}

const WIDTH = 300;
const HEIGHT = 90;

function spanOf(history) {
  const end = history.length === 0 ? 0 : history[history.length - 1].at;
  return Math.max(60_000, end - (history[0]?.at ?? end));
}

function line(history, index, highest) {
  const end = history.length === 0 ? 0 : history[history.length - 1].at;
  const span = spanOf(history);
  let isDown = false;
  return history.map(({ at, values }) => {
    const value = values[index];
    if (!Number.isFinite(value)) {
      isDown = false;
      return '';
    }
    const x = WIDTH - ((end - at) / span) * WIDTH;
    const y = HEIGHT - 2 - (value / highest) * (HEIGHT - 6);
    const step = `${isDown ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
    isDown = true;
    return step;
  }).join('');
}

/**
 * Lines over time, the newest sample at the right.
 *
 * @param history of useHistory
 * @param names of the lines
 * @param form makes a number readable
 */
export function Plot({ title, history, names, form = rate, limit }) {
  const all = history.flatMap((sample) => sample.values.slice(0, names.length));
  const highest = limit > 0 ? limit : top(all, form);
  const now = history[history.length - 1]?.values ?? [];
  const words = names.map((name, i) => `${name} ${form(now[i])}`).join(', ');
  return html`
    <figure class="plot">
      <figcaption>${title}</figcaption>
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img"
          aria-label="${title}, now: ${words}; the scale ends at ${form(highest)}">
        <path class="grid" d="M0 ${HEIGHT / 2}H${WIDTH}M0 4H${WIDTH}M0 ${HEIGHT - 1}H${WIDTH}" />
        ${names.map((name, i) => html`
          <path class="line line${i}" d=${line(history, i, highest)} />`)}
      </svg>
      <div class="scale" aria-hidden="true">${form(highest)}</div>
      <ul class="legend">
        ${names.map((name, i) => html`
          <li><span class="key line${i}" aria-hidden="true"></span>${name}
            <b>${form(now[i])}</b></li>`)}
        <li class="span">last ${duration(spanOf(history) / 1000)}</li>
      </ul>
    </figure>`;
}

/**
 * A share of a whole.
 *
 * @param isLimit whether it is bad when nearly all is used
 */
export function Bar({ label, used, max, form = bytes, isLimit = false }) {
  const share = max > 0 && used >= 0 ? Math.min(1, used / max) : 0;
  const words = max > 0 ? `${form(used)} of ${form(max)}` : form(used);
  return html`
    <div class="bar">
      <div class="barhead"><span>${label}</span><b>${words}</b></div>
      ${max > 0 && html`
        <div class="track" role="meter" aria-label=${label} aria-valuemin="0" aria-valuemax="100"
            aria-valuenow=${Math.round(share * 100)} aria-valuetext=${words}>
          <div class=${isLimit && share > 0.9 ? 'fill bad' : 'fill'} style=${{ width: `${share * 100}%` }}></div>
        </div>`}
    </div>`;
}

export function Badge({ health }) {
  const kinds = {
    HEALTHY: ['good', 'healthy'],
    HEALTHY_REBALANCING: ['busy', 'rebalancing'],
    DEGRADED: ['bad', 'degraded'],
  };
  const [kind, word] = kinds[health] ?? ['', String(health ?? 'unknown').toLowerCase()];
  return html`<span class="badge ${kind}">${word}</span>`;
}

// ---- tables

/**
 * A table.
 *
 * @param columns {name, number, cell(row)}; the first one names its row
 * @param caption what the rows are; for screen readers
 */
export function Table({ caption, columns, rows, empty = 'There is nothing here.', id }) {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${caption}>
      <table>
        <caption class="hidden">${caption}</caption>
        <thead><tr>
          ${columns.map((each) => html`
            <th scope="col" class=${each.number ? 'number' : ''}>${each.name}</th>`)}
        </tr></thead>
        <tbody>
          ${rows.map((row, i) => html`
            <tr key=${id ? id(row) : i}>
              ${columns.map((each, column) => (column === 0
                ? html`<th scope="row" class=${each.number ? 'number' : ''}>${each.cell(row)}</th>`
                : html`<td class=${each.number ? 'number' : ''}>${each.cell(row)}</td>`))}
            </tr>`)}
        </tbody>
      </table>
    </div>`;
}

// ---- forms

let lastId = 0;

function useId() {
  const id = useRef(null);
  id.current ??= `f${++lastId}`;
  return id.current;
}

/** A labelled field; children instead of an input are the options of a select. */
export function Field({ label, hint, kind = 'text', value, onChange, children, wide, ...more }) {
  const id = useId();
  const shared = {
    id,
    value,
    'aria-describedby': hint ? id + 'h' : undefined,
    onInput: (event) => onChange(event.target.value),
    ...more,
  };
  const control = children
    ? html`<select ...${shared}>${children}</select>`
    : kind === 'area'
      ? html`<textarea spellcheck="false" ...${shared}></textarea>`
      : html`<input type=${kind} autocomplete="off" spellcheck="false" ...${shared} />`;
  return html`
    <div class=${wide ? 'field wide' : 'field'}>
      <label for=${id}>${label}</label>
      ${control}
      ${hint && html`<small id=${id + 'h'}>${hint}</small>`}
    </div>`;
}

export function Check({ label, checked, onChange, ...more }) {
  const id = useId();
  return html`
    <div class="check">
      <input type="checkbox" id=${id} checked=${checked}
        onChange=${(event) => onChange(event.target.checked)} ...${more} />
      <label for=${id}>${label}</label>
    </div>`;
}

/** A dialog over the page; Escape and the button close it. */
export function Dialog({ title, onClose, children, wide }) {
  const dialog = useRef(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current.showModal();
    dialog.current.querySelector('input:not([readonly]), select, textarea, .buttons button')?.focus();
    return () => before?.focus?.();
  }, []);
  return html`
    <dialog ref=${dialog} aria-labelledby=${id} class=${wide ? 'wide' : ''}
        onCancel=${(event) => { event.preventDefault(); onClose(); }}>
      <div class="dialoghead">
        <h2 id=${id}>${title}</h2>
        <button class="plain" aria-label="Close" onClick=${onClose}>×</button>
      </div>
      ${children}
    </dialog>`;
}

/** Asks before something that can't be undone; `word` has to be typed if it is given. */
export function Confirm({ title, text, action, word, onYes, onClose }) {
  const [typed, setTyped] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    await onYes();
    onClose();
  };
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      <form onSubmit=${submit}>
        <p>${text}</p>
        ${word && html`
          <${Field} label="Type ${word} to confirm" value=${typed} onChange=${setTyped} />`}
        <div class="buttons">
          <button type="button" onClick=${onClose}>Cancel</button>
          <button class="danger" disabled=${isBusy || (word && typed !== word)}>${action}</button>
        </div>
      </form>
    <//>`;
}

/** Tabs whose panels are made only when they are shown. */
export function Tabs({ label, tabs, current, onChange }) {
  const list = useRef(null);
  const keys = (event) => {
    const names = tabs.map((tab) => tab.name);
    const at = names.indexOf(current);
    const steps = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const next = (steps[event.key] + names.length) % names.length;
    onChange(names[next]);
    list.current.children[next].focus();
  };
  const shown = tabs.find((tab) => tab.name === current) ?? tabs[0];
  return html`
    <div>
      <div class="tabs" role="tablist" aria-label=${label} ref=${list} onKeyDown=${keys}>
        ${tabs.map((tab) => html`
          <button role="tab" id=${'tab-' + tab.name} aria-controls="panel"
            aria-selected=${String(tab === shown)} tabindex=${tab === shown ? 0 : -1}
            onClick=${() => onChange(tab.name)}>${tab.title}</button>`)}
      </div>
      <div id="panel" role="tabpanel" aria-labelledby=${'tab-' + shown.name} class="panel">
        ${shown.show()}
      </div>
    </div>`;
}

/** The head of a view; it gets the focus when the view is new, so that readers notice. */
export function Head({ title, children }) {
  const heading = useRef(null);
  useEffect(() => {
    document.title = `${title} – Isogrid`;
    if (location.hash && !document.querySelector('dialog[open]')) heading.current.focus();
  }, [title]);
  return html`
    <div class="viewhead">
      <h1 tabindex="-1" ref=${heading}>${title}</h1>
      <div class="buttons">${children}</div>
    </div>`;
}
