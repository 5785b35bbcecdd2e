// Makes a cache: a form, and beside it the document that the server gets.
import { useEffect, useState } from './hooks.js';
import { html } from './html.js';
import { change, path, text } from './rest.js';
import { Check, Failure, Field, Head, attempt } from './ui.js';

const FORMATS = { json: 'application/json', xml: 'application/xml', yaml: 'application/yaml' };
const START = {
  name: '', kind: 'distributed', mode: 'SYNC', owners: '2', minInSync: '1', segments: '256',
  statistics: true, encoding: 'application/x-protostream', storage: 'OFF_HEAP', bound: 'none',
  max: '', whenFull: 'REMOVE', lifespan: '', maxIdle: '', compression: 'NONE', aliases: '',
  store: 'none', fsync: 'INTERVAL', access: 'all', roles: '', whenSplit: 'DENY_READ_WRITES',
  mergePolicy: 'NONE',
};
/** A pause in typing after which the document is made again. */
const TYPING_MILLIS = 300;

function isReplicated(form) {
  return form.kind === 'distributed' || form.kind === 'replicated';
}

/** The names in a text, which has commas or blanks between them. */
function names(text) {
  return text.split(/[\s,]+/).filter((name) => name !== '');
}

/** The form as a document in JSON. Numbers stand as they were typed; the server checks them. */
function documentOf(form) {
  const cache = {};
  if (form.kind !== 'local') cache.mode = form.mode;
  if (form.kind === 'distributed') cache.owners = form.owners;
  if (isReplicated(form) && form.minInSync !== '1') cache['min-in-sync'] = form.minInSync;
  if (isReplicated(form) || form.kind === 'local') cache.segments = form.segments;
  cache.statistics = form.statistics;
  if (form.encoding) cache.encoding = { 'media-type': form.encoding };
  cache.memory = { storage: form.storage };
  if (form.bound !== 'none') {
    cache.memory[form.bound] = form.max;
    cache.memory['when-full'] = form.whenFull;
  }
  if (form.compression !== 'NONE') cache.memory.compression = form.compression;
  if (form.store === 'file-store') cache.persistence = { 'file-store': { fsync: form.fsync } };
  if (form.access === 'roles') {
    cache.security = { authorization: { roles: names(form.roles) } };
  } else if (form.access === 'open') {
    cache.security = { authorization: { enabled: false } };
  }
  if (isReplicated(form) && form.whenSplit !== 'DENY_READ_WRITES') {
    cache['partition-handling'] = { 'when-split': form.whenSplit };
    if (form.whenSplit === 'ALLOW_READ_WRITES') {
      cache['partition-handling']['merge-policy'] = form.mergePolicy;
    }
  }
  const expiration = {};
  if (form.lifespan) expiration.lifespan = form.lifespan;
  if (form.maxIdle) expiration['max-idle'] = form.maxIdle;
  if (Object.keys(expiration).length > 0) cache.expiration = expiration;
  return { [`${form.kind}-cache`]: cache };
}

/** The document in the wanted format, as the server understands it. */
function useDocument(form, format) {
  const [state, setState] = useState({ text: '', error: null });
  const source = JSON.stringify(documentOf(form));
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(async () => {
      try {
        const answer = await text('caches?action=convert&pretty=true', {
          method: 'POST',
          body: source,
          headers: { 'Content-Type': FORMATS.json, Accept: FORMATS[format] },
        });
        if (!isOver) setState({ text: answer, error: null });
      } catch (error) {
        if (!isOver) setState((before) => ({ text: before.text, error }));
      }
    }, TYPING_MILLIS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [source, format]);
  return state;
}

