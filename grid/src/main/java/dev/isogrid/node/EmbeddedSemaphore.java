package dev.isogrid.node;

import dev.isogrid.api.DistributedSemaphore;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.Locks;
import dev.isogrid.structure.PermitTable.Grant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A semaphore for users in this process. Thread-safe. */
final class EmbeddedSemaphore implements DistributedSemaphore {
  private final String name;
  private final String key;
  private final int permits;
  private final EmbeddedLocks locks;
  private final ReentrantLock lock = new ReentrantLock();

  /** Permits that this node took and did not give back, the newest first. Guarded by the lock. */
  private final ArrayDeque<Holding> holdings = new ArrayDeque<>();

  private record Holding(Grant grant, int count) {}

  EmbeddedSemaphore(String name, int permits, EmbeddedLocks locks) {
    this.name = name;
    this.key = "s:" + name;
    this.permits = permits;
    this.locks = locks;
  }

  /** Refuses another number of permits than there are, here or in the cluster. */
  void checkPermits(int asked) {
    int there = permits == asked ? locks.permits().total(key) : permits;
    if (there != 0 && there != asked) {
      throw new InvalidRequestException(
          "semaphore has another number of permits: name=%s, permits=%d, asked=%d; ask for as many"
                  .formatted(name, there, asked)
              + " or take another name");
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void acquire(int count) {
    take(count, Long.MAX_VALUE);
  }

  @Override
  public boolean tryAcquire(int count, long time, TimeUnit unit) {
    return take(count, Objects.requireNonNull(unit, "unit").toNanos(time));
  }

  private boolean take(int count, long nanos) {
    EmbeddedLocks.checkCount("permits", count, Locks.PERMITS_MAX);
    Grant grant = locks.acquire(key, permits, count, nanos);
    if (grant == null) {
      return false;
    }
    lock.lock();
    try {
      holdings.push(new Holding(grant, count));
    } finally {
      lock.unlock();
    }
    return true;
  }

  @Override
  public void release(int count) {
    EmbeddedLocks.checkCount("permits", count, Locks.PERMITS_MAX);
    for (Holding changed : taken(count)) {
      locks.permits().release(key, changed.grant, changed.count);
    }
  }

  /** Takes permits out of the holdings; the holdings as they are to be, with 0 for none left. */
  private List<Holding> taken(int count) {
    List<Holding> changed = new ArrayList<>();
    lock.lock();
    try {
      holdings.removeIf(holding -> !locks.permits().isLeased(holding.grant));
      int held = holdings.stream().mapToInt(Holding::count).sum();
      if (held < count) {
        throw new InvalidRequestException(
            "more permits than this node has: name=%s, released=%d, held=%d"
                .formatted(name, count, held));
      }
      int rest = count;
      while (rest > 0) {
        Holding newest = holdings.pop();
        int kept = Math.max(0, newest.count - rest);
        rest -= newest.count - kept;
        Holding after = new Holding(newest.grant, kept);
        changed.add(after);
        if (kept > 0) {
          holdings.push(after);
        }
      }
    } finally {
      lock.unlock();
    }
    return changed;
  }

  @Override
  public int availablePermits() {
    return locks.permits().available(key, permits);
  }

  @Override
  public String toString() {
    return "DistributedSemaphore[name=" + name + "]";
  }
}
