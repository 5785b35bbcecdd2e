package dev.isogrid.store;

import dev.isogrid.api.MemoryUse;
import dev.isogrid.api.PageUse;
import dev.isogrid.base.EpochClock;
import dev.isogrid.wire.Segments;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
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

  /** Null on the heap. */
  private final @Nullable PagePool pool;

  private final Function<AtomicLong, IncomingValue> incoming;

  /** Null if nothing is compressed. */
  private final @Nullable ValueCompression compression;

  /**
   * Where the entries are in a store; empty if they stay in memory. Set once, before it is used.
   */
  private StoredPlaces[] places = {};

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
      @Nullable PagePool pool,
      Function<AtomicLong, IncomingValue> incoming,
      @Nullable ValueCompression compression) {
    this.segments = segments;
    this.table = new Segment[segments.count()];
    for (int i = 0; i < table.length; i++) {
      table[i] = maker.apply(i);
    }
    this.views = views;
    this.objects = objects;
    this.occupancy = occupancy;
    this.room = room;
    this.pool = pool;
    this.incoming = incoming;
    this.compression = compression;
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
        null,
        _ -> {
          throw new UnsupportedOperationException("a cache of objects takes no bytes");
        },
        null);
  }

  /** A container that keeps one array of bytes an entry. Parameters as {@link #ofObjects}. */
  public static Container<BinaryKey, Bytes> ofBinary(
      int count, int epoch, EpochClock clock, Occupancy occupancy) {
    return ofBinary(count, epoch, clock, occupancy, null);
  }

  /**
   * The same, maybe with compressed values.
   *
   * @param compressors what values are compressed with, or null if they are not
   */
  public static Container<BinaryKey, Bytes> ofBinary(
      int count,
      int epoch,
      EpochClock clock,
      Occupancy occupancy,
      @Nullable Compressors compressors) {
    ValueCompression compression = compression(compressors);
    return new Container<>(
        new Segments(count),
        index -> new BinarySegment(epoch, clock, occupancy, compression),
        () -> new BinaryView(compression),
        null,
        occupancy,
        Room.ENDLESS,
        null,
        IncomingArray::new,
        compression);
  }

  private static @Nullable ValueCompression compression(@Nullable Compressors compressors) {
    return compressors == null ? null : new ValueCompression(compressors);
  }

  /**
   * A container that keeps its entries off the heap. Parameters as {@link #ofObjects}.
   *
   * @param pool where its memory comes from
   */
  public static Container<BinaryKey, Bytes> ofOffHeap(
      int count, int epoch, EpochClock clock, Occupancy occupancy, PagePool pool) {
    return ofOffHeap(count, epoch, clock, occupancy, pool, null);
  }

  /**
   * The same, maybe with compressed values.
   *
   * @param compressors what values are compressed with, or null if they are not
   */
  // tidy: the parts of one container
  public static Container<BinaryKey, Bytes> ofOffHeap(
      int count,
      int epoch,
      EpochClock clock,
      Occupancy occupancy,
      PagePool pool,
      @Nullable Compressors compressors) {
    ValueCompression compression = compression(compressors);
    return new Container<>(
        new Segments(count),
        index -> new OffHeapSegment(epoch, clock, occupancy, pool, compression),
        () -> new BinaryView(compression),
        null,
        occupancy,
        pool.roomOf(occupancy),
        pool,
        reserved -> new IncomingPieces(pool, reserved),
        compression);
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

  /**
   * Reads where the entries of some hashes are, so that the processor has that memory near when
   * they are looked up soon: it fetches many at a time so, where lookups wait for one after the
   * other.
   *
   * @return to be used for something, or else the reads would be left out
   */
  public int bringNear(int[] hashes, int count) {
    int seen = 0;
    for (int i = 0; i < count; i++) {
      seen += segment(hashes[i]).bringIndexNear(hashes[i]);
    }
    for (int i = 0; i < count; i++) {
      seen += segment(hashes[i]).bringEntryNear(hashes[i]);
    }
    return seen;
  }

  /** The segment of a number, 0 to count - 1. */
  public Segment<K, V> segmentAt(int index) {
    return table[index];
  }

  /** The tables of a container of objects, for reads of the value alone; null for others. */
  public @Nullable ObjectTables objects() {
    return objects;
  }

  /** What compresses values; only where something does. */
  ValueCompression compression() {
    return Objects.requireNonNull(compression);
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

  /** Keeps where the entries are in a store from now on. To be called once, while it is empty. */
  public void keepPlaces() {
    StoredPlaces[] made = new StoredPlaces[table.length];
    Arrays.setAll(made, _ -> new StoredPlaces(pool));
    places = made;
  }

  /** Where the entries of a segment are in a store; only after {@link #keepPlaces}. */
  public StoredPlaces placesAt(int index) {
    return places[index];
  }

  /** Forgets where the entries of a segment are in a store, and gives the memory back. */
  public void clearPlaces(int index) {
    Segment<K, V> segment = table[index];
    if (places.length == 0 || segment.isLockedByMe()) {
      return; // locked by a mutation that closes the cache, and goes on
    }
    segment.lock();
    try {
      places[index].clear();
    } finally {
      segment.unlock();
    }
  }

  /** Moves all that is in regions of the pool that are vacated. */
  public void vacate() {
    for (int index = 0; index < table.length; index++) {
      table[index].vacate();
      if (places.length > 0) {
        vacatePlaces(index);
      }
    }
  }

  private void vacatePlaces(int index) {
    Segment<K, V> segment = table[index];
    segment.lock();
    try {
      places[index].vacate();
    } finally {
      segment.unlock();
    }
  }

  /**
   * The memory of all segments, and what is reserved for values that are coming in; takes the
   * segments' locks one after the other.
   */
  public MemoryUse memoryUse() {
    long dictionaryBytes = compression == null ? 0 : compression.dictionaryBytes();
    MemoryUse sum = new MemoryUse(incomingBytes.get(), 0, 0, 0, 0, dictionaryBytes);
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
      MemoryUse entries = segment.memoryUse();
      if (places.length == 0) {
        return entries;
      }
      long bytes = places[index].bytes();
      return entries.plus(new MemoryUse(bytes, 0, 0, bytes, 0, 0));
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
