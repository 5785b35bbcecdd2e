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
 * Values by texts in UTF-8, combined as they come, without an object for a key, and without one for
 * a value if these are numbers. For one thread.
 */
final class TextTable {
  /*
   * The texts are in one array, one after the other in the order in which they came. Their numbers
   * are found by open addressing: a slot holds the upper half of the hash and the text's number
   * from 1 on, or 0; the next slot is looked at as long as there is another text. At most half of
   * the slots are taken.
   *
   * Words are short and of all lengths, and a branch that depends on the length costs more than
   * bytes do. So of up to 16 bytes, two numbers are made by masks, of what is there in any case; of
   * more, eight bytes are taken at a time. The hash is not secret: who chooses the texts can have
   * many of one hash, and make a task slow.
   */

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
  private static final long HASH_BITS = 0xFFFFFFFF00000000L;

  /** What is short. */
  private static final int SHORT_MAX = 2 * Long.BYTES;

  /** By the length of a short text, which of its first eight bytes are there, and of the next. */
  private static final long[] LOW = masks(0);

  private static final long[] HIGH = masks(Long.BYTES);

  private static final int SLOTS_MIN = 1 << 8;

  /** Four slots, two ends and two values a text: all arrays may be half full. */
  private static final int TEXT_OVERHEAD = 4 * Long.BYTES + 2 * Integer.BYTES + 2 * Long.BYTES;

  private static final int BYTES_MIN = 1 << 10;

  private final Combiner<Object> combiner;
  private final @Nullable LongCombiner longCombiner;
  private long[] slots = new long[SLOTS_MIN];
  private byte[] bytes = new byte[BYTES_MIN];

  /** Where each text ends, and so the next one begins. */
  private int[] ends = new int[SLOTS_MIN / 2];

  /** One of these has the values. */
  private long[] numbers;

  private @Nullable Object[] objects;

  private int size;

  TextTable(Combiner<Object> combiner) {
    this.combiner = combiner;
    this.longCombiner = ofLongs(combiner);
    this.numbers = new long[longCombiner == null ? 0 : SLOTS_MIN / 2];
    this.objects = new Object[longCombiner == null ? SLOTS_MIN / 2 : 0];
  }

  private static @Nullable LongCombiner ofLongs(Object combiner) {
    return combiner instanceof LongCombiner longs ? longs : null;
  }

  /** Takes values by texts. */
  interface Target {
    /** The text as UTF-8; borrows the array. */
    void addText(byte[] utf8, int offset, int length, Object value) throws InterruptedException;
  }

  int size() {
    return size;
  }

  /** What the texts take of memory at most; not counting what values refer to. */
  long memoryBytes() {
    return 2L * begin(size) + (long) TEXT_OVERHEAD * size;
  }

  /**
   * Adds a value to that of a text.
   *
   * @throws ArithmeticException if there are 2 GiB of texts
   */
  void add(byte[] array, int offset, int length, Object value) {
    long hash = hash(array, offset, length);
    int mask = slots.length - 1;
    int at = (int) (hash >>> Integer.SIZE) & mask;
    for (long slot = slots[at]; slot != 0; slot = slots[at]) {
      if (((slot ^ hash) & HASH_BITS) == 0 && isText((int) slot - 1, array, offset, length)) {
        combine((int) slot - 1, value);
        return;
      }
      at = (at + 1) & mask;
    }
    slots[at] = (hash & HASH_BITS) | (size + 1);
    append(array, offset, length, value);
  }

  private void combine(int index, Object value) {
    LongCombiner longs = longCombiner;
    if (longs != null) {
      numbers[index] = longs.combineLongs(numbers[index], (Long) value);
    } else {
      objects[index] = combiner.combine(Objects.requireNonNull(objects[index]), value);
    }
  }

  private void append(byte[] array, int offset, int length, Object value) {
    int begin = begin(size);
    int end = Math.addExact(begin, length);
    int wanted = Math.addExact(end, SHORT_MAX); // so that so many can be read of each text
    if (wanted > bytes.length) {
      long doubled = Math.min(2L * bytes.length, Integer.MAX_VALUE - 8);
      bytes = Arrays.copyOf(bytes, Math.max(wanted, (int) doubled));
    }
    System.arraycopy(array, offset, bytes, begin, length);
    ends[size] = end;
    if (longCombiner != null) {
      numbers[size] = (Long) value;
    } else {
      objects[size] = value;
    }
    if (++size == ends.length) {
      grow();
    }
  }

