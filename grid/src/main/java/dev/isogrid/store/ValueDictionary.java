package dev.isogrid.store;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDictCompress;
import com.github.luben.zstd.ZstdDictDecompress;
import com.github.luben.zstd.ZstdException;
import java.util.Arrays;
import java.util.List;

/**
 * What values of a cache have in common, in the native forms that compress and expand them.
 * Immutable, so any thread may use it.
 *
 * <p>The library frees the native forms when nothing refers to this any more: neither a container,
 * nor a context, nor a thread that is expanding a value. To free them before, each read would have
 * to be counted.
 */
final class ValueDictionary {
  /** Of the dictionary itself; of twice as much values shrink by 1 % more. */
  static final int BYTES_MAX = 16 << 10;

  /** What the native forms take beside two copies of the dictionary, as the process shows it. */
  private static final int TABLES_BYTES = 393 << 10;

  /** Zstd's usual one. */
  private static final int LEVEL = 3;

  /** Its place in the list of its container. */
  final int number;

  final ZstdDictCompress compressing;
  final ZstdDictDecompress expanding;

  private ValueDictionary(int number, byte[] bytes) {
    this.number = number;
    this.compressing = new ZstdDictCompress(bytes, LEVEL);
    this.expanding = new ZstdDictDecompress(bytes);
  }

  /**
   * Trains a dictionary. About 0.1 s of processor time for 256 KiB of values.
   *
   * @throws ZstdException if the values have too little in common
   */
  static ValueDictionary train(int number, List<byte[]> values) {
    byte[] room = new byte[BYTES_MAX];
    long size = Zstd.trainFromBuffer(values.toArray(new byte[0][]), room, false, LEVEL);
    if (Zstd.isError(size)) {
      throw new ZstdException(size);
    }
    return new ValueDictionary(number, Arrays.copyOf(room, Math.toIntExact(size)));
  }

  /** The memory that it takes, about. */
  static long bytes() {
    return TABLES_BYTES + 2L * BYTES_MAX;
  }
}
