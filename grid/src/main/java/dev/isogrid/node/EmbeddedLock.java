package dev.isogrid.node;

import dev.isogrid.api.FencedLock;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.structure.PermitTable.Grant;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A lock for users in this process. Thread-safe. */
final class EmbeddedLock implements FencedLock {
  private final String name;
  private final String key;
  private final EmbeddedLocks locks;

  /** Grants that threads of this node did not give back; one of them at most has the lock. */
  private final ConcurrentHashMap<Thread, Grant> grants = new ConcurrentHashMap<>();

  EmbeddedLock(String name, EmbeddedLocks locks) {
    this.name = name;
    this.key = "l:" + name;
    this.locks = locks;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long lock() {
    return take(Long.MAX_VALUE);
  }

  @Override
  public long tryLock(long time, TimeUnit unit) {
    return take(Objects.requireNonNull(unit, "unit").toNanos(time));
  }

  private long take(long nanos) {
    Grant mine = grants.get(Thread.currentThread());
    if (mine != null && locks.permits().isHeld(key, mine)) {
      throw new InvalidRequestException(
          "the thread has the lock already: name=%s, fence=%d; it is not reentrant"
              .formatted(name, mine.fence()));
    }
    Grant grant = locks.acquire(key, 1, 1, nanos);
    if (grant == null) {
      return 0;
    }
    grants.put(Thread.currentThread(), grant);
    return grant.fence();
  }

  @Override
  public void unlock() {
    Grant mine = grants.remove(Thread.currentThread());
    if (mine == null) {
      throw notMine();
    }
    locks.permits().release(key, mine, 0);
  }

  private InvalidRequestException notMine() {
    return new InvalidRequestException(
        "the thread has not got the lock, or no longer: name=%s".formatted(name));
  }

  @Override
  public boolean isLocked() {
    return locks.permits().available(key, 1) == 0;
  }

  @Override
  public boolean isLockedByMe() {
    Grant mine = grants.get(Thread.currentThread());
    return mine != null && locks.permits().isHeld(key, mine);
  }

  @Override
  public long fence() {
    @Nullable Grant mine = grants.get(Thread.currentThread());
    if (mine == null || !locks.permits().isLeased(mine)) {
      throw notMine();
    }
    return mine.fence();
  }

  @Override
  public boolean forceUnlock() {
    return locks.permits().releaseAll(key);
  }

  @Override
  public String toString() {
    return "FencedLock[name=" + name + "]";
  }
}
