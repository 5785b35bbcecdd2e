package dev.isogrid.store;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Copies of entries that are outside of the heap. Reusable; for one thread. */
final class EntryBatch {
  /** Enough to make taking the lock cheap, and copied within a few microseconds. */
  private static final int BYTES_AIM = 16 << 10;

  private byte[] bytes = new byte[BYTES_AIM];
  private int[] starts = new int[64];
  private int length;
  private int count;
  private int next;

  /** Forgets all entries. */
  void clear() {
    length = 0;
    count = 0;
    next = 0;
  }

  boolean isFull() {
    return length >= BYTES_AIM;
  }

  /** Copies the entry at an offset of a page, and what is behind it up to the longest tail. */
  void add(Page page, int offset) {
    MemorySegment memory = page.memory;
    long from = page.base + offset;
    long rest = page.size() - offset;
    int head = (int) Math.min(rest, EntryLayout.HEAD_MAX);
    reserve(head);
    MemorySegment.copy(memory, Native.BYTE, from, bytes, length, head);
    long keyLength = EntryLayout.varint(bytes, length + 1);
    int at = EntryLayout.afterVarint(bytes, length + 1);
    long valueLength = EntryLayout.varint(bytes, at);
    int start = EntryLayout.afterVarint(bytes, at) - length;
    int size =
        Math.toIntExact(Math.min(rest, start + keyLength + valueLength + EntryLayout.TAIL_MAX));
    reserve(size);
    MemorySegment.copy(memory, Native.BYTE, from, bytes, length, size);
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, count * 2);
    }
    starts[count++] = length;
    length += size;
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, more), bytes.length * 2));
    }
  }

  /** Moves a window to the next entry; false if there is none. */
  boolean next(BinaryView view, long epochBits) {
    if (next == count) {
      return false;
    }
    view.point(bytes, starts[next++], epochBits);
    return true;
  }
}
