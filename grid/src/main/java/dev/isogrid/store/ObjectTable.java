package dev.isogrid.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The open-addressed table of one {@link ObjectSegment}, of a fixed number of places. Writes need
 * the segment's lock; reads are validated by the table's own stamp.
 */
final class ObjectTable extends ReadStamp {
  /*
   * Structure. Three arrays side by side, 17 bytes a place with references of 4:
   *
   *   cells      [ key | value ]                            null in an empty place
   *   marks      [ tag 24 | attributed 1 | sequence 39 ]    0 in an empty place
   *   hints      [ attributed 1 | tag 7 ]                   0 in an empty place
   *
   * The tag is Segment.tag of the key's hash; it alone decides where a search begins, so neither
   * growing nor closing a gap looks at the keys. A hint has the lower 7 bits of the tag, 0 made 1,
   * so that neither a hint nor a mark of 0 can be an entry's. "Attributed" says that the value cell
   * holds an Attributed: a get that would ask the value for its class would wait for a line of
   * memory that it does not need.
   *
   * Search. It begins at mix(tag) * capacity / 2^32 and goes on until it meets the key or an empty
   * place [1, 6.4, algorithm L]; this works for any capacity, so a table grows by small steps. It
   * takes the hints of 8 places at once, as one number, and finds in it those that are the same
   * and those that are empty, by arithmetic [2]: without a branch a place, of which the processor
   * would guess many wrongly. Hints repeat their first 7 at the end so that this needs no care at
   * the end of the table. A key is looked at where the hint is the same: about one in 20 searches
   * looks at a wrong one. Removal moves later entries of the run back (algorithm R), so there are
   * no grave markers. Entries keep their order from one capacity to another, so that copying reads
   * and writes memory from front to back.
   *
   * Concurrency. The stamp is not at rest while something is changed; it works as the segment's. A
   * table that was replaced by another is never changed again: a reader that is still in it returns
   * what was there when it began, which is a legal moment of its call; or if the table was replaced
   * while several entries were written together, it looks for the other one. Cells are written with
   * release and read with acquire, because a key's equals is called before the read is known to be
   * valid.
   *
   * [1] D. Knuth, The Art of Computer Programming, volume 3.
   * [2] M. Kulukundis, Designing a fast, efficient, cache-friendly hash table, step by step, 2017.
   */

  /** The largest capacity whose cells fit into one array. */
  static final int CAPACITY_MAX = (1 << 30) - 8;

  /** The least capacity of a table that can be written to: places of a window are distinct. */
  static final int CAPACITY_MIN = Hints.WINDOW;

  /** The bit of a hint. */
  private static final int HINTED_ATTRIBUTED = 0x80;

  /** The bit of a mark. */
  private static final long ATTRIBUTED = 1L << Segment.SEQUENCE_BITS;

  /** The bits of a mark below the tag. */
  private static final int TAG_SHIFT = Segment.SEQUENCE_BITS + 1;

  /** Odd, with bits all over: spreads the lower bits of a tag to the upper ones. */
  private static final int MIX = 0x85EBCA6B;

  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(Object[].class);
  private static final VarHandle MARK = MethodHandles.arrayElementVarHandle(long[].class);

  /** A table for segments without entries: all of them can share it, since none writes to it. */
  static final ObjectTable EMPTY = new ObjectTable(1);

  private final int capacity;
  private final byte[] hints;
  private final @Nullable Object[] cells;
  private final long[] marks;

  /** An empty table. */
  ObjectTable(int capacity) {
    this(new byte[capacity + Hints.WINDOW - 1], new Object[2 * capacity], new long[capacity]);
  }

  private ObjectTable(byte[] hints, @Nullable Object[] cells, long[] marks) {
    this.capacity = marks.length;
    this.hints = hints;
    this.cells = cells;
    this.marks = marks;
  }

  /** The tag as it is kept. */
  static int tag(int hash) {
    return keptTag(Segment.tag(hash));
  }

  /** A tag whose lower bits, which are the hint, are not 0. */
  static int keptTag(int tag) {
    return (tag & Hints.TAG) == 0 ? tag | 1 : tag;
  }

