package dev.isogrid.store;

import dev.isogrid.base.EpochClock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A segment of references to the user's own keys and values. */
final class ObjectSegment extends Segment<Object, Object> {
  /*
   * Structure. A table of 2^n places, each the head of a chain of nodes; it doubles when three
   * quarters as many entries as places are in it. The hash's upper bits chose the segment, its
   * lower ones choose the place.
   *
   * Concurrency. Chains are changed by single reference stores, and doubling copies the nodes into
   * new chains and leaves the old ones as they are: so a get for the value alone (ObjectTables)
   * needs neither lock nor stamp. A reader that is still in an old chain after a later write
   * returns what was there when it began, which is a legal moment of its call. A read of value and
   * version together is validated by the stamp, since a node's two fields are not written as one.
   *
   * Costs. 40 bytes a node and 5.3 to 10.7 a place with compressed references. Doubling stops the
   * segment's writers for about 20 ns an entry, and no readers.
   */

  private static final int CAPACITY_MIN = 4;
  private static final int CAPACITY_MAX = 1 << 30;

  private final ObjectTables tables;
  private final int index;

  /** What {@link #locate} found. Guarded by the lock. */
  private @Nullable ObjectNode located;

  ObjectSegment(ObjectTables tables, int index, int epoch, EpochClock clock) {
    super(epoch, clock);
    this.tables = tables;
    this.index = index;
    tables.setTable(index, new ObjectNode[CAPACITY_MIN]);
  }

  @Override
  boolean pointAtKey(Object key, int hash, EntryView<Object, Object> view) {
    ObjectNode node = ObjectTables.find(tables.table(index), key, hash);
    return point((ObjectView) view, node);
  }

  private static boolean point(ObjectView view, @Nullable ObjectNode node) {
    if (node == null) {
      view.point(null, null, 0);
    } else {
      view.point(node.key, node.stored, node.version);
    }
    return node != null;
  }

  @Override
  public void locate(Object key, int hash, EntryView<Object, Object> view) {
    assert isLockedByMe();
    located = ObjectTables.find(tables.table(index), key, hash);
    point((ObjectView) view, located);
  }

  @Override
  public void applyLocated(
      Object key,
      int hash,
      EntryView<Object, Object> current,
      Effect<Object> effect,
      long version) {
    boolean touched = effect.kind() == Effect.Kind.TOUCH;
    Object value = touched ? current.value() : effect.value();
    boolean plain =
        !effect.isMortal() && effect.clientFlags() == 0 && effect.mediaType() == null && !touched;
    Object stored = plain ? value : new Attributed(value, effect, current, clock.millis());
    put(key, hash, stored, touched ? current.version() : version, effect.isMortal());
  }

  /** The key object of an entry stays when its value is replaced, as in every java.util map. */
  private void put(Object key, int hash, Object stored, long version, boolean mortal) {
    assert isLockedByMe();
    ObjectNode node = located;
    if (node == null) {
      insert(key, hash, stored, version);
      countChanged(1, mortal ? 1 : 0);
    } else {
      boolean wasMortal = node.isMortal();
      beginMoves();
      node.version = version;
      node.stored = stored;
      endMoves();
      countChanged(0, (mortal ? 1 : 0) - (wasMortal ? 1 : 0));
    }
  }

  private void insert(Object key, int hash, Object stored, long version) {
    @Nullable ObjectNode[] table = tables.table(index);
    if ((count() + 1) * 4L > table.length * 3L && table.length < CAPACITY_MAX) {
      table = doubled(table);
      tables.setTable(index, table);
    }
    int place = hash & table.length - 1;
    located = new ObjectNode(hash, key, stored, version, table[place]);
    ObjectTables.setPlace(table, place, located);
  }

  private static @Nullable ObjectNode[] doubled(@Nullable ObjectNode[] old) {
    @Nullable ObjectNode[] table = new ObjectNode[old.length * 2];
    for (ObjectNode head : old) {
      for (ObjectNode node = head; node != null; node = node.next) {
        int place = node.hash & table.length - 1;
        table[place] = new ObjectNode(node.hash, node.key, node.stored, node.version, table[place]);
      }
    }
    return table;
  }

  @Override
  public void removeLocated() {
    assert isLockedByMe();
    ObjectNode gone = Objects.requireNonNull(located);
    @Nullable ObjectNode[] table = tables.table(index);
    int place = gone.hash & table.length - 1;
    ObjectNode before = table[place];
    if (before == gone) {
      ObjectTables.setPlace(table, place, gone.next);
    } else {
      while (before != null && before.next != gone) {
        before = before.next;
      }
      Objects.requireNonNull(before).next = gone.next;
    }
    located = null;
    countChanged(-1, gone.isMortal() ? -1 : 0);
  }

  @Override
  public void clear() {
    assert isLockedByMe();
    tables.setTable(index, new ObjectNode[CAPACITY_MIN]);
    countChanged(-count(), -mortalCount());
  }

  @Override
  public SegmentSnapshot<Object, Object> snapshot() {
    assert isLockedByMe();
    @Nullable Object[] keys = new Object[count()];
    @Nullable Object[] values = new Object[keys.length];
    long[] versions = new long[keys.length];
    int filled = 0;
    for (ObjectNode head : tables.table(index)) {
      for (ObjectNode node = head; node != null; node = node.next) {
        keys[filled] = node.key;
        values[filled] = node.stored;
        versions[filled++] = node.version;
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
    @Nullable ObjectNode[] table = tables.table(index);
    int end = (int) Math.min(table.length, (long) from + placesMax);
    for (int place = from; place < end; place++) {
      for (ObjectNode node = table[place]; node != null; node = node.next) {
        if (node.isMortal()) {
          point((ObjectView) view, node);
          if (view.isExpired(nowMillis)) {
            reader.read(view);
            located = node;
            removeLocated();
          }
        }
      }
    }
    return end == table.length ? -1 : end;
  }

  @Override
  void checkInvariants(EntryView<Object, Object> view) {
    assert isLockedByMe();
    @Nullable ObjectNode[] table = tables.table(index);
    int entries = 0;
    int mortals = 0;
    for (int place = 0; place < table.length; place++) {
      for (ObjectNode node = table[place]; node != null; node = node.next) {
        entries++;
        mortals += node.isMortal() ? 1 : 0;
        check(node.hash == ObjectTables.hash(node.key), "hash is wrong", node.hash);
        check((node.hash & table.length - 1) == place, "entry in a wrong place", place);
        check(ObjectTables.find(table, node.key, node.hash) == node, "entry twice", place);
      }
    }
    check(entries == count(), "count is wrong: " + count(), entries);
    check(mortals == mortalCount(), "mortal count is wrong: " + mortalCount(), mortals);
  }
}
