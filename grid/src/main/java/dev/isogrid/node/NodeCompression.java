package dev.isogrid.node;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Compression;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.Scheduler;
import dev.isogrid.store.Compressors;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A node's means to compress values, made with the first cache that needs it. Thread-safe. */
final class NodeCompression implements AutoCloseable {
  private static final Logger log = System.getLogger(NodeCompression.class.getName());

  private final ThreadFactory trainers;
  private final ReentrantLock lock = new ReentrantLock();

  /** Null until it is needed. Written with the lock. */
  private volatile @Nullable Compressors opened;

  /**
   * Does nothing yet.
   *
   * @param scheduler makes the threads that train dictionaries
   */
  NodeCompression(Scheduler scheduler) {
    this.trainers = scheduler.threads(Thread.ofPlatform().daemon().name("isogrid-dictionary"));
  }

  /**
   * Refuses a configuration that asks for compression where the library is missing.
   *
   * @throws InvalidRequestException if so, with what to do
   */
  void check(CacheConfig config) {
    if (config.compression() == Compression.DICTIONARY) {
      Compressors _ = open();
    }
  }

  /**
   * The compressors for a cache; null if it compresses nothing. Null as well if the library is
   * missing on this node, where another node defined the cache: its values are kept as they are,
   * which is logged.
   */
  @Nullable Compressors of(CacheConfig config) {
    if (config.compression() == Compression.NONE) {
      return null;
    }
    try {
      return open();
    } catch (InvalidRequestException missing) {
      log.log(
          Level.WARNING,
          "a cache of the cluster is not compressed on this node: " + missing.getMessage());
      return null;
    }
  }

  private Compressors open() {
    Compressors known = opened;
    if (known != null) {
      return known;
    }
    lock.lock();
    try {
      if (opened == null) {
        opened = Compressors.open(training -> trainers.newThread(training).start());
      }
      return opened;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    Compressors known = opened;
    if (known != null) {
      known.close();
    }
  }
}
