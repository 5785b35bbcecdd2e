package dev.isogrid.base;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * The time of a simulated world, and what happens in it. All of it happens on the thread that calls
 * {@link #runUntil}, in an order that follows from the seed. For one thread.
 */
public final class SimTime {
  /** A millisecond. */
  public static final long MILLI = 1_000_000;

  /** Steps without any time between them; more means that some code waits by spinning. */
  private static final int STEPS_AT_ONCE_MAX = 1_000_000;

  private static final long TRACE_FACTOR = 0x9E3779B97F4A7C15L;

  private record Event(long nanos, long number, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(nanos, other.nanos);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();

  /** The threads that could go on now. */
  private final List<Runnable> ready = new ArrayList<>();

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

  /** Where all chance comes from. */
  public SplittableRandom random() {
    return random;
  }

  /** What happened, as one number: equal for runs that went the same way. */
  public long trace() {
    return trace;
  }

  /** Adds something that happened to the trace. */
  public void note(long what) {
    trace = Long.rotateLeft(trace ^ what ^ nanos, 7) * TRACE_FACTOR;
  }

  /** Has the world do something later, on the thread of the simulation. */
  public void after(long delayNanos, Runnable action) {
    events.add(new Event(nanos + Math.max(0, delayNanos), ++number, action));
  }

  /** A thread could go on. */
  void ready(Runnable thread) {
    ready.add(thread);
  }

  /** Lets time pass. */
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

  /** Lets threads go on, one after the other, until all wait for something. */
  private void runReady() {
    int steps = 0;
    while (!ready.isEmpty()) {
      int last = ready.size() - 1;
      int chosen = last == 0 ? 0 : order.nextInt(last + 1);
      Runnable thread = ready.set(chosen, ready.get(last));
      ready.removeLast();
      thread.run();
      if (++steps > STEPS_AT_ONCE_MAX) {
        throw new IllegalStateException("a thread waits by spinning: nanos=" + nanos);
      }
    }
  }
}
