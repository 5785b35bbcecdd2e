package dev.isogrid.client;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Arrays for copies of values, used again and again. Thread-safe, without locks. */
final class ValueCopies {
  /*
   * An asynchronous write copies its value, since the caller may change the array as soon as the
   * call returns. Arrays of a size go round a ring: one is taken where the taker's number points,
   * and given back where the giver's does. While about as many are given as taken, each place is
   * filled and emptied in turn, whatever the distance between the two. An array that is not given
   * back, since its operation failed, is garbage as any other, and one that finds its place taken
   * replaces the other.
   */
  private static final int SIZE_SHIFT_MIN = 6;

  /** Larger values are seldom, and copying them costs more than making an array. */
  private static final int SIZE_SHIFT_MAX = 14;

  /** Of each size; all together take 4 MiB at most. */
  private static final int PLACES = 128;

  private final Ring[] rings = new Ring[SIZE_SHIFT_MAX - SIZE_SHIFT_MIN + 1];

  ValueCopies() {
    for (int i = 0; i < rings.length; i++) {
      rings[i] = new Ring();
    }
  }

  /** The arrays of one size. */
  private static final class Ring {
    final AtomicReferenceArray<byte @Nullable []> places = new AtomicReferenceArray<>(PLACES);
    final AtomicInteger taken = new AtomicInteger();
    final AtomicInteger given = new AtomicInteger();
  }

  private static int shift(int size) {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, size) - 1);
    return Math.max(SIZE_SHIFT_MIN, bits);
  }

  /** A copy of an array, at the beginning of one that may be longer. */
  byte[] copy(byte[] original) {
    int shift = shift(original.length);
    if (shift > SIZE_SHIFT_MAX) {
      return original.clone();
    }
    Ring ring = rings[shift - SIZE_SHIFT_MIN];
    int place = ring.taken.getAndIncrement() & (PLACES - 1);
    byte[] array = ring.places.getAndSet(place, null);
    if (array == null) {
      array = new byte[1 << shift];
    }
    System.arraycopy(original, 0, array, 0, original.length);
    return array;
  }

  /** Takes an array of {@link #copy} back, which is not used any more. */
  void giveBack(byte[] array) {
    int shift = shift(array.length);
    if (shift <= SIZE_SHIFT_MAX) {
      Ring ring = rings[shift - SIZE_SHIFT_MIN];
      ring.places.set(ring.given.getAndIncrement() & (PLACES - 1), array);
    }
  }
}
