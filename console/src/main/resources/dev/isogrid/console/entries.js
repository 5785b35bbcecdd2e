// Browses, finds, shows and changes entries of a cache.
import { useEffect, useState } from './hooks.js';
import { html } from './html.js';
import { isProtostream, sendable } from './keys.js';
import { messagesOf, template } from './messages.js';
import { RestError, bytesWithin, change, json, path, readParts, request, text } from './rest.js';
import { Confirm, Dialog, Failure, Field, Table, attempt, count, duration, say, useRights }
  from './ui.js';

/** What one look at a cache may bring; more than people read, and little for a browser. */
const ENTRIES_MAX = 1000;
const CHARACTERS_MAX = 4_000_000;
const PAGE = 50;
const PREVIEW = 160;
const EDITED_MAX = 1_000_000;
const HEX_LINE = 16;

const KEY_TYPES = {
  text: ['text', 'text/plain'],
  json: ['JSON', 'application/json'],
  long: ['number (long)', 'application/x-java-object;type=java.lang.Long'],
  integer: ['number (int)', 'application/x-java-object;type=java.lang.Integer'],
  hex: ['bytes in hex', 'application/octet-stream;encoding=hex'],
};

// ---- keys

/** How a key of the list is asked for. */
function addressOf(key, keyStorage) {
  if (!isProtostream(keyStorage)) return { text: asText(key), type: 'text' };
  if (typeof key === 'string') return { text: key, type: 'text' };
  if (key?._type === 'string') return { text: String(key._value), type: 'text' };
  return { text: JSON.stringify(key), type: 'json' };
}

function asText(key) {
  return typeof key === 'string' ? key : JSON.stringify(key);
}

/** A key or value as people read it: a scalar of ProtoStream without its type. */
export function shownKey(key) {
  if (key && typeof key === 'object' && key._type && '_value' in key) return String(key._value);
  return asText(key);
}

function entryPath(name, key, keyStorage) {
  return `${path('caches', name)}/${encodeURIComponent(sendable(key, keyStorage).text)}`;
}

function keyHeaders(key, keyStorage) {
  const { type } = sendable(key, keyStorage);
  // Caches of bytes as they come take a key without a type for what it is.
  return type === 'text' && !isProtostream(keyStorage)
    ? {} : { 'Key-Content-Type': KEY_TYPES[type][1] };
}

// ---- values as text and as hex digits

function hexOf(buffer) {
  const lines = [];
  for (let at = 0; at < buffer.length; at += HEX_LINE) {
    lines.push(Array.from(buffer.subarray(at, at + HEX_LINE),
      (each) => each.toString(16).padStart(2, '0')).join(' '));
  }
  return lines.join('\n');
}

