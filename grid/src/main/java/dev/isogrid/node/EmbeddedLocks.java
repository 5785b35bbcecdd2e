package dev.isogrid.node;

import dev.isogrid.api.DistributedSemaphore;
import dev.isogrid.api.FencedLock;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.Locks;
import dev.isogrid.api.Sequence;
import dev.isogrid.base.Env;
import dev.isogrid.structure.PermitTable;
import dev.isogrid.structure.PermitTable.Grant;
import dev.isogrid.structure.SequenceTable;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The locks, semaphores and sequences for users in this process. Thread-safe. */
final class EmbeddedLocks implements Locks {
  private final PermitTable permits;
  private final SequenceTable sequences;
  private final Env env;
  private final ConcurrentHashMap<String, EmbeddedLock> locks = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, EmbeddedSemaphore> semaphores = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, EmbeddedSequence> taken = new ConcurrentHashMap<>();

  EmbeddedLocks(PermitTable permits, SequenceTable sequences, Env env) {
    this.permits = permits;
    this.sequences = sequences;
    this.env = env;
  }

  private static String checkName(String name) {
    if (Objects.requireNonNull(name, "name").isEmpty() || name.length() > NAME_LENGTH_MAX) {
      throw new InvalidRequestException(
          "invalid name: length=%d; allowed are 1 to %d characters"
              .formatted(name.length(), NAME_LENGTH_MAX));
    }
    return name;
  }

  /** Refuses a number that is not between 1 and a limit. */
  static int checkCount(String what, int count, int max) {
    if (count < 1 || count > max) {
      throw new InvalidRequestException(
          "invalid number: %s=%d; allowed are 1 to %d".formatted(what, count, max));
    }
    return count;
  }

  @Override
  public FencedLock lock(String name) {
    return locks.computeIfAbsent(checkName(name), known -> new EmbeddedLock(known, this));
  }

  @Override
  public DistributedSemaphore semaphore(String name, int count) {
    checkCount("permits", count, PERMITS_MAX);
    EmbeddedSemaphore semaphore =
        semaphores.computeIfAbsent(
            checkName(name), known -> new EmbeddedSemaphore(known, count, this));
    semaphore.checkPermits(count);
    return semaphore;
  }

  @Override
  public Sequence sequence(String name, int block) {
    checkCount("block", block, BLOCK_MAX);
    EmbeddedSequence sequence =
        taken.computeIfAbsent(
            checkName(name), known -> new EmbeddedSequence(known, block, sequences));
    sequence.checkBlock(block);
    return sequence;
  }

  PermitTable permits() {
    return permits;
  }

  /**
   * Takes permits, and waits for them.
   *
   * @param key the name in the table
   * @param nanos how long to wait at most
   * @return null if there were not enough all the time
   */
  @Nullable Grant acquire(String key, int total, int count, long nanos) {
    long startNanos = env.nanoClock().nanoTime();
    while (true) {
      long changes = permits.changes();
      Grant grant = permits.tryAcquire(key, total, count);
      long rest = nanos - (env.nanoClock().nanoTime() - startNanos);
      if (grant != null || rest <= 0) {
        return grant;
      }
      permits.awaitChange(changes, rest);
    }
  }
}
