package dev.isogrid.mapreduce;

import dev.isogrid.api.Combiner;
import dev.isogrid.api.LongCombiner;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Values by texts in UTF-8, combined when they are added, without an object per key, and without
 * one per value if these are numbers. For one thread.
 */
final class TextTable {
  /*
   * A text is two numbers. For up to 15 bytes, these are its bytes and its length. For more, they
   * are a hash and its length, and its bytes are also in an array. So two comparisons suffice for
   * nearly all words, and masks turn words into numbers: a branch that depends on a word's length
   * costs more than its bytes do. Texts are found by open addressing: a slot is four numbers: the
   * two of the text, the value or its index, and the position of the text's bytes. So a look-up
   * reads one line of memory. At most half of the slots are taken. The hash is not secret: the
   * author of the texts can give many of them one hash, and make a task slow.
   *
   * The method that adds a text is one method of more than 325 bytes of code, so that the compiler
   * does not inline it into a mapper's loop that searches the ends of words. There it would take
   * all registers, and the loop, with its variables on the stack, would take longer than the
   * addition. See docs/decisions/0015.
   */

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
  private static final int HASH_ROTATION = 29;

  /** The most bytes of a text in two numbers, with room for its length. */
  private static final int PACKED_MAX = 2 * Long.BYTES - 1;

  /**
   * The position of the length plus one in the second number of a packed text; so that number is
   * never 0.
   */
  private static final int LENGTH_SHIFT = Long.SIZE - Byte.SIZE;

  /** The mark in that position, in the second number of a text that is not packed. */
  private static final long LONGER = 0xFFL << LENGTH_SHIFT;

  /** Masks by the length of a packed text: for its first eight bytes, and for the next ones. */
  private static final long[] LOW = masks(0);

  private static final long[] HIGH = masks(Long.BYTES);

  /** The numbers of a slot, which begins with the first number of the text. */
  private static final int SLOT_LONGS = 4;

  /** The index of the second number in a slot; 0 there means that the slot is free. */
  private static final int SECOND = 1;

  /** The index in a slot of the value, or of its index among the objects. */
  private static final int VALUE = 2;

  /** The index in a slot of the position of an unpacked text's bytes. */
  private static final int BEGIN = 3;

  /** The number of slots before there are two texts: most mappers emit none. */
  private static final int SLOTS_FIRST = 2;

  private static final int SLOTS_MIN = 1 << 10;
  private static final int BYTES_MIN = 1 << 10;

  /**
   * The memory of a text: half of the slots may be free, and half of an array that has just grown.
   */
  private static final int TEXT_OVERHEAD = 2 * 2 * SLOT_LONGS * Long.BYTES;

  private final Combiner<Object> combiner;
  private final @Nullable LongCombiner longCombiner;
  private long[] slots = new long[SLOTS_FIRST * SLOT_LONGS];

  /** The shift that turns a hash into a slot's number. */
  private int slotShift = shift(SLOTS_FIRST);

  /** The bytes of unpacked texts, one after the other, and the position of the next one. */
  private byte[] bytes = {};

  private int bytesEnd;

  /** The values, if they are not numbers. */
  private @Nullable Object[] objects = {};

  private int size;

  TextTable(Combiner<Object> combiner) {
    this.combiner = combiner;
    this.longCombiner = ofLongs(combiner);
  }

  private static @Nullable LongCombiner ofLongs(Object combiner) {
    return combiner instanceof LongCombiner longs ? longs : null;
  }

  /** Receives values by texts. */
  interface Target {
    /** The text as UTF-8; borrows the array. */
    void addText(byte[] utf8, int offset, int length, Object value) throws InterruptedException;
  }

  int size() {
    return size;
  }

  /** The memory limit of the texts, without the objects that values refer to. */
  long memoryBytes() {
    return 2L * bytesEnd + (long) TEXT_OVERHEAD * size;
  }

  /**
   * Adds a value to that of a text.
   *
   * @throws ArithmeticException if there are 2 GiB of texts
   */
  void add(byte[] array, int offset, int length, Object value) {
    long first;
    long second;
    if (length > PACKED_MAX) {
      first = hash(array, offset, length);
      second = LONGER | length;
    } else if (offset + PACKED_MAX < array.length) {
      long packedLength = (length + 1L) << LENGTH_SHIFT;
      first = (long) LONG.get(array, offset) & LOW[length];
      second = ((long) LONG.get(array, offset + Long.BYTES) & HIGH[length]) | packedLength;
    } else {
      long packedLength = (length + 1L) << LENGTH_SHIFT;
      first = bytes(array, offset, Math.min(length, Long.BYTES));
      second = bytes(array, offset + Long.BYTES, length - Long.BYTES) | packedLength;
    }
    long[] table = slots;
    int at = slot(first, second);
    for (long there = table[at + SECOND]; there != 0; there = table[at + SECOND]) {
      if (there == second
          && table[at] == first
          && (length <= PACKED_MAX || isText((int) table[at + BEGIN], array, offset, length))) {
        LongCombiner longs = longCombiner;
        if (longs != null) {
          table[at + VALUE] = longs.combineLongs(table[at + VALUE], (Long) value);
        } else {
          combine((int) table[at + VALUE], value);
        }
        return;
      }
      at = (at + SLOT_LONGS) & (table.length - 1);
    }
    table[at + VALUE] = newValue(value);
    if (length > PACKED_MAX) {
      table[at + BEGIN] = append(array, offset, length);
    }
    table[at] = first;
    table[at + SECOND] = second;
    size++;
    if (size > table.length / (2 * SLOT_LONGS)) {
      grow();
    }
  }

