package dev.isogrid.store;

import dev.isogrid.api.MemoryUse;
import dev.isogrid.base.EpochClock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A segment of entries that are one array of bytes each, laid out by {@link EntryLayout}. */
final class BinarySegment extends Segment<BinaryKey, Bytes> {
  /*
   * Structure. An open-addressed table of 2^n references to entries. Linear probing from the hash's
   * lower bits on [1, 6.4, algorithm L]; removal moves later entries of the same run back
   * (algorithm R there), so there are no grave markers and a miss ends at the first empty place.
   * The table doubles when three quarters are full; at that load a hit looks at 2.5 places on
   * average, a miss at 8.5; on the way from one size to the next it is 1.6 and 3. The hash's upper
   * bits chose the segment. Hashes are not kept: they would cost 7 bytes an entry to save looking
   * at the few wrong keys on the way; moving an entry computes its hash again.
   *
   * Concurrency. Entries don't change once they are in the table, the time of their last use
   * apart, so what a window was pointed at can be used for as long as one likes. References are
   * written with release and read with acquire. What moves entries is done in Segment's stamped
   * section, since a reader could miss one that is moved past it.
   *
   * Expiry. ExpiryStripes know in which parts of the table something is due.
   *
   * Costs. An array's header, the fields of the layout, and 5.3 to 10.7 bytes a reference with
   * compressed ones. Doubling stops the segment's writers for about 30 ns an entry; its readers
   * spin, then queue for the lock.
   *
   * [1] D. Knuth, The Art of Computer Programming, volume 3.
   */

  private static final int CAPACITY_MIN = 4;

  /** The largest power of two that an array surely can have. */
  private static final int CAPACITY_MAX = 1 << 30;

  private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(byte[][].class);

  private final long epochBits;

  /** Null in a cache that compresses nothing. */
  private final @Nullable ValueCompression compression;

  private final ExpiryStripes stripes = new ExpiryStripes();

  /** The fields of the entry that is written. Guarded by the lock. */
  private final EntryLayout.Header header = new EntryLayout.Header();

  /** The key of a packed entry. Guarded by the lock. */
  private final BinaryKey packedKey = new BinaryKey();

  /** For looking at an entry's times. Guarded by the lock. */
  private final BinaryView probe = new BinaryView();

  /** Written by the lock's holder within a stamped section. */
  private volatile byte[] @Nullable [] table = new byte[CAPACITY_MIN][];

  /** The place that {@link #locate} found, or the complement of the one to insert at. */
  private int located;

  /** The sizes of all entries' arrays. Guarded by the lock. */
  private long entryBytes;

  /** The allocated bytes that the container's occupancy knows of. Guarded by the lock. */
  private long reportedBytes;

  BinarySegment(
      int epoch, EpochClock clock, Occupancy occupancy, @Nullable ValueCompression compression) {
    super(epoch, clock, occupancy);
    this.compression = compression;
    this.epochBits = (long) epoch << SEQUENCE_BITS;
    reportBytes();
  }

  @Override
  EntryView<BinaryKey, Bytes> newView() {
    return new BinaryView(compression);
  }

  private static byte @Nullable [] entryAt(byte[] @Nullable [] table, int place) {
    return (byte[]) PLACE.getAcquire(table, place);
  }

  private static void setEntry(byte[] @Nullable [] table, int place, byte @Nullable [] entry) {
    PLACE.setRelease(table, place, entry);
  }

  @Override
  boolean pointAtKey(BinaryKey key, int hash, EntryView<BinaryKey, Bytes> view) {
    byte[] @Nullable [] seen = table;
    int place = find(seen, key, hash);
    byte[] entry = place < 0 ? null : entryAt(seen, place);
    ((BinaryView) view).point(entry, epochBits);
    return entry != null;
  }

  @Override
  int bringIndexNear(int hash) {
    byte[] @Nullable [] seen = table;
    return entryAt(seen, hash & seen.length - 1) == null ? 0 : 1;
  }

