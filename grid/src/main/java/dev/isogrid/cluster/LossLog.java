package dev.isogrid.cluster;

import dev.isogrid.base.NanoClock;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts something that goes wrong, and logs it now and then. Thread-safe. */
final class LossLog {
  /** Often enough to be noticed, and seldom enough to leave room for other lines. */
  private static final long PAUSE_NANOS = 10_000_000_000L;

  private final System.Logger log;
  private final NanoClock clock;
  private final LongAdder count = new LongAdder();
  private final AtomicLong nextNanos;

  /** Written by {@link #add}. */
  private volatile @Nullable Supplier<String> last;

  LossLog(System.Logger log, NanoClock clock) {
    this.log = log;
    this.clock = clock;
    this.nextNanos = new AtomicLong(clock.nanoTime());
  }

  /** It happened. */
  void add(Supplier<String> message) {
    count.increment();
    last = message;
    long now = clock.nanoTime();
    long next = nextNanos.get();
    if (now - next >= 0 && nextNanos.compareAndSet(next, now + PAUSE_NANOS)) {
      log.log(Level.WARNING, () -> message.get() + "; so far: count=" + count.sum());
    }
  }

  /** The last loss, or null. */
  @Nullable String last() {
    Supplier<String> message = last;
    return message == null ? null : message.get();
  }

  long count() {
    return count.sum();
  }
}
