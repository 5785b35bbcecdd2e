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
   * A holder may have as much as is free, and no more: alone it gets half of the budget. A holder
   * that keeps its part forever leaves half of the rest to the next one. So when less than a
   * quarter is free, the holder that has most is asked to give all of it back: one holder at a
   * time, and only if it has had something for a while. Those that want little get it meanwhile,
   * and are never the ones that have most.
   */

  /** When less than this part is free, 1/4, somebody has to give back. */
  private static final int FREE_FRACTION = 4;

  /** The pause after a search that found no holder to give back; a search looks at all holders. */
  private static final long PAUSE_NANOS = 100_000_000;

  private final String name;
  private final long max;
  private final long ageNanos;
  private final NanoClock clock;
  private final AtomicLong used = new AtomicLong();
  private final Set<Share> shares = ConcurrentHashMap.newKeySet();

  /** Whether somebody was asked to give back and has not done it yet. */
  private final AtomicBoolean isRelieving = new AtomicBoolean();

  /** When to look again for a holder that must give back. Of racing writes the last one wins. */
  private volatile long nextLookNanos;

  /**
   * Makes an unused budget.
   *
   * @param name what it is for, for messages
   * @param max the most bytes
   * @param ageNanos how long a holder has had something before it may have to give it back
   */
  public ByteBudget(String name, long max, long ageNanos, NanoClock clock) {
    this.name = name;
    this.max = max;
    this.ageNanos = ageNanos;
    this.clock = clock;
    this.nextLookNanos = clock.nanoTime();
  }

  /** A new holder, which never has to give anything back; to be closed. */
  public Share newShare() {
    return newShare(null);
  }

  /**
   * A new holder; to be closed.
   *
   * @param giveBack asks the holder to give all of it back soon; run by any thread, which may hold
   *     locks, so it must neither block nor take some; null if the holder never has to
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

  /** What one holder has. Thread-safe. */
  public final class Share implements AutoCloseable {
    private final @Nullable Runnable giveBack;
    private final AtomicLong held = new AtomicLong();
    private final AtomicBoolean isAsked = new AtomicBoolean();

    /** When this got something after it had nothing. Written by the thread that gets it. */
    private volatile long sinceNanos;

    private Share(@Nullable Runnable giveBack) {
      this.giveBack = giveBack;
    }

    /** Takes bytes; false if they are not there, or more than this holder's part. */
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

    /** Takes bytes that are used already, even if they are not there. */
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

    /** Takes bytes that another holder has taken already, and that this one uses with it. */
    public boolean tryJoin(long bytes) {
      if (held.get() + bytes > max - used.get()) {
        relieve();
        return false;
      }
      hold(bytes);
      return true;
    }

    /** Lets go of bytes that another holder goes on having. */
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

    /** Says that this holder takes nothing more. What it has is to be given back all the same. */
    @Override
    public void close() {
      shares.remove(this);
      endAsking();
    }

    /** What there is, for messages. */
    @Override
    public String toString() {
      return "%s: connection=%d, server=%d, limit=%d".formatted(name, held(), used(), max);
    }
  }
}