  @Override
  int bringEntryNear(int hash) {
    byte[] @Nullable [] seen = table;
    byte[] entry = entryAt(seen, hash & seen.length - 1);
    return entry == null ? 0 : entry[0];
  }

  @Override
  public @Nullable Object readValue(BinaryKey key, int hash, ValueReader<?> reader) {
    for (int attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
      int stamp = beginRead();
      byte[] @Nullable [] seen = table;
      int place = find(seen, key, hash);
      byte[] entry = place < 0 ? null : entryAt(seen, place);
      if (isValid(stamp)) {
        return entry == null ? null : valueOf(entry, key.length(), reader);
      }
      Thread.onSpinWait();
    }
    return UNCLEAR;
  }

  private Object valueOf(byte[] entry, int keyLength, ValueReader<?> reader) {
    int flags = entry[0] & 0xFF;
    if ((flags & EntryLayout.MAX_IDLE) != 0) {
      return UNCLEAR;
    }
    int at = EntryLayout.afterVarint(entry, 1);
    int length = (int) EntryLayout.varint(entry, at);
    int from = EntryLayout.afterVarint(entry, at) + keyLength;
    if (EntryLayout.isMortal(flags)
        && EntryLayout.isLifeOver(entry, flags, from + length, clock.millis())) {
      return EXPIRED;
    }
    return EntryLayout.isCompressed(flags)
        ? Objects.requireNonNull(compression).read(entry, from, length, reader)
        : reader.read(entry, from, length);
  }

  /** The place of a key, or the complement of the empty one where its run ends. */
  private static int find(byte[] @Nullable [] table, BinaryKey key, int hash) {
    int mask = table.length - 1;
    int place = hash & mask;
    for (int looked = 0; looked <= mask; looked++) {
      byte[] entry = entryAt(table, place);
      if (entry == null) {
        return ~place;
      }
      if (EntryLayout.isKey(entry, key)) {
        return place;
      }
      place = place + 1 & mask;
    }
    return ~place; // only in a torn read: a table at rest has empty places
  }

  @Override
  public void locate(BinaryKey key, int hash, EntryView<BinaryKey, Bytes> view) {
    assert isLockedByMe();
    located = find(table, key, hash);
    ((BinaryView) view).point(located < 0 ? null : table[located], epochBits);
  }

  @Override
  public void applyLocated(
      BinaryKey key,
      int hash,
      EntryView<BinaryKey, Bytes> current,
      Effect<Bytes> effect,
      long version) {
    assert isLockedByMe();
    header.set(effect, current, version, clock);
    boolean touched = effect.kind() == Effect.Kind.TOUCH;
    Bytes value = touched ? ((BinaryView) current).storedValue() : effect.value();
    if (compression != null) {
      value = compression.stored(value, touched ? (BinaryView) current : null, header);
    }
    put(hash, EntryLayout.encode(header, key, value));
    reportBytes();
  }

  /** Stores an entry at the place that was located. */
  private void put(int hash, byte[] entry) {
    int mortal = EntryLayout.isMortal(entry[0]) ? 1 : 0;
    if (located >= 0) {
      byte[] before = Objects.requireNonNull(entryAt(table, located));
      setEntry(table, located, entry);
      entryBytes -= size(before);
      countChanged(0, mortal - (EntryLayout.isMortal(before[0]) ? 1 : 0));
    } else {
      insert(hash, entry);
      countChanged(1, mortal);
    }
    entryBytes += size(entry);
    if (mortal != 0) {
      stripes.lower(located, expiryMillis(entry), table.length);
    }
  }

  /** Entries are taken as they are; where values are compressed, one by one. */
  @Override
  public boolean tryStoreNewer(PackedEntries entries) {
    assert isLockedByMe();
    if (compression != null) {
      return false;
    }
    for (int place = entries.nextPlace(); place >= 0; place = entries.nextPlace()) {
      storeNewer(entries.array(), place, entries.sizeAt(place));
    }
    packedKey.clear();
    reportBytes();
    return true;
  }

