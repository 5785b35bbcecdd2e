package dev.isogrid.client;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The state that all views of one cache share. Thread-safe. */
final class CacheRef {
  private final String name;
  private final byte[] nameBytes;
  private final CacheListeners listeners = new CacheListeners();

  /** Written by any event loop; the newest one wins. */
  private volatile CacheTopology topology = CacheTopology.NONE;

  /** Written when the cache is opened. */
  private volatile @Nullable NearCache near;

  private final @Nullable CacheCounts counts;
  private final int timeoutMillis;
  private final @Nullable RequestSession session;

  /** A cache whose operations have no numbers. */
  CacheRef(String name, ClientConfig config) {
    this(name, config, null);
  }

  CacheRef(String name, ClientConfig config, @Nullable RequestSession session) {
    this.session = session;
    this.counts = config.statistics() ? new CacheCounts() : null;
    this.timeoutMillis = config.operationTimeoutMillis();
    this.name = name;
    this.nameBytes = name.getBytes(StandardCharsets.UTF_8);
  }

  String name() {
    return name;
  }

  byte[] nameBytes() {
    return nameBytes;
  }

  /** Numbers the writes; null if they have no numbers. */
  @Nullable RequestSession session() {
    return session;
  }

  /** How long an operation may take, for messages. */
  int timeoutMillis() {
    return timeoutMillis;
  }

  CacheListeners listeners() {
    return listeners;
  }

  /** Where operations are counted, or null if they are not. */
  @Nullable CacheCounts counts() {
    return counts;
  }

  /** The near cache, or null if there is none. */
  @Nullable NearCache near() {
    return near;
  }

  /** Sets the near cache. */
  void near(@Nullable NearCache kept) {
    near = kept;
  }

  CacheTopology topology() {
    return topology;
  }

  void topology(CacheTopology newer) {
    topology = newer;
  }
}
