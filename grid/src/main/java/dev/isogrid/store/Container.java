package dev.isogrid.store;

import dev.isogrid.base.EpochClock;
import dev.isogrid.wire.Segments;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one cache on this node: an array of segments. Thread-safe.
 *
 * @param <K> the kind of key
 * @param <V> the kind of value
 */
public final class Container<K, V> {
  private final Segments segments;
  private final Segment<K, V>[] table;
  private final Supplier<EntryView<K, V>> views;
  private final @Nullable ObjectTables objects;

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type, filled right here
  private Container(
      Segments segments,
      IntFunction<? extends Segment<K, V>> maker,
      Supplier<EntryView<K, V>> views,
      @Nullable ObjectTables objects) {
    this.segments = segments;
    this.table = new Segment[segments.count()];
    for (int i = 0; i < table.length; i++) {
      table[i] = maker.apply(i);
    }
    this.views = views;
    this.objects = objects;
  }

  /**
   * A container that keeps references to objects.
   *
   * @param count number of segments
   * @param epoch the epoch of its versions, 1 to 2<sup>24</sup> - 1
   * @param clock decides what is expired
   */
  public static Container<Object, Object> ofObjects(int count, int epoch, EpochClock clock) {
    Segments segments = new Segments(count);
    ObjectTables tables = new ObjectTables(segments, clock);
    return new Container<>(
        segments, index -> new ObjectSegment(tables, index, epoch, clock), ObjectView::new, tables);
  }

  /** A container that keeps one array of bytes an entry. Parameters as {@link #ofObjects}. */
  public static Container<BinaryKey, Bytes> ofBinary(int count, int epoch, EpochClock clock) {
    return new Container<>(
        new Segments(count), index -> new BinarySegment(epoch, clock), BinaryView::new, null);
  }

  /** The number of segments. */
  public int segmentCount() {
    return table.length;
  }

  /** The number of the segment that a hash belongs to. */
  public int segmentOf(int hash) {
    return segments.of(hash);
  }

  /** The segment that a hash belongs to. */
  public Segment<K, V> segment(int hash) {
    return table[segments.of(hash)];
  }

  /** The segment of a number, 0 to count - 1. */
  public Segment<K, V> segmentAt(int index) {
    return table[index];
  }

  /** The tables of a container of objects, for reads of the value alone; null for others. */
  public @Nullable ObjectTables objects() {
    return objects;
  }

  /** A new window that fits this container's entries. */
  public EntryView<K, V> newView() {
    return views.get();
  }
}