  /** The place where a search begins. */
  static int home(int tag, int capacity) {
    return (int) ((Integer.toUnsignedLong(tag * MIX) * capacity) >>> Integer.SIZE);
  }

  /** The memory of a table. */
  static long size(int capacity) {
    return HeapLayout.objectSize(3, 2 * Integer.BYTES)
        + HeapLayout.arraySize(capacity + Hints.WINDOW - 1L, Byte.BYTES)
        + HeapLayout.arraySize(2L * capacity, HeapLayout.REFERENCE)
        + HeapLayout.arraySize(capacity, Long.BYTES);
  }

  int capacity() {
    return capacity;
  }

  /** The place of a key, or the complement of the empty one where its run ends. */
  @SuppressWarnings("ReferenceEquality") // a shortcut before equals
  int find(Object key, int tag) {
    int place = home(tag, capacity);
    for (int looked = 0; looked < capacity; looked += Hints.WINDOW) {
      long window = Hints.window(hints, place);
      for (long same = Hints.same(window, tag); same != 0; same &= same - 1) {
        int at = at(place, same);
        Object candidate = CELL.getAcquire(cells, 2 * at);
        if (candidate == key || key.equals(candidate)) {
          return at;
        }
      }
      long empty = Hints.empty(window);
      if (empty != 0) {
        return ~at(place, empty);
      }
      place = wrapped(place + Hints.WINDOW);
    }
    return ~place; // only in a torn read: a table at rest has empty places
  }

  private int at(int place, long bits) {
    return wrapped(place + Hints.first(bits));
  }

  /**
   * A place beyond the end made one at the beginning; no branch, which would be guessed wrongly.
   */
  private int wrapped(int place) {
    int over = place - capacity;
    return over + (capacity & over >> 31);
  }

  /** The first place with a tag, or the complement of the empty one where its run ends. */
  int findTag(int tag) {
    int place = home(tag, capacity);
    while (marks[place] != 0 && tagOf(marks[place]) != tag) {
      place = next(place);
    }
    return marks[place] == 0 ? ~place : place;
  }

  private int next(int place) {
    return wrapped(place + 1);
  }

  boolean isEmptyAt(int place) {
    return (long) MARK.getOpaque(marks, place) == 0;
  }

  /** The tag of the entry at a place; 0 if there is none. */
  int tagAt(int place) {
    return tagOf((long) MARK.getOpaque(marks, place));
  }

  boolean isAttributedAt(int place) {
    return hints[place] < 0;
  }

  /** The key at a place; null only if it is empty or in a torn read. */
  @Nullable Object keyAt(int place) {
    return CELL.getAcquire(cells, 2 * place);
  }

  /** The value at a place, or an {@link Attributed} around it; null as {@link #keyAt}. */
  @Nullable Object storedAt(int place) {
    return CELL.getAcquire(cells, 2 * place + 1);
  }

  /** The sequence of the entry at a place. */
  long sequenceAt(int place) {
    return (long) MARK.getOpaque(marks, place) & Segment.SEQUENCE_MAX;
  }

  /** Stores a new entry at an empty place that a search ended at. */
  void insert(int place, int tag, Object key, Object stored, long sequence) {
    beginMoves();
    CELL.setRelease(cells, 2 * place, key);
    set(place, tag, stored, sequence);
    endMoves();
  }

  /** Replaces the value of an entry. */
  void replace(int place, Object stored, long sequence) {
    beginMoves();
    set(place, tagOf(marks[place]), stored, sequence);
    endMoves();
  }

  private void set(int place, int tag, Object stored, long sequence) {
    long attributed = stored instanceof Attributed ? ATTRIBUTED : 0;
    CELL.setRelease(cells, 2 * place + 1, stored);
    setMark(place, (long) tag << TAG_SHIFT | attributed | sequence);
  }

  private static int tagOf(long mark) {
    return (int) (mark >>> TAG_SHIFT);
  }

  private static byte hint(long mark) {
    int attributed = (mark & ATTRIBUTED) == 0 ? 0 : HINTED_ATTRIBUTED;
    return (byte) (attributed | (tagOf(mark) & Hints.TAG));
  }

