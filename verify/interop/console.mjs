// The web console in a real Chromium: every view in light, in dark and on a phone is checked by axe,
// and so are the login and dialogs; then a user makes a cache and changes entries in it:
// node console.mjs PORT [USER PASSWORD]
// Screenshots are left in verify/target/console.
import assert from 'node:assert';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const target = join(dirname(fileURLToPath(import.meta.url)), '../target');
const packages = createRequire(join(target, 'browser/package.json'));
const load = async (name) => (await import(pathToFileURL(packages.resolve(name)))).default;
const chromium = await load('@sparticuz/chromium');
const puppeteer = await load('puppeteer-core');
const axe = readFileSync(packages.resolve('axe-core/axe.min.js'), 'utf8');

const [port, user, password] = process.argv.slice(2);
const base = `http://127.0.0.1:${port}`;
const proof = user ? { Authorization: `Basic ${btoa(`${user}:${password}`)}` } : {};
/** Asks the server itself, as the user. */
const ask = (url, options = {}) => fetch(url, { ...options, headers: { ...proof, ...options.headers } });
const shots = join(target, 'console');
const FIRST_VIEW_MAX = 300_000;
const views = [
  'overview', 'segments', 'segments/books', 'caches', 'create', 'cache/books/entries',
  'cache/books/statistics', 'cache/books/changes', 'cache/books/configuration', 'latency',
  'latency/books', 'memory', 'disks', 'rebalancing', 'backups', 'counters', 'schemas', 'tasks', 'people',
];
const modes = {
  light: { scheme: 'light', width: 1280, height: 900 },
  dark: { scheme: 'dark', width: 1280, height: 900 },
  phone: { scheme: 'light', width: 390, height: 844 },
};

async function send(method, path, body, type) {
  const answer = await ask(`${base}/rest/v2/${path}`,
    { method, body, headers: type ? { 'Content-Type': type } : {} });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.text()}`);
}

async function addContent() {
  await send('POST', 'caches/books',
    '{"distributed-cache":{"statistics":true,"encoding":{"media-type":"text/plain"}}}',
    'application/json');
  for (let i = 0; i < 60; i++) await send('PUT', `caches/books/book-${i}`, `<b>${i}</b>`, 'text/plain');
  await send('POST', 'caches/kept',
    '{"local-cache":{"persistence":{"file-store":{"fsync":"EACH"}},"memory":{"max-count":"20"}}}',
    'application/json');
  for (let i = 0; i < 20; i++) await send('PUT', `caches/kept/${i}`, 'v'.repeat(500), 'text/plain');
  await send('POST', 'container/backups/nightly');
  await send('POST', 'counters/visits', '{"strong-counter":{"initial-value":5}}', 'application/json');
  await send('POST', 'schemas/book.proto', 'syntax = "proto2"; message Book { optional int32 year = 1; optional '
    + 'Author author = 2; repeated string tags = 3; message Author { required string name = 1; } }');
}

async function open(browser, { scheme, width, height }, failures) {
  const page = await browser.newPage();
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.setViewport({ width, height });
  page.on('pageerror', (failure) => failures.push(failure.stack));
  page.on('console', (message) => {
    const isLogin = user && message.text().includes('status of 401'); // asks how to log in
    if (message.type() === 'error' && !isLogin) failures.push(message.text());
  });
  return page;
}

const titleOf = (view) => (view.startsWith('cache/') ? 'books' : {
  overview: 'Overview', segments: 'Segment map', caches: 'Caches', create: 'Create a cache',
  latency: 'Latency', memory: 'Memory', disks: 'Disks', backups: 'Backups', rebalancing: 'Rebalancing', counters: 'Counters', schemas: 'Schemas', tasks: 'Tasks',
  people: 'Connections and users',
}[view.split('/')[0]]);

/** Shows a view and waits until its figures have come. */
async function show(page, view) {
  await page.evaluate((hash) => { location.hash = hash; }, `#/${view}`);
  await page.waitForFunction((title) => document.querySelector('main h1')?.textContent === title
    && !document.querySelector('main').textContent.includes('Loading …'), {}, titleOf(view));
  await page.waitForNetworkIdle({ idleTime: 300, concurrency: 2 });
}

