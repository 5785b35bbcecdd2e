// The cluster and its health, the nodes, the memory of this node, and what it does.
import { useMemo, useRef } from './hooks.js';
import { html } from './html.js';
import { perSecond, scrape } from './metrics.js';
import { json, sameJson } from './rest.js';
import { Badge, Bar, Failure, Head, Plot, Table, bytes, count, useHistory, useLive }
  from './ui.js';

/** Figures of this node with those before them, so that changes per second are known. */
export function useMetrics(millis = 2000) {
  const before = useRef(null);
  return useLive(async () => {
    const now = await scrape();
    const pair = { now, before: before.current };
    before.current = now;
    return pair;
  }, [], millis);
}

function useSame(path) {
  return useMemo(() => sameJson(path), [path]);
}

/** How much of a limit must be used to be named. */
const NEARLY_FULL = 0.9;

/** Caches that have all that their bound allows. */
function fullCaches(metrics) {
  return [['entries', 'entries_max'], ['memory_bytes', 'memory_max_bytes']].flatMap(([used, max]) => {
    const all = metrics?.byCache(`isogrid_cache_${used}`);
    return [...(metrics?.byCache(`isogrid_cache_${max}`) ?? [])]
      .filter(([name, bound]) => bound > 0 && all.get(name) / bound >= NEARLY_FULL)
      .map(([name, bound]) => {
        const evicted = metrics.sum('isogrid_cache_evictions_total', { cache: name });
        return `The cache ${name} has ${Math.round((100 * all.get(name)) / bound)} % of its bound on this `
          + `node; ${evicted > 0 ? `it has removed ${count(evicted)} entries`
            : 'it removes entries, or refuses writes'}. Its bound changes in its part Configuration.`;
      });
  });
}

/** What may soon be full on this node, and disks that fail. */
function limits(metrics) {
  const found = [];
  const heap = metrics?.sum('jvm_memory_used_bytes', { area: 'heap' });
  const offHeap = metrics?.sum('isogrid_off_heap_bytes') / metrics?.sum('isogrid_off_heap_max_bytes');
  // The parts of a heap are reported one by one, and some have no limit of their own.
  const heapMax = metrics?.samples('jvm_memory_max_bytes')
    .filter(({ labels }) => labels.area === 'heap').reduce((sum, each) => sum + Math.max(0, each.value), 0);
  if (heap / heapMax > NEARLY_FULL) {
    found.push('The Java heap of this node is nearly full. Start it with a larger -Xmx.');
  }
  if (offHeap > NEARLY_FULL) {
    found.push(`The memory off the heap of this node is nearly full, ${Math.round(100 * offHeap)} %. `
      + 'Bound caches, or start it with a larger --off-heap-max.');
  }
  for (const { labels, value } of metrics?.samples('isogrid_cache_journal_failing') ?? []) {
    if (value === 1) found.push(`The disk of the cache ${labels.cache} fails; see the view Disks.`);
  }
  return found;
}

/** Whether another node has no address for clients; a node without a cluster never has one. */
function takesNoClients(member, here) {
  return member.physical_addresses.length === 0 && member.node_address !== here;
}

/** Nodes that start, leave or do not answer, and copies that are on their way. */
function moves(here, members, rebalancing) {
  const found = (members ?? []).filter((each) => takesNoClients(each, here)).map((each) =>
    `The node ${each.node_address} takes no clients: it starts, or leaves once others have its entries.`);
  for (const name of rebalancing?.silent_nodes ?? []) {
    found.push(`The node ${name} is silent: it may be overloaded, paused or cut off.`);
  }
  if (rebalancing?.copies_left > 0 && rebalancing.rebalancing_enabled) {
    found.push(`${count(rebalancing.copies_left)} copies of segments are left to be sent; see the view `
      + 'Rebalancing.');
  }
  return found;
}

