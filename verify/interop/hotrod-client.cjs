// The npm package infinispan with its default settings, and with each version of the protocol that
// it speaks: node hotrod-client.cjs PORT
'use strict';
const assert = require('node:assert');
const path = require('node:path');
const infinispan = require(path.join(__dirname, '../target/npm/node_modules/infinispan'));

const versions = [undefined, '2.2', '2.5', '2.9', '3.0', '3.1', '4.0', '4.1'];

// A previous value: from 4.0 on with its metadata.
const valueOf = (previous) => (typeof previous === 'object' ? previous.value : previous);

async function main(port) {
  for (const version of versions) {
    await run(port, version).catch((failure) => {
      throw new Error(`version ${version}`, { cause: failure });
    });
  }
  console.log('all good');
}

async function run(port, version) {
  const options = version ? { cacheName: 'default', version } : { cacheName: 'default' };
  const client = await infinispan.client({ port, host: '127.0.0.1' }, options);
  try {
    await client.clear();
    await client.put('key', 'value €');
    assert.strictEqual(await client.get('key'), 'value €');
    assert.strictEqual(await client.get('absent'), undefined);
    assert.strictEqual(valueOf(await client.put('key', 'second', { previous: true })), 'value €');
    assert.strictEqual(await client.putIfAbsent('key', 'third'), false);
    assert.strictEqual(await client.putIfAbsent('new', 'third'), true);
    assert.strictEqual(await client.replace('key', 'fourth'), true);
    assert.strictEqual(await client.replace('absent', 'x'), false);
    assert.strictEqual(await client.containsKey('key'), true);

    const current = await client.getWithMetadata('key');
    assert.strictEqual(current.value, 'fourth');
    assert.strictEqual(await client.replaceWithVersion('key', 'fifth', current.version), true);
    assert.strictEqual(await client.replaceWithVersion('key', 'sixth', current.version), false);
    assert.strictEqual(await client.removeWithVersion('key', current.version), false);

    await client.put('mortal', 'v', { lifespan: '1d', maxIdle: '1h' });
    const mortal = await client.getWithMetadata('mortal');
    assert.strictEqual(mortal.lifespan, 86400);
    assert.strictEqual(mortal.maxIdle, 3600);

    await client.putAll([{ key: 'a', value: '1' }, { key: 'b', value: '2' }]);
    const all = await client.getAll(['a', 'b', 'absent']);
    assert.deepStrictEqual(all.map((e) => e.key + e.value).sort(), ['a1', 'b2']);
    assert.strictEqual(await client.size(), 5);

    if (version !== '2.2') {
      const seen = [];
      const iterator = await client.iterator(2);
      for (let entry = await iterator.next(); !entry.done; entry = await iterator.next()) {
        seen.push(entry.key);
      }
      await iterator.close();
      assert.deepStrictEqual(seen.sort(), ['a', 'b', 'key', 'mortal', 'new']);
    }

    const isOld = version === '2.2' || version === '2.5';
    if (!isOld) { // it sends interests, which they don't have
      const heard = [];
      const listener = await client.addListener('create', (key) => heard.push('create ' + key));
      await client.addListener('modify', (key) => heard.push('modify ' + key), { listenerId: listener });
      await client.addListener('remove', (key) => heard.push('remove ' + key), { listenerId: listener });
      await client.put('heard', '1');
      await client.put('heard', '2');
      await client.remove('heard');
      for (let i = 0; i < 500 && heard.length < 3; i++) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      assert.deepStrictEqual(heard, ['create heard', 'modify heard', 'remove heard']);
      await client.removeListener(listener);
    }

    assert.strictEqual(valueOf(await client.remove('key', { previous: true })), 'fifth');
    assert.strictEqual(await client.remove('key'), false);
    const stats = await client.stats();
    assert.ok(stats.stores > 0);
    if (!version || Number(version) >= 3.1) { // it has none for older versions
      await counters(client, 'js' + (version || ''));
    }
    if (!version || Number(version) >= 4) { // it always sends what requests have since then
      await multimaps(client);
    }
  } finally {
    await client.disconnect();
  }
}

async function counters(client, name) {
  const bounded = { type: 'strong', storage: 'volatile', initialValue: 5, lowerBound: 0, upperBound: 10 };
  assert.strictEqual(await client.counterIsDefined(name), false);
  assert.strictEqual(await client.counterGet(name), undefined);
  assert.strictEqual(await client.counterCreate(name, bounded), true);
  assert.strictEqual(await client.counterCreate(name, bounded), false);
  assert.deepStrictEqual(await client.counterGetConfiguration(name), bounded);
  assert.strictEqual(await client.counterAddAndGet(name, 2), 7);
  assert.strictEqual(await client.counterCompareAndSwap(name, 7, 8), 7);
  assert.strictEqual(await client.counterGetAndSet(name, 9), 8);
  assert.strictEqual(await client.counterReset(name), true);
  assert.strictEqual(await client.counterGet(name), 5);
  const answers = await Promise.all([1, 2, 3, 4].map(() => client.counterAddAndGet(name, 1)));
  assert.deepStrictEqual(answers.sort(), [6, 7, 8, 9]);
  assert.strictEqual(await client.counterRemove(name), true);
  assert.strictEqual(await client.counterGet(name), 5);
  assert.strictEqual(await client.counterCreate(name + '-weak', { type: 'weak', concurrencyLevel: 4 }), true);
  assert.strictEqual(await client.counterAddAndGet(name + '-weak', 3), 0);
  assert.strictEqual(await client.counterGet(name + '-weak'), 3);
}

async function multimaps(client) {
  const before = await client.multimapSize();
  assert.deepStrictEqual(await client.multimapGet('mm'), []);
  await client.multimapPut('mm', 'one');
  await client.multimapPut('mm', 'two');
  await client.multimapPut('mm', 'one');
  assert.deepStrictEqual((await client.multimapGet('mm')).sort(), ['one', 'two']);
  assert.strictEqual(await client.multimapSize(), before + 2);
  assert.strictEqual(await client.multimapContainsKey('mm'), true);
  assert.strictEqual(await client.multimapContainsEntry('mm', 'two'), true);
  assert.strictEqual(await client.multimapContainsEntry('mm', 'three'), false);
  assert.strictEqual(await client.multimapContainsValue('two'), true);
  assert.strictEqual(await client.multimapRemoveEntry('mm', 'one'), true);
  assert.strictEqual(await client.multimapRemoveKey('mm'), true);
  assert.strictEqual(await client.multimapRemoveKey('mm'), false);
}

main(Number(process.argv[2])).catch((failure) => {
  console.error(failure);
  process.exit(1);
});
