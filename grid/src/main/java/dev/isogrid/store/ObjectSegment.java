package dev.isogrid.store;

import dev.isogrid.api.MemoryUse;
import dev.isogrid.base.EpochClock;
import org.jspecify.annotations.Nullable;

/** A segment of references to the user's own keys and values. */
final class ObjectSegment extends Segment<Object, Object> {
  /*
   * Structure. An ObjectTable, replaced by one that is an eighth larger when 13 of 16 places are
   * taken. The hash's upper bits chose the segment, the rest is the tag that the table goes by.
   *
   * Concurrency. Readers find the table in ObjectTables and validate what they saw by the table's
   * stamp; the segment's own stamp is not used.
   *
   * Costs. 17 bytes a place, so 21 to 23.5 an entry in a table of some size, and nothing else for
   * an entry that is immortal and has no attributes; an Attributed, 56 bytes, for others. Growing
   * stops the segment's writers for about 15 ns an entry, and no readers; each entry is copied
   * about eight times while the table grows around it, which adds some 120 ns to an insertion.
   */

  /** The least that growing adds: so that tiny tables don't grow with every entry. */
  private static final int GROWTH_MIN = 4;

  /** Growing adds one place to each of so many: after it the load is 0.72, so 23.5 B an entry. */
  private static final int GROWTH_PART = 8;

  /** Places of {@link #LOAD_OF} that are taken at most: misses would become long above. */
  private static final int LOAD_MAX = 13;

  private static final int LOAD_OF = 16;

  private static final long ATTRIBUTED_SIZE =
      HeapLayout.objectSize(2, 4 * Long.BYTES + Integer.BYTES);

  private final ObjectTables tables;
  private final int index;
  private final long epochBits;
  private final ExpiryStripes stripes = new ExpiryStripes();

  /** The place that {@link #locate} found, or the complement of the one to insert at. */
  private int located;

  /** Entries that are not a plain value. Guarded by the lock. */
  private int attributedCount;

  /** The bytes of keys and values, if they are measured. Guarded by the lock. */
  private long measuredBytes;

  /** The allocated bytes that the container's occupancy knows of. Guarded by the lock. */
  private long reportedBytes;

  ObjectSegment(ObjectTables tables, int index, int epoch, EpochClock clock, Occupancy occupancy) {
    super(epoch, clock, occupancy);
    this.tables = tables;
    this.index = index;
    this.epochBits = (long) epoch << SEQUENCE_BITS;
    tables.setTable(index, ObjectTable.EMPTY);
    tables.setOwner(index, this);
    reportBytes();
  }

  @Override
  EntryView<Object, Object> newView() {
    return new ObjectView();
  }

  private ObjectTable table() {
    return tables.table(index);
  }

  @Override
  boolean pointAtKey(Object key, int hash, EntryView<Object, Object> view) {
    int tag = ObjectTable.tag(hash);
    for (int attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
      ObjectTable table = table();
      int stamp = table.beginRead();
      int place = table.find(key, tag);
      point((ObjectView) view, table, place);
      if (table.isValid(stamp)) {
        return place >= 0;
      }
      Thread.onSpinWait();
    }
    lock();
    try {
      ObjectTable table = table();
      int place = table.find(key, tag);
      point((ObjectView) view, table, place);
      return place >= 0;
    } finally {
      unlock();
    }
  }

  private void point(ObjectView view, ObjectTable table, int place) {
    if (place < 0) {
      view.point(null, null, 0);
    } else {
      view.point(table.keyAt(place), table.storedAt(place), epochBits | table.sequenceAt(place));
    }
  }

  /** The value of a key, or an {@link Attributed} around it, or null; takes the lock. */
  @Nullable Object storedLocked(Object key, int tag) {
    lock();
    try {
      int place = table().find(key, tag);
      return place < 0 ? null : table().storedAt(place);
    } finally {
      unlock();
    }
  }

