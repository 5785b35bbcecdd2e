// Keys of entries as parts of paths.

/** What browsers and servers take out of a path: a request for such a key would be for its cache. */
const TAKEN_OUT = ['', '.', '..'];

/** Whether keys or values of this media type are objects of ProtoStream. */
export function isProtostream(type) {
  return /protostream|x-java-object/.test(type ?? '');
}

function hexDigits(text) {
  return Array.from(new TextEncoder().encode(text), (each) => each.toString(16).padStart(2, '0')).join('');
}

/**
 * A key in a form that a path can have, mostly as it is.
 *
 * @param key {text, type}, as the user or the list has it
 * @param keyStorage the media type that the cache keeps keys in
 * @throws Error if there is no such form
 */
export function sendable(key, keyStorage) {
  if (!TAKEN_OUT.includes(key.text)) return key;
  if (key.type === 'text' && isProtostream(keyStorage)) {
    return { text: JSON.stringify({ _type: 'string', _value: key.text }), type: 'json' };
  }
  const isText = key.type === 'text' && !/json/.test(keyStorage ?? '');
  if (isText || (key.type === 'hex' && key.text === '')) {
    return { text: `0x${hexDigits(key.text)}`, type: 'hex' };
  }
  throw new Error(`A browser can't send this key: "${key.text}". Use ./isogrid cli get, put or remove.`);
}
