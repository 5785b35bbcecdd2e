package dev.isogrid.mapreduce;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.GridException;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.WhenFull;
import dev.isogrid.base.NanoClock;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.ByteSink;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.topology.NodeId;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The cache that a user chose for the pairs of a task, on one node. Thread-safe. */
final class PairCache {
  /*
   * A part of pairs is put once, under a unique key, and read by the node that reduces it, until
   * the task ends. So a write can be repeated until it has succeeded. A read returns either the
   * whole part or nothing, and never an old value.
   *
   * A write may take effect late: after its worker was stopped, or its caller gave up. It has a
   * thread of its own, which is never interrupted. The thread waits for the outcome, and removes
   * the entry if the task has ended meanwhile. PairCleaning removes all other entries.
   */
  private static final System.Logger log = System.getLogger(PairCache.class.getName());

  /**
   * The longest time of trouble with a cache, as while nodes join and leave, before the task fails.
   */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** The pause before an operation is repeated. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final UUID task;
  private final CacheEngine<BinaryKey, Bytes> engine;
  private final NanoClock clock;
  private final AtomicInteger parts = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** The fields below are guarded by the lock. */
  private final ArrayDeque<PairEntry> discarded = new ArrayDeque<>();

  /** Whether a thread removes the discarded parts. */
  private boolean isDiscarding;

  /** The number of running threads that write. */
  private int underWay;

  /** Written under the lock. */
  private volatile boolean isStopped;

  PairCache(UUID task, CacheEngine<BinaryKey, Bytes> engine, NanoClock clock) {
    this.task = task;
    this.engine = engine;
    this.clock = clock;
  }

  // ---- the choice

  /**
   * The entries of a cache that a user chose.
   *
   * @param input the cache that is mapped
   * @param chosen null if there is no such cache
   * @throws InvalidRequestException if it is unsuitable; the message has the reason
   */
  @SuppressWarnings("unchecked") // it keeps bytes
  static CacheEngine<BinaryKey, Bytes> chosen(
      MapSource<?, ?> input, @Nullable MapSource<?, ?> chosen, String name) {
    if (chosen == null) {
      throw unfit(name, "there is no such cache", "create it first");
    }
    CacheEngine<?, ?> engine = chosen.engine();
    CacheConfig config = engine.config();
    if (engine.name().equals(input.engine().name())) {
      throw unfit(name, "it is the cache that is mapped", "choose another one");
    }
    if (!chosen.isBytes()) {
      throw unfit(name, "it keeps objects", "configure heap-binary or off-heap storage");
    }
    if (config.isBounded() && config.whenFull() == WhenFull.REMOVE) {
      throw unfit(
          name, "it removes entries when it is full", "configure no bound or when-full=EXCEPTION");
    }
    if (config.lifespanMillis() >= 0 || config.maxIdleMillis() >= 0) {
      throw unfit(name, "its entries expire", "configure neither lifespan nor max-idle");
    }
    if (config.mode() == CacheMode.INVALIDATION_SYNC
        || config.mode() == CacheMode.INVALIDATION_ASYNC) {
      throw unfit(
          name, "each node has entries of its own in it", "configure it distributed or replicated");
    }
    if (input.engine().isClustered() && !engine.isClustered()) {
      throw unfit(
          name,
          "it is local, and the cache that is mapped is not",
          "configure it distributed or replicated");
    }
    return (CacheEngine<BinaryKey, Bytes>) engine;
  }

  private static InvalidRequestException unfit(String name, String why, String whatToDo) {
    return new InvalidRequestException(
        "cache can't be the intermediate cache of a map/reduce: cache=%s, %s; %s"
            .formatted(name, why, whatToDo));
  }

  // ---- writing

  /** Whether a part survives the node for which it was put. */
  boolean outlivesNode() {
    CacheConfig config = engine.config();
    boolean isReplicated =
        config.mode() == CacheMode.REPL_SYNC || config.mode() == CacheMode.REPL_ASYNC;
    return isReplicated || config.owners() > 1;
  }

