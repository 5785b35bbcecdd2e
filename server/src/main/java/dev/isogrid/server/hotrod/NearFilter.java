package dev.isogrid.server.hotrod;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.server.net.ByteBudget;
import dev.isogrid.wire.KeyHash;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The keys that a client may have in its near cache: a bloom filter, with false positives but no
 * false negatives. Bits are counted as in Java's {@code BitSet}. Thread-safe.
 */
final class NearFilter {
  /*
   * The client reads a value while another one writes. The reader adds the key and then reads; the
   * writer writes and then queries the filter. Either the reader sees the write or the writer sees
   * the key, since a fence keeps both orders.
   */

  /** The bits of 16 Mi entries of a client, which takes 4 per entry; 8 MiB of this server. */
  static final int BITS_MAX = 1 << 26;

  /** The approximate bytes of a filter beside its bits. */
  private static final int FIXED_BYTES = 128;

  /** The seeds of the hash functions, each of which sets one bit of a key. */
  private static final int[] SEEDS = {239, 1847, 2719};

  /** Replaced as a whole when the client sends another content or changes the size. */
  private volatile Content content;

  /** The bits, in words of 32 of them. */
  private record Content(int bits, AtomicIntegerArray words) {
    static Content ofSize(int bits) {
      return new Content(bits, new AtomicIntegerArray((bits + Integer.SIZE - 1) / Integer.SIZE));
    }

    /** The bit of a key for a seed. */
    int position(byte[] key, int seed) {
      long hash = KeyHash.hash(key, 0, key.length, seed);
      return (int) (Math.abs(hash) % bits);
    }
  }

  /**
   * Makes an empty filter and counts it on a share; {@link #sizeBytes} is the amount to give back.
   *
   * @param bits their number, 1 or more
   * @throws InvalidRequestException if it is beyond the limit, or the share
   */
  NearFilter(int bits, ByteBudget.Share share) {
    take(bits, 0, share);
    this.content = Content.ofSize(bits);
  }

  /** Counts a filter instead of one with another size in bytes, or refuses it. */
  private static void take(int bits, long before, ByteBudget.Share share) {
    if (bits < 1 || bits > BITS_MAX) {
      throw new InvalidRequestException(
          "size of a near cache's filter: bits=%d; allowed are 1 to %d".formatted(bits, BITS_MAX));
    }
    long more = sizeBytes(bits) - before;
    if (more < 0) {
      share.give(-more);
    } else if (!share.tryTake(more)) {
      throw new InvalidRequestException(
          ("no memory for a near cache's filter: bits=%d, wanted=%d, %s; use a smaller near cache,"
                  + " one without a filter, or raise the server's heap")
              .formatted(bits, more, share));
    }
  }

  private static long sizeBytes(int bits) {
    return (long) FIXED_BYTES + bits / Byte.SIZE;
  }

  /** The bytes that it takes. */
  long sizeBytes() {
    return sizeBytes(content.bits);
  }

  /** Makes this an empty filter again; unchanged if that fails. Arguments as for a new one. */
  void restart(int bits, ByteBudget.Share share) {
    take(bits, sizeBytes(), share);
    content = Content.ofSize(bits);
  }

  /** Notes that the client may have a key from now on. */
  void add(byte[] key) {
    Content now = content;
    for (int seed : SEEDS) {
      int position = now.position(key, seed);
      now.words.getAndUpdate(position / Integer.SIZE, word -> word | 1 << position % Integer.SIZE);
    }
    VarHandle.fullFence();
  }

  /** Whether the client may have a key. */
  boolean mayContain(byte[] key) {
    VarHandle.fullFence();
    Content now = content;
    for (int seed : SEEDS) {
      int position = now.position(key, seed);
      if ((now.words.get(position / Integer.SIZE) & 1 << position % Integer.SIZE) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Replaces the content; bits beyond the filter's size are skipped. */
  void replace(byte[] bitset) {
    Content next = Content.ofSize(content.bits);
    AtomicIntegerArray words = next.words;
    for (int i = 0; i < Math.min(bitset.length, words.length() * Integer.BYTES); i++) {
      int word = words.getPlain(i / Integer.BYTES);
      int shift = i % Integer.BYTES * Byte.SIZE;
      words.setPlain(i / Integer.BYTES, word | (bitset[i] & 0xFF) << shift);
    }
    content = next;
  }
}
