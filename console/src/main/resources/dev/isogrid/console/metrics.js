// Reads the text format of Prometheus.
import { text } from './rest.js';

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Samples of a scrape. */
export class Metrics {
  constructor(source, millis) {
    this.millis = millis;
    this.byName = new Map();
    for (const line of source.split('\n')) {
      const match = line.startsWith('#') ? null : LINE.exec(line);
      if (!match) continue;
      const labels = {};
      for (const [, name, value] of (match[2] || '').matchAll(LABEL)) {
        labels[name] = value.replace(/\\(.)/g, (_, c) => (c === 'n' ? '\n' : c));
      }
      if (!this.byName.has(match[1])) this.byName.set(match[1], []);
      this.byName.get(match[1]).push({ labels, value: Number(match[3]) });
    }
  }

  samples(name) {
    return this.byName.get(name) || [];
  }

  /** The sum of a metric over the samples that have some labels; undefined if there is none. */
  sum(name, labels = {}) {
    const fitting = this.samples(name).filter((sample) =>
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value));
    return fitting.length === 0 ? undefined : fitting.reduce((sum, each) => sum + each.value, 0);
  }

  /** A metric's value per cache. */
  byCache(name) {
    return new Map(this.samples(name).map((sample) => [sample.labels.cache, sample.value]));
  }
}

/** The change of a sum per second between two scrapes; undefined if that is not known. */
export function perSecond(before, now, name, labels) {
  const first = before?.sum(name, labels);
  const last = now?.sum(name, labels);
  const seconds = before && now ? (now.millis - before.millis) / 1000 : 0;
  if (first === undefined || last === undefined || seconds <= 0) return undefined;
  return Math.max(0, last - first) / seconds;
}

/** Gets the figures of the server. */
export async function scrape() {
  return new Metrics(await text('/metrics'), performance.now());
}
