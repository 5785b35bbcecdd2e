package dev.isogrid.store;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Copies of entries that are outside of the heap. Reusable; for one thread. */
final class EntryBatch {
  /** Enough to make taking the lock cheap, and copied within a few microseconds. */
  private static final int BYTES_AIM = 16 << 10;

  /** As long as entries are small, no batch is longer. */
  private static final int ROOM_MIN = BYTES_AIM + EntryPages.SMALL_MAX;

  private static final byte[] NONE = {};

  private byte[] bytes = NONE;
  private int[] starts = new int[64];
  private int[] tags = new int[64];
  private int length;
  private int count;
  private int next;

  /** The values that are elsewhere, by the numbers of their entries. */
  private final Map<Integer, Bytes> outside = new HashMap<>();

  /** Forgets all entries. */
  void clear() {
    length = 0;
    count = 0;
    next = 0;
    outside.clear();
  }

  boolean isFull() {
    return length >= BYTES_AIM || !outside.isEmpty();
  }

  /**
   * Copies the entry at an offset of a page, and maybe some of what is behind it.
   *
   * @param tag its tag, not below those before
   */
  void add(Page page, int offset, int tag) {
    MemorySegment memory = page.memory;
    long from = page.base + offset;
    long at = from + 1;
    int keyLength = memory.get(Native.BYTE, at++);
    if (keyLength < 0) {
      keyLength = Native.restOfVarint(memory, at, keyLength);
      at += EntryLayout.varintSize(keyLength) - 1;
    }
    int valueLength = memory.get(Native.BYTE, at++);
    if (valueLength < 0) {
      valueLength = Native.restOfVarint(memory, at, valueLength);
      at += EntryLayout.varintSize(valueLength) - 1;
    }
    ValuePieces pieces = page.pieces;
    long whole = at - from + keyLength + (pieces == null ? valueLength : 0);
    whole += EntryLayout.tailMax(memory.get(Native.BYTE, from));
    int size = Math.toIntExact(Math.min(page.size() - offset, whole));
    reserve(size);
    MemorySegment.copy(memory, Native.BYTE, from, bytes, length, size);
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, count * 2);
      tags = Arrays.copyOf(tags, count * 2);
    }
    tags[count] = tag;
    if (pieces != null) {
      pieces.hold();
      outside.put(count, pieces);
    }
    starts[count++] = length;
    length += size;
  }

  /** Copies the values that are elsewhere, and lets go of them. Without the segment's lock. */
  void copyValues() {
    outside.replaceAll((_, value) -> value instanceof ValuePieces pieces ? copy(pieces) : value);
  }

  private static Bytes copy(ValuePieces pieces) {
    try {
      int length = pieces.length();
      return length <= UnlistedValue.LISTED_MAX
          ? Bytes.of(pieces.toByteArray())
          : new UnlistedValue(length);
    } finally {
      pieces.letGo();
    }
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      int least = Math.max(Math.addExact(length, more), bytes.length * 2);
      bytes = Arrays.copyOf(bytes, Math.max(least, ROOM_MIN));
    }
  }

  /** Brings the entries of each tag into the order of their keys. */
  void order() {
    for (int from = 0; from < count; ) {
      int to = from + 1;
      while (to < count && tags[to] == tags[from]) {
        to++;
      }
      if (to - from > 1) {
        order(from, to);
      }
      from = to;
    }
  }

  private void order(int from, int to) {
    record Placed(int start, @Nullable Bytes value) {}
    List<Placed> placed = new ArrayList<>();
    for (int i = from; i < to; i++) {
      placed.add(new Placed(starts[i], outside.remove(i)));
    }
    placed.sort((one, other) -> {
      int start = EntryLayout.keyOffset(bytes, other.start);
      int end = start + (int) EntryLayout.varint(bytes, other.start + 1);
      return EntryLayout.compareKey(bytes, one.start, bytes, start, end);
    });
    for (int i = from; i < to; i++) {
      Placed each = placed.get(i - from);
      starts[i] = each.start;
      if (each.value != null) {
        outside.put(i, each.value);
      }
    }
  }

  /** Leaves out the entries of a tag, the first one, up to a key. */
  void skip(int tag, BinaryKey key) {
    byte[] last = key.toByteArray();
    while (next < count
        && tags[next] == tag
        && EntryLayout.compareKey(bytes, starts[next], last, 0, last.length) <= 0) {
      next++;
    }
  }

  /** Moves a window to the next entry; false if there is none. */
  boolean next(BinaryView view, long epochBits) {
    if (next == count) {
      return false;
    }
    Bytes value = outside.isEmpty() ? null : outside.get(next);
    int start = starts[next++];
    if (value == null) {
      view.point(bytes, start, epochBits);
    } else {
      view.pointWithValue(bytes, start, value, epochBits);
    }
    return true;
  }
}
