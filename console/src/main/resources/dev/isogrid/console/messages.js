// Reads the messages of schemas, so that a new entry begins with the fields of its message.

/** Messages within messages that a template shows. */
const DEPTH_MAX = 3;

const TOKEN = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\w.]+|[^\s\w]/g;
const NUMBERS = /^(double|float|s?int32|s?int64|uint32|uint64|s?fixed32|s?fixed64)$/;

function tokensOf(source) {
  const plain = source.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/\/\/.*$/gm, ' ');
  return plain.match(TOKEN) ?? [];
}

/** Passes what stands up to a semicolon, or in braces. */
function skip(tokens, start) {
  let at = start;
  let depth = 0;
  for (; at < tokens.length; at++) {
    if (tokens[at] === '{') depth++;
    if (tokens[at] === '}' && --depth <= 0) return at + 1;
    if (tokens[at] === ';' && depth === 0) return at + 1;
  }
  return at;
}

function enumOf(tokens, start) {
  const values = [];
  let at = start;
  while (at < tokens.length && tokens[at] !== '}') {
    if (!['option', 'reserved'].includes(tokens[at]) && tokens[at + 1] === '=') values.push(tokens[at]);
    at = skip(tokens, at);
  }
  return { values, at: at + 1 };
}

/** Reads the parts of a message up to its closing brace. */
function body(tokens, start, name, found) {
  const fields = [];
  let at = start;
  while (at < tokens.length && tokens[at] !== '}') {
    const word = tokens[at];
    if (word === 'message') {
      at = body(tokens, at + 3, `${name}.${tokens[at + 1]}`, found);
    } else if (word === 'enum') {
      const read = enumOf(tokens, at + 3);
      found.set(`${name}.${tokens[at + 1]}`, { values: read.values });
      at = read.at;
    } else if (word === 'oneof') {
      at += 3; // its fields are fields of the message; a writer leaves all but one out
    } else if (['option', 'reserved', 'extensions', 'extend', ';'].includes(word)) {
      at = skip(tokens, at);
    } else if (word === 'map') {
      fields.push({ name: tokens[at + 6], isMap: true });
      at = skip(tokens, at);
    } else {
      const isLabelled = ['optional', 'required', 'repeated'].includes(word);
      const type = tokens[isLabelled ? at + 1 : at];
      fields.push({ name: tokens[isLabelled ? at + 2 : at + 1], type, isRepeated: word === 'repeated' });
      at = skip(tokens, at);
    }
    while (tokens[at] === '}' && isWithinOneof(tokens, start, at)) at++;
  }
  found.set(name, { fields });
  return at + 1;
}

/** Whether a closing brace ends a part of the message and not the message. */
function isWithinOneof(tokens, start, end) {
  let depth = 0;
  for (let at = start; at < end; at++) {
    if (tokens[at] === '{') depth++;
    if (tokens[at] === '}') depth--;
  }
  return depth > 0;
}

/** The messages and enums of a schema by their full names. */
export function messagesOf(source) {
  const tokens = tokensOf(source);
  const found = new Map();
  let prefix = '';
  let at = 0;
  while (at < tokens.length) {
    if (tokens[at] === 'package') prefix = `${tokens[at + 1]}.`;
    if (tokens[at] === 'message') {
      at = body(tokens, at + 3, prefix + tokens[at + 1], found);
    } else if (tokens[at] === 'enum') {
      const read = enumOf(tokens, at + 3);
      found.set(prefix + tokens[at + 1], { values: read.values });
      at = read.at;
    } else {
      at = skip(tokens, at);
    }
  }
  return found;
}

/** A type's full name: it is looked for within the message, then further out. */
function resolve(found, type, within) {
  const scopes = within.split('.');
  for (let length = scopes.length; length >= 0; length--) {
    const name = [...scopes.slice(0, length), type.replace(/^\./, '')].join('.');
    if (found.has(name)) return name;
  }
  return undefined;
}

function valueOf(found, field, within, depth) {
  if (field.isMap) return {};
  if (field.isRepeated) return [];
  if (NUMBERS.test(field.type)) return 0;
  if (field.type === 'bool') return false;
  const name = resolve(found, field.type, within);
  if (name === undefined) return '';
  const { values } = found.get(name);
  if (values) return values[0];
  return depth < DEPTH_MAX ? template(found, name, depth + 1) : {};
}

/** A value of a message with all its fields, empty or zero. */
export function template(found, name, depth = 0) {
  const fields = found.get(name).fields.map((field) => [field.name, valueOf(found, field, name, depth)]);
  return Object.fromEntries(depth === 0 ? [['_type', name], ...fields] : fields);
}