  private void storeNewer(byte[] packed, int from, int size) {
    int keyOffset = EntryLayout.keyOffset(packed, from);
    int keyLength = (int) EntryLayout.varint(packed, from + 1);
    int hash = packedKey.set(packed, keyOffset, keyLength).hash();
    located = find(table, packedKey, hash);
    byte[] known = located < 0 ? null : table[located];
    boolean isNewer =
        known == null || EntryLayout.sequenceOf(known, 0) < EntryLayout.sequenceOf(packed, from);
    if (isNewer) {
      put(hash, Arrays.copyOfRange(packed, from, from + size));
    }
  }

  private void insert(int hash, byte[] entry) {
    if (isLoaded()) {
      grow();
      located = ~endOfRun(table, hash);
    }
    located = ~located;
    setEntry(table, located, entry);
  }

  /** Whether one more entry needs a larger table. */
  private boolean isLoaded() {
    return (count() + 1) * 4L > table.length * 3L;
  }

  private static long size(byte[] entry) {
    return HeapLayout.arraySize(entry.length, Byte.BYTES);
  }

  private long expiryMillis(byte[] entry) {
    if (!EntryLayout.isMortal(entry[0])) {
      return Long.MAX_VALUE;
    }
    probe.point(entry, epochBits);
    long expiry = probe.expiryMillis();
    probe.clear();
    return expiry;
  }

  private void grow() {
    byte[] @Nullable [] old = table;
    if (old.length >= CAPACITY_MAX) {
      throw new IllegalStateException("segment full: entries=" + count());
    }
    byte[] @Nullable [] grown = new byte[old.length * 2][];
    ExpiryStripes copied = new ExpiryStripes(); // apart, so that nothing changes if memory is short
    for (byte[] entry : old) {
      if (entry != null) {
        int place = endOfRun(grown, EntryLayout.keyHash(entry, 0));
        grown[place] = entry;
        copied.lower(place, expiryMillis(entry), grown.length);
      }
    }
    stripes.become(copied);
    beginMoves();
    table = grown;
    endMoves();
  }

  private static int endOfRun(byte[] @Nullable [] table, int hash) {
    int mask = table.length - 1;
    int place = hash & mask;
    while (table[place] != null) {
      place = place + 1 & mask;
    }
    return place;
  }

  @Override
  public void removeLocated() {
    assert isLockedByMe() && located >= 0;
    byte[] @Nullable [] target = table;
    byte[] gone = Objects.requireNonNull(entryAt(target, located));
    int mask = target.length - 1;
    int hole = located;
    beginMoves();
    byte[] entry;
    for (int place = hole + 1 & mask; (entry = target[place]) != null; place = place + 1 & mask) {
      int home = EntryLayout.keyHash(entry, 0) & mask;
      boolean homeIsAfterHole = (place - home & mask) < (place - hole & mask);
      if (!homeIsAfterHole) {
        setEntry(target, hole, entry);
        if (EntryLayout.isMortal(entry[0])) {
          stripes.moved(place, hole, target.length);
        }
        hole = place;
      }
    }
    setEntry(target, hole, null);
    endMoves();
    located = ~hole;
    countChanged(-1, EntryLayout.isMortal(gone[0]) ? -1 : 0);
    entryBytes -= size(gone);
    reportBytes();
  }

  @Override
  public void clear() {
    assert isLockedByMe();
    beginMoves();
    table = new byte[CAPACITY_MIN][];
    endMoves();
    stripes.clear();
    countChanged(-count(), -mortalCount());
    entryBytes = 0;
    reportBytes();
  }

  @Override
  public SegmentSnapshot<BinaryKey, Bytes> snapshot() {
    assert isLockedByMe();
    byte[] @Nullable [] entries = new byte[count()][];
    int filled = 0;
    for (byte[] entry : table) {
      if (entry != null) {
        entries[filled++] = entry;
      }
    }
    return new ArraySnapshot(entries, epochBits);
  }