/** Things that need an operator. */
function troubles(metrics, health, container, members, rebalancing) {
  const found = moves(container?.node_address, members, rebalancing);
  const offline = metrics?.sum('isogrid_segments_offline');
  const under = metrics?.sum('isogrid_segments_underreplicated');
  const refused = metrics?.sum('isogrid_writes_refused_total');
  const denied = metrics?.sum('isogrid_connections_refused_total');
  if (metrics?.sum('isogrid_majority') === 0) {
    found.push('The majority of the cluster does not answer this node. It serves no entries.');
  }
  if (offline > 0) {
    found.push(`${count(offline)} segments have no node that serves them. Start the nodes again `
      + 'that had them, or give their entries up in the view of the cache.');
  }
  if (under > 0) found.push(`${count(under)} segments have fewer copies than they should.`);
  if (metrics?.sum('isogrid_rebalance_paused') === 1) found.push('Rebalancing is paused.');
  if (metrics?.sum('isogrid_split_apart') === 1) {
    found.push('This node goes on without the majority of the cluster.');
  }
  if (refused > 0) {
    found.push(`${count(refused)} writes were refused since the start, since memory or a bound `
      + 'was full.');
  }
  if (denied > 0) found.push(`${count(denied)} connections were refused since the start.`);
  const failed = (health?.cache_health ?? []).filter((each) => each.status === 'DEGRADED');
  if (failed.length > 0) {
    const names = failed.slice(0, 5).map((each) => each.cache_name).join(', ');
    found.push(`Degraded caches: ${names}${failed.length > 5 ? ' and others' : ''}.`);
  }
  return [...found, ...limits(metrics), ...fullCaches(metrics)];
}

function Troubles({ metrics, health, container, members, rebalancing }) {
  const found = troubles(metrics, health, container, members, rebalancing);
  return html`
    <section class="card" aria-labelledby="troubles">
      <h2 id="troubles">State</h2>
      ${found.length === 0
        ? html`<p>Nothing needs attention.</p>`
        : html`<ul class="troubles">${found.map((text) => html`<li>${text}</li>`)}</ul>`}
    </section>`;
}

function consoleOf(address) {
  return `${location.protocol}//${address}/console/`;
}

function Nodes({ container, members }) {
  const rows = members.value?.members ?? [];
  return html`
    <section class="card" aria-labelledby="nodes">
      <h2 id="nodes">Nodes</h2>
      <${Failure} error=${members.error} />
      <${Table} caption="Nodes of the cluster" rows=${rows} id=${(row) => row.node_address}
        empty=${members.value ? 'There is no node.' : 'Loading …'}
        columns=${[
          { name: 'Node', cell: (row) => row.node_address },
          { name: 'Address', cell: (row) => row.physical_addresses.join(', ') || '–' },
          { name: 'Role', cell: (row) => [
            row.node_address === container?.node_address ? 'this node' : '',
            row.node_address === container?.coordinator_address ? 'oldest' : '',
            container && takesNoClients(row, container.node_address) ? 'takes no clients' : '',
          ].filter(Boolean).join(', ') || '–' },
          { name: 'Console', cell: (row) => (row.node_address === container?.node_address
            || !row.physical_addresses[0] ? '–'
            : html`<a href=${consoleOf(row.physical_addresses[0])} target="_blank" rel="noreferrer">
                open<span class="hidden"> the console of ${row.node_address} in a new window</span></a>`) },
        ]} />
    </section>`;
}

function Memory({ metrics, memory }) {
  const caches = [...(metrics?.byCache('isogrid_cache_memory_bytes') ?? [])]
    .sort((one, other) => other[1] - one[1]);
  const shown = caches.slice(0, 8);
  const rest = caches.slice(8).reduce((sum, each) => sum + each[1], 0);
  const sum = caches.reduce((all, each) => all + each[1], 0);
  return html`
    <section class="card" aria-labelledby="memory">
      <h2 id="memory">Memory of this node</h2>
      <${Bar} label="Java heap" used=${memory?.heap.used} max=${memory?.heap.max_bytes}
        isLimit=${true} />
      <${Bar} label="Entries off the heap" used=${memory?.off_heap.allocated_bytes}
        max=${memory?.off_heap.max_bytes} isLimit=${true} />
      <${Bar} label="Reserved off the heap" used=${memory?.off_heap.reserved_bytes}
        max=${memory?.off_heap.max_bytes} />
      <${Bar} label="Buffers of connections" used=${memory?.process.network_bytes} />
      <${Bar} label="Classes, code and threads of the JVM" used=${memory?.non_heap.used} />
      <h3>By cache</h3>
      ${shown.length === 0 && html`<p class="empty">There is no cache.</p>`}
      ${shown.map(([name, used]) => html`
        <${Bar} key=${name} label=${name} used=${used} max=${sum} />`)}
      ${rest > 0 && html`<${Bar} label="${caches.length - 8} other caches" used=${rest} max=${sum} />`}
    </section>`;
}

