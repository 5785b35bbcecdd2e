// The stores of caches on this node: size, forces of the disk, and what is wrong.
import { useRef } from './hooks.js';
import { html } from './html.js';
import { json } from './rest.js';
import { Bar, Failure, Head, Plot, Table, bytes, count, time, useHistory, useLive } from './ui.js';
import { useSample } from './overview.js';

const FSYNC = {
  EACH: 'each write is on the disk before it is acknowledged',
  INTERVAL: 'all writes are on the disk within the interval',
  NONE: 'the system writes when it wants',
};

/** The stores with those that were asked for before, so that changes per second are known. */
function useStores() {
  const before = useRef(null);
  return useLive(async () => {
    const now = { at: performance.now(), stores: await json('server/stores') };
    const pair = { now, before: before.current };
    before.current = now;
    return pair;
  }, [], 2000);
}

function sum(stores, field) {
  return stores.reduce((all, each) => all + (each[field] ?? 0), 0);
}

/** What a figure of all stores changed by, and in how many seconds. */
function change({ now, before }, field) {
  return Math.max(0, sum(now.stores, field) - sum(before.stores, field));
}

function sampleOf(pair) {
  const seconds = (pair.now.at - pair.before.at) / 1000;
  const forces = change(pair, 'forces');
  return {
    written: change(pair, 'appended_bytes') / seconds,
    forced: change(pair, 'forced_bytes') / seconds,
    force: forces > 0 ? change(pair, 'force_millis') / 1000 / forces : NaN,
  };
}

function meanForce(store) {
  return store.forces > 0 ? store.force_millis / 1000 / store.forces : undefined;
}

function Store({ store }) {
  const lost = store.appended_bytes - store.forced_bytes;
  return html`
    <section class="card" aria-label="Store of ${store.cache}">
      <h2><a href=${`#/cache/${encodeURIComponent(store.cache)}/statistics`}>${store.cache}</a></h2>
      ${store.trouble && html`<p class="failure" role="alert">${store.trouble}</p>`}
      ${!store.is_open && html`<p>${store.read_only ? 'The store is only read.'
        : 'The store is not open yet; writes to the cache wait or are refused.'}</p>`}
      ${store.is_open && html`
        <${Bar} label="In use of the files" used=${store.live_bytes} max=${store.file_bytes} />
        ${store.disk_bytes > 0 && html`
          <${Bar} label="Used of the disk, by all programs" used=${store.disk_bytes - store.disk_free_bytes}
            max=${store.disk_bytes} isLimit=${true} />`}
        <dl class="facts">
          <dt>Forces</dt><dd>${store.fsync}: ${FSYNC[store.fsync]}</dd>
          <dt>Forces so far</dt><dd>${count(store.forces)}${store.forces > 0
            ? `, ${time(meanForce(store))} on average, ${time(store.longest_force_millis / 1000)} at most` : ''}</dd>
          <dt>A loss of power would lose</dt><dd>${bytes(Math.max(0, lost))}</dd>
          <dt>Written</dt><dd>${bytes(store.appended_bytes)}, ${bytes(store.carried_bytes)} of it again so
            that old files could go</dd>
          <dt>File</dt><dd><code>${store.file}</code></dd>
        </dl>`}
    </section>`;
}

function Outside({ stores }) {
  return stores.length > 0 && html`
    <h2>Databases and other stores outside</h2>
    <${Table} caption="Stores outside" rows=${stores} id=${(row) => row.cache}
      columns=${[
        { name: 'Cache', cell: (row) => row.cache },
        { name: 'Writes', number: true, cell: (row) => count(row.writes) },
        { name: 'Deletes', number: true, cell: (row) => count(row.deletes) },
        { name: 'Waiting', number: true, cell: (row) => count(row.queued) },
        { name: 'Failures', number: true, cell: (row) => html`
          <span class=${row.failures > 0 ? 'badge bad' : ''}>${count(row.failures)}</span>` },
        { name: 'Dropped', number: true, cell: (row) => html`
          <span class=${row.dropped > 0 ? 'badge bad' : ''}>${count(row.dropped)}</span>` },
      ]} />`;
}

export function Disks() {
  const live = useStores();
  const pair = live.value;
  const sample = useSample(pair?.before && pair, () => sampleOf(pair));
  const speeds = useHistory('disks.speed',
    useSample(sample, () => [sample.written, sample.forced]));
  const forces = useHistory('disks.force', useSample(sample, () => [sample.force]));
  const files = (pair?.now.stores ?? []).filter((each) => each.kind === 'file');
  const outside = (pair?.now.stores ?? []).filter((each) => each.kind !== 'file');
  return html`
    <${Head} title="Disks" />
    <${Failure} error=${live.error} />
    ${!pair && !live.error && html`<p class="empty">Loading …</p>`}
    ${pair && files.length + outside.length === 0 && html`
      <p class="empty">No cache of this node has a store: entries are in memory only.</p>`}
    ${files.length > 0 && html`
      <div class="plots">
        <${Plot} title="Bytes per second of all stores" history=${speeds} names=${['written', 'forced']}
          form=${bytes} />
        <${Plot} title="Time of a force" history=${forces} names=${['on average']} form=${time} />
      </div>`}
    ${files.map((store) => html`<${Store} key=${store.cache} store=${store} />`)}
    <${Outside} stores=${outside} />`;
}