  @Override
  boolean touch(
      Object key, int hash, EntryView<Object, Object> view, long nowMillis, boolean mayWait) {
    Attributed attributed = ((ObjectView) view).attributed();
    return attributed == null
        || attributed.touch(nowMillis)
        || usedEarlier(key, hash, attributed, nowMillis, mayWait);
  }

  /**
   * Notes a use by a clock that was set back: the entry's end comes nearer. Takes the lock; returns
   * false if that would wait and must not.
   */
  @SuppressWarnings("ReferenceEquality") // whether the entry is still this one
  boolean usedEarlier(
      Object key, int hash, Attributed attributed, long nowMillis, boolean mayWait) {
    if (!lock(mayWait)) {
      return false;
    }
    try {
      int place = table().find(key, ObjectTable.tag(hash));
      if (place >= 0 && table().storedAt(place) == attributed) {
        attributed.setLastUsed(nowMillis);
        stripes.lower(place, attributed.expiryMillis(), table().capacity());
      }
    } finally {
      unlock();
    }
    return true;
  }

  @Override
  public void locate(Object key, int hash, EntryView<Object, Object> view) {
    assert isLockedByMe();
    located = table().find(key, ObjectTable.tag(hash));
    point((ObjectView) view, table(), located);
  }

  @Override
  public void applyLocated(
      Object key,
      int hash,
      EntryView<Object, Object> current,
      Effect<Object> effect,
      long version) {
    assert isLockedByMe();
    boolean touched = effect.kind() == Effect.Kind.TOUCH;
    Object value = touched ? current.value() : effect.value();
    boolean plain =
        !effect.isMortal() && effect.clientFlags() == 0 && effect.mediaType() == null && !touched;
    Attributed attributed = plain ? null : new Attributed(value, effect, current, clock.millis());
    Object stored = attributed == null ? value : attributed;
    long sequence = (touched ? current.version() : version) & SEQUENCE_MAX;
    if (located < 0) {
      insert(key, ObjectTable.tag(hash), stored, sequence);
    } else {
      replace(stored, sequence);
    }
    if (attributed != null) {
      countAttributed(1, attributed.isMortal() ? 1 : 0);
      stripes.lower(located, attributed.expiryMillis(), table().capacity());
      reportBytes();
    }
  }

  @Override
  public @Nullable Object putObject(Object key, int hash, Object value) {
    assert isLockedByMe() && !occupancy.isMeasuring();
    ObjectTable table = table();
    int tag = ObjectTable.tag(hash);
    int place = table.find(key, tag);
    if (place < 0) {
      located = place;
      insert(key, tag, value, nextVersion() & SEQUENCE_MAX);
      return null;
    }
    if (table.isAttributedAt(place)) {
      return UNCLEAR;
    }
    Object before = table.storedAt(place);
    table.replace(place, value, nextVersion() & SEQUENCE_MAX);
    return before;
  }

  private void insert(Object key, int tag, Object stored, long sequence) {
    ObjectTable table = table();
    if (isLoaded(table)) {
      table = grown(table);
      located = table.find(key, tag);
    }
    located = ~located;
    table.insert(located, tag, key, stored, sequence);
    countChanged(1, 0);
    measured(key, 1);
    measured(stored, 1);
  }

  /** Whether one more entry needs a larger table. */
  private boolean isLoaded(ObjectTable table) {
    return (count() + 1L) * LOAD_OF > (long) table.capacity() * LOAD_MAX;
  }

  private static int grownCapacity(ObjectTable old) {
    int more = Math.max(GROWTH_MIN, old.capacity() / GROWTH_PART);
    return Math.clamp(old.capacity() + more, ObjectTable.CAPACITY_MIN, ObjectTable.CAPACITY_MAX);
  }

