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

  private static final VarHandle TABLE = MethodHandles.arrayElementVarHandle(ObjectNode[][].class);
  private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(ObjectNode[].class);

  private final Segments segments;
  private final EpochClock clock;

  /** Read: acquire, by anyone; written: release, by the holder of the segment's lock. */
  private final ObjectNode[][] tables;

  ObjectTables(Segments segments, EpochClock clock) {
    this.segments = segments;
    this.clock = clock;
    this.tables = new ObjectNode[segments.count()][];
  }

  /**
   * The hash of a key: its own, spread over all bits, since segments go by the upper and places by
   * the lower ones.
   */
  public static int hash(Object key) {
    int h = key.hashCode() * 0x9E3779B9;
    return h ^ h >>> 16;
  }

  /**
   * The value of a live entry; one with max idle is touched.
   *
   * @return the value; null if there is none; what {@link #isExpired} knows if its time is over
   */
  public @Nullable Object get(Object key, int hash) {
    ObjectNode node = find(table(segments.of(hash)), key, hash);
    if (node == null) {
      return null;
    }
    Object stored = node.stored;
    return stored instanceof Attributed attributed ? live(attributed) : stored;
  }

  /** Whether what {@link #get} returned stands for an entry whose time is over. */
  @SuppressWarnings("ReferenceEquality") // it is a mark, not a value
  public static boolean isExpired(@Nullable Object got) {
    return got == EXPIRED;
  }

  private Object live(Attributed attributed) {
    if (attributed.isMortal()) {
      long nowMillis = clock.millis();
      if (attributed.isExpired(nowMillis)) {
        return EXPIRED;
      }
      if (attributed.maxIdleMillis >= 0) {
        attributed.lastUsedMillis = nowMillis;
      }
    }
    return attributed.value;
  }

  /** The node of a key, or null. */
  @SuppressWarnings("ReferenceEquality") // a shortcut before equals
  static @Nullable ObjectNode find(@Nullable ObjectNode[] table, Object key, int hash) {
    ObjectNode node = (ObjectNode) PLACE.getAcquire(table, hash & table.length - 1);
    while (node != null) {
      if (node.hash == hash && (node.key == key || key.equals(node.key))) {
        return node;
      }
      node = node.next;
    }
    return null;
  }

  @Nullable ObjectNode[] table(int segment) {
    return (ObjectNode[]) TABLE.getAcquire(tables, segment);
  }

  void setTable(int segment, @Nullable ObjectNode[] table) {
    TABLE.setRelease(tables, segment, table);
  }

  static void setPlace(@Nullable ObjectNode[] table, int place, @Nullable ObjectNode node) {
    PLACE.setRelease(table, place, node);
  }
}
