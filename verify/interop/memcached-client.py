"""pymemcache with its default settings: python memcached-client.py PORT"""

import sys

from pymemcache.client.base import Client

client = Client(("127.0.0.1", int(sys.argv[1])))
client.flush_all(noreply=False)

assert client.set("key", b"value", noreply=False)
assert client.get("key") == b"value"
assert client.get("absent") is None
assert client.set("noreply", b"v")  # the default: does not wait
assert client.get("noreply") == b"v"
assert client.add("key", b"x", noreply=False) is False
assert client.replace("key", b"second", noreply=False)
assert client.replace("absent", b"x", noreply=False) is False
assert client.append("key", b"!", noreply=False)
assert client.prepend("key", b"?", noreply=False)
value, cas = client.gets("key")
assert value == b"?second!"
assert client.cas("key", b"third", cas, noreply=False) is True
assert client.cas("key", b"fourth", cas, noreply=False) is False
assert client.cas("absent", b"x", cas) is None
assert client.get_many(["key", "noreply", "absent"]) == {"key": b"third", "noreply": b"v"}
assert sorted(client.gets_many(["key", "noreply"])) == ["key", "noreply"]
assert client.set_many({"a": b"1", "b": b"2"}, noreply=False) == []
client.set("n", b"18446744073709551615", noreply=False)
assert client.incr("n", 2) == 1
assert client.decr("n", 5) == 0
assert client.incr("absent", 1) is None
assert client.touch("n", 100, noreply=False)
assert client.get("n").strip() == b"0"
assert client.delete("n", noreply=False)
assert client.delete("n", noreply=False) is False
assert client.set("gone", b"v", expire=-1, noreply=False)
assert client.get("gone") is None
assert client.set("binary", bytes(range(256)) * 1000, noreply=False)
assert client.get("binary") == bytes(range(256)) * 1000
assert client.stats()[b"get_hits"] > 0
assert client.version()
client.quit()
print("all good")