export function Overview() {
  const metrics = useMetrics();
  const container = useLive(useSame('container'), [], 5000);
  const health = useLive(useSame('container/health'), [], 5000);
  const memory = useLive(() => json('server/memory'), [], 2000);
  const names = container.value?.cluster_members ?? [];
  const members = useLive(useSame('cluster/members'), [names.join()], 5000);
  const rebalancing = useLive(useSame('cluster?action=rebalancing'), [], 5000);
  const { now, before } = metrics.value ?? {};
  const speed = (name) => perSecond(before, now, name);
  const removals = (speed('isogrid_cache_remove_hits_total') ?? 0)
    + (speed('isogrid_cache_remove_misses_total') ?? 0);
  const sample = before && metrics.value;
  const operations = useHistory('overview.operations', useSample(sample, () => [
    (speed('isogrid_cache_hits_total') ?? 0) + (speed('isogrid_cache_misses_total') ?? 0),
    speed('isogrid_cache_stores_total') ?? 0,
    removals,
  ]));
  const traffic = useHistory('overview.traffic', useSample(sample, () => [
    speed('isogrid_read_bytes_total'), speed('isogrid_written_bytes_total'),
  ]));
  const processor = useHistory('overview.processor', useSample(sample, () => [
    (now.sum('process_cpu_usage') ?? NaN) * 100,
  ]));
  const cluster = health.value?.cluster_health;
  const error = metrics.error || container.error || health.error || memory.error;
  return html`
    <${Head} title="Overview" />
    <${Failure} error=${error} />
    <section class="tiles" aria-label="The cluster at a glance">
      <${Tile} name="Cluster" value=${cluster?.cluster_name ?? '–'}>
        <${Badge} health=${cluster?.health_status} /><//>
      <${Tile} name="Nodes" value=${count(cluster?.number_of_nodes)}>
        this is ${container.value?.node_address ?? '–'}<//>
      <${Tile} name="Caches" value=${count(container.value?.defined_caches.length)}>
        ${count(sumOf(now, 'isogrid_cache_entries'))} entries on this node<//>
      <${Tile} name="Connections" value=${count(now?.sum('isogrid_connections'))}>
        of at most ${count(now?.sum('isogrid_connections_max'))}<//>
      <${Tile} name="Version" value=${container.value?.version ?? '–'}>
        ${now?.sum('isogrid_rebalance_paused') === 1 ? 'rebalancing is paused' : 'of this node'}<//>
    </section>
    <${Troubles} metrics=${now} health=${health.value} container=${container.value}
      members=${members.value?.members} rebalancing=${rebalancing.value} />
    <section class="plots" aria-label="What this node does">
      <${Plot} title="Operations per second, caches with statistics" history=${operations}
        names=${['reads', 'writes', 'removals']} />
      <${Plot} title="Bytes per second of clients" history=${traffic} names=${['in', 'out']}
        form=${bytes} />
      <${Plot} title="Processor of the JVM, per cent" history=${processor} names=${['all cores']}
        limit=${100} />
    </section>
    <${Nodes} container=${container.value} members=${members} />
    <${Memory} metrics=${now} memory=${memory.value} />`;
}

function sumOf(metrics, name) {
  return metrics?.sum(name);
}

function Tile({ name, value, children }) {
  return html`
    <div class="tile"><span class="name">${name}</span><b>${value}</b>
      <span class="more">${children}</span></div>`;
}

/**
 * Makes one sample of each value that came, however often the view is drawn.
 *
 * @param key another one makes another sample of the same value
 */
export function useSample(source, make, key) {
  const made = useRef({ source: null, sample: undefined });
  if (source && (made.current.source !== source || made.current.key !== key)) {
    made.current = { source, key, sample: make() };
  }
  return made.current.sample;
}
