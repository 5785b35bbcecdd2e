// Templates in plain JavaScript: html`<p class=${kind}>${text}</p>` makes the nodes of Preact.
// A template is parsed once; elements end by </name>, <//> or />.
import { h, Fragment } from './preact.js';

const SLOT = '\u0000';
const SPACE = /\s/;
const parsed = new WeakMap();

/** Splits a text into strings and the numbers of slots. */
function parts(text, slots) {
  const found = [];
  text.split(SLOT).forEach((piece, i) => {
    if (i > 0) found.push(slots.next++);
    if (piece) found.push(piece);
  });
  return found;
}

/** Reads the attributes of a tag from `at` on; returns them with the place of the tag's end. */
function attributes(text, start, slots) {
  const found = [];
  let at = start;
  for (;;) {
    while (SPACE.test(text[at])) at++;
    const c = text[at];
    if (c === undefined) throw new SyntaxError('template: tag without an end');
    if (c === '>' || (c === '/' && text[at + 1] === '>')) return { found, at };
    if (text.startsWith('...' + SLOT, at)) {
      found.push({ spread: slots.next++ });
      at += 4;
      continue;
    }
    const nameStart = at;
    while (!SPACE.test(text[at]) && !'=/>'.includes(text[at])) at++;
    const name = text.slice(nameStart, at);
    if (text[at] !== '=') {
      found.push({ name, parts: null });
      continue;
    }
    const quote = text[++at];
    const isQuoted = quote === '"' || quote === "'";
    const valueStart = isQuoted ? ++at : at;
    while (isQuoted ? text[at] !== quote : !SPACE.test(text[at]) && text[at] !== '>') at++;
    found.push({ name, parts: parts(text.slice(valueStart, at), slots) });
    if (isQuoted) at++;
  }
}

function parse(strings) {
  const text = strings.join(SLOT);
  const slots = { next: 0 };
  const stack = [{ children: [] }];
  const top = () => stack[stack.length - 1];
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf('<', at);
    const end = next < 0 ? text.length : next;
    const words = text.slice(at, end).replace(/^\s*\n\s*|\s*\n\s*$/g, '');
    top().children.push(...parts(words, slots));
    if (next < 0) break;
    if (text[next + 1] === '/') {
      stack.pop();
      at = text.indexOf('>', next) + 1;
      continue;
    }
    let nameEnd = next + 1;
    while (!SPACE.test(text[nameEnd]) && !'/>'.includes(text[nameEnd])) nameEnd++;
    const name = text.slice(next + 1, nameEnd);
    const node = { type: name === SLOT ? slots.next++ : name, attributes: [], children: [] };
    const read = attributes(text, nameEnd, slots);
    node.attributes = read.found;
    top().children.push(node);
    if (text[read.at] === '/') {
      at = read.at + 2;
    } else {
      stack.push(node);
      at = read.at + 1;
    }
  }
  if (stack.length !== 1) throw new SyntaxError('template: unbalanced tags: ' + text.slice(0, 200));
  return stack[0].children;
}

function value(pieces, values) {
  if (pieces === null) return true;
  if (pieces.length === 1) return typeof pieces[0] === 'number' ? values[pieces[0]] : pieces[0];
  return pieces.map((piece) => (typeof piece === 'number' ? values[piece] : piece)).join('');
}

function build(node, values) {
  if (typeof node === 'string') return node;
  if (typeof node === 'number') return values[node];
  const props = {};
  for (const each of node.attributes) {
    if (each.spread !== undefined) Object.assign(props, values[each.spread]);
    else props[each.name] = value(each.parts, values);
  }
  const type = typeof node.type === 'number' ? values[node.type] : node.type;
  return h(type, props, ...node.children.map((child) => build(child, values)));
}

/** Makes nodes from a template. */
export function html(strings, ...values) {
  let nodes = parsed.get(strings);
  if (!nodes) {
    nodes = parse(strings);
    parsed.set(strings, nodes);
  }
  const made = nodes.map((node) => build(node, values));
  return made.length === 1 ? made[0] : h(Fragment, null, ...made);
}
