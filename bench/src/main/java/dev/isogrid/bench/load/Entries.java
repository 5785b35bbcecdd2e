package dev.isogrid.bench.load;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntFunction;

/** The keys and values of a load, the same for every server. Thread-safe. */
public final class Entries {
  /** The size of the keys of {@link #withKeysOfOneSize}. */
  public static final int KEY_SIZE = 10;

  private final int count;
  private final IntFunction<byte[]> keys;
  private final byte[] value;

  private Entries(int count, IntFunction<byte[]> keys, int valueSize) {
    this.count = count;
    this.keys = keys;
    this.value = new byte[valueSize];
    Arrays.fill(value, (byte) 'v');
  }

  /** Makes {@code count} keys {@code key-N}, and one value of letters for all. */
  public Entries(int count, int valueSize) {
    this(count, keys(count), valueSize);
  }

  private static IntFunction<byte[]> keys(int count) {
    byte[][] keys = new byte[count][];
    for (int i = 0; i < count; i++) {
      keys[i] = ("key-" + i).getBytes(StandardCharsets.US_ASCII);
    }
    return index -> keys[index];
  }

  /**
   * Entries whose keys are numbers of ten digits. The keys take no memory: each is made on request.
   */
  public static Entries withKeysOfOneSize(int count, int valueSize) {
    return new Entries(count, Entries::digits, valueSize);
  }

  private static byte[] digits(int index) {
    byte[] key = new byte[KEY_SIZE];
    int rest = index;
    for (int i = KEY_SIZE - 1; i >= 0; i--) {
      key[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return key;
  }

  /** The number of keys. */
  public int count() {
    return count;
  }

  /** A key; the caller must not change it. */
  public byte[] key(int index) {
    return keys.apply(index);
  }

  /** The value; the caller must not change it. */
  public byte[] value() {
    return value;
  }
}
