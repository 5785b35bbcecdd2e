// Where the memory of this process is.
import { html } from './html.js';
import { json } from './rest.js';
import { Bar, Failure, Head, Plot, Table, bytes, count, useHistory, useLive } from './ui.js';
import { useMetrics, useSample } from './overview.js';

/** The parts of the process: what is used of each, and what is reserved for it. */
function partsOf(memory) {
  const pool = (name) => memory.buffer_pools.find((each) => each.name === name)?.memory_used ?? 0;
  const { heap, non_heap: code, off_heap: entries, process } = memory;
  return [
    ['Java heap', heap.used, heap.committed],
    ['Entries off the heap', entries.allocated_bytes, entries.reserved_bytes],
    ['Buffers of connections', Math.max(0, process.network_bytes)],
    ['Other buffers off the heap', pool('direct')],
    ['Files in memory', pool('mapped')],
    ['Classes and compiled code', code.used, code.committed],
    ['Libraries and shared classes', Math.max(0, process.file_bytes)],
  ].map(([name, used, reserved]) => ({ name, used, reserved: reserved ?? used }));
}

/** The parts with what the system counts beyond them. */
function allParts(memory) {
  const parts = partsOf(memory);
  const resident = memory.process.resident_bytes;
  const rest = resident - parts.reduce((sum, part) => sum + part.used, 0);
  if (resident <= 0 || rest <= 0) return parts;
  const free = Math.min(rest, Math.max(0, memory.heap.committed - memory.heap.used));
  return [...parts, { name: 'Free in the heap, at most', used: free }, { name: 'Rest', used: rest - free }];
}

function Whole({ parts }) {
  const all = parts.reduce((sum, part) => sum + part.used, 0);
  return html`
    <div class="whole" aria-hidden="true">
      ${parts.map((part, i) => html`
        <span class="part${i}" style=${{ width: `${(100 * part.used) / all}%` }} title=${part.name}></span>`)}
    </div>
    <${Table} caption="Parts of the process" rows=${parts} id=${(part) => part.name}
      columns=${[
        { name: 'Part', cell: (part) => html`
          <span class="swatch part${parts.indexOf(part)}" aria-hidden="true"></span>${part.name}` },
        { name: 'Used', number: true, cell: (part) => bytes(part.used) },
        { name: 'Reserved', number: true, cell: (part) => bytes(part.reserved) },
        { name: 'Share', number: true, cell: (part) => `${((100 * part.used) / all).toFixed(1)} %` },
      ]} />`;
}

function Limits({ memory }) {
  return html`
    <section class="card" aria-labelledby="limits">
      <h2 id="limits">Limits</h2>
      <${Bar} label="Java heap" used=${memory.heap.used} max=${memory.heap.max_bytes} isLimit=${true} />
      <${Bar} label="Entries off the heap" used=${memory.off_heap.allocated_bytes}
        max=${memory.off_heap.max_bytes} isLimit=${true} />
    </section>`;
}

function Collections({ memory }) {
  return html`
    <h2>Garbage collection</h2>
    <${Table} caption="Garbage collectors" rows=${memory.gc} id=${(row) => row.name}
      columns=${[
        { name: 'Collector', cell: (row) => row.name },
        { name: 'Runs', number: true, cell: (row) => count(row.collection_count) },
        { name: 'Time', number: true, cell: (row) => `${(row.collection_time / 1000).toFixed(1)} s` },
      ]} />`;
}

/** What a cache may have at most: one of two bounds, or none. */
function fullness(metrics, name, entries, memory) {
  const bound = (what) => metrics.sum(`isogrid_cache_${what}`, { cache: name });
  const entriesMax = bound('entries_max');
  const memoryMax = bound('memory_max_bytes');
  if (entriesMax > 0) return { share: entries / entriesMax, words: `${count(entriesMax)} entries` };
  if (memoryMax > 0) return { share: memory / memoryMax, words: bytes(memoryMax) };
  return null;
}

function Caches({ metrics }) {
  const entries = metrics.byCache('isogrid_cache_entries');
  const rows = [...metrics.byCache('isogrid_cache_memory_bytes')]
    .map(([name, memory]) => ({ name, memory, entries: entries.get(name) ?? 0,
      full: fullness(metrics, name, entries.get(name) ?? 0, memory) }))
    .sort((one, other) => other.memory - one.memory);
  return html`
    <h2>By cache</h2>
    <${Table} caption="Memory by cache" rows=${rows} id=${(row) => row.name} empty="There is no cache."
      columns=${[
        { name: 'Cache', cell: (row) => html`
          <a href=${`#/cache/${encodeURIComponent(row.name)}/statistics`}>${row.name}</a>` },
        { name: 'Memory', number: true, cell: (row) => bytes(row.memory) },
        { name: 'Entries', number: true, cell: (row) => count(row.entries) },
        { name: 'Per entry', number: true,
          cell: (row) => (row.entries > 0 ? bytes(row.memory / row.entries) : '–') },
        { name: 'Bound', number: true, cell: (row) => row.full?.words ?? '–' },
        { name: 'Full', number: true, cell: (row) => (row.full === null ? '–' : html`
          <span class=${row.full.share > 0.9 ? 'badge bad' : ''}>${Math.round(100 * row.full.share)} %</span>`) },
      ]} />`;
}

export function Memory() {
  const live = useLive(() => json('server/memory'), [], 2000);
  const metrics = useMetrics(5000);
  const memory = live.value;
  const history = useHistory('memory.process', useSample(memory, () => [
    memory.process.resident_bytes > 0 ? memory.process.resident_bytes : NaN, memory.heap.used,
    memory.off_heap.allocated_bytes]));
  return html`
    <${Head} title="Memory" />
    <${Failure} error=${live.error || metrics.error} />
    ${memory && html`
      <section class="card" aria-labelledby="process">
        <h2 id="process">Process of this node</h2>
        <p>${memory.process.resident_bytes > 0
          ? `${bytes(memory.process.resident_bytes)} in the memory of the machine, at most `
            + `${bytes(memory.process.resident_max_bytes)} so far`
            + (memory.process.swapped_bytes > 0
              ? `, and ${bytes(memory.process.swapped_bytes)} swapped to the disk.` : '.')
          : 'The system does not say how much memory the process has.'}</p>
        <${Whole} parts=${allParts(memory)} />
        <p class="note">The heap's free room belongs to the process as soon as it was used once. The rest is
          the stacks of ${count(memory.process.threads)} threads and tables of the JVM.</p>
      </section>
      <div class="plots">
        <${Plot} title="Memory" history=${history} names=${['process', 'heap', 'entries off the heap']}
          form=${bytes} />
      </div>
      <${Limits} memory=${memory} />`}
    ${metrics.value && html`<${Caches} metrics=${metrics.value.now} />`}
    ${memory && html`<${Collections} memory=${memory} />`}`;
}
