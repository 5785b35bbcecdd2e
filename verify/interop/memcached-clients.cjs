// The npm packages memjs (binary protocol) and memcached (text): node memcached-clients.cjs PORT
'use strict';
const assert = require('node:assert');
const path = require('node:path');

const load = (name) => require(path.join(__dirname, '../target/npm/node_modules', name));
const address = `127.0.0.1:${process.argv[2]}`;
const MANY = 300;

async function memjs() {
  const client = load('memjs').Client.create(address, { retries: 1, timeout: 10 });
  await client.flush();
  assert.strictEqual(await client.set('a', '1', { expires: 100 }), true);
  assert.strictEqual((await client.get('a')).value.toString(), '1');
  assert.strictEqual((await client.get('absent')).value, null);
  assert.strictEqual(await client.add('a', '2', {}), false);
  assert.strictEqual(await client.replace('a', '5', {}), true);
  assert.strictEqual(await client.replace('absent', '5', {}), false);
  assert.strictEqual((await client.increment('n', 5, { initial: 7 })).value, 7);
  assert.strictEqual((await client.increment('n', 5, {})).value, 12);
  assert.strictEqual((await client.decrement('n', 50, {})).value, 0);
  assert.strictEqual(await client.append('a', 'x'), true);
  assert.strictEqual((await client.get('a')).value.toString(), '5x');
  assert.strictEqual(await client.touch('a', 100), true);
  const numbers = [...Array(MANY).keys()];
  await Promise.all(numbers.map((i) => client.set(`k${i}`, `v${i}`, {})));
  const values = await Promise.all(numbers.map((i) => client.get(`k${i}`)));
  assert.deepStrictEqual(values.map((e) => e.value.toString()), numbers.map((i) => `v${i}`));
  const ask = (name, ...rest) => new Promise((resolve, reject) => {
    client[name](...rest, (failure, server, found) => (failure ? reject(failure) : resolve(found)));
  });
  assert.strictEqual((await ask('stats')).version, '1.6.18');
  assert.strictEqual((await ask('statsWithKey', 'settings')).cas_enabled, 'yes');
  assert.strictEqual(await client.delete('a'), true);
  assert.strictEqual(await client.delete('a'), false);
  client.quit();
}

async function memcached() {
  const Memcached = load('memcached');
  const client = new Memcached(address, { timeout: 10000 });
  const ask = (name, ...rest) => new Promise((resolve, reject) => {
    client[name](...rest, (failure, result) => (failure ? reject(failure) : resolve(result)));
  });
  await ask('flush');
  assert.strictEqual(await ask('set', 'a', { x: 1 }, 100), true);
  assert.deepStrictEqual(await ask('get', 'a'), { x: 1 });
  assert.strictEqual(await ask('get', 'absent'), undefined);
  const keys = [...Array(MANY).keys()].map((i) => `k${i}`);
  await Promise.all(keys.map((key) => ask('set', key, key, 0)));
  assert.strictEqual(Object.keys(await ask('getMulti', keys)).length, MANY);
  await ask('set', 'n', 5, 0);
  assert.strictEqual(await ask('incr', 'n', 3), 8);
  assert.strictEqual(await ask('decr', 'n', 9), 0);
  assert.strictEqual(await ask('incr', 'absent', 1), false);
  const { cas } = await ask('gets', 'k1');
  assert.strictEqual(await ask('cas', 'k1', 'y', cas, 0), true);
  assert.strictEqual(await ask('cas', 'k1', 'z', cas, 0), false);
  assert.strictEqual(await ask('append', 'k1', 'x'), true);
  assert.strictEqual(await ask('touch', 'k1', 10), true);
  await assert.rejects(ask('add', 'k1', 'x', 0), /not stored/i);
  assert.strictEqual(await ask('del', 'k1'), true);
  assert.strictEqual(await ask('del', 'k1'), false);
  assert.strictEqual((await ask('version'))[0].version, '1.6.18');
  assert.strictEqual((await ask('stats'))[0].curr_items, MANY + 1); // a and n, without k1
  assert.ok((await ask('settings'))[0].maxbytes > 0);
  assert.strictEqual((await ask('items'))[0]['1'].number, MANY + 1);
  client.end();
}

memjs().then(memcached).then(
  () => console.log('all good'),
  (failure) => {
    console.error(failure);
    process.exitCode = 1;
  },
);
