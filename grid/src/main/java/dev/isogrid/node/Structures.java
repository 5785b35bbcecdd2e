package dev.isogrid.node;

import dev.isogrid.api.Locks;
import dev.isogrid.base.Env;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.structure.CounterTable;
import dev.isogrid.structure.KeptCounters;
import dev.isogrid.structure.PermitTable;
import dev.isogrid.structure.SequenceTable;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The counters, locks and sequences of a node, over its internal caches. Each is made when it is
 * first asked for; in a cluster that may take seconds. Thread-safe.
 */
final class Structures {
  private final Function<String, NodeCache> caches;
  private final String nodeName;
  private final Env env;
  private final AtomicReference<@Nullable CounterTable> counters = new AtomicReference<>();

  private final AtomicReference<@Nullable KeptCounters> kept = new AtomicReference<>();

  /** Null until somebody asks; once there are two, the first one is used. */
  private final AtomicReference<@Nullable Locks> locks = new AtomicReference<>();

  /**
   * Makes nothing yet.
   *
   * @param caches makes or finds an internal cache by its name
   */
  Structures(Function<String, NodeCache> caches, String nodeName, Env env) {
    this.caches = caches;
    this.nodeName = nodeName;
    this.env = env;
  }

  @SuppressWarnings("unchecked") // internal caches keep bytes
  private static CacheEngine<BinaryKey, Bytes> engine(NodeCache cache) {
    return (CacheEngine<BinaryKey, Bytes>) cache.engine();
  }

  CounterTable counters() {
    CounterTable known = counters.get();
    if (known != null) {
      return known;
    }
    NodeCache cache = caches.apply(InternalCaches.COUNTERS);
    CounterTable made = new CounterTable(engine(cache), cache.opaque());
    CounterTable other = counters.compareAndExchange(null, made);
    return other == null ? made : other;
  }

  /** The counters if they were asked for before, else null. Never waits. */
  @Nullable CounterTable countersIfMade() {
    return counters.get();
  }

  /** Keeps persistent counters in a file. To be called once. */
  void keepCounters(Path file) {
    kept.set(KeptCounters.begin(counters(), file, env));
  }

  /** Writes what is to be kept. Closing twice is harmless. */
  void close() {
    KeptCounters keeper = kept.getAndSet(null);
    if (keeper != null) {
      keeper.close();
    }
  }

  Locks locks() {
    Locks known = locks.get();
    if (known != null) {
      return known;
    }
    NodeCache cache = caches.apply(InternalCaches.LOCKS);
    PermitTable permits =
        new PermitTable(engine(cache), cache.opaque(), nodeName, Locks.LEASE_MILLIS, env);
    Locks made = new EmbeddedLocks(permits, new SequenceTable(engine(cache)), env);
    Locks other = locks.compareAndExchange(null, made);
    if (other == null) {
      return made;
    }
    permits.close();
    return other;
  }
}