function bytesOf(hex) {
  const digits = hex.replace(/\s+/g, '');
  if (digits.length % 2 !== 0 || /[^0-9a-fA-F]/.test(digits)) {
    throw new RestError(0, 'These are no bytes: hex digits in pairs are needed.');
  }
  return new Uint8Array(digits.length / 2).map((_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The forms that an entry may have in the editor, the best first. */
function formsOf(valueStorage) {
  if (isProtostream(valueStorage)) return ['json', 'text', 'hex'];
  return /json/.test(valueStorage ?? '') ? ['json', 'text', 'hex'] : ['text', 'json', 'hex'];
}

const FORM_NAMES = { text: 'text', json: 'JSON', hex: 'bytes in hex' };
const FORM_TYPES = { text: 'text/plain', json: 'application/json' };

function hexType(valueStorage) {
  return isProtostream(valueStorage) ? 'application/x-protostream' : 'application/octet-stream';
}

/** Reads an entry in a form: {text, tag, type, headers}. */
async function readEntry(name, key, details, form) {
  const accept = form === 'hex' ? hexType(details.value_storage)
    : form === 'json' && !isProtostream(details.value_storage) && !/json/.test(details.value_storage)
      ? '*/*' : FORM_TYPES[form];
  const response = await request(entryPath(name, key, details.key_storage), {
    headers: { Accept: accept, ...keyHeaders(key, details.key_storage) },
  });
  const buffer = await bytesWithin(response, EDITED_MAX);
  if (buffer === null) {
    throw new RestError(0, `The value has more than ${count(EDITED_MAX)} bytes, too many to edit here.`);
  }
  const text = form === 'hex' ? hexOf(buffer) : new TextDecoder().decode(buffer);
  const field = (header) => response.headers.get(header);
  return {
    text: form === 'json' ? pretty(text) : text,
    isBinary: form !== 'hex' && text.includes('\ufffd'),
    tag: field('ETag'),
    type: field('Content-Type'),
    lifespan: field('timeToLiveSeconds'),
    maxIdle: field('maxIdleTimeSeconds'),
    modified: field('Last-Modified'),
    size: buffer.length,
  };
}

/** Schemas that are read to offer their messages. */
const SCHEMAS_MAX = 50;

/** The messages and enums of all schemas; none if they can't be read. */
function useMessages(isWanted) {
  const [found, setFound] = useState(new Map());
  useEffect(() => {
    if (!isWanted) return undefined;
    let isOver = false;
    (async () => {
      const names = (await json('schemas')).map((each) => each.name).slice(0, SCHEMAS_MAX);
      const sources = await Promise.all(names.map((name) => text(path('schemas', name))));
      if (!isOver) setFound(new Map(sources.flatMap((source) => [...messagesOf(source)])));
    })().catch((failure) => say(`Messages can't be offered: ${failure.message}`, true));
    return () => { isOver = true; };
  }, [isWanted]);
  return found;
}

/** Offers the messages of the schemas as the beginning of a value. */
function MessageChoice({ onChoose }) {
  const messages = useMessages(true);
  const names = [...messages].filter(([, each]) => each.fields).map(([name]) => name).sort();
  const [chosen, setChosen] = useState('');
  return names.length > 0 && html`
    <${Field} label="Begin with the fields of" value=${chosen} onChange=${(name) => {
      setChosen(name);
      if (name) onChoose(JSON.stringify(template(messages, name), null, 2));
    }} hint="A message of a schema. Remove what the entry does not have.">
      <option value="">no message</option>
      ${names.map((name) => html`<option value=${name}>${name}</option>`)}
    <//>`;
}

function Editor({ name, entryKey, details, isNew, onDone, onClose }) {
  const { canCache } = useRights();
  const mayWrite = canCache(name, 'WRITE');
  const forms = formsOf(details.value_storage);
  const [key, setKey] = useState(entryKey);
  const [form, setForm] = useState(forms[0]);
  const [entry, setEntry] = useState(null);
  const [typed, setTyped] = useState('');
  const [times, setTimes] = useState({ lifespan: '', maxIdle: '' });
  const [error, setError] = useState(null);
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (isNew) return undefined;
    let isOver = false;
    setError(null);
    readEntry(name, key, details, form).then((read) => {
      if (isOver) return;
      if (read.isBinary) {
        setForm('hex');
        return;
      }
      setEntry(read);
      setTyped(read.text);
      setTimes({ lifespan: read.lifespan ?? '', maxIdle: read.maxIdle ?? '' });
    }).catch((failure) => { if (!isOver) setError(failure); });
    return () => { isOver = true; };
  }, [form, isNew]);
  const save = async (event) => {
    event.preventDefault();
    setError(null);
    try {
      const headers = {
        ...keyHeaders(key, details.key_storage),
        'Content-Type': form === 'hex' ? hexType(details.value_storage) : FORM_TYPES[form],
      };
      if (times.lifespan) headers.timeToLiveSeconds = times.lifespan;
      if (times.maxIdle) headers.maxIdleTimeSeconds = times.maxIdle;
      if (!isNew && entry?.tag) headers['If-Match'] = entry.tag;
      await change(isNew ? 'POST' : 'PUT', entryPath(name, key, details.key_storage),
        form === 'hex' ? bytesOf(typed) : typed, headers);
      say(isNew ? 'Added the entry.' : 'Saved the entry.');
      onDone();
    } catch (failure) {
      setError(failure.status === 412
        ? new RestError(412, 'The entry has changed since it was shown. Close it and open it again.')
        : failure.status === 409
          ? new RestError(409, 'There is an entry with this key already.') : failure);
    }
  };
  const remove = async () => {
    if (await attempt(() => change('DELETE', entryPath(name, key, details.key_storage), undefined,
      keyHeaders(key, details.key_storage)), 'Removed the entry.')) onDone();
  };
  return html`
    <${Dialog} title=${isNew ? 'Add an entry' : `Entry ${key.text}`} onClose=${onClose} wide=${true}>
      <form onSubmit=${save}>
        ${isNew && html`
          <div class="row">
            <${Field} label="Key" value=${key.text} required
              onChange=${(value) => setKey({ ...key, text: value })} />
            <${Field} label="Key is" value=${key.type}
              onChange=${(type) => setKey({ ...key, type })}>
              ${Object.entries(KEY_TYPES).map(([type, [title]]) => html`
                <option value=${type}>${title}</option>`)}
            <//>
          </div>`}
        <${Field} label="Value as" value=${form} onChange=${setForm}>
          ${forms.map((each) => html`
            <option value=${each} selected=${each === form}>${FORM_NAMES[each]}</option>`)}
        <//>
        ${isNew && form === 'json' && isProtostream(details.value_storage) && html`
          <${MessageChoice} onChoose=${setTyped} />`}
        <${Field} label="Value" kind="area" rows="12" wide value=${typed} onChange=${setTyped}
          readonly=${!mayWrite} class="code" />
        <div class="row">
          <${Field} label="Lifespan in seconds" kind="number" min="0" value=${times.lifespan}
            onChange=${(lifespan) => setTimes({ ...times, lifespan })} readonly=${!mayWrite}
            hint="Empty for that of the cache." />
          <${Field} label="Seconds without access" kind="number" min="0" value=${times.maxIdle}
            onChange=${(maxIdle) => setTimes({ ...times, maxIdle })} readonly=${!mayWrite} />
        </div>
        ${entry && html`
          <p class="note">${count(entry.size)} bytes as ${entry.type}${entry.tag
            ? `, version ${entry.tag.replace(/"/g, '')}` : ''}${entry.modified
            ? `, written ${entry.modified}` : ''}.</p>`}
        <${Failure} error=${error} />
        <div class="buttons">
          ${!isNew && mayWrite && html`
            <button type="button" class="danger" onClick=${() => setAsked(true)}>Remove</button>`}
          <span class="space"></span>
          <button type="button" onClick=${onClose}>Close</button>
          ${mayWrite && html`
            <button class="primary" disabled=${!isNew && !entry}>${isNew ? 'Add' : 'Save'}</button>`}
        </div>
      </form>
      ${isAsked && html`
        <${Confirm} title="Remove the entry" text="This removes the entry from all nodes."
          action="Remove the entry" onYes=${remove} onClose=${() => setAsked(false)} />`}
    <//>`;
}

/** Reads the first entries of a cache, bounded by number and size. */
async function firstEntries(name) {
  const over = new AbortController();
  const response = await request(
    path('caches', name, 'entries', `&limit=${ENTRIES_MAX}&metadata=true`),
    { signal: over.signal });
  let all = '';
  await readParts(response, (part) => {
    all += part;
    return all.length <= CHARACTERS_MAX;
  });
  if (all.length <= CHARACTERS_MAX) return { entries: JSON.parse(all), isCut: false };
  over.abort();
  return { entries: wholeEntries(all), isCut: true };
}

/** The entries of a list that was cut: those before the last end that makes it a list. */
function wholeEntries(text) {
  for (let end = text.lastIndexOf('},{"key":'); end > 0; end = text.lastIndexOf('},{"key":', end - 1)) {
    try {
      return JSON.parse(text.slice(0, end + 1) + ']');
    } catch {
      // within a value; the one before
    }
  }
  return [];
}

function preview(value) {
  const text = shownKey(value);
  return text.length > PREVIEW ? text.slice(0, PREVIEW) + '…' : text;
}

function Search({ onFind, keyStorage }) {
  const [key, setKey] = useState({ text: '', type: 'text' });
  return html`
    <form class="inline" role="search" aria-label="Find an entry by its key"
        onSubmit=${(event) => { event.preventDefault(); onFind(key); }}>
      <${Field} label="Key" value=${key.text} required
        onChange=${(text) => setKey({ ...key, text })} />
      <${Field} label="Key is" value=${key.type} onChange=${(type) => setKey({ ...key, type })}>
        ${Object.entries(KEY_TYPES)
          .filter(([type]) => isProtostream(keyStorage) || !['long', 'integer'].includes(type))
          .map(([type, [title]]) => html`<option value=${type}>${title}</option>`)}
      <//>
      <button>Find</button>
    </form>`;
}

export function Entries({ name, details }) {
  const { canCache } = useRights();
  const mayList = canCache(name, 'BULK_READ');
  const [state, setState] = useState({ entries: null, isCut: false, error: null });
  const [page, setPage] = useState(0);
  const [wanted, setWanted] = useState('');
  const [opened, setOpened] = useState(null);
  const load = async () => {
    if (!mayList) return;
    try {
      setState({ ...await firstEntries(name), error: null });
    } catch (error) {
      setState((before) => ({ ...before, error }));
    }
  };
  useEffect(() => { load(); }, [name]);
  const exists = async (key) => {
    try {
      await request(entryPath(name, key, details.key_storage),
        { method: 'HEAD', headers: keyHeaders(key, details.key_storage) });
      return true;
    } catch (failure) {
      if (failure.status === 404) return false;
      throw failure;
    }
  };
  const find = (key) => attempt(async () => {
    if (await exists(key)) setOpened({ key, isNew: false });
    else say(`There is no entry with the key ${key.text}.`, true);
  });
  const all = (state.entries ?? []).filter((entry) =>
    !wanted || shownKey(entry.key).includes(wanted) || preview(entry.value).includes(wanted));
  const pages = Math.max(1, Math.ceil(all.length / PAGE));
  const current = Math.min(page, pages - 1);
  const open = async (entry) => {
    const key = addressOf(entry.key, details.key_storage);
    const isMaybeHex = key.type === 'text' && /^0x([0-9a-f]{2})+$/.test(key.text);
    // Bytes that are no text are listed as hex digits; a text may look like them.
    const isText = !isMaybeHex || await exists(key);
    setOpened({ key: isText ? key : { ...key, type: 'hex' }, isNew: false });
  };
  return html`
    <div class="viewhead">
      <${Search} onFind=${find} keyStorage=${details.key_storage} />
      <div class="buttons">
        ${mayList && html`<button onClick=${load}>Read again</button>`}
        ${canCache(name, 'WRITE') && html`
          <button class="primary" onClick=${() => setOpened({ key: { text: '', type: 'text' }, isNew: true })}>
            Add an entry</button>`}
      </div>
    </div>
    <${Failure} error=${state.error} />
    ${!mayList && html`<p class="empty">You may read entries by their keys, but not list them.</p>`}
    ${mayList && html`
      <${Field} label="Show those with" value=${wanted} kind="search"
        onChange=${(value) => { setWanted(value); setPage(0); }} />
      <${Table} caption="Entries" rows=${all.slice(current * PAGE, (current + 1) * PAGE)}
        empty=${state.entries ? 'There is no such entry.' : 'Loading …'}
        columns=${[
          { name: 'Key', cell: (row) => html`
            <button class="link" onClick=${() => attempt(() => open(row))}>${shownKey(row.key) || '(empty)'}</button>` },
          { name: 'Value', cell: (row) => html`<code>${preview(row.value)}</code>` },
          { name: 'Ends in', cell: (row) => (row.expireTime > 0
            ? duration(Math.max(0, (row.expireTime - Date.now()) / 1000)) : '–') },
        ]} />
      <div class="pages">
        <button disabled=${current === 0} onClick=${() => setPage(current - 1)}>Previous</button>
        <span role="status">Page ${current + 1} of ${pages}, ${count(all.length)} entries</span>
        <button disabled=${current >= pages - 1} onClick=${() => setPage(current + 1)}>Next</button>
      </div>
      ${state.entries && (state.isCut || state.entries.length >= ENTRIES_MAX) && html`
        <p class="note">These are the first ${count(state.entries.length)} entries that the server
          sent, in no order. Find others by their keys.</p>`}`}
    ${opened && html`
      <${Editor} key=${opened.key.text + opened.isNew} name=${name} entryKey=${opened.key}
        isNew=${opened.isNew} details=${details} onClose=${() => setOpened(null)}
        onDone=${() => { setOpened(null); load(); }} />`}`;
}