  private ObjectTable grown(ObjectTable old) {
    if (old.capacity() == ObjectTable.CAPACITY_MAX) {
      throw new IllegalStateException("segment full: entries=" + count());
    }
    int capacity = grownCapacity(old);
    ExpiryStripes copied = new ExpiryStripes(); // apart, so that nothing changes if memory is short
    ObjectTable table = old.copy(capacity, copied);
    stripes.become(copied);
    if (isTogether()) {
      table.beginTogether();
    }
    tables.setTable(index, table);
    reportBytes();
    return table;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the one that all share
  public void beginTogether() {
    super.beginTogether();
    if (table() != ObjectTable.EMPTY) {
      table().beginTogether();
    }
  }

  @Override
  public void endTogether() {
    if (table().isTogether()) {
      table().endTogether();
    }
    super.endTogether();
  }

  /** The key object of an entry stays when its value is replaced, as in every java.util map. */
  private void replace(Object stored, long sequence) {
    Object before = table().storedAt(located);
    table().replace(located, stored, sequence);
    uncount(before);
    measured(before, -1);
    measured(stored, 1);
  }

  private void uncount(@Nullable Object gone) {
    if (gone instanceof Attributed attributed) {
      countAttributed(-1, attributed.isMortal() ? -1 : 0);
      reportBytes();
    }
  }

  /** Counts a key or value that came or went, if that matters. */
  private void measured(@Nullable Object object, int sign) {
    if (occupancy.isMeasuring() && object != null) {
      Object plain = object instanceof Attributed attributed ? attributed.value : object;
      measuredBytes += sign * ObjectSize.of(plain);
      reportBytes();
    }
  }

  private void countAttributed(int delta, int mortalDelta) {
    attributedCount += delta;
    countChanged(0, mortalDelta);
  }

  @Override
  public void removeLocated() {
    assert isLockedByMe() && located >= 0;
    Object key = table().keyAt(located);
    Object gone = table().storedAt(located);
    table().remove(located, stripes);
    located = ~located;
    countChanged(-1, 0);
    uncount(gone);
    measured(key, -1);
    measured(gone, -1);
  }

  @Override
  public void clear() {
    assert isLockedByMe();
    tables.setTable(index, ObjectTable.EMPTY);
    stripes.clear();
    attributedCount = 0;
    measuredBytes = 0;
    countChanged(-count(), -mortalCount());
    reportBytes();
  }

  @Override
  public SegmentSnapshot<Object, Object> snapshot() {
    assert isLockedByMe();
    ObjectTable table = table();
    @Nullable Object[] keys = new Object[count()];
    @Nullable Object[] values = new Object[keys.length];
    long[] versions = new long[keys.length];
    int filled = 0;
    for (int place = 0; place < table.capacity(); place++) {
      if (!table.isEmptyAt(place)) {
        keys[filled] = table.keyAt(place);
        values[filled] = table.storedAt(place);
        versions[filled++] = epochBits | table.sequenceAt(place);
      }
    }
    int[] next = {0};
    return view -> {
      if (next[0] == keys.length) {
        return false;
      }
      int at = next[0]++;
      ((ObjectView) view).point(keys[at], values[at], versions[at]);
      return true;
    };
  }

  @Override
  public int removeExpired(
      int from,
      int placesMax,
      long nowMillis,
      EntryView<Object, Object> view,
      EntryReader<Object, Object> reader) {
    assert isLockedByMe();
    return stripes.visitDue(
        from,
        placesMax,
        nowMillis,
        table().capacity(),
        (first, end) -> removeExpiredIn(first, end, nowMillis, (ObjectView) view, reader));
  }

  @Override
  public int visitExpired(
      int from,
      int placesMax,
      long nowMillis,
      EntryView<Object, Object> view,
      EntryReader<Object, Object> reader) {
    assert isLockedByMe();
    ObjectTable table = table();
    return stripes.visitDue(
        from,
        placesMax,
        nowMillis,
        table.capacity(),
        (first, end) -> {
          long earliest = Long.MAX_VALUE;
          for (int place = first; place < end; place++) {
            if (table.isAttributedAt(place)
                && table.storedAt(place) instanceof Attributed attributed) {
              if (attributed.isExpired(nowMillis)) {
                point((ObjectView) view, table, place);
                reader.read(view);
              }
              earliest = Math.min(earliest, attributed.expiryMillis());
            }
          }
          return earliest;
        });
  }

  private long removeExpiredIn(
      int from, int to, long nowMillis, ObjectView view, EntryReader<Object, Object> reader) {
    ObjectTable table = table();
    long earliest = Long.MAX_VALUE;
    int place = from;
    while (place < to) {
      Attributed attributed =
          table.isAttributedAt(place) ? (Attributed) table.storedAt(place) : null;
      if (attributed != null && attributed.isExpired(nowMillis)) {
        point(view, table, place);
        reader.read(view);
        located = place;
        removeLocated();
        continue; // the removal may have moved another entry here
      }
      if (attributed != null) {
        earliest = Math.min(earliest, attributed.expiryMillis());
      }
      place++;
    }
    return earliest;
  }

  @Override
  void touchMortals(long nowMillis) {
    ObjectTable table = table();
    stripes.visitMortal(
        table.capacity(), (first, end) -> touchMortalsIn(table, first, end, nowMillis));
  }

  private static long touchMortalsIn(ObjectTable table, int from, int to, long nowMillis) {
    long earliest = Long.MAX_VALUE;
    for (int place = from; place < to; place++) {
      if (table.isAttributedAt(place) && table.storedAt(place) instanceof Attributed attributed) {
        attributed.setLastUsed(nowMillis);
        earliest = Math.min(earliest, attributed.expiryMillis());
      }
    }
    return earliest;
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
    long entries = ATTRIBUTED_SIZE * attributedCount + measuredBytes;
    return new MemoryUse(indexBytes() + entries, entries, 0, indexBytes(), 0, 0);
  }

  private long indexBytes() {
    ObjectTable table = table();
    boolean shared = table == ObjectTable.EMPTY;
    return (shared ? 0 : ObjectTable.size(table.capacity())) + stripes.size();
  }

  @Override
  public long indexGrowth() {
    assert isLockedByMe();
    ObjectTable table = table();
    int capacity = isLoaded(table) ? grownCapacity(table) : table.capacity();
    return ObjectTable.size(capacity) + ExpiryStripes.size(capacity) - indexBytes();
  }

  private void reportBytes() {
    long bytes = indexBytes() + ATTRIBUTED_SIZE * attributedCount + measuredBytes;
    occupancy.bytesChanged(bytes - reportedBytes);
    reportedBytes = bytes;
  }

  @Override
  public int sampleTag(long random) {
    ObjectTable table = table();
    int place = (int) ((Integer.toUnsignedLong((int) random) * table.capacity()) >>> Integer.SIZE);
    for (int looked = 0; looked < SAMPLED_PLACES; looked++) {
      int tag = table.tagAt(place);
      if (tag != 0) {
        return tag;
      }
      place = place + 1 == table.capacity() ? 0 : place + 1;
    }
    return -1;
  }

  @Override
  public void locateTag(int tag, EntryView<Object, Object> view) {
    assert isLockedByMe();
    located = table().findTag(ObjectTable.keptTag(tag));
    point((ObjectView) view, table(), located);
  }

  @Override
  void checkInvariants(EntryView<Object, Object> view) {
    assert isLockedByMe();
    ObjectTable table = table();
    int entries = 0;
    int mortals = 0;
    int attributes = 0;
    for (int place = 0; place < table.capacity(); place++) {
      table.checkAt(place);
      entries += table.isEmptyAt(place) ? 0 : 1;
      if (table.storedAt(place) instanceof Attributed attributed) {
        attributes++;
        mortals += attributed.isMortal() ? 1 : 0;
        long expiry = attributed.expiryMillis();
        check(stripes.earliestAround(place) <= expiry, "expires before its stripe", place);
        check(earliestExpiryMillis() <= expiry, "expires before its segment", place);
      }
    }
    check(entries == count(), "count is wrong: " + count(), entries);
    check(mortals == mortalCount(), "mortal count is wrong: " + mortalCount(), mortals);
    check(attributes == attributedCount, "attributed count is wrong", attributes);
    check(
        entries * (long) LOAD_OF <= table.capacity() * (long) LOAD_MAX, "table too full", entries);
    check(memoryUse().allocatedBytes() == reportedBytes, "bytes are wrong", index);
  }
}
