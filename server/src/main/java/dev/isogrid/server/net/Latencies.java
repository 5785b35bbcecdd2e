package dev.isogrid.server.net;

import dev.isogrid.engine.CacheEngine;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The latencies of requests by cache. Thread-safe. */
public final class Latencies {
  private final Map<CacheEngine<?, ?>, CacheLatencies> byEngine = new ConcurrentHashMap<>();

  /** The latencies of a cache. Keep the object as long as the cache: a lookup costs a hash. */
  public CacheLatencies of(CacheEngine<?, ?> engine) {
    CacheLatencies known = byEngine.get(engine);
    if (known != null) {
      return known;
    }
    byEngine.keySet().removeIf(CacheEngine::isClosed);
    return byEngine.computeIfAbsent(engine, CacheLatencies::new);
  }
}