  private static int shift(int slotCount) {
    return Long.SIZE - Integer.numberOfTrailingZeros(slotCount);
  }

  private int slot(long first, long second) {
    long hash = (first ^ Long.rotateLeft(second * MULTIPLIER, HASH_ROTATION)) * MULTIPLIER;
    return (int) (hash >>> slotShift) * SLOT_LONGS;
  }

  private void combine(int index, Object value) {
    objects[index] =
        CombiningCollector.combined(combiner, Objects.requireNonNull(objects[index]), value);
  }

  private long newValue(Object value) {
    if (longCombiner != null) {
      return (Long) value;
    }
    if (size == objects.length) {
      objects = Arrays.copyOf(objects, Math.max(SLOTS_MIN / 2, 2 * size));
    }
    objects[size] = value;
    return size;
  }

  private int append(byte[] array, int offset, int length) {
    int begin = bytesEnd;
    int end = Math.addExact(begin, length);
    if (end > bytes.length) {
      long doubled = Math.clamp(2L * bytes.length, BYTES_MIN, Integer.MAX_VALUE - 8);
      bytes = Arrays.copyOf(bytes, Math.max(end, (int) doubled));
    }
    System.arraycopy(array, offset, bytes, begin, length);
    bytesEnd = end;
    return begin;
  }

  private void grow() {
    long[] old = slots;
    slots = new long[Math.max(SLOTS_MIN * SLOT_LONGS, Math.multiplyExact(old.length, 2))];
    slotShift = shift(slots.length / SLOT_LONGS);
    for (int from = 0; from < old.length; from += SLOT_LONGS) {
      if (old[from + SECOND] != 0) {
        int to = slot(old[from], old[from + SECOND]);
        while (slots[to + SECOND] != 0) {
          to = (to + SLOT_LONGS) & (slots.length - 1);
        }
        System.arraycopy(old, from, slots, to, SLOT_LONGS);
      }
    }
  }

  /** Compares the bytes of a text that is not packed, and has the length. */
  private boolean isText(int begin, byte[] array, int offset, int length) {
    int last = length - Long.BYTES;
    long difference = (long) LONG.get(bytes, begin + last) ^ (long) LONG.get(array, offset + last);
    for (int i = 0; i < last; i += Long.BYTES) {
      difference |= (long) LONG.get(bytes, begin + i) ^ (long) LONG.get(array, offset + i);
    }
    return difference == 0;
  }

  private static long hash(byte[] array, int offset, int length) {
    long hash = length;
    int last = length - Long.BYTES;
    for (int i = 0; i < last; i += Long.BYTES) {
      hash = mixed(hash, (long) LONG.get(array, offset + i));
    }
    return mixed(hash, (long) LONG.get(array, offset + last));
  }

  private static long mixed(long hash, long word) {
    long product = (hash ^ word) * MULTIPLIER;
    return product ^ (product >>> Integer.SIZE);
  }

  /** Up to eight bytes near the end of an array, the first one lowest; 0 for a negative count. */
  private static long bytes(byte[] array, int offset, int count) {
    long bytes = 0;
    for (int i = count - 1; i >= 0; i--) {
      bytes = (bytes << Byte.SIZE) | (array[offset + i] & 0xFF);
    }
    return bytes;
  }

  private static long[] masks(int from) {
    long[] masks = new long[PACKED_MAX + 1];
    for (int length = 0; length <= PACKED_MAX; length++) {
      int count = Math.clamp(length - from, 0, Long.BYTES);
      masks[length] = count == 0 ? 0 : -1L >>> (Long.SIZE - count * Byte.SIZE);
    }
    return masks;
  }

  /** Passes on all values, in no order. */
  void forEach(Target target) throws InterruptedException {
    byte[] unpacked = new byte[2 * Long.BYTES];
    for (int at = 0; at < slots.length; at += SLOT_LONGS) {
      long second = slots[at + SECOND];
      if (second != 0) {
        Object value = value(slots[at + VALUE]);
        if (second >>> LENGTH_SHIFT == LONGER >>> LENGTH_SHIFT) {
          target.addText(bytes, (int) slots[at + BEGIN], (int) second, value);
        } else {
          LONG.set(unpacked, 0, slots[at]);
          LONG.set(unpacked, Long.BYTES, second);
          target.addText(unpacked, 0, (int) (second >>> LENGTH_SHIFT) - 1, value);
        }
      }
    }
  }

  private Object value(long inSlot) {
    return longCombiner != null ? inSlot : Objects.requireNonNull(objects[(int) inSlot]);
  }

  /** Removes all values; the memory stays. */
  void clear() {
    Arrays.fill(slots, 0);
    Arrays.fill(objects, 0, Math.min(size, objects.length), null);
    size = 0;
    bytesEnd = 0;
  }
}
