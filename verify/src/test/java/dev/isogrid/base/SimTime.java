package dev.isogrid.base;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The time and events of a simulated world. All events run on the thread that calls {@link
 * #runUntil}, in an order that follows from the seed. For one thread.
 */
public final class SimTime {
  /** A millisecond. */
  public static final long MILLI = 1_000_000;

  /** The most steps without any time between them; more means that some code waits by spinning. */
  private static final int STEPS_AT_ONCE_MAX = 1_000_000;

  private static final long TRACE_FACTOR = 0x9E3779B97F4A7C15L;

  private record Event(long nanos, long number, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(nanos, other.nanos);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  /** The real world influenced the simulated one, so the run shows nothing. */
  public static final class RealWorldException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RealWorldException(String message) {
      super(message);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();

  /** The threads that can run now. */
  private final List<Runnable> ready = new ArrayList<>();

  private final Thread runner = Thread.currentThread();

  /** Threads that the real world woke. */
  private final Queue<Runnable> fromOutside = new ConcurrentLinkedQueue<>();

  /** The thread of the real world that woke a simulated one, or null. */
  private volatile @Nullable String intruder;

  private volatile boolean isOver;
  private boolean hasToldIntruder;

  private final SplittableRandom random;
  private final SplittableRandom order;
  private long nanos;
  private long number;
  private long trace;

  /** A world that begins now. */
  public SimTime(long seed) {
    this.random = new SplittableRandom(seed);
    this.order = random.split();
  }

  /** The true time since the beginning, in nanoseconds. */
  public long nanos() {
    return nanos;
  }

  /** The source of all randomness. */
  public SplittableRandom random() {
    return random;
  }

  /** All events as one number: equal for runs that went the same way. */
  public long trace() {
    return trace;
  }

  /** Adds an event to the trace. */
  public void note(long what) {
    trace = Long.rotateLeft(trace ^ what ^ nanos, 7) * TRACE_FACTOR;
  }

  /** Schedules an action for later, on the thread of the simulation. */
  public void after(long delayNanos, Runnable action) {
    events.add(new Event(nanos + Math.max(0, delayNanos), ++number, action));
  }

  /**
   * Adds a thread that can run. The virtual machine calls this on a thread of its own when a
   * deadline of the real clock passes, and when another thread releases a monitor. Then the order
   * does not follow from the seed.
   */
  void ready(Runnable thread) {
    Thread caller = Thread.currentThread();
    if (caller.isVirtual() || caller.equals(runner)) {
      ready.add(thread);
      return;
    }
    intruder = caller.getName();
    if (isOver) {
      Thread.ofPlatform().daemon().start(thread); // it may hold locks of the real world
    } else {
      fromOutside.add(thread);
    }
  }

  /** Ends the world: no events run after this. */
  public void end() {
    isOver = true;
  }

  /**
   * Lets time pass.
   *
   * @throws IllegalStateException if a thread waits by spinning
   * @throws RealWorldException if one was woken by the real world
   */
  public void runUntil(long endNanos) {
    runReady();
    while (!events.isEmpty() && events.peek().nanos <= endNanos) {
      Event next = events.remove();
      nanos = next.nanos;
      next.action.run();
      runReady();
    }
    nanos = endNanos;
  }

  /** Runs threads, one after the other, until all wait. */
  private void runReady() {
    int steps = 0;
    takeFromOutside();
    while (!ready.isEmpty()) {
      int last = ready.size() - 1;
      int chosen = last == 0 ? 0 : order.nextInt(last + 1);
      Runnable thread = ready.set(chosen, ready.get(last));
      ready.removeLast();
      thread.run();
      takeFromOutside();
      if (++steps > STEPS_AT_ONCE_MAX) {
        throw new IllegalStateException("a thread waits by spinning: nanos=" + nanos);
      }
    }
  }

  private void takeFromOutside() {
    if (intruder == null) {
      return;
    }
    for (Runnable thread = fromOutside.poll(); thread != null; thread = fromOutside.poll()) {
      ready.add(thread);
    }
    if (!hasToldIntruder) {
      hasToldIntruder = true; // what follows ends the run
      throw new RealWorldException(
          "the real world woke a thread: by=%s, nanos=%d; wait by NanoClock, and hold no monitor"
                  .formatted(intruder, nanos)
              + " while waiting");
    }
  }
}
