package dev.isogrid.store;

import dev.isogrid.base.EpochClock;
import dev.isogrid.wire.Segments;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The tables of all segments of a container of objects, side by side: a local get goes from here to
 * the entry without touching the segment. Thread-safe.
 */
public final class ObjectTables {
  private static final Object EXPIRED = new Object();

  private static final VarHandle TABLE = MethodHandles.arrayElementVarHandle(ObjectTable[].class);

  private final Segments segments;
  private final EpochClock clock;

  /** Read: acquire, by anyone; written: release, by the holder of the segment's lock. */
  private final ObjectTable[] tables;

  /** For reads that were disturbed too often. Filled before the container is anyone's. */
  private final ObjectSegment[] owners;

  ObjectTables(Segments segments, EpochClock clock) {
    this.segments = segments;
    this.clock = clock;
    this.tables = new ObjectTable[segments.count()];
    this.owners = new ObjectSegment[segments.count()];
  }

  /**
   * The hash of a key: its own, spread over all bits, since segments go by the upper and places by
   * the lower ones.
   */
  public static int hash(Object key) {
    int h = key.hashCode() * 0x9E3779B9;
    return h ^ h >>> 16;
  }

  /** The place where the search for a hash begins in a table of a number of places. */
  public static int home(int hash, int capacity) {
    return ObjectTable.home(ObjectTable.tag(hash), capacity);
  }

  /**
   * The value of a live entry; one with max idle is touched.
   *
   * @return the value; null if there is none; what {@link #isExpired} knows if its time is over
   */
  public @Nullable Object get(Object key, int hash) {
    int segment = segments.of(hash);
    int tag = ObjectTable.tag(hash);
    for (int attempt = 0; attempt < Segment.READ_ATTEMPTS; attempt++) {
      ObjectTable table = table(segment);
      int stamp = table.beginRead();
      int place = table.find(key, tag);
      Object stored = place < 0 ? null : table.storedAt(place);
      boolean attributed = place >= 0 && table.isAttributedAt(place);
      if (table.isValid(stamp)) {
        return attributed && stored != null ? live(key, hash, (Attributed) stored) : stored;
      }
      Thread.onSpinWait();
    }
    Object stored = owners[segment].storedLocked(key, tag);
    return stored instanceof Attributed attributed ? live(key, hash, attributed) : stored;
  }

  /** Whether what {@link #get} returned stands for an entry whose time is over. */
  @SuppressWarnings("ReferenceEquality") // it is a mark, not a value
  public static boolean isExpired(@Nullable Object got) {
    return got == EXPIRED;
  }

  private Object live(Object key, int hash, Attributed attributed) {
    if (attributed.isMortal()) {
      long nowMillis = clock.millis();
      if (attributed.isExpired(nowMillis)) {
        return EXPIRED;
      }
      if (!attributed.touch(nowMillis)) {
        boolean _ = owners[segments.of(hash)].usedEarlier(key, hash, attributed, nowMillis, true);
      }
    }
    return attributed.value;
  }

  ObjectTable table(int segment) {
    return (ObjectTable) TABLE.getAcquire(tables, segment);
  }

  void setTable(int segment, ObjectTable table) {
    TABLE.setRelease(tables, segment, table);
  }

  void setOwner(int segment, ObjectSegment owner) {
    owners[segment] = owner;
  }
}