/** Takes a screenshot of what is shown, and lets axe check it. */
async function checkShown(page, name) {
  const isDialog = await page.evaluate(() => document.querySelector('dialog[open]') !== null);
  const file = `${user ? 'login-' : ''}${name.replaceAll(/[/ ]/g, '-')}.png`;
  await page.screenshot({ path: join(shots, file), fullPage: !isDialog });
  await page.evaluate(`${axe};0`);
  const found = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run();
    return violations.map((each) => `${each.id}: ${each.nodes[0].html}`);
  });
  assert.deepStrictEqual(found, [], name);
}

/** Opens the console, and logs in if the server has logins; `isChecked` lets axe look as well. */
async function enter(page, hash, isChecked, mode) {
  await page.goto(`${base}/console/${hash}`);
  if (user) {
    await page.waitForSelector('main.login form');
    if (isChecked) {
      await checkShown(page, `${mode} login`);
      await fill(page, 'User', user);
      await fill(page, 'Password', 'wrong');
      await click(page, 'Log in');
      await page.waitForSelector('[role=alert]');
      assert.ok(!(await page.evaluate(() => document.body.textContent)).includes('has ended'));
      await checkShown(page, `${mode} login refused`);
    }
    await fill(page, 'User', user);
    await fill(page, 'Password', password);
    await click(page, 'Log in');
  }
  await page.waitForSelector('main h1');
  await page.waitForFunction(() => document.querySelector('main.login') === null);
}

/** Lets axe check the dialog that is open. */
async function checkDialog(page, name) {
  await page.waitForSelector('dialog[open]');
  await checkShown(page, `dialog ${name}`);
}

async function checkView(page, mode, view) {
  await show(page, view);
  await checkShown(page, `${mode} ${view}`);
  const problems = await page.evaluate(() => ({
    failures: [...document.querySelectorAll('.failure')].map((each) => each.textContent),
    overflow: document.documentElement.scrollWidth - innerWidth,
  }));
  assert.deepStrictEqual(problems, { failures: [], overflow: 0 }, `${mode} ${view}`);
}

async function checkViews(browser) {
  for (const [mode, settings] of Object.entries(modes)) {
    const failures = [];
    const page = await open(browser, settings, failures);
    let received = 0;
    const devtools = await page.createCDPSession();
    await devtools.send('Network.enable');
    devtools.on('Network.loadingFinished', (answer) => { received += answer.encodedDataLength; });
    await enter(page, '', true, mode);
    assert.ok(received > 10_000 && received < FIRST_VIEW_MAX, `bytes of the first view: ${received}`);
    for (const view of views) await checkView(page, mode, view);
    assert.deepStrictEqual(failures, [], mode);
    await page.close();
  }
}

/** Clicks a button of the topmost dialog, or of the page. */
async function click(page, name) {
  await page.waitForFunction((text) => {
    const dialogs = document.querySelectorAll('dialog[open]');
    const button = [...(dialogs[dialogs.length - 1] ?? document).querySelectorAll('button, a')]
      .find((each) => each.textContent.trim() === text && !each.disabled);
    button?.click();
    return button !== undefined;
  }, {}, name);
}

async function fill(page, name, value) {
  await page.waitForFunction((text, wanted) => {
    const all = [...(document.querySelector('dialog[open]') ?? document).querySelectorAll('label')];
    const field = document.getElementById(all.find((each) => each.textContent.trim() === text)?.htmlFor);
    if (!field || field.value.includes('Loading')) return false;
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
    set.call(field, wanted);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    return true;
  }, {}, name, value);
}

