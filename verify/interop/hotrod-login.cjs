// The npm package infinispan, logging in: node hotrod-login.cjs PORT TLS_PORT CERTIFICATE
'use strict';
const assert = require('node:assert');
const path = require('node:path');
const infinispan = require(path.join(__dirname, '../target/npm/node_modules/infinispan'));

function options(mechanism, user, password) {
  return {
    cacheName: 'default',
    maxRetries: 0,
    authentication: {
      enabled: true,
      saslMechanism: mechanism,
      userName: user,
      password,
      realm: 'default',
      serverName: 'infinispan',
    },
  };
}

async function works(port, opts) {
  const client = await infinispan.client({ port, host: '127.0.0.1' }, opts);
  try {
    await client.put('login', 'ok');
    assert.strictEqual(await client.get('login'), 'ok');
  } finally {
    await client.disconnect();
  }
}

async function main(port, tlsPort, certificate) {
  for (const mechanism of ['SCRAM-SHA-256', 'SCRAM-SHA-384', 'SCRAM-SHA-512']) {
    await works(port, options(mechanism, 'ada', 'secret'));
  }
  const plain = options('PLAIN', 'ada', 'secret');
  plain.ssl = { enabled: true, trustCerts: [certificate], sniHostName: 'localhost' };
  await works(tlsPort, plain);
  await assert.rejects(works(port, options('SCRAM-SHA-256', 'ada', 'wrong')));
  await assert.rejects(works(port, options('SCRAM-SHA-256', 'obs', 'secret'))); // may not write
  console.log('all good');
}

main(Number(process.argv[2]), Number(process.argv[3]), process.argv[4]).then(
  () => process.exit(0),
  (failure) => {
    console.error(failure);
    process.exit(1);
  });
