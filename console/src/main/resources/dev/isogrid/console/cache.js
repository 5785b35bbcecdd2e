// One cache: entries, changes, statistics, configuration.
import { useState } from './hooks.js';
import { html } from './html.js';
import { change, json, path, text } from './rest.js';
import { Badge, Bar, Confirm, Failure, Field, Head, Plot, Table, Tabs, attempt, bytes, count,
  duration, time, useHistory, useLive, useRights } from './ui.js';
import { useSample } from './overview.js';
import { Entries } from './entries.js';
import { Changes } from './changes.js';

const COUNTED = ['hits', 'misses', 'stores', 'remove_hits', 'remove_misses', 'evictions'];

const LATENCIES = [['p50_nanos', 'Half within'], ['p90_nanos', '90 % within'],
  ['p99_nanos', '99 % within'], ['p999_nanos', '99.9 % within'], ['max_nanos', 'Longest']];

const KINDS = { get: 'Reads', put: 'Writes', remove: 'Removals', other: 'Others' };

/** A time of nanoseconds with three digits or so. */
function shortTime(nanos) {
  return time(nanos / 1e9);
}

/** How long requests of clients took on this node, by the kind of operation. */
function Latencies({ latencies }) {
  const kinds = Object.keys(latencies).filter((kind) => latencies[kind].count > 0);
  return html`
    <h2>Time of requests</h2>
    <${Table} caption="Time of requests" rows=${kinds} id=${(kind) => kind}
      empty="No client has asked this node yet."
      columns=${[
        { name: 'Requests', cell: (kind) => KINDS[kind] ?? kind },
        { name: 'Number', number: true, cell: (kind) => count(latencies[kind].count) },
        { name: 'Mean', number: true, cell: (kind) => shortTime(latencies[kind].mean_nanos) },
        ...LATENCIES.map(([field, title]) => (
          { name: title, number: true, cell: (kind) => shortTime(latencies[kind][field]) })),
      ]} />`;
}

/** What the figures changed by per second since they were asked for last. */
function useSpeeds(stats) {
  const [memory] = useState({ before: null, now: null, at: 0, speeds: null });
  if (stats && stats !== memory.now) {
    const at = performance.now();
    const seconds = (at - memory.at) / 1000;
    memory.before = memory.now;
    memory.speeds = memory.before && Object.fromEntries(COUNTED.map((name) =>
      [name, Math.max(0, stats[name] - memory.before[name]) / seconds]));
    memory.now = stats;
    memory.at = at;
  }
  return memory.speeds;
}

function Statistics({ name }) {
  const { canCache } = useRights();
  const live = useLive(() => json(path('caches', name, 'stats')), [name]);
  const memory = useLive(() => json(path('caches', name, 'memory')), [name], 5000);
  const stats = live.value;
  const speeds = useSpeeds(stats);
  const reads = useHistory(`reads.${name}`,
    useSample(speeds, () => [speeds.hits, speeds.misses]));
  const writes = useHistory(`writes.${name}`, useSample(speeds, () =>
    [speeds.stores, speeds.remove_hits + speeds.remove_misses, speeds.evictions]));
  const entries = useHistory(`entries.${name}`,
    useSample(speeds, () => [stats.approximate_entries]));
  if (stats && stats.stores < 0) {
    return html`<p class="empty">This cache does not count. Set its attribute statistics to true, in
      the part Configuration.</p>`;
  }
  const all = stats ? stats.hits + stats.misses : 0;
  return html`
    <${Failure} error=${live.error || memory.error} />
    <div class="plots">
      <${Plot} title="Reads per second" history=${reads} names=${['hits', 'misses']} />
      <${Plot} title="Changes per second" history=${writes}
        names=${['writes', 'removals', 'evictions']} />
      <${Plot} title="Entries in the cluster" history=${entries} names=${['entries']} form=${count} />
    </div>
    ${stats && html`
      <dl class="facts">
        <dt>Entries</dt><dd>${count(stats.approximate_entries)}</dd>
        <dt>Hits</dt><dd>${count(stats.hits)} ${all > 0
          ? `(${((100 * stats.hits) / all).toFixed(1)} %)` : ''}</dd>
        <dt>Misses</dt><dd>${count(stats.misses)}</dd>
        <dt>Writes</dt><dd>${count(stats.stores)}</dd>
        <dt>Removals</dt><dd>${count(stats.remove_hits)} found, ${count(stats.remove_misses)} not</dd>
        <dt>Evictions</dt><dd>${count(stats.evictions)}</dd>
        <dt>Counted for</dt><dd>${duration(stats.time_since_reset)}</dd>
      </dl>`}
    ${stats?.latencies && html`
      <${Latencies} latencies=${stats.latencies} />
      <p><a href=${'#/latency/' + encodeURIComponent(name)}>Latency of the last seconds, by protocol</a></p>`}
    ${memory.value && html`
      <h2>Memory on this node</h2>
      <${Bar} label="Entries" used=${memory.value.live_bytes} max=${memory.value.allocated_bytes} />
      <${Bar} label="Removed, not yet reused" used=${memory.value.dead_bytes}
        max=${memory.value.allocated_bytes} />
      <${Bar} label="Index" used=${memory.value.index_bytes} max=${memory.value.allocated_bytes} />`}
    <p class="note">Counts and times are those of this node; entries are those of the cluster.</p>
    ${canCache(name, 'ADMIN') && html`
      <div class="buttons"><button onClick=${() => attempt(
        () => change('POST', path('caches', name, 'stats-reset')),
        'The statistics begin anew.')}>Begin anew</button></div>`}`;
}