  @Override
  public SegmentSnapshot<BinaryKey, Bytes> orderedFrom(@Nullable BinaryKey after) {
    return new BinaryScan(this, epochBits, after);
  }

  @Override
  public int walkGroup(int hash) {
    return Integer.reverse(hash);
  }

  /** The places of the table, a power of two. Locked. */
  int capacity() {
    return table.length;
  }

  /** Adds the entries whose search begins at a place. Locked. */
  void addEntriesOf(int place, List<byte[]> target) {
    byte[] @Nullable [] seen = table;
    int mask = seen.length - 1;
    byte[] entry;
    for (int at = place; (entry = seen[at]) != null; at = at + 1 & mask) {
      if ((EntryLayout.keyHash(entry, 0) & mask) == place) {
        target.add(entry);
      }
    }
  }

  @Override
  public int removeExpired(
      int from,
      int placesMax,
      long nowMillis,
      EntryView<BinaryKey, Bytes> view,
      EntryReader<BinaryKey, Bytes> reader) {
    assert isLockedByMe();
    return stripes.visitDue(
        from,
        placesMax,
        nowMillis,
        table.length,
        (first, end) -> removeExpiredIn(first, end, nowMillis, view, reader));
  }

  @Override
  public int visitExpired(
      int from,
      int placesMax,
      long nowMillis,
      EntryView<BinaryKey, Bytes> view,
      EntryReader<BinaryKey, Bytes> reader) {
    assert isLockedByMe();
    return stripes.visitDue(
        from,
        placesMax,
        nowMillis,
        table.length,
        (first, end) -> {
          long earliest = Long.MAX_VALUE;
          for (int place = first; place < end; place++) {
            byte[] entry = table[place];
            long expiry = entry == null ? Long.MAX_VALUE : expiryMillis(entry);
            if (expiry <= nowMillis) {
              ((BinaryView) view).point(entry, epochBits);
              reader.read(view);
            }
            earliest = Math.min(earliest, expiry);
          }
          return earliest;
        });
  }

  private long removeExpiredIn(
      int from,
      int to,
      long nowMillis,
      EntryView<BinaryKey, Bytes> view,
      EntryReader<BinaryKey, Bytes> reader) {
    long earliest = Long.MAX_VALUE;
    int place = from;
    while (place < to) {
      byte[] entry = table[place];
      long expiry = entry == null ? Long.MAX_VALUE : expiryMillis(entry);
      if (expiry <= nowMillis) {
        ((BinaryView) view).point(entry, epochBits);
        reader.read(view);
        located = place;
        removeLocated();
        continue; // the removal may have moved another entry here
      }
      earliest = Math.min(earliest, expiry);
      place++;
    }
    return earliest;
  }

  @Override
  void touchMortals(long nowMillis) {
    stripes.visitMortal(table.length, (first, end) -> touchMortalsIn(first, end, nowMillis));
    probe.clear();
  }

  private long touchMortalsIn(int from, int to, long nowMillis) {
    long earliest = Long.MAX_VALUE;
    for (int place = from; place < to; place++) {
      byte[] entry = table[place];
      if (entry != null && EntryLayout.isMortal(entry[0])) {
        probe.point(entry, epochBits);
        probe.touch(nowMillis);
        earliest = Math.min(earliest, probe.expiryMillis());
      }
    }
    return earliest;
  }

  @Override
  boolean touch(
      BinaryKey key, int hash, EntryView<BinaryKey, Bytes> view, long nowMillis, boolean mayWait) {
    if (view.maxIdleMillis() < 0 || nowMillis == view.lastUsedMillis()) {
      return true;
    }
    if (nowMillis > view.lastUsedMillis()) {
      view.touch(nowMillis);
      return true;
    }
    if (!lock(mayWait)) { // the clock was set back: the entry's end comes nearer
      return false;
    }
    try {
      int place = find(table, key, hash);
      if (place >= 0 && ((BinaryView) view).isAt(table[place])) {
        view.touch(nowMillis);
        stripes.lower(place, view.expiryMillis(), table.length);
      }
    } finally {
      unlock();
    }
    return true;
  }

