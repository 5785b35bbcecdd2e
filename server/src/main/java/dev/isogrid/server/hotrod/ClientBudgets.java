package dev.isogrid.server.hotrod;

import dev.isogrid.base.NanoClock;
import dev.isogrid.server.net.ByteBudget;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.TimeUnit;

/**
 * The memory that all clients of a server together may occupy, so that no client can use up the
 * memory of the others. Each connection has a share of each budget.
 *
 * @param events events that wait for their clients, in bytes of the heap
 * @param filters the filters of near caches, in bytes of the heap
 * @param answers answers with many entries, and other answers made aside, until they are sent
 * @param iterations the memory of iterations, in bytes of the heap
 * @param heapStreams values that arrive in chunks for caches on the heap, in bytes
 * @param offHeapStreams values that arrive in chunks for caches off the heap, in bytes
 */
record ClientBudgets(
    ByteBudget events,
    ByteBudget filters,
    ByteBudget answers,
    ByteBudget iterations,
    ByteBudget heapStreams,
    ByteBudget offHeapStreams) {
  /** The part of the heap for events: 20 MiB of 160; the rest is for everything else. */
  private static final int EVENTS_FRACTION = 8;

  /** The part of the heap for filters: 20 million entries of near caches in 160 MiB. */
  private static final int FILTERS_FRACTION = 16;

  /** The part of direct memory for answers; requests and other answers need it as well. */
  private static final int ANSWERS_FRACTION = 4;

  /** The part of the heap for iterations. */
  private static final int ITERATIONS_FRACTION = 8;

  /** The part of the heap for values that arrive in chunks; a single client gets a quarter. */
  private static final int HEAP_STREAMS_FRACTION = 2;

  /**
   * The parts of the off-heap limit for values that arrive in chunks; a single client gets 3 of 8.
   */
  private static final int OFF_HEAP_STREAMS_NUMERATOR = 3;

  private static final int OFF_HEAP_STREAMS_DENOMINATOR = 4;

  /** The system property that sets the bytes of events that wait for all clients together. */
  private static final String EVENTS_PROPERTY = "dev.isogrid.events.total";

  /** The time in which a client must read an answer while others lack memory for theirs. */
  private static final int ANSWER_SECONDS = 30;

  /** The time for which a connection may have iterations while others lack memory for theirs. */
  private static final int ITERATION_SECONDS = 60;

  /** The time in which a value must arrive while others lack memory for theirs. */
  private static final int STREAM_SECONDS = 600;

  /**
   * The budgets of this process.
   *
   * @param offHeapMax the limit of the memory off the heap, in bytes
   */
  static ClientBudgets ofProcess(long offHeapMax, NanoClock clock) {
    return of(
        Runtime.getRuntime().maxMemory(), PlatformDependent.maxDirectMemory(), offHeapMax, clock);
  }

  /** The budgets of a process of some memory, in bytes. */
  static ClientBudgets of(long heapMax, long directMax, long offHeapMax, NanoClock clock) {
    long eventsMax = Long.getLong(EVENTS_PROPERTY, heapMax / EVENTS_FRACTION);
    long offHeap = offHeapMax / OFF_HEAP_STREAMS_DENOMINATOR * OFF_HEAP_STREAMS_NUMERATOR;
    return new ClientBudgets(
        new ByteBudget("bytes of waiting events", eventsMax, 0, clock),
        new ByteBudget("bytes of near caches' filters", heapMax / FILTERS_FRACTION, 0, clock),
        new ByteBudget(
            "bytes of unsent answers",
            directMax / ANSWERS_FRACTION,
            TimeUnit.SECONDS.toNanos(ANSWER_SECONDS),
            clock),
        new ByteBudget(
            "bytes of iterations",
            heapMax / ITERATIONS_FRACTION,
            TimeUnit.SECONDS.toNanos(ITERATION_SECONDS),
            clock),
        ofStreams(heapMax / HEAP_STREAMS_FRACTION, clock),
        ofStreams(offHeap, clock));
  }

  private static ByteBudget ofStreams(long max, NanoClock clock) {
    long ageNanos = TimeUnit.SECONDS.toNanos(STREAM_SECONDS);
    return new ByteBudget("bytes of unfinished values", max, ageNanos, clock);
  }
}