const FORMATS = [['XML', 'application/xml'], ['JSON', 'application/json'],
  ['YAML', 'application/yaml']];

function Attribute({ name, attribute, value, onChanged }) {
  const [typed, setTyped] = useState(String(value));
  const submit = async (event) => {
    event.preventDefault();
    const more = `&attribute-name=${encodeURIComponent(attribute)}`
      + `&attribute-value=${encodeURIComponent(typed)}`;
    if (await attempt(() => change('POST', path('caches', name, 'set-mutable-attribute', more)),
      `Changed ${attribute}.`)) onChanged();
  };
  return html`
    <form class="inline" onSubmit=${submit}>
      <${Field} label=${attribute} value=${typed} onChange=${setTyped} />
      <button disabled=${typed === String(value)}>Change</button>
    </form>`;
}

function Configuration({ name }) {
  const { canCache } = useRights();
  const [format, setFormat] = useState(FORMATS[0][1]);
  const shown = useLive(() => text(path('caches', name, 'config', '&pretty=true'),
    { headers: { Accept: format } }), [name, format], 15_000);
  const attributes = useLive(
    () => json(path('caches', name, 'get-mutable-attributes', '&full=true')), [name], 15_000);
  const changed = () => {
    attributes.refresh();
    shown.refresh();
  };
  return html`
    <${Failure} error=${shown.error || attributes.error} />
    <${Field} label="Document in" value=${format} onChange=${setFormat}>
      ${FORMATS.map(([title, type]) => html`<option value=${type}>${title}</option>`)}
    <//>
    <pre tabindex="0" role="region" aria-label="Configuration of the cache">${shown.value ?? 'Loading …'}</pre>
    ${canCache(name, 'ADMIN') && html`
      <h2>What can be changed now</h2>
      ${Object.entries(attributes.value ?? {}).map(([attribute, { value }]) => html`
        <${Attribute} key=${attribute + value} name=${name} attribute=${attribute} value=${value}
          onChanged=${changed} />`)}
      ${attributes.value && Object.keys(attributes.value).length === 0
        && html`<p class="empty">No attribute of this cache can be changed while it exists.</p>`}`}`;
}