  /** A number that no other part of this node has in the task. */
  int nextPart() {
    return parts.getAndIncrement();
  }

  /**
   * Chooses the key of a part.
   *
   * @param reader the node that reduces it, which should have the entry
   */
  PairEntry entry(NodeId reader, PairEntry.Part part, Bytes value) {
    return PairEntry.of(engine, reader, task, part, value);
  }

  /**
   * Puts a part.
   *
   * @param isWanted whether it is still needed, checked if the write takes long
   * @return completed when it is stored; fails with a {@link PairCacheException}
   * @throws StoppedException if the task has ended
   */
  CompletableFuture<PairEntry> put(PairEntry entry, Bytes value, BooleanSupplier isWanted) {
    lock.lock();
    try {
      if (isStopped) {
        throw new StoppedException();
      }
      underWay++;
    } finally {
      lock.unlock();
    }
    CompletableFuture<PairEntry> done = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("isogrid-mapreduce-put")
        .start(() -> {
          try {
            putNow(entry, value, isWanted);
            done.complete(entry);
          } catch (Throwable failure) { // tidy: top of the thread; all goes to the waiting thread
            done.completeExceptionally(failure);
          } finally {
            end(entry);
          }
        });
    return done;
  }

  private void putNow(PairEntry entry, Bytes value, BooleanSupplier isWanted) {
    KeyWrite<BinaryKey, Bytes> put = new KeyWrite<>();
    try {
      repeat(
          () -> !isStopped && isWanted.getAsBoolean(),
          () -> {
            put.put(value).expiry(Expiry.UNLIMITED, Expiry.UNLIMITED).silent(true);
            write(entry, put);
          });
    } catch (CacheFullException full) {
      throw new PairCacheException(
          ("intermediate cache is full: cache=%s, wanted=%d B, %s; or do without an intermediate"
                  + " cache, so that pairs go to disk")
              .formatted(engine.name(), value.length(), full.getMessage()),
          full);
    } catch (GridException failure) {
      throw new PairCacheException(
          "pairs can't be put into the intermediate cache: cache=%s, %s"
              .formatted(engine.name(), failure.getMessage()),
          failure);
    }
  }

  private void write(PairEntry entry, KeyWrite<BinaryKey, Bytes> write) {
    BinaryKey key = entry.binaryKey();
    engine.write(key, key.hash(), write);
  }