/** Chooses from a list. */
async function choose(page, name, value) {
  await page.waitForFunction((text) =>
    [...document.querySelectorAll('label')].some((each) => each.textContent.trim() === text), {}, name);
  const id = await page.evaluate((text) =>
    [...document.querySelectorAll('label')].find((each) => each.textContent.trim() === text).htmlFor, name);
  await page.select(`[id="${id}"]`, value);
}

const awaitText = (page, text) => page.waitForFunction((wanted) =>
  document.body.textContent.includes(wanted), {}, text);

async function useAsPerson(browser) {
  const failures = [];
  const page = await open(browser, modes.light, failures);
  await enter(page, '#/create');
  await fill(page, 'Name', 'made here');
  await choose(page, 'Media type of keys and values', 'text/plain');
  await choose(page, 'Store', 'file-store');
  await choose(page, 'A write is on the disk', 'EACH');
  await choose(page, 'Without the majority of the cluster', 'ALLOW_READS');
  await choose(page, 'Compression of values', 'DICTIONARY');
  await choose(page, 'Users that it admits', 'roles');
  await fill(page, 'Roles', 'admin, application');
  await fill(page, 'Aliases', 'made-there');
  for (const part of ['"media-type": "text/plain"', '"fsync": "EACH"', '"when-split": "ALLOW_READS"',
    '"compression": "DICTIONARY"', '"admin application"']) {
    await page.waitForFunction((wanted) => document.querySelector('textarea').value.includes(wanted),
      {}, part);
  }
  await checkShown(page, 'filled create');
  await click(page, 'Create');
  await awaitText(page, 'Created the cache made here.');
  const config = await (await ask(`${base}/rest/v2/caches/made%20here?action=config`,
    { headers: { Accept: 'application/json' } })).json();
  const made = Object.values(config['made here'] ?? config)[0];
  assert.strictEqual(made.security.authorization.roles, 'admin application');
  assert.strictEqual((await ask(`${base}/rest/v2/caches/made-there`, { method: 'HEAD' })).status, 204);
  await click(page, 'Add an entry');
  await checkDialog(page, 'add an entry');
  await fill(page, 'Key', 'k/1');
  await fill(page, 'Value', 'first');
  await click(page, 'Add');
  await awaitText(page, 'Added the entry.');
  await click(page, 'k/1');
  await awaitText(page, '5 bytes as text/plain');
  await checkDialog(page, 'edit an entry');
  await fill(page, 'Value', 'second');
  await click(page, 'Save');
  await awaitText(page, 'Saved the entry.');
  const path = `${base}/rest/v2/caches/made%20here/k%2F1`;
  assert.strictEqual(await (await ask(path)).text(), 'second');
  await click(page, 'k/1');
  await awaitText(page, '6 bytes as text/plain');
  await click(page, 'Remove');
  await checkDialog(page, 'remove an entry');
  await click(page, 'Remove the entry');
  await awaitText(page, 'Removed the entry.');
  assert.strictEqual((await ask(path)).status, 404);
  await page.close();
  assert.deepStrictEqual(failures, []);
}

/** Writes a message from its template, and reads it as a client would. */
async function addMessage(browser) {
  const failures = [];
  const page = await open(browser, modes.light, failures);
  await send('POST', 'caches/messages',
    '{"local-cache":{"encoding":{"media-type":"application/x-protostream"}}}', 'application/json');
  await enter(page, '#/cache/messages/entries');
  await click(page, 'Add an entry');
  await fill(page, 'Key', 'm');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('option')].some((each) => each.value === 'Book'));
  await fill(page, 'Begin with the fields of', 'Book');
  await page.waitForFunction(() =>
    document.querySelector('dialog textarea').value.includes('"name": ""'));
  const begun = await page.evaluate(() => document.querySelector('dialog textarea').value);
  assert.deepStrictEqual(JSON.parse(begun),
    { _type: 'Book', year: 0, author: { name: '' }, tags: [] });
  await fill(page, 'Value', begun.replace('"year": 0', '"year": 1930').replace('"name": ""', '"name": "Ada"'));
  await click(page, 'Add');
  await awaitText(page, 'Added the entry.');
  const read = await ask(`${base}/rest/v2/caches/messages/m`, { headers: { Accept: 'application/json' } });
  const value = await read.json();
  assert.strictEqual(value.year, 1930);
  assert.strictEqual(value.author.name, 'Ada');
  await page.close();
  assert.deepStrictEqual(failures, []);
}