  private void grow() {
    int capacity = Math.multiplyExact(ends.length, 2);
    ends = Arrays.copyOf(ends, capacity);
    if (longCombiner != null) {
      numbers = Arrays.copyOf(numbers, capacity);
    } else {
      objects = Arrays.copyOf(objects, capacity);
    }
    long[] old = slots;
    slots = new long[Math.multiplyExact(old.length, 2)];
    int mask = slots.length - 1;
    for (long slot : old) {
      if (slot != 0) {
        int at = (int) (slot >>> Integer.SIZE) & mask;
        while (slots[at] != 0) {
          at = (at + 1) & mask;
        }
        slots[at] = slot;
      }
    }
  }

  private int begin(int index) {
    return index == 0 ? 0 : ends[index - 1];
  }

  private boolean isText(int index, byte[] array, int offset, int length) {
    int begin = begin(index);
    if (ends[index] - begin != length) {
      return false;
    }
    if (length <= SHORT_MAX) {
      long low = (low(array, offset, length) ^ (long) LONG.get(bytes, begin)) & LOW[length];
      long high =
          (high(array, offset, length) ^ (long) LONG.get(bytes, begin + Long.BYTES)) & HIGH[length];
      return (low | high) == 0;
    }
    int last = length - Long.BYTES;
    long difference = (long) LONG.get(bytes, begin + last) ^ (long) LONG.get(array, offset + last);
    for (int i = 0; i < last; i += Long.BYTES) {
      difference |= (long) LONG.get(bytes, begin + i) ^ (long) LONG.get(array, offset + i);
    }
    return difference == 0;
  }

  private static long hash(byte[] array, int offset, int length) {
    if (length <= SHORT_MAX) {
      long low = low(array, offset, length);
      return mixed(mixed(length, low), high(array, offset, length)) * MULTIPLIER;
    }
    long hash = length;
    int last = length - Long.BYTES;
    for (int i = 0; i < last; i += Long.BYTES) {
      hash = mixed(hash, (long) LONG.get(array, offset + i));
    }
    return mixed(hash, (long) LONG.get(array, offset + last)) * MULTIPLIER;
  }

  /** The first eight bytes of a short text; 0 for those that it does not have. */
  private static long low(byte[] array, int offset, int length) {
    return array.length - offset >= SHORT_MAX
        ? (long) LONG.get(array, offset) & LOW[length]
        : bytes(array, offset, Math.min(length, Long.BYTES));
  }

  /** The next eight bytes of a short text. */
  private static long high(byte[] array, int offset, int length) {
    return array.length - offset >= SHORT_MAX
        ? (long) LONG.get(array, offset + Long.BYTES) & HIGH[length]
        : bytes(array, offset + Long.BYTES, length - Long.BYTES);
  }

  /** Up to eight bytes near the end of an array, the first one lowest. */
  private static long bytes(byte[] array, int offset, int count) {
    long bytes = 0;
    for (int i = count - 1; i >= 0; i--) {
      bytes = (bytes << Byte.SIZE) | (array[offset + i] & 0xFF);
    }
    return bytes;
  }

  private static long[] masks(int from) {
    long[] masks = new long[SHORT_MAX + 1];
    for (int length = 0; length <= SHORT_MAX; length++) {
      int count = Math.clamp(length - from, 0, Long.BYTES);
      masks[length] = count == 0 ? 0 : -1L >>> (Long.SIZE - count * Byte.SIZE);
    }
    return masks;
  }

  private static long mixed(long hash, long word) {
    long product = (hash ^ word) * MULTIPLIER;
    return product ^ (product >>> Integer.SIZE);
  }

  /** Hands all over, in the order in which they came. */
  void forEach(Target target) throws InterruptedException {
    for (int i = 0; i < size; i++) {
      int begin = begin(i);
      Object value = longCombiner != null ? numbers[i] : Objects.requireNonNull(objects[i]);
      target.addText(bytes, begin, ends[i] - begin, value);
    }
  }

  /** Forgets all; what it takes of memory stays. */
  void clear() {
    Arrays.fill(slots, 0);
    Arrays.fill(objects, 0, Math.min(size, objects.length), null);
    size = 0;
  }
}