  private void setMark(int place, long mark) {
    byte hint = hint(mark);
    // 64 places share a line of the processor's cache, and a new value seldom changes the hint
    if (hints[place] != hint) {
      hints[place] = hint;
      if (place < Hints.WINDOW - 1) {
        hints[capacity + place] = hint;
      }
    }
    MARK.setOpaque(marks, place, mark);
  }

  /**
   * Removes the entry at a place.
   *
   * @param stripes told of the mortal entries that move from one stripe to another
   */
  void remove(int place, ExpiryStripes stripes) {
    int hole = place;
    beginMoves();
    for (int at = next(place); marks[at] != 0; at = next(at)) {
      int home = home(tagOf(marks[at]), capacity);
      if (distance(home, at) >= distance(hole, at)) {
        move(at, hole);
        if ((marks[at] & ATTRIBUTED) != 0) {
          stripes.moved(at, hole, capacity);
        }
        hole = at;
      }
    }
    CELL.setRelease(cells, 2 * hole, null);
    CELL.setRelease(cells, 2 * hole + 1, null);
    setMark(hole, 0);
    endMoves();
  }

  private int distance(int from, int to) {
    return to >= from ? to - from : to - from + capacity;
  }

  private void move(int from, int to) {
    CELL.setRelease(cells, 2 * to, cells[2 * from]);
    CELL.setRelease(cells, 2 * to + 1, cells[2 * from + 1]);
    setMark(to, marks[from]);
  }

  /**
   * A table of another capacity with the same entries, which nobody else sees yet.
   *
   * @param stripes told when the mortal entries of the copy expire
   */
  ObjectTable copy(int copyCapacity, ExpiryStripes stripes) {
    // filled as a local variable, the array is known to take anything: a store into the field's
    // would look up the class of each object, which is a line of memory for each
    @Nullable Object[] copyCells = new Object[2 * copyCapacity];
    long[] copyMarks = new long[copyCapacity];
    byte[] copyHints = new byte[copyCapacity + Hints.WINDOW - 1];
    for (int place = 0; place < capacity; place++) {
      long mark = marks[place];
      if (mark != 0) {
        int at = home(tagOf(mark), copyCapacity);
        while (copyMarks[at] != 0) {
          at = at + 1 == copyCapacity ? 0 : at + 1;
        }
        Object stored = cells[2 * place + 1];
        copyCells[2 * at] = cells[2 * place];
        copyCells[2 * at + 1] = stored;
        copyMarks[at] = mark;
        copyHints[at] = hint(mark);
        if ((mark & ATTRIBUTED) != 0 && stored instanceof Attributed attributed) {
          stripes.lower(at, attributed.expiryMillis(), copyCapacity);
        }
      }
    }
    System.arraycopy(copyHints, 0, copyHints, copyCapacity, Hints.WINDOW - 1);
    return new ObjectTable(copyHints, copyCells, copyMarks);
  }

  /** Checks that an entry is where a search finds it, and nowhere else. For tests. */
  void checkAt(int place) {
    Object key = keyAt(place);
    Object stored = storedAt(place);
    Segment.check(
        place >= Hints.WINDOW - 1 || hints[place] == hints[capacity + place],
        "hints differ",
        place);
    if (isEmptyAt(place)) {
      Segment.check(hints[place] == 0, "empty place keeps a hint", place);
      Segment.check(key == null && stored == null, "empty place keeps an object", place);
      Segment.check(sequenceAt(place) == 0, "empty place keeps a sequence", place);
      return;
    }
    int tag = tag(ObjectTables.hash(Objects.requireNonNull(key)));
    Segment.check(tagAt(place) == tag, "tag is wrong", place);
    Segment.check(find(key, tag) == place, "entry not found or stored twice", place);
    Segment.check(stored != null, "entry without a value", place);
    Segment.check((hints[place] & Hints.TAG) == (tag & Hints.TAG), "hint is wrong", place);
    Segment.check(isAttributedAt(place) == stored instanceof Attributed, "mark is wrong", place);
  }
}