  @Override
  public long earliestExpiryMillis() {
    return mortalCount() == 0 ? Long.MAX_VALUE : stripes.earliestMillis();
  }

  /** How many stripes of the table {@link #removeExpired} ever looked through. Locked. */
  long stripesVisited() {
    return stripes.visits();
  }

  @Override
  public MemoryUse memoryUse() {
    assert isLockedByMe();
    return new MemoryUse(indexBytes() + entryBytes, entryBytes, 0, indexBytes(), 0, 0);
  }

  private long indexBytes() {
    return HeapLayout.arraySize(table.length, HeapLayout.REFERENCE) + stripes.size();
  }

  @Override
  public long indexGrowth() {
    assert isLockedByMe();
    int capacity = isLoaded() ? table.length * 2 : table.length;
    return HeapLayout.arraySize(capacity, HeapLayout.REFERENCE)
        + ExpiryStripes.size(capacity)
        - indexBytes();
  }

  private void reportBytes() {
    long bytes = indexBytes() + entryBytes;
    occupancy.bytesChanged(bytes - reportedBytes);
    reportedBytes = bytes;
  }

  @Override
  public int sampleTag(long random) {
    byte[] @Nullable [] seen = table;
    for (int looked = 0; looked < SAMPLED_PLACES; looked++) {
      byte[] entry = entryAt(seen, (int) random + looked & seen.length - 1);
      if (entry != null) {
        return tag(EntryLayout.keyHash(entry, 0));
      }
    }
    return -1;
  }

  @Override
  public void locateTag(int tag, EntryView<BinaryKey, Bytes> view) {
    assert isLockedByMe();
    located = findTag(table, tag);
    ((BinaryView) view).point(located < 0 ? null : table[located], epochBits);
  }

  /**
   * Finds an entry by its tag; returns its place, or the complement of one without an entry. Places
   * go by the lower bits of the hash. A tag has {@link #TAG_PLACE_BITS} of them, so in a larger
   * table an entry may be at home in several places.
   */
  static int findTag(byte[] @Nullable [] table, int tag) {
    int mask = table.length - 1;
    int place = 0;
    int step = 1 << TAG_PLACE_BITS;
    for (int home = tag & step - 1 & mask; home < table.length; home += step) {
      byte[] entry;
      place = home;
      while ((entry = table[place]) != null) {
        if (tag(EntryLayout.keyHash(entry, 0)) == tag) {
          return place;
        }
        place = place + 1 & mask;
      }
    }
    return ~place;
  }

  @Override
  void checkInvariants(EntryView<BinaryKey, Bytes> view) {
    assert isLockedByMe();
    byte[] @Nullable [] seen = table;
    int entries = 0;
    int mortals = 0;
    long bytes = 0;
    for (int place = 0; place < seen.length; place++) {
      byte[] entry = seen[place];
      if (entry != null) {
        entries++;
        mortals += EntryLayout.isMortal(entry[0]) ? 1 : 0;
        bytes += size(entry);
        long expiry = expiryMillis(entry);
        check(stripes.earliestAround(place) <= expiry, "expires before its stripe", place);
        check(earliestExpiryMillis() <= expiry, "expires before its segment", place);
        ((BinaryView) view).point(entry, epochBits);
        int found = find(seen, view.key(), EntryLayout.keyHash(entry, 0));
        check(found == place, "entry not found from its home or stored twice", place);
      }
    }
    check(entries == count(), "count is wrong: " + count(), entries);
    check(mortals == mortalCount(), "mortal count is wrong: " + mortalCount(), mortals);
    check(bytes == entryBytes, "bytes of entries are wrong", entries);
    check(memoryUse().allocatedBytes() == reportedBytes, "bytes are wrong", entries);
    check(entries * 4L <= seen.length * 3L, "table too full", entries);
  }
}