  private void end(PairEntry entry) {
    try {
      if (isStopped) {
        removeLate(entry);
      }
    } finally {
      lock.lock();
      try {
        underWay--;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private void removeLate(PairEntry entry) {
    try {
      repeat(() -> !engine.isClosed(), () -> remove(entry));
    } catch (FatalGridException closed) {
      log.log(Level.DEBUG, () -> "the starter of the task removes it: " + closed.getMessage());
    } catch (GridException failure) {
      log.log(
          Level.WARNING,
          "entry of a map/reduce that ended may be left: cache={0}, task={1}, attempt={2}, {3};"
              + " clear the cache when no task uses it",
          engine.name(),
          task,
          entry.attempt(),
          failure.getMessage());
    }
  }

  private void remove(PairEntry entry) {
    write(entry, new KeyWrite<BinaryKey, Bytes>().remove().silent(true));
  }

  /** Removes a part soon that no node will read. The end of the task removes it if that fails. */
  void discard(PairEntry entry) {
    lock.lock();
    try {
      discarded.add(entry);
      if (!isDiscarding && !isStopped) {
        isDiscarding = true;
        underWay++;
        Thread.ofVirtual().name("isogrid-mapreduce-discard").start(this::removeDiscarded);
      }
    } finally {
      lock.unlock();
    }
  }

  private void removeDiscarded() {
    for (PairEntry next = nextDiscarded(); next != null; next = nextDiscarded()) {
      try {
        remove(next);
      } catch (GridException later) {
        log.log(
            Level.DEBUG, () -> "part of pairs stays until the task ends: " + later.getMessage());
      }
    }
  }

  private @Nullable PairEntry nextDiscarded() {
    lock.lock();
    try {
      PairEntry next = isStopped ? null : discarded.poll();
      if (next == null) {
        isDiscarding = false;
        underWay--;
        changed.signalAll();
      }
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** Repeats an idempotent operation while the cache has trouble and the result is needed. */
  private void repeat(BooleanSupplier isWanted, Runnable action) {
    long begin = clock.nanoTime();
    while (true) {
      try {
        action.run();
        return;
      } catch (RetryableGridException | IndeterminateGridException trouble) {
        if (!isWanted.getAsBoolean() || clock.nanoTime() - begin > PATIENCE_NANOS) {
          throw trouble;
        }
        pause();
      }
    }
  }

  private void pause() {
    lock.lock();
    try {
      long rest = PAUSE_NANOS;
      while (rest > 0) {
        rest = changed.awaitNanos(rest);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoppedException();
    } finally {
      lock.unlock();
    }
  }

  /** Prevents further writes, and waits for those in progress, at most for a time. */
  void stop(long nanosMax) throws InterruptedException {
    lock.lock();
    try {
      isStopped = true;
      long rest = nanosMax;
      while (rest > 0 && underWay > 0) {
        rest = changed.awaitNanos(rest);
      }
    } finally {
      lock.unlock();
    }
  }

  // ---- reading

  /** Whether the part of a message's reference exists. Queries its primary. */
  boolean has(byte[] message) {
    PairEntry entry = PairEntry.read(message, DataHead.BYTES);
    try {
      return read(entry, ByteBuffer.allocate(1), 0) > 0;
    } catch (PairCacheException gone) {
      log.log(Level.DEBUG, () -> "its segments are mapped again: " + gone.getMessage());
      return false;
    }
  }

  /**
   * Reads a part of a part.
   *
   * @param target gets as many bytes as it has room for, up to the end
   * @param position in the pairs, below their length
   * @return the number of bytes
   * @throws PairCacheException if they are gone
   * @throws StoppedException if the task has ended
   */
  int read(PairEntry entry, ByteBuffer target, long position) {
    int begin = target.position();
    Range range = new Range(entry.offset() + (int) position, target);
    BinaryKey key = entry.binaryKey();
    EntryView<BinaryKey, Bytes> view = engine.newView();
    int[] valueBytes = {-1};
    try {
      repeat(
          () -> !isStopped,
          () -> {
            valueBytes[0] = -1;
            engine.peek(
                key,
                key.hash(),
                view,
                found -> {
                  target.position(begin);
                  valueBytes[0] = found.value().length();
                  range.restart();
                  found.value().writeTo(range);
                });
          });
    } catch (RetryableGridException | IndeterminateGridException trouble) {
      if (isStopped) {
        throw new StoppedException();
      }
      throw new PairCacheException(
          "pairs can't be read from the intermediate cache: cache=%s, %s"
              .formatted(engine.name(), trouble.getMessage()),
          trouble);
    } finally {
      view.release();
    }
    if (valueBytes[0] != entry.valueBytes()) {
      if (isStopped) {
        throw new StoppedException();
      }
      throw gone(entry);
    }
    return target.position() - begin;
  }

  private PairCacheException gone(PairEntry entry) {
    return new PairCacheException(
        ("pairs are gone from the intermediate cache: cache=%s, task=%s, attempt=%d; leave its"
                + " entries alone while tasks use it, and give it 2 owners so that they outlive a"
                + " node")
            .formatted(engine.name(), task, entry.attempt()),
        null);
  }

  /** Copies as much of a value from a position on as a buffer has room for. */
  private static final class Range implements ByteSink {
    private final int from;
    private final ByteBuffer target;
    private int passed;

    Range(int from, ByteBuffer target) {
      this.from = from;
      this.target = target;
    }

    void restart() {
      passed = 0;
    }

    @Override
    public void write(byte[] array, int offset, int length) {
      int skipped = Math.clamp(from - (long) passed, 0, length);
      int taken = Math.min(length - skipped, target.remaining());
      target.put(array, offset + skipped, taken);
      passed += length;
    }
  }
}
