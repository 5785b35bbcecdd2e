package dev.isogrid.bench.load;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The keys {@code key-N} and values of a load, the same for every server. Thread-safe. */
public final class Entries {
  private final byte[][] keys;
  private final byte[] value;

  /** Makes {@code count} keys, and one value of letters for all. */
  public Entries(int count, int valueSize) {
    keys = new byte[count][];
    for (int i = 0; i < count; i++) {
      keys[i] = ("key-" + i).getBytes(StandardCharsets.US_ASCII);
    }
    value = new byte[valueSize];
    Arrays.fill(value, (byte) 'v');
  }

  /** The number of keys. */
  public int count() {
    return keys.length;
  }

  /** A key; not to be changed. */
  public byte[] key(int index) {
    return keys[index];
  }

  /** The value; not to be changed. */
  public byte[] value() {
    return value;
  }
}
