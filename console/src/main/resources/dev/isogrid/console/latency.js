// How long requests of clients took on this node in the last seconds: percentiles of the
// differences between scrapes of the histogram in /metrics.
import { useRef, useState } from './hooks.js';
import { html } from './html.js';
import { scrape } from './metrics.js';
import { Failure, Field, Head, Plot, Table, count, own, rate, time, useHistory, useLive }
  from './ui.js';
import { useSample } from './overview.js';

const BUCKETS = 'isogrid_request_seconds_bucket';
const SHARES = [['Half within', 0.5], ['90 % within', 0.9], ['99 % within', 0.99],
  ['99.9 % within', 0.999]];
const OPERATIONS = { get: 'reads', put: 'writes', remove: 'removals', other: 'others' };

/** Scrapes that a figure looks back: ten seconds at two seconds each. */
const SCRAPES = 6;
const POLL_MILLIS = 2000;

/** The counts up to each bound, by cache, protocol and operation. */
function histograms(metrics) {
  const found = new Map();
  for (const { labels, value } of metrics.samples(BUCKETS)) {
    const key = JSON.stringify([labels.cache, labels.protocol, labels.operation]);
    if (!found.has(key)) found.set(key, []);
    found.get(key).push([labels.le === '+Inf' ? Infinity : Number(labels.le), value]);
  }
  for (const bounds of found.values()) bounds.sort(([one], [other]) => one - other);
  return found;
}

/** What a histogram got since an earlier one; all of it if there is no earlier one. */
function difference(now, before) {
  return now.map(([bound, value], i) => [bound, Math.max(0, value - (before?.[i]?.[1] ?? 0))]);
}

function added(one, other) {
  return one ? one.map(([bound, value], i) => [bound, value + other[i][1]]) : other;
}

/** The time that a share of the requests stayed within, about: buckets double from 4 µs on. */
function percentile(histogram, share) {
  const all = histogram?.at(-1)?.[1] ?? 0;
  if (all === 0) return undefined;
  const wanted = share * all;
  let lower = 0;
  let below = 0;
  for (const [bound, value] of histogram) {
    if (value >= wanted) {
      return bound === Infinity ? lower : lower + ((bound - lower) * (wanted - below)) / (value - below);
    }
    lower = bound;
    below = value;
  }
  return lower;
}

/** Scrapes with their histograms; the oldest is what the figures look back to. */
function useWindow() {
  const past = useRef([]);
  return useLive(async () => {
    const metrics = await scrape();
    const last = { millis: metrics.millis, all: histograms(metrics) };
    past.current = [...past.current.slice(1 - SCRAPES), last];
    const [first] = past.current;
    return { first, last, seconds: (last.millis - first.millis) / 1000 };
  }, [], POLL_MILLIS);
}

/** One row for each cache, protocol and operation, the slowest first. */
function rowsOf({ first, last, seconds }) {
  return [...last.all].map(([key, total]) => {
    const [cache, protocol, operation] = JSON.parse(key);
    const recent = seconds > 0 ? difference(total, first.all.get(key)) : total.map(([bound]) => [bound, 0]);
    return { key, cache, protocol, operation, total, recent,
      perSecond: seconds > 0 ? recent.at(-1)[1] / seconds : undefined };
  }).sort((one, other) => (percentile(other.recent, 0.99) ?? -1) - (percentile(one.recent, 0.99) ?? -1)
    || (percentile(other.total, 0.99) ?? -1) - (percentile(one.total, 0.99) ?? -1));
}

function Choice({ label, value, onChange, names, words = {} }) {
  return html`
    <${Field} label=${label} value=${value} onChange=${onChange}>
      <option value="">all</option>
      ${names.map((name) => html`<option value=${name} selected=${name === value}>${own(words, name) ?? name}</option>`)}
    <//>`;
}

export function Latency({ args }) {
  const live = useWindow();
  const [chosen, setChosen] = useState({ cache: args[0] ?? '', protocol: '', operation: '' });
  const rows = live.value ? rowsOf(live.value) : [];
  const names = (field) => [...new Set([...rows.map((row) => row[field]), chosen[field]])]
    .filter(Boolean).sort();
  const fitting = rows.filter((row) =>
    Object.entries(chosen).every(([field, value]) => !value || row[field] === value));
  const recent = fitting.reduce((sum, row) => added(sum, row.recent), undefined);
  const key = Object.values(chosen).join('/');
  const isKnown = live.value?.seconds > 0;
  const times = useHistory(`latency.${key}`, useSample(isKnown && live.value, () =>
    SHARES.map(([, share]) => percentile(recent, share) ?? NaN), key));
  const requests = useHistory(`requests.${key}`, useSample(isKnown && live.value, () =>
    Object.keys(OPERATIONS).map((operation) => fitting
      .filter((row) => row.operation === operation)
      .reduce((sum, row) => sum + row.perSecond, 0)), key));
  const choice = (field) => ({ value: chosen[field], names: names(field),
    onChange: (value) => setChosen({ ...chosen, [field]: value }) });
  const within = (histogram, share) => time(percentile(histogram, share));
  return html`
    <${Head} title="Latency" />
    <${Failure} error=${live.error} />
    <div class="row narrow">
      <${Choice} label="Cache" ...${choice('cache')} />
      <${Choice} label="Protocol" ...${choice('protocol')} />
      <${Choice} label="Operation" ...${choice('operation')} words=${OPERATIONS} />
    </div>
    <div class="plots">
      <${Plot} title="Time of a request, last 10 seconds" history=${times}
        names=${SHARES.map(([name]) => name)} form=${time} />
      <${Plot} title="Requests per second" history=${requests} names=${Object.values(OPERATIONS)} />
    </div>
    <h2>The slowest first</h2>
    <${Table} caption="Time of requests" rows=${fitting} id=${(row) => row.key}
      empty=${live.value ? 'No client has asked this node for a cache with statistics.' : 'Loading …'}
      columns=${[
        { name: 'Cache', cell: (row) => html`
          <a href=${`#/cache/${encodeURIComponent(row.cache)}/statistics`}>${row.cache}</a>` },
        { name: 'Protocol', cell: (row) => row.protocol },
        { name: 'Operation', cell: (row) => OPERATIONS[row.operation] ?? row.operation },
        { name: 'Per second', number: true, cell: (row) => rate(row.perSecond) },
        ...SHARES.filter(([, share]) => share !== 0.9).map(([name, share]) => (
          { name, number: true, cell: (row) => within(row.recent, share) })),
        { name: 'All so far', number: true, cell: (row) => count(row.total.at(-1)[1]) },
        { name: '99 % of them', number: true, cell: (row) => within(row.total, 0.99) },
      ]} />
    <p class="note">Times are those of this node, of the last 10 seconds unless named else, and about: they
      lie between bounds that double from 4 µs on. Caches without statistics are not timed.</p>`;
}
