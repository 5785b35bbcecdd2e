package dev.isogrid.server.net;

import dev.isogrid.base.NanoClock;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Memory that many holders, such as connections, share fairly. Never blocks. Thread-safe. */
public final class ByteBudget {
  /*
   * A holder may have at most as much as is free: alone it gets half of the budget. A holder that
   * keeps its part forever leaves half of the rest to the next one. So when less than a quarter is
   * free, the largest holder must give back all of it: one holder at a time, and only after it has
   * had something for a while. Small holders get their part meanwhile, and are never the largest
   * ones.
   */

  /** The free part, 1/4, below which a holder must give back. */
  private static final int FREE_FRACTION = 4;

  /** The pause after a search that found no suitable holder; a search checks all holders. */
  private static final long PAUSE_NANOS = 100_000_000;

  private final String name;
  private final long max;
  private final long ageNanos;
  private final NanoClock clock;
  private final AtomicLong used = new AtomicLong();
  private final Set<Share> shares = ConcurrentHashMap.newKeySet();

  /** Whether a holder was asked to give back and has not done it yet. */
  private final AtomicBoolean isRelieving = new AtomicBoolean();

  /**
   * The time of the next search for a holder that must give back. The last one of racing writes
   * wins.
   */
  private volatile long nextLookNanos;

  /**
   * Makes an unused budget.
   *
   * @param name its purpose, for messages
   * @param max the most bytes
   * @param ageNanos the least time that a holder has had something before it may have to give it
   *     back
   */
  public ByteBudget(String name, long max, long ageNanos, NanoClock clock) {
    this.name = name;
    this.max = max;
    this.ageNanos = ageNanos;
    this.clock = clock;
    this.nextLookNanos = clock.nanoTime();
  }

  /** A new holder, which never has to give anything back. The caller closes it. */
  public Share newShare() {
    return newShare(null);
  }

  /**
   * A new holder. The caller closes it.
   *
   * @param giveBack asks the holder to give all of it back soon. Any thread runs it, possibly with
   *     locks, so it must neither block nor take locks. Null if the holder never has to give back
   */
  public Share newShare(@Nullable Runnable giveBack) {
    Share share = new Share(giveBack);
    if (giveBack != null) {
      shares.add(share);
    }
    return share;
  }

  /** The bytes that all holders have. */
  public long used() {
    return used.get();
  }

  /** The most bytes. */
  public long max() {
    return max;
  }

  private void relieve() {
    long now = clock.nanoTime();
    if (now - nextLookNanos < 0 || !isRelieving.compareAndSet(false, true)) {
      return;
    }
    Share most = null;
    for (Share share : shares) {
      boolean isOld = share.held() > 0 && now - share.sinceNanos >= ageNanos;
      if (isOld && (most == null || share.held() > most.held())) {
        most = share;
      }
    }
    if (most == null) {
      nextLookNanos = now + PAUSE_NANOS;
      isRelieving.set(false);
    } else {
      most.askToGiveBack();
    }
  }

  /** The part of one holder. Thread-safe. */
  public final class Share implements AutoCloseable {
    private final @Nullable Runnable giveBack;
    private final AtomicLong held = new AtomicLong();
    private final AtomicBoolean isAsked = new AtomicBoolean();

    /** The time since which it has had something. Written by the thread that takes it. */
    private volatile long sinceNanos;

    private Share(@Nullable Runnable giveBack) {
      this.giveBack = giveBack;
    }

    /** Takes bytes; returns false if too few are free, or the holder would exceed its part. */
    public boolean tryTake(long bytes) {
      long before;
      do {
        before = used.get();
        if (held.get() + bytes > max - before - bytes) {
          relieve();
          return false;
        }
      } while (!used.compareAndSet(before, before + bytes));
      hold(bytes);
      if (max - before - bytes < max / FREE_FRACTION) {
        relieve();
      }
      return true;
    }

    /** Takes bytes that are used already, even if they exceed the budget. */
    public void take(long bytes) {
      long now = used.addAndGet(bytes);
      hold(bytes);
      if (max - now < max / FREE_FRACTION) {
        relieve();
      }
    }

    private void hold(long bytes) {
      if (held.getAndAdd(bytes) == 0) {
        sinceNanos = clock.nanoTime();
      }
    }

    /** Gives bytes back. */
    public void give(long bytes) {
      used.addAndGet(-bytes);
      leave(bytes);
    }

    /** Takes part in bytes that another holder has taken already. */
    public boolean tryJoin(long bytes) {
      if (held.get() + bytes > max - used.get()) {
        relieve();
        return false;
      }
      hold(bytes);
      return true;
    }

    /** Ends the part in bytes that another holder keeps. */
    public void leave(long bytes) {
      if (held.addAndGet(-bytes) == 0) {
        endAsking();
      }
    }

    private void askToGiveBack() {
      isAsked.set(true);
      if (giveBack != null && shares.contains(this) && held.get() > 0) {
        giveBack.run();
      } else {
        endAsking();
      }
    }

    private void endAsking() {
      if (isAsked.compareAndSet(true, false)) {
        isRelieving.set(false);
      }
    }

    /** The bytes that this holder has. */
    public long held() {
      return held.get();
    }

    /** Notes that the holder takes no more. It must still give back the rest. */
    @Override
    public void close() {
      shares.remove(this);
      endAsking();
    }

    /** The present figures, for messages. */
    @Override
    public String toString() {
      return "%s: connection=%d, server=%d, limit=%d".formatted(name, held(), used(), max);
    }
  }
}
