package dev.isogrid.client;

import java.nio.charset.StandardCharsets;

/** What all views of one cache share. Thread-safe. */
final class CacheRef {
  private final String name;
  private final byte[] nameBytes;
  private final CacheListeners listeners = new CacheListeners();

  /** Written by any event loop; the newest one wins. */
  private volatile CacheTopology topology = CacheTopology.NONE;

  CacheRef(String name) {
    this.name = name;
    this.nameBytes = name.getBytes(StandardCharsets.UTF_8);
  }

  String name() {
    return name;
  }

  byte[] nameBytes() {
    return nameBytes;
  }

  CacheListeners listeners() {
    return listeners;
  }

  CacheTopology topology() {
    return topology;
  }

  void topology(CacheTopology newer) {
    topology = newer;
  }
}