function Actions({ name, details, refresh }) {
  const { can, canCache } = useRights();
  const [asked, setAsked] = useState(null);
  const isAdmin = canCache(name, 'ADMIN');
  const progress = useLive(isAdmin ? () => json('cluster?action=rebalancing') : null, [name], 5000);
  const isPaused = progress.value?.paused_caches.includes(name);
  const post = (action, more, done) => attempt(
    () => change('POST', path('caches', name, action, more)), done).then(() => {
    refresh();
    progress.refresh();
  });
  const isIgnored = details?.status === 'IGNORED';
  const ignore = (verb, done) => attempt(
    () => change(verb, path('server/ignored-caches', name)), done).then(refresh);
  const questions = {
    clear: {
      title: 'Clear the cache',
      text: `This removes all entries of ${name}, on all nodes.`,
      action: 'Remove all entries',
      onYes: () => post('clear', '', 'All entries are removed.'),
    },
    remove: {
      title: 'Remove the cache',
      text: `This removes ${name} with all its entries, on all nodes.`,
      action: 'Remove the cache',
      onYes: async () => {
        if (await attempt(() => change('DELETE', path('caches', name)), `Removed ${name}.`)) {
          location.hash = '#/caches';
        }
      },
    },
    ignore: {
      title: 'Ignore the cache',
      text: `Clients of all servers and protocols get errors for ${name}. Its entries stay.`,
      action: 'Ignore the cache',
      isReversible: true,
      onYes: () => ignore('POST', 'Clients no longer reach the cache.'),
    },
    give: {
      title: 'Give up lost entries',
      text: 'Segments whose nodes are all gone begin anew, empty, for all caches of this shape. '
        + 'Their entries are lost even if the nodes come back.',
      action: 'Give the entries up',
      onYes: () => post('set-availability', '&availability=AVAILABLE', 'The cache is available.'),
    },
  };
  const question = questions[asked];
  return html`
    <a class="button" href=${'#/segments/' + encodeURIComponent(name)}>Segments</a>
    ${isAdmin && !isPaused && details?.rebalancing_enabled && details.type !== 'local-cache' && html`
      <button onClick=${() => post('disable-rebalancing', '',
        'Rebalancing pauses for the caches of this shape.')}>Pause rebalancing</button>`}
    ${isAdmin && isPaused && html`
      <button onClick=${() => post('enable-rebalancing', '', 'Rebalancing goes on.')}>
        Go on with rebalancing</button>`}
    ${can('ADMIN') && details && (isIgnored
      ? html`<button onClick=${() => ignore('DELETE', 'Clients reach the cache again.')}>Serve again</button>`
      : html`<button onClick=${() => setAsked('ignore')}>Ignore</button>`)}
    ${isAdmin && details?.health === 'DEGRADED' && html`
      <button class="danger" onClick=${() => setAsked('give')}>Give up lost entries</button>`}
    ${canCache(name, 'BULK_WRITE') && html`
      <button class="danger" onClick=${() => setAsked('clear')}>Clear</button>`}
    ${can('CREATE') && html`
      <button class="danger" onClick=${() => setAsked('remove')}>Remove</button>`}
    ${question && html`
      <${Confirm} ...${question} word=${question.isReversible ? undefined : name} onClose=${() => setAsked(null)} />`}`;
}

export function CacheView({ args }) {
  const [name, tab] = args;
  const { canCache } = useRights();
  const details = useLive(() => json(`caches/${encodeURIComponent(name)}`), [name], 5000);
  const found = details.value;
  const tabs = [
    canCache(name, 'READ') && { name: 'entries', title: 'Entries', show: () => html`
      <${Entries} name=${name} details=${found} />` },
    canCache(name, 'MONITOR') && { name: 'statistics', title: 'Statistics', show: () => html`
      <${Statistics} name=${name} />` },
    canCache(name, 'LISTEN') && { name: 'changes', title: 'Changes', show: () => html`
      <${Changes} name=${name} />` },
    canCache(name, 'MONITOR') && { name: 'configuration', title: 'Configuration', show: () => html`
      <${Configuration} name=${name} />` },
  ].filter(Boolean);
  const current = tabs.some((each) => each.name === tab) ? tab : tabs[0]?.name;
  return html`
    <p class="crumbs"><a href="#/caches">Caches</a></p>
    <${Head} title=${name}>
      <${Actions} name=${name} details=${found} refresh=${details.refresh} />
    <//>
    <${Failure} error=${details.error} />
    ${found && html`
      <dl class="facts line">
        ${[
          ['Health', found.status === 'IGNORED' ? html`<span class="badge busy">ignored: clients can't reach it</span>`
            : html`<${Badge} health=${found.health} />`],
          ['Mode', found.mode],
          ['Entries', count(found.size)],
          ['Keys', found.key_storage],
          ['Values', found.value_storage],
          ['Storage', found.storage_type + (found.max_size_bytes > 0
            ? `, at most ${bytes(found.max_size_bytes)}` : '')],
          ['Store', found.persistent ? html`<a href="#/disks">on the disk or outside</a>` : ''],
          ['Aliases', found.aliases.join(', ')],
        ].filter(([, what]) => what).map(([fact, what]) => html`
          <div><dt>${fact}</dt><dd>${what}</dd></div>`)}
      </dl>`}
    ${tabs.length > 0 && found && html`
      <${Tabs} label="Parts of the cache" tabs=${tabs} current=${current}
        onChange=${(next) => { location.hash = `#/cache/${encodeURIComponent(name)}/${next}`; }} />`}
    ${tabs.length === 0 && html`<p class="empty">You may not read this cache.</p>`}`;
}
