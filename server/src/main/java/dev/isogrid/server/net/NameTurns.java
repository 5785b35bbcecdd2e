package dev.isogrid.server.net;

import dev.isogrid.api.RetryableGridException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Lets one change at a time run per name of a cache. Thread-safe; no lock is held meanwhile. */
final class NameTurns {
  /** The longest wait of a caller; a change takes some milliseconds. */
  private static final long WAIT_SECONDS = 10;

  /** The names that are being changed; the latch opens at the end of the change. */
  private final ConcurrentHashMap<String, CountDownLatch> changing = new ConcurrentHashMap<>();

  /** Runs a change of the caches while no other change of the same name runs. */
  boolean take(String name, BooleanSupplier change) {
    CountDownLatch mine = new CountDownLatch(1);
    for (CountDownLatch other = changing.putIfAbsent(name, mine);
        other != null;
        other = changing.putIfAbsent(name, mine)) {
      await(name, other);
    }
    try {
      return change.getAsBoolean();
    } finally {
      changing.remove(name);
      mine.countDown();
    }
  }

  private static void await(String name, CountDownLatch latch) {
    try {
      if (latch.await(WAIT_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
    }
    throw new RetryableGridException(
        "cache is being created or removed: cache=%s; try again".formatted(name));
  }
}
