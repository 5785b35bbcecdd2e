package dev.isogrid.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * The hash that Hot Rod calls version 3: it decides in which segment a key lives, on servers and in
 * clients alike. Stateless and thread-safe; allocates nothing; about 1 ns per 4 bytes.
 *
 * <p>It is the 128-bit x64 variant of an early beta of MurmurHash3 (A. Appleby), of which the upper
 * 32 bits of the first word are used. It differs from the published MurmurHash3: the multipliers
 * change after each block, and the bytes of the tail count as signed.
 */
public final class KeyHash {
  /** The seed for placing keys in segments. */
  public static final int SEED = 9001;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long STATE_1 = 0x9368E53C2F6AF274L;
  private static final long STATE_2 = 0x586DCD208F7CD3FDL;
  private static final long MULTIPLIER_1 = 0x87C37B91114253D5L;
  private static final long MULTIPLIER_2 = 0x4CF5AD432745937FL;

  private static final long SIGNS = 0x8080_8080_8080_8080L;

  private KeyHash() {}

  /** The hash of a key with the seed for placement. */
  public static int hash(byte[] key) {
    return hash(key, 0, key.length, SEED);
  }

  /** The hash of a part of an array with the seed for placement. */
  public static int hash(byte[] array, int offset, int length) {
    return hash(array, offset, length, SEED);
  }

  /**
   * The hash of a part of an array.
   *
   * @param array borrowed
   * @param offset index of the first byte
   * @param length number of bytes, 0 or more
   * @param seed any number
   * @throws IndexOutOfBoundsException if the part is not within the array
   */
  public static int hash(byte[] array, int offset, int length, int seed) {
    Objects.checkFromIndexSize(offset, length, array.length);
    long h1 = STATE_1 ^ seed;
    long h2 = STATE_2 ^ seed;
    long c1 = MULTIPLIER_1;
    long c2 = MULTIPLIER_2;
    int end = offset + length;
    for (int at = offset; at < end; at += 16) {
      long k1;
      long k2;
      if (end - at >= 16) {
        k1 = (long) LONG.get(array, at);
        k2 = (long) LONG.get(array, at + 8);
      } else {
        k1 = tail(array, at, Math.min(end, at + 8));
        k2 = tail(array, at + 8, end);
      }
      h1 ^= Long.rotateLeft(k1 * c1, 23) * c2;
      h1 += h2;
      h2 = Long.rotateLeft(h2, 41);
      h2 ^= Long.rotateLeft(k2 * c2, 23) * c1;
      h2 += h1;
      h1 = h1 * 3 + 0x52DCE729L;
      h2 = h2 * 3 + 0x38495AB5L;
      c1 = c1 * 5 + 0x7B7D159CL;
      c2 = c2 * 5 + 0x6BCE6396L;
    }
    h2 ^= length;
    h1 += h2;
    h2 += h1;
    h1 = mixed(h1);
    h2 = mixed(h2);
    h1 += h2;
    return (int) (h1 >>> 32);
  }

  /** Up to 8 bytes as a little-endian number; each byte is sign-extended before it is added. */
  private static long tail(byte[] array, int from, int to) {
    int length = to - from;
    if (length <= 0) {
      return 0;
    }
    if (to >= Long.BYTES) {
      long word = (long) LONG.get(array, to - Long.BYTES) >>> (8 * (Long.BYTES - length));
      if ((word & SIGNS) == 0) {
        return word; // the usual text
      }
    }
    long word = 0;
    for (int at = from; at < to; at++) {
      word ^= (long) array[at] << (8 * (at - from));
    }
    return word;
  }

  private static long mixed(long word) {
    word ^= word >>> 33;
    word *= 0xFF51AFD7ED558CCDL;
    word ^= word >>> 33;
    word *= 0xC4CEB9FE1A85EC53L;
    return word ^ word >>> 33;
  }
}
