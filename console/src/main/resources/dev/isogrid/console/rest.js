// Requests to the server with the user's own login. What proves the login is in this module's
// memory only: it ends with the page. No cookie is used, so other pages can't borrow it, and
// `credentials: 'omit'` keeps the browser's own dialog for passwords away.
import { sha256 } from './sha256.js';

const BASE = new URL('../rest/v2/', location.href);
const TIMEOUT_MILLIS = 30_000;

/** What proves the login: {scheme, user, proof, realm, nonce, count, isProven}; null before a login. */
let login = null;
let onEnd = () => {};

/** An answer that is an error. */
export class RestError extends Error {
  constructor(status, text) {
    super(text || `the server answered ${status}`);
    this.status = status;
  }
}

/** Sets what runs when the server takes the login no longer. */
export function whenLoginEnds(task) {
  onEnd = task;
}

/** Forgets the login. */
export function logOut() {
  login = null;
}

/** Asks how users log in: {schemes, ready}. */
export async function loginConfig() {
  const config = await json('login?action=config');
  const schemes = ['DIGEST', 'BASIC', 'BEARER'].filter((scheme) => config[scheme]);
  return { schemes, ready: config.ready !== 'false' };
}

/** Logs in, and returns what the user may do. */
export async function logIn(schemes, user, secret, isToken) {
  if (isToken) {
    login = { scheme: 'BEARER', user: '', proof: 'Bearer ' + secret.trim() };
  } else if (schemes.includes('DIGEST')) {
    login = { scheme: 'DIGEST', user, secret };
  } else {
    const pair = bytesAsText(new TextEncoder().encode(`${user}:${secret}`));
    login = { scheme: 'BASIC', user, proof: 'Basic ' + btoa(pair) };
  }
  try {
    const acl = await json('security/user/acl');
    login.isProven = true;
    return acl;
  } catch (failure) {
    login = null;
    throw failure;
  }
}

function bytesAsText(bytes) {
  return Array.from(bytes, (each) => String.fromCharCode(each)).join('');
}

function asHeader(text) {
  return bytesAsText(new TextEncoder().encode(text.replace(/[\\"]/g, '\\$&')));
}

/** Takes the server's challenge; the password itself is dropped as soon as its hash is known. */
function takeChallenge(response) {
  const all = response.headers.get('WWW-Authenticate') || '';
  const digest = /Digest\s+(.*?)(?=,\s*(?:Basic|Bearer)\s|$)/i.exec(all);
  if (!digest) return false;
  const field = (name) => new RegExp(`\\b${name}="([^"]*)"`).exec(digest[1])?.[1] ?? '';
  if (login.secret !== undefined) {
    login.realm = field('realm');
    login.proof = sha256(`${login.user}:${login.realm}:${login.secret}`);
    delete login.secret;
  }
  login.nonce = field('nonce');
  login.count = 0;
  return field('realm') === login.realm;
}

function digest(method, url) {
  const count = (++login.count).toString(16).padStart(8, '0');
  const random = crypto.getRandomValues(new Uint8Array(12));
  const own = Array.from(random, (each) => each.toString(16).padStart(2, '0')).join('');
  const uri = url.pathname + url.search;
  const response = sha256(
    `${login.proof}:${login.nonce}:${count}:${own}:auth:${sha256(`${method}:${uri}`)}`);
  return `Digest username="${asHeader(login.user)}", realm="${asHeader(login.realm)}", `
    + `nonce="${login.nonce}", uri="${uri}", algorithm=SHA-256, qop=auth, nc=${count}, `
    + `cnonce="${own}", response="${response}"`;
}

function authorization(method, url) {
  if (login === null) return undefined;
  if (login.scheme !== 'DIGEST') return login.proof;
  return login.nonce ? digest(method, url) : undefined;
}

async function send(method, url, options) {
  const headers = { ...options.headers };
  const proof = authorization(method, url);
  if (proof) headers.Authorization = proof;
  return fetch(url, {
    method,
    headers,
    body: options.body,
    signal: options.signal,
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
  });
}

/**
 * Sends a request and returns the response if it is a success.
 *
 * @param path below /rest/v2/, or from the root if it begins with a slash
 * @param options method, headers, body, signal
 * @throws RestError if the answer is an error
 */
export async function request(path, options = {}) {
  const method = options.method || 'GET';
  const url = new URL(path.startsWith('/') ? '../' + path.slice(1) : path,
    path.startsWith('/') ? location.href : BASE);
  const limited = options.signal
    ? options
    : { ...options, signal: AbortSignal.timeout(TIMEOUT_MILLIS) };
  const used = login;
  let response = await send(method, url, limited);
  if (response.status === 401 && login === used && login?.scheme === 'DIGEST') {
    const isFirst = !login.nonce;
    const isStale = /stale=true/i.test(response.headers.get('WWW-Authenticate') || '');
    if (takeChallenge(response) && (isFirst || isStale)) {
      response = await send(method, url, limited);
    }
  }
  if (response.ok) return response;
  const text = (await response.text()).slice(0, 2000);
  if (response.status === 401 && login === used && (used === null || used.isProven)) onEnd(text);
  throw new RestError(response.status, text);
}

/** Gets JSON. */
export async function json(path, options) {
  const response = await request(path, options);
  return JSON.parse(await response.text());
}

/** Returns what gets JSON again and again; an answer of the same text is the same object. */
export function sameJson(path) {
  let last = { source: '', value: undefined };
  return async () => {
    const source = await text(path);
    if (source !== last.source) last = { source, value: JSON.parse(source) };
    return last.value;
  };
}

/** Gets text. */
export async function text(path, options) {
  return (await request(path, options)).text();
}

/** Sends a request that changes something. */
export function change(method, path, body, headers) {
  return request(path, { method, body, headers });
}

/** The path of a cache, a counter and the like, with an action. */
export function path(kind, name, action, more = '') {
  const query = (action ? 'action=' + action : '') + more;
  return `${kind}/${encodeURIComponent(name)}${query ? '?' + query : ''}`;
}

/**
 * Reads a body part by part, and gives each part to a function until that returns false.
 *
 * @param take gets text
 */
export async function readParts(response, take) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || take(value) === false) return;
    }
  } finally {
    reader.cancel().catch(() => {}); // nobody wants the rest
  }
}

/** Reads a text, but no more than some characters. */
export async function firstText(response, charactersMax) {
  let all = '';
  await readParts(response, (part) => {
    all += part;
    return all.length < charactersMax;
  });
  return all.slice(0, charactersMax);
}

/** Reads bytes; null if there are more than that, without reading the rest. */
export async function bytesWithin(response, bytesMax) {
  const parts = [];
  let size = 0;
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      size += value.length;
      if (size > bytesMax) return null;
    }
  } finally {
    reader.cancel().catch(() => {}); // nobody wants the rest
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Listens to server-sent events until the signal says stop or the stream ends. */
export async function listen(eventsPath, onEvent, signal, headers) {
  const response = await request(eventsPath, {
    signal,
    headers: { Accept: 'text/event-stream', ...headers },
  });
  let rest = '';
  await readParts(response, (part) => {
    const events = (rest + part).split('\n\n');
    rest = events.pop();
    for (const event of events) {
      const lines = event.split('\n');
      const name = lines.find((line) => line.startsWith('event: '))?.slice(7) ?? 'message';
      const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6));
      onEvent(name, data.join('\n'));
    }
    return !signal.aborted;
  });
}
