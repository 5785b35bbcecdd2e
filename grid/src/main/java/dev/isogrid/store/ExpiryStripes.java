package dev.isogrid.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * When the entries of a table expire, stripe by stripe: of each {@link #PLACES} places of the table
 * the time at which the first mortal entry among them may expire. Such a time is never later than
 * the truth, and may be earlier: entries are removed, replaced and used. It is set right when the
 * stripe is visited.
 *
 * <p>Written under the segment's lock; only {@link #earliestMillis} can be read by any thread.
 * Takes one number a stripe, an eighth of a byte a place, and that only once there are mortal
 * entries.
 */
final class ExpiryStripes {
  /** Places of one stripe: few enough to look through, many enough that the times cost nothing. */
  static final int PLACES = 64;

  private static final int PLACES_LOG2 = 6;
  private static final long[] NONE = {};
  private static final VarHandle EARLIEST;

  static {
    try {
      EARLIEST = MethodHandles.lookup().findVarHandle(ExpiryStripes.class, "earliest", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** By stripe, milliseconds since 1970; {@code Long.MAX_VALUE} where nothing is mortal. */
  private long[] times = NONE;

  /** The least of the times, or less. Read: opaque, by anyone; written: opaque, under the lock. */
  private long earliest = Long.MAX_VALUE;

  /** How many stripes were ever looked through; for tests. */
  private long visits;

  /** Looks through the places of one stripe. */
  @FunctionalInterface
  interface Visitor {
    /**
     * Removes what is expired.
     *
     * @param from the first place
     * @param to the place after the last
     * @return when the first of the remaining ones may expire, or {@code Long.MAX_VALUE}
     */
    long visit(int from, int to);
  }

  /** When something expires, saturated; the arguments as in {@link EntryView}. */
  static long expiryMillis(
      long createdMillis, long lifespanMillis, long lastUsedMillis, long maxIdleMillis) {
    return Math.min(end(createdMillis, lifespanMillis), end(lastUsedMillis, maxIdleMillis));
  }

  private static long end(long sinceMillis, long limitMillis) {
    long end = sinceMillis + limitMillis;
    boolean overflown = limitMillis > 0 && end < sinceMillis;
    return limitMillis < 0 || overflown ? Long.MAX_VALUE : end;
  }

  /** No mortal entry of any stripe expires before this time. Any thread. */
  long earliestMillis() {
    return (long) EARLIEST.getOpaque(this);
  }

  /** Whether there was no mortal entry yet. */
  boolean isEmpty() {
    return times.length == 0;
  }

  /** No entry around a place expires before this time. */
  long earliestAround(int place) {
    return isEmpty() ? Long.MAX_VALUE : times[place >>> PLACES_LOG2];
  }

  long visits() {
    return visits;
  }

  /** The memory that this takes. */
  long size() {
    return HeapLayout.objectSize(1, 2 * Long.BYTES)
        + (isEmpty() ? 0 : HeapLayout.arraySize(times.length, Long.BYTES));
  }

  /** The memory that this takes for a table of a capacity with mortal entries. */
  static long size(int capacity) {
    return HeapLayout.objectSize(1, 2 * Long.BYTES)
        + HeapLayout.arraySize(count(capacity), Long.BYTES);
  }

  /** Notes that there is an entry at a place that may expire at a time. */
  void lower(int place, long expiryMillis, int capacity) {
    if (expiryMillis == Long.MAX_VALUE) {
      return;
    }
    if (isEmpty()) {
      times = new long[count(capacity)];
      Arrays.fill(times, Long.MAX_VALUE);
    }
    int stripe = place >>> PLACES_LOG2;
    times[stripe] = Math.min(times[stripe], expiryMillis);
    lowerEarliest(expiryMillis);
  }

  private void lowerEarliest(long expiryMillis) {
    if (expiryMillis < earliest) {
      EARLIEST.setOpaque(this, expiryMillis);
    }
  }

  private static int count(int capacity) {
    return (capacity + PLACES - 1) >>> PLACES_LOG2;
  }

  /** Notes that an entry that may be mortal moved from one place to another. */
  void moved(int from, int to, int capacity) {
    if (from >>> PLACES_LOG2 != to >>> PLACES_LOG2) {
      lower(to, earliestAround(from), capacity);
    }
  }

  /** Takes over what was noted for the places of a new table. */
  void become(ExpiryStripes other) {
    times = other.times;
    EARLIEST.setOpaque(this, other.earliest);
  }

  /** Forgets everything. */
  void clear() {
    times = NONE;
    EARLIEST.setOpaque(this, Long.MAX_VALUE);
  }

  /**
   * Visits the stripes in which something is due.
   *
   * @param from the place to begin with, 0 or what the last call returned
   * @param placesMax how many places to look at: rounded up to whole stripes; those of stripes in
   *     which nothing is due do not count
   * @param capacity the table's
   * @return the place to go on with, or -1 at the end of the table
   */
  int visitDue(int from, int placesMax, long nowMillis, int capacity, Visitor visitor) {
    int stripe = from >>> PLACES_LOG2;
    long looked = 0;
    for (; stripe < times.length && looked < placesMax; stripe++) {
      if (times[stripe] <= nowMillis) {
        int first = stripe << PLACES_LOG2;
        visits++;
        times[stripe] = visitor.visit(first, Math.min(first + PLACES, capacity));
        looked += PLACES;
      }
    }
    if (stripe < times.length) {
      return stripe << PLACES_LOG2;
    }
    recomputeEarliest();
    return -1;
  }

  /**
   * Visits the stripes in which something is mortal.
   *
   * @param capacity the table's
   */
  void visitMortal(int capacity, Visitor visitor) {
    visitDue(0, Integer.MAX_VALUE, Long.MAX_VALUE - 1, capacity, visitor);
  }

  private void recomputeEarliest() {
    long least = Long.MAX_VALUE;
    for (long time : times) {
      least = Math.min(least, time);
    }
    EARLIEST.setOpaque(this, least);
  }
}
