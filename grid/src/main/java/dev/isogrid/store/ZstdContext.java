package dev.isogrid.store;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The native memory that one thread compresses and expands values with, and its arrays. What it
 * makes is one zstd frame without magic number, content size, checksum and dictionary number. For
 * one thread at a time.
 */
final class ZstdContext implements AutoCloseable {
  /** Where it is kept; for {@link Compressors}. */
  final int place;

  private byte[] plain = {};
  private byte[] packed = {};
  private @Nullable ZstdCompressCtx compressing;
  private @Nullable ZstdDecompressCtx expanding;

  /** The dictionaries that the native contexts refer to. */
  private @Nullable ValueDictionary ofCompressing;

  private @Nullable ValueDictionary ofExpanding;

  /** Values that were compressed. */
  private int uses;

  ZstdContext(int place) {
    this.place = place;
  }

  /** An array for a value as it was before, of a length at least. */
  byte[] plain(int length) {
    if (plain.length < length) {
      plain = new byte[Math.max(length, 2 * plain.length)];
    }
    return plain;
  }

  /** An array for a frame, of a length at least. */
  byte[] packed(int length) {
    if (packed.length < length) {
      packed = new byte[Math.max(length, 2 * packed.length)];
    }
    return packed;
  }

  /** Counts a use; true once in so many, a power of two. */
  boolean countUse(int period) {
    return (++uses & period - 1) == 0;
  }

  /**
   * Compresses a part of an array to another one, which has room even if nothing is saved.
   *
   * @return the length of the frame
   */
  int compress(
      ValueDictionary dictionary, byte[] source, int length, byte[] target, int targetOffset) {
    ZstdCompressCtx context = compressing;
    if (context == null) {
      context = new ZstdCompressCtx();
      context.setMagicless(true).setContentSize(false).setChecksum(false).setDictID(false);
      compressing = context;
    }
    if (dictionary != ofCompressing) {
      context.loadDict(dictionary.compressing);
      ofCompressing = dictionary;
    }
    int room = target.length - targetOffset;
    return context.compressByteArray(target, targetOffset, room, source, 0, length);
  }

  /**
   * Expands a frame to the beginning of an array.
   *
   * @return the length of what it holds
   */
  int expand(ValueDictionary dictionary, byte[] frame, int offset, int size, byte[] target) {
    ZstdDecompressCtx context = expanding;
    if (context == null) {
      context = new ZstdDecompressCtx();
      context.setMagicless(true);
      expanding = context;
    }
    if (dictionary != ofExpanding) {
      context.loadDict(dictionary.expanding);
      ofExpanding = dictionary;
    }
    return context.decompressByteArray(target, 0, target.length, frame, offset, size);
  }

  /** A copy of a part of memory in this context's array. */
  byte[] copyOf(MemorySegment memory, long at, int size) {
    byte[] copy = packed(size);
    MemorySegment.copy(memory, Native.BYTE, at, copy, 0, size);
    return copy;
  }

  @Override
  public void close() {
    if (compressing != null) {
      compressing.close();
    }
    if (expanding != null) {
      expanding.close();
    }
  }
}
