// All caches with their figures.
import { useEffect, useState } from './hooks.js';
import { html } from './html.js';
import { useMetrics } from './overview.js';
import { perSecond } from './metrics.js';
import { json, listen } from './rest.js';
import { Badge, Failure, Field, Head, Table, bytes, count, rate, useLive, useRights }
  from './ui.js';

/** A pause before a stream that ended is asked for again. */
const AGAIN_MILLIS = 5000;

/** Runs something when caches come, change or go, if the user may listen to that. */
function useChangesOfCaches(onChange) {
  const { can } = useRights();
  useEffect(() => {
    if (!can('ADMIN')) return undefined;
    const over = new AbortController();
    let timer;
    const begin = async () => {
      try {
        await listen('container?action=listen', onChange, over.signal);
      } catch (failure) {
        if (over.signal.aborted || failure.status) return; // the list is asked for anyway
      }
      if (!over.signal.aborted) timer = setTimeout(begin, AGAIN_MILLIS);
    };
    begin();
    return () => {
      over.abort();
      clearTimeout(timer);
    };
  }, []);
}

const TYPES = {
  'local-cache': 'local',
  'replicated-cache': 'replicated',
  'distributed-cache': 'distributed',
  'invalidation-cache': 'invalidation',
};

export function Caches() {
  const { can } = useRights();
  const caches = useLive(() => json('caches?action=detailed'), [], 5000);
  const metrics = useMetrics();
  const [wanted, setWanted] = useState('');
  useChangesOfCaches(caches.refresh);
  const { now, before } = metrics.value ?? {};
  const entries = now?.byCache('isogrid_cache_entries');
  const memory = now?.byCache('isogrid_cache_memory_bytes');
  const speed = (name, cache) => perSecond(before, now, name, { cache });
  const rows = (caches.value ?? [])
    .filter((each) => each.name.toLowerCase().includes(wanted.toLowerCase()));
  const reads = (name) => {
    const hits = speed('isogrid_cache_hits_total', name);
    return hits === undefined ? undefined : hits + (speed('isogrid_cache_misses_total', name) ?? 0);
  };
  return html`
    <${Head} title="Caches">
      ${can('CREATE') && html`<a class="button primary" href="#/create">Create a cache</a>`}
    <//>
    <${Failure} error=${caches.error || metrics.error} />
    <${Field} label="Show names with" value=${wanted} onChange=${setWanted} kind="search" />
    <${Table} caption="Caches" rows=${rows} id=${(row) => row.name}
      empty=${caches.value ? 'There is no such cache.' : 'Loading …'}
      columns=${[
        { name: 'Name', cell: (row) => html`
          <a href=${'#/cache/' + encodeURIComponent(row.name)}>${row.name}</a>` },
        { name: 'Kind', cell: (row) => TYPES[row.type] ?? row.type },
        { name: 'Health', cell: (row) => html`
          <${Badge} health=${row.health} />
          ${row.status === 'IGNORED' && html` <span class="badge busy">ignored</span>`}` },
        { name: 'Entries here', number: true, cell: (row) => count(entries?.get(row.name)) },
        { name: 'Memory here', number: true, cell: (row) => bytes(memory?.get(row.name)) },
        { name: 'Reads/s', number: true, cell: (row) => rate(reads(row.name)) },
        { name: 'Writes/s', number: true,
          cell: (row) => rate(speed('isogrid_cache_stores_total', row.name)) },
        { name: 'Aliases', cell: (row) => row.aliases.join(', ') || '–' },
      ]} />
    <p class="note">Entries, memory and rates are those of this node. A dash stands for a figure that
      is not counted: set the attribute statistics of the cache to true.</p>`;
}