function Form({ form, set }) {
  const field = (name) => ({ value: form[name], onChange: (value) => set({ ...form, [name]: value }) });
  return html`
    <fieldset>
      <legend>Where entries are</legend>
      <${Field} label="Kind" ...${field('kind')} hint=${{
        distributed: 'Each entry is on some nodes.',
        replicated: 'Each entry is on all nodes.',
        local: 'Each node has entries of its own.',
        invalidation: 'Each node has entries of its own; a write removes the others.',
      }[form.kind]}>
        <option value="distributed">distributed</option>
        <option value="replicated">replicated</option>
        <option value="local">local</option>
        <option value="invalidation">invalidation</option>
      <//>
      ${form.kind !== 'local' && html`
        <${Field} label="A write is answered" ...${field('mode')}>
          <option value="SYNC">when the copies have it</option>
          <option value="ASYNC">before the copies have it</option>
        <//>`}
      ${form.kind === 'distributed' && html`
        <${Field} label="Owners of an entry" kind="number" min="1" max="255" ...${field('owners')} />`}
      ${isReplicated(form) && html`
        <${Field} label="Least copies for a write" kind="number" min="1" max="255"
          ...${field('minInSync')} />`}
      ${form.kind !== 'invalidation' && html`
        <${Field} label="Segments" kind="number" min="1" max="65536" ...${field('segments')} />`}
      <${Field} label="Storage" ...${field('storage')}>
        <option value="OFF_HEAP">off the Java heap</option>
        <option value="HEAP">on the Java heap</option>
      <//>
      <${Field} label="Store" ...${field('store')} hint=${form.store === 'none'
        ? 'Entries end with the servers.'
        : 'Needs a server with --data. Stores of databases are for configuration files.'}>
        <option value="none">none: entries are only in memory</option>
        <option value="file-store">files of each server</option>
      <//>
      ${form.store === 'file-store' && html`
        <${Field} label="A write is on the disk" ...${field('fsync')}>
          <option value="INTERVAL">within a second</option>
          <option value="EACH">before it is answered</option>
          <option value="NONE">when the system writes it</option>
        <//>`}
      ${isReplicated(form) && html`
        <${Field} label="Without the majority of the cluster" ...${field('whenSplit')}>
          <option value="DENY_READ_WRITES">refuse reads and writes</option>
          <option value="ALLOW_READS">allow reads</option>
          <option value="ALLOW_READ_WRITES">allow reads and writes</option>
        <//>`}
      ${isReplicated(form) && form.whenSplit === 'ALLOW_READ_WRITES' && html`
        <${Field} label="If both sides wrote a key" ...${field('mergePolicy')}>
          <option value="NONE">keep that of the majority</option>
          <option value="PREFERRED_ALWAYS">keep the preferred one</option>
          <option value="PREFERRED_NON_NULL">keep the preferred one unless it was removed</option>
          <option value="REMOVE_ALL">remove the entry</option>
        <//>`}
    </fieldset>
    <fieldset>
      <legend>What entries are</legend>
      <${Field} label="Media type of keys and values" ...${field('encoding')}>
        <option value="application/x-protostream">application/x-protostream</option>
        <option value="text/plain">text/plain</option>
        <option value="application/json">application/json</option>
        <option value="application/octet-stream">application/octet-stream</option>
        <option value="">not given: bytes as they come</option>
      <//>
      <${Field} label="Compression of values" ...${field('compression')}>
        <option value="NONE">none</option>
        <option value="DICTIONARY">by a dictionary that each node trains</option>
      <//>
      <${Field} label="Users that it admits" ...${field('access')}>
        <option value="all">all, as their roles permit</option>
        <option value="roles">those with some roles</option>
        <option value="open">all, with all permissions</option>
      <//>
      ${form.access === 'roles' && html`
        <${Field} label="Roles" ...${field('roles')} required hint="With commas between them." />`}
      <${Check} label="Count hits, misses, writes and so on" checked=${form.statistics}
        onChange=${(value) => set({ ...form, statistics: value })} />
    </fieldset>
    <fieldset>
      <legend>How many and how long</legend>
      <${Field} label="Bound on each node" ...${field('bound')}>
        <option value="none">none</option>
        <option value="max-count">number of entries</option>
        <option value="max-size">memory</option>
      <//>
      ${form.bound !== 'none' && html`
        <${Field} label=${form.bound === 'max-size' ? 'Memory' : 'Entries'} ...${field('max')} required
          hint=${form.bound === 'max-size' ? 'For example 500MiB or 2GB.' : 'For example 100000.'} />
        <${Field} label="At the bound" ...${field('whenFull')}>
          <option value="REMOVE">remove the least useful entries</option>
          <option value="EXCEPTION">refuse writes</option>
        <//>`}
      <${Field} label="Lifespan" ...${field('lifespan')} hint="For example 10m or 1d; empty for none." />
      <${Field} label="Longest time without access" ...${field('maxIdle')}
        hint="For example 30s; empty for none." />
    </fieldset>`;
}

export function CreateCache() {
  const [form, setForm] = useState(START);
  const [format, setFormat] = useState('json');
  const [edited, setEdited] = useState(null);
  const [isBusy, setBusy] = useState(false);
  const made = useDocument(form, format);
  const set = (next) => {
    setForm(next);
    setEdited(null);
  };
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    const body = edited ?? JSON.stringify(documentOf(form));
    const type = edited === null ? FORMATS.json : FORMATS[format];
    const isMade = await attempt(async () => {
      await change('POST', path('caches', form.name), body, { 'Content-Type': type });
      for (const alias of names(form.aliases)) {
        await change('POST',
          path('caches', form.name, 'assign-alias', '&alias=' + encodeURIComponent(alias)));
      }
    }, `Created the cache ${form.name}.`);
    setBusy(false);
    if (isMade) location.hash = '#/cache/' + encodeURIComponent(form.name);
  };
  return html`
    <${Head} title="Create a cache" />
    <form class="beside" onSubmit=${submit}>
      <div class="card">
        <${Field} label="Name" value=${form.name} required pattern=".*\\S.*"
          onChange=${(name) => setForm({ ...form, name })} />
        <${Field} label="Aliases" value=${form.aliases}
          hint="Further names, with commas between them; given when the cache is made."
          onChange=${(aliases) => setForm({ ...form, aliases })} />
        <${Form} form=${form} set=${set} />
      </div>
      <div class="card document">
        <${Field} label="Document in" value=${format}
          onChange=${(next) => { setFormat(next); setEdited(null); }}>
          <option value="json">JSON</option>
          <option value="xml">XML</option>
          <option value="yaml">YAML</option>
        <//>
        <${Field} label="Document that the server gets" kind="area" rows="18" wide
          value=${edited ?? made.text} onChange=${setEdited} />
        ${edited !== null && html`
          <p class="note" role="status">Edited by hand: this text is sent, not the form.
            <button type="button" onClick=${() => setEdited(null)}>Back to the form</button></p>`}
        <${Failure} error=${edited === null ? made.error : null} />
        <div class="buttons">
          <a class="button" href="#/caches">Cancel</a>
          <button class="primary" disabled=${isBusy}>Create</button>
        </div>
      </div>
    </form>`;
}