/** Makes a backup, restores it, deletes it; ignores a cache and serves it again. */
async function operate(browser) {
  const failures = [];
  const page = await open(browser, modes.light, failures);
  await enter(page, '#/backups');
  await click(page, 'Make a backup');
  await checkDialog(page, 'make a backup');
  await fill(page, 'Name', 'by-hand');
  await click(page, 'Make the backup');
  await page.waitForSelector('button[aria-label="Restore by-hand"]');
  await send('DELETE', 'caches/books/book-7');
  await page.click('button[aria-label="Restore by-hand"]');
  await checkDialog(page, 'restore a backup');
  await fill(page, 'Type by-hand to confirm', 'by-hand');
  await click(page, 'Restore');
  await awaitText(page, 'The restore has begun.');
  await awaitText(page, 'configurations kept');
  assert.strictEqual(await (await ask(`${base}/rest/v2/caches/books/book-7`)).text(), '<b>7</b>');
  await page.click('button[aria-label="Delete by-hand"]');
  await checkDialog(page, 'delete a backup');
  await click(page, 'Delete the backup');
  await awaitText(page, 'Deleted by-hand.');
  await page.evaluate(() => { location.hash = '#/cache/books/statistics'; });
  await click(page, 'Ignore');
  await checkDialog(page, 'ignore a cache');
  await click(page, 'Ignore the cache');
  await click(page, 'Serve again');
  await awaitText(page, 'Clients reach the cache again.');
  await show(page, 'rebalancing');
  await click(page, 'Limit the speed');
  await checkDialog(page, 'limit the speed');
  await page.keyboard.press('Escape');
  await page.evaluate(() => { location.hash = '#/people'; });
  await page.waitForSelector('button[aria-label^="Close the connection from"]');
  await page.close();
  assert.deepStrictEqual(failures, []);
}

/** A cache that is new since the login, of a name that all objects have, with a large value. */
async function showOddCache(browser) {
  const failures = [];
  const page = await open(browser, modes.light, failures);
  await enter(page, '#/overview');
  await send('POST', 'caches/constructor',
    '{"local-cache":{"encoding":{"media-type":"text/plain"}}}', 'application/json');
  await send('PUT', 'caches/constructor/large', 'v'.repeat(2_000_000), 'text/plain');
  await page.evaluate(() => { location.hash = '#/cache/constructor/entries'; });
  await page.waitForFunction(() => document.querySelector('main h1')?.textContent === 'constructor');
  await fill(page, 'Key', 'large');
  await click(page, 'Find');
  await awaitText(page, 'The value has more than 1,000,000 bytes, too many to edit here.');
  await page.keyboard.press('Escape');
  await show(page, 'counters');
  await fill(page, 'Show names with', 'no such counter');
  await awaitText(page, 'There is no such counter.');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await page.waitForNetworkIdle({ idleTime: 300, concurrency: 2 });
  assert.strictEqual(await page.evaluate(() => document.querySelector('[role=alert]')?.textContent), undefined);
  await page.close();
  await send('DELETE', 'caches/constructor');
  assert.deepStrictEqual(failures, []);
}

mkdirSync(shots, { recursive: true });
await addContent();
const browser = await puppeteer.launch({
  args: [...chromium.args.filter((each) => !/single-process|no-zygote/.test(each)), '--no-sandbox'],
  executablePath: await chromium.executablePath(),
  headless: 'shell',
});
try {
  await checkViews(browser);
  await useAsPerson(browser);
  await addMessage(browser);
  await showOddCache(browser);
  await operate(browser);
} finally {
  await browser.close();
}
console.log('all good');
