package dev.isogrid.bench.server;

import dev.isogrid.bench.load.HotRodWire;
import dev.isogrid.bench.load.MemcachedWire;
import dev.isogrid.bench.load.RespWire;
import dev.isogrid.bench.load.RestWire;
import dev.isogrid.bench.load.Wire;

/** The protocol between a server and a client. */
public enum Protocol {
  /** Infinispan's binary protocol. */
  HOT_ROD("Hot Rod"),

  /** The classic text commands. */
  MEMCACHED("memcached"),

  /** HTTP. */
  REST("REST"),

  /** The protocol of Redis. */
  RESP("RESP");

  private final String label;

  Protocol(String label) {
    this.label = label;
  }

  /** The name in reports. */
  public String label() {
    return label;
  }

  /** One end of a connection of the raw clients, for values of one size. */
  public Wire wire(int valueSize) {
    return switch (this) {
      case HOT_ROD -> new HotRodWire(Contestant.CACHE);
      case MEMCACHED -> new MemcachedWire(valueSize);
      case REST -> new RestWire(Contestant.CACHE, valueSize);
      case RESP -> new RespWire(valueSize);
    };
  }
}
