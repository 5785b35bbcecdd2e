package dev.isogrid.store;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A run of memory that a segment got from a {@link PagePool}. */
final class Page {
  private static final VarHandle PINS;

  static {
    try {
      PINS = MethodHandles.lookup().findVarHandle(Page.class, "pins", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** In {@link #pins}: no more pins, and free once there are none. */
  private static final int RETIRED = 1;

  private static final int PIN = 2;

  final Region region;

  /** That of the region, in which this page begins at {@link #base}. */
  final MemorySegment memory;

  final long base;
  private final int units;

  /** Whether it is for one large entry. Written before the page is published. */
  boolean own;

  /** The value of the one entry, if it is not in the page. Written before it is published. */
  @Nullable ValuePieces pieces;

  /** How far entries were written. Guarded by the segment's lock. */
  int used;

  /** Bytes of present entries. Guarded by the segment's lock. */
  int live;

  /** No entry in the page expires before. Guarded by the segment's lock. */
  long earliestExpiryMillis = Long.MAX_VALUE;

  /** Readers that hold the page, times {@link #PIN}, and {@link #RETIRED}. */
  @SuppressWarnings("unused") // through PINS
  private int pins;

  Page(Region region, MemorySegment memory, int unit, int units) {
    this.region = region;
    this.memory = memory;
    this.base = (long) unit * Region.UNIT_BYTES;
    this.units = units;
  }

  long size() {
    return (long) units * Region.UNIT_BYTES;
  }

  /** What freeing it gives back to the pool: its size and that of a value elsewhere. */
  long heldBytes() {
    return pieces == null ? size() : size() + pieces.allocatedBytes();
  }

  /** Makes this the page of an entry whose value is elsewhere, and keeps that. */
  void keep(ValuePieces value) {
    value.hold();
    pieces = value;
  }

  /** Takes over what is known of the page whose content this one has. */
  void become(Page other) {
    if (other.pieces != null) {
      keep(other.pieces);
    }
    own = other.own;
    used = other.used;
    live = other.live;
    earliestExpiryMillis = other.earliestExpiryMillis;
  }

  /** Sets all bytes to 0. */
  void clear() {
    memory.asSlice(base, size()).fill((byte) 0);
  }

  /**
   * Keeps the page from being freed until {@link #unpin}. Any thread.
   *
   * @return whether it could; if not, the page is gone
   */
  boolean pin() {
    int seen;
    do {
      seen = (int) PINS.getOpaque(this);
      if ((seen & RETIRED) != 0) {
        return false;
      }
    } while (!PINS.compareAndSet(this, seen, seen + PIN));
    return true;
  }

  /** The same for a caller that holds a pin already. */
  void pinAgain() {
    PINS.getAndAdd(this, PIN);
  }

  /** Ends a pin. Frees the page if it was the last one of a retired page. */
  void unpin(PagePool pool) {
    if ((int) PINS.getAndAdd(this, -PIN) == PIN + RETIRED) {
      pool.free(this);
    }
  }

  /** Frees the page, now or with its last pin. Once. */
  void retire(PagePool pool) {
    if ((int) PINS.getAndAdd(this, RETIRED) == 0) {
      pool.free(this);
    }
  }
}
