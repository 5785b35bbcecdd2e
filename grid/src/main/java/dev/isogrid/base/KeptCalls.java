package dev.isogrid.base;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what calls work with for the next calls. Thread-safe; nobody waits.
 *
 * @param <C> what is kept
 */
public final class KeptCalls<C> {
  /*
   * A thread has its place by its number. So it finds there what it worked with last, in its
   * processor's cache; a virtual thread finds what another one left. Whoever finds the place taken,
   * by another thread or by itself further up, makes an object that is not kept. So there are never
   * more of them than places, however many threads there are.
   */

  /** Given to objects that are not kept. */
  public static final int NOWHERE = -1;

  /** Places per processor: so few threads that run at the same time have the same one. */
  private static final int PLACES_PER_PROCESSOR = 8;

  private static final int PLACES_MAX = 1024;

  /** So that the marks of two places are not in the same line of memory, nor in a pair of lines. */
  private static final int STRIDE = 128 / Integer.BYTES;

  /** Spreads the numbers of threads, which follow each other. */
  private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

  private final IntFunction<C> maker;
  private final int shift;

  /** 1 where an object is in use. Read and written: acquire and release. */
  private final AtomicIntegerArray marks;

  /** Each guarded by its mark. */
  private final @Nullable Object[] kept;

  /**
   * Begins empty.
   *
   * @param maker makes an object for a place, or {@link #NOWHERE}
   */
  public KeptCalls(IntFunction<C> maker) {
    this.maker = maker;
    int wanted =
        Math.min(PLACES_MAX, PLACES_PER_PROCESSOR * Runtime.getRuntime().availableProcessors());
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(wanted - 1);
    this.shift = Long.SIZE - bits;
    this.marks = new AtomicIntegerArray(STRIDE << bits);
    this.kept = new Object[1 << bits];
  }

  /** An object that is this thread's until it is given back. */
  @SuppressWarnings("unchecked") // what the maker made
  public C take() {
    int place = (int) ((Thread.currentThread().threadId() * SPREAD) >>> shift);
    if (marks.compareAndExchangeAcquire(place * STRIDE, 0, 1) != 0) {
      return maker.apply(NOWHERE);
    }
    Object found = kept[place];
    if (found == null) {
      found = maker.apply(place);
      kept[place] = found;
    }
    return (C) found;
  }

  /** Gives the object of a place back. */
  public void giveBack(int place) {
    if (place != NOWHERE) {
      marks.setRelease(place * STRIDE, 0);
    }
  }

  /** Forgets what is kept and not in use. */
  @SuppressWarnings("unchecked") // what the maker made
  public void drain(Consumer<C> forgotten) {
    for (int place = 0; place < kept.length; place++) {
      if (marks.compareAndExchangeAcquire(place * STRIDE, 0, 1) == 0) {
        Object found = kept[place];
        kept[place] = null;
        marks.setRelease(place * STRIDE, 0);
        if (found != null) {
          forgotten.accept((C) found);
        }
      }
    }
  }
}
