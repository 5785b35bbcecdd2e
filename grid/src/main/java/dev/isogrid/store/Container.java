package dev.isogrid.store;

import dev.isogrid.api.MemoryUse;
import dev.isogrid.api.PageUse;
import dev.isogrid.base.EpochClock;
import dev.isogrid.wire.Segments;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
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
  private final Occupancy occupancy;
  private final Room room;
  private final Function<AtomicLong, IncomingValue> incoming;

  /** What values that are coming in reserve. */
  private final AtomicLong incomingBytes = new AtomicLong();

  // tidy: the parts of one container
  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type, filled right here
  private Container(
      Segments segments,
      IntFunction<? extends Segment<K, V>> maker,
      Supplier<EntryView<K, V>> views,
      @Nullable ObjectTables objects,
      Occupancy occupancy,
      Room room,
      Function<AtomicLong, IncomingValue> incoming) {
    this.segments = segments;
    this.table = new Segment[segments.count()];
    for (int i = 0; i < table.length; i++) {
      table[i] = maker.apply(i);
    }
    this.views = views;
    this.objects = objects;
    this.occupancy = occupancy;
    this.room = room;
    this.incoming = incoming;
  }

  /**
   * A container that keeps references to objects.
   *
   * @param count number of segments
   * @param epoch the epoch of its versions, 1 to 2<sup>24</sup> - 1
   * @param clock decides what is expired
   * @param occupancy counts what it holds
   */
  public static Container<Object, Object> ofObjects(
      int count, int epoch, EpochClock clock, Occupancy occupancy) {
    Segments segments = new Segments(count);
    ObjectTables tables = new ObjectTables(segments, clock);
    return new Container<>(
        segments,
        index -> new ObjectSegment(tables, index, epoch, clock, occupancy),
        ObjectView::new,
        tables,
        occupancy,
        Room.ENDLESS,
        _ -> {
          throw new UnsupportedOperationException("a cache of objects takes no bytes");
        });
  }

  /** A container that keeps one array of bytes an entry. Parameters as {@link #ofObjects}. */
  public static Container<BinaryKey, Bytes> ofBinary(
      int count, int epoch, EpochClock clock, Occupancy occupancy) {
    return new Container<>(
        new Segments(count),
        index -> new BinarySegment(epoch, clock, occupancy),
        BinaryView::new,
        null,
        occupancy,
        Room.ENDLESS,
        IncomingArray::new);
  }

  /**
   * A container that keeps its entries off the heap. Parameters as {@link #ofObjects}.
   *
   * @param pool where its memory comes from
   */
  public static Container<BinaryKey, Bytes> ofOffHeap(
      int count, int epoch, EpochClock clock, Occupancy occupancy, PagePool pool) {
    return new Container<>(
        new Segments(count),
        index -> new OffHeapSegment(epoch, clock, occupancy, pool),
        BinaryView::new,
        null,
        occupancy,
        pool,
        reserved -> new IncomingPieces(pool, reserved));
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

  /** What all segments hold together. */
  public Occupancy occupancy() {
    return occupancy;
  }

  /**
   * Whether there is memory for some bytes, and for writes that other nodes decide on meanwhile;
   * always on the heap.
   */
  public boolean hasSpare(long bytes) {
    return room.hasSpare(bytes);
  }

  /** Whether the memory of the entries is limited; not on the heap. */
  public boolean isLimited() {
    return room.isLimited();
  }

  /** Whether there is so little memory left that other nodes should send no more writes. */
  public boolean isNearlyFull() {
    return room.isNearlyFull();
  }

  /**
   * Counts bytes that this node's primaries accepted and did not store yet as used.
   *
   * @param bytes how many more, or negative for fewer
   */
  public void promise(long bytes) {
    room.promise(bytes);
  }

  /** Room for a value that comes in chunks; the caller closes it. Only for containers of bytes. */
  public IncomingValue newIncomingValue() {
    return incoming.apply(incomingBytes);
  }

  /** Moves all that is in regions of the pool that are vacated. */
  public void vacate() {
    for (Segment<K, V> segment : table) {
      segment.vacate();
    }
  }

  /**
   * The memory of all segments, and what is reserved for values that are coming in; takes the
   * segments' locks one after the other.
   */
  public MemoryUse memoryUse() {
    MemoryUse sum = new MemoryUse(incomingBytes.get(), 0, 0, 0, 0);
    for (int index = 0; index < table.length; index++) {
      sum = sum.plus(memoryUse(index));
    }
    return sum;
  }

  /** The memory of one segment. */
  public MemoryUse memoryUse(int index) {
    Segment<K, V> segment = table[index];
    segment.lock();
    try {
      return segment.memoryUse();
    } finally {
      segment.unlock();
    }
  }

  /** The pages of one segment; none on the heap. */
  public List<PageUse> pages(int index) {
    Segment<K, V> segment = table[index];
    segment.lock();
    try {
      return segment.pages();
    } finally {
      segment.unlock();
    }
  }

  /** A new window that fits this container's entries. */
  public EntryView<K, V> newView() {
    return views.get();
  }
}
