package dev.isogrid.engine;

import dev.isogrid.store.UserMutation;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One function of a user that runs for one key, until it ends. Thread-safe. */
public final class Flight {
  private final String cache;
  private final Object identity;
  private final Object userKey;
  private final Thread owner = Thread.currentThread();
  private final CountDownLatch ended = new CountDownLatch(1);

  /** Whether the function has ended, and the owner writes what it gave. Written by the owner. */
  private boolean isStoring;

  /** The sharer of code that failed or found nothing, or null. Written by the owner at the end. */
  private @Nullable Object sharer;

  /** The failure of the shared code; null if there is none. Written by the owner before the end. */
  private @Nullable RuntimeException failure;

  /**
   * Begins; this thread is the owner.
   *
   * @param identity what is equal for equal keys
   * @param userKey the key as its user knows it, for messages
   */
  Flight(String cache, Object identity, Object userKey) {
    this.cache = cache;
    this.identity = identity;
    this.userKey = userKey;
  }

  Object identity() {
    return identity;
  }

  Thread owner() {
    return owner;
  }

  boolean isMine() {
    return owner.equals(Thread.currentThread());
  }

  /** Says whether the owner may write the key from now on. Only for the owner. */
  void storing(boolean isStoring) {
    this.isStoring = isStoring;
  }

  /** Returns whether the owner may write the key. Only for the owner. */
  boolean isStoring() {
    return isStoring;
  }

  /**
   * Keeps for waiting threads that shared code found nothing, or what it threw. Only for the owner,
   * before the end.
   *
   * @param code ran last; kept if it is shared
   * @param thrown null if it threw nothing
   */
  void share(UserMutation<?, ?> code, @Nullable RuntimeException thrown) {
    if (thrown != null || code.hasFoundNothing()) {
      sharer = code.sharer();
      failure = thrown;
    }
  }

  /**
   * Returns whether shared code found nothing, so that a thread that waited for the end need not
   * run the same code.
   *
   * @throws RuntimeException what the code threw
   */
  boolean hasSharedNothing(UserMutation<?, ?> code) {
    Object mine = code.sharer();
    if (mine == null || !mine.equals(sharer)) {
      return false;
    }
    RuntimeException thrown = failure;
    if (thrown != null) {
      throw thrown;
    }
    return true;
  }

  void end() {
    ended.countDown();
  }

  boolean isEnded() {
    return ended.getCount() == 0;
  }

  /**
   * Waits for the end.
   *
   * @param timeoutMillis how long at most; {@link Long#MAX_VALUE} for any time
   * @return whether it came
   */
  boolean await(long timeoutMillis) throws InterruptedException {
    if (timeoutMillis == Long.MAX_VALUE) {
      ended.await();
      return true;
    }
    return ended.await(timeoutMillis, TimeUnit.MILLISECONDS);
  }

  /** Names cache and key. */
  @Override
  public String toString() {
    return "cache=%s, key=%s".formatted(cache, userKey);
  }
}
