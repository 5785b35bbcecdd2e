"""Other clients of memcached than pymemcache: python memcached-clients.py PORT"""

import asyncio
import sys

import aiomcache
import bmemcached
import memcache

HOST = "127.0.0.1"
PORT = int(sys.argv[1])
ADDRESS = "%s:%d" % (HOST, PORT)
MANY = {"k%d" % i: i for i in range(500)}


def text():
    client = memcache.Client([ADDRESS], cache_cas=True, socket_timeout=30)
    client.flush_all()
    assert client.set("a", {"x": [1, 2]})
    assert client.get("a") == {"x": [1, 2]}
    assert client.set("n", 5) and client.incr("n") == 6 and client.decr("n", 10) == 0
    assert client.set_multi(MANY) == []
    assert client.get_multi(MANY) == MANY
    assert client.gets("a") == {"x": [1, 2]}
    assert client.cas("a", "y")
    assert client.append("a", "z") and client.prepend("a", "x") and client.get("a") == "xyz"
    assert client.touch("a", 10) and client.delete("a") and client.get("a") is None
    assert client.set("long", "x" * 500_000) and len(client.get("long")) == 500_000
    assert client.get_stats()[0][1]["version"] == "1.6.18"
    assert client.get_slab_stats()[0][1]["1"]["used_chunks"]


def binary():
    client = bmemcached.Client([ADDRESS])
    client.flush_all()
    assert client.set("a", {"x": 1}) and client.get("a") == {"x": 1}
    client.set_multi(MANY)
    assert client.get_multi(list(MANY)) == MANY
    _, cas = client.gets("a")
    assert client.cas("a", "y", cas) and not client.cas("a", "z", cas)
    assert not client.add("a", "1") and client.replace("a", "2")
    client.incr("n", 3)
    assert client.incr("n", 4) == 4 and client.decr("n", 100) == 0
    assert client.delete("a") and client.get("a") is None
    assert len(next(iter(client.stats().values()))) > 80
    client.disconnect_all()


async def asynchronous():
    client = aiomcache.Client(HOST, PORT)
    await client.flush_all()
    await client.set(b"a", b"1", exptime=10)
    assert await client.multi_get(b"a", b"b") == (b"1", None)
    _, cas = await client.gets(b"a")
    assert await client.cas(b"a", b"2", cas) and not await client.cas(b"a", b"3", cas)
    assert await client.incr(b"a", 3) == 5
    assert await client.touch(b"a", 10) and await client.delete(b"a")
    assert (await client.stats())[b"version"] == b"1.6.18"
    await client.close()


text()
binary()
asyncio.run(asynchronous())
print("all good")
