package dev.isogrid.engine;

import dev.isogrid.api.ChangesGoneException;
import dev.isogrid.api.InvalidRequestException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.CRC32C;

/** The place of a reader in the changes of a clustered cache: one per segment. Not thread-safe. */
final class ChangePlaces {
  /*
   * A token, numbers big endian, Base64 for URLs:
   *
   *   bytes  what
   *   1      version, 2; tokens of caches that are not clustered have 1
   *   8      first half of the cluster's identity
   *   4      id of the cache
   *   4      number of segments
   *   n      the least place; n1
   *   n      per segment how much greater its place is, times 2, and 1 more if a change was read
   *          there; n1
   *   n      number of segments of which a part of the next place's changes was read; n1
   *   n      by segment its number, and how many; n1
   *   4      CRC32C of all that
   *
   *   n1: 7 bits a byte, the lowest first; the highest bit is set in all bytes but the last
   */
  private static final byte VERSION = 2;

  private static final int FIXED_BYTES = 1 + 8 + 4 + 4;
  private static final int NUMBER_BYTES_MAX = 10;
  private static final int CRC_BYTES = 4;

  private final long cluster;
  private final int cacheId;
  private final long[] places;
  private final boolean[] isExact;
  private final int[] read;

  /**
   * The begin of all segments.
   *
   * @param cluster the first half of its identity
   */
  ChangePlaces(long cluster, int cacheId, int segments) {
    this.cluster = cluster;
    this.cacheId = cacheId;
    this.places = new long[segments];
    this.isExact = new boolean[segments];
    this.read = new int[segments];
  }

  /** The place up to which the changes of a segment were read. */
  long place(int index) {
    return places[index];
  }

  /** Whether a change was read at the place, which each replica then has. */
  boolean isExact(int index) {
    return isExact[index];
  }

  /** How many changes of the next place were read. */
  int read(int index) {
    return read[index];
  }

  /** All up to a place was read. */
  void reach(int index, long place, boolean withChange) {
    places[index] = place;
    isExact[index] = withChange;
    read[index] = 0;
  }

  /** Some changes of the next place were read. */
  void readPart(int index, int count) {
    read[index] = count;
  }

  /** Returns the token. */
  String token() {
    int parts = 0;
    for (int count : read) {
      parts += count > 0 ? 1 : 0;
    }
    long least = Arrays.stream(places).min().orElse(0);
    int numbers = places.length + 2 + 2 * parts;
    ByteBuffer out =
        ByteBuffer.allocate(FIXED_BYTES + numbers * NUMBER_BYTES_MAX + CRC_BYTES)
            .put(VERSION)
            .putLong(cluster)
            .putInt(cacheId)
            .putInt(places.length);
    put(out, least);
    for (int index = 0; index < places.length; index++) {
      put(out, 2 * (places[index] - least) + (isExact[index] ? 1 : 0));
    }
    put(out, parts);
    for (int index = 0; index < read.length; index++) {
      if (read[index] > 0) {
        put(out, index);
        put(out, read[index]);
      }
    }
    out.putInt(crc(out.array(), out.position()));
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(Arrays.copyOf(out.array(), out.position()));
  }

  /**
   * Sets the places of a token.
   *
   * @throws InvalidRequestException if it is no token of a clustered cache
   * @throws ChangesGoneException if it is of another cache or cluster
   */
  void read(String cache, String token) {
    ByteBuffer in = ByteBuffer.wrap(decoded(token));
    int length = in.remaining() - CRC_BYTES;
    boolean isToken =
        length > FIXED_BYTES
            && in.get(0) == VERSION
            && in.getInt(length) == crc(in.array(), length);
    if (!isToken) {
      throw noToken(cache, token);
    }
    in.limit(length).position(1);
    if (in.getLong() != cluster || in.getInt() != cacheId || in.getInt() != places.length) {
      throw new ChangesGoneException(
          ("token is of another cache or cluster: cache=%s, token=%s; the cache or its cluster was"
                  + " made anew, so read all entries and follow its changes from now on")
              .formatted(cache, token));
    }
    try {
      readPlaces(in);
    } catch (BufferUnderflowException | IndexOutOfBoundsException _) {
      throw noToken(cache, token);
    }
  }

  private void readPlaces(ByteBuffer in) {
    long least = get(in);
    for (int index = 0; index < places.length; index++) {
      long number = get(in);
      reach(index, least + (number >>> 1), (number & 1) != 0);
    }
    for (long left = get(in); left > 0; left--) {
      int index = Math.toIntExact(Math.min(get(in), Integer.MAX_VALUE));
      read[index] = Math.toIntExact(Math.min(get(in), Integer.MAX_VALUE));
    }
  }

  private static InvalidRequestException noToken(String cache, String token) {
    return new InvalidRequestException(
        "no token of changes: cache=%s, token=%s; use one that came with a change of this cache"
            .formatted(cache, token));
  }

  private static byte[] decoded(String token) {
    try {
      return Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException _) {
      return new byte[0];
    }
  }

  private static int crc(byte[] token, int length) {
    CRC32C crc = new CRC32C();
    crc.update(token, 0, length);
    return (int) crc.getValue();
  }

  private static void put(ByteBuffer out, long number) {
    long rest = number;
    while (rest >>> 7 != 0) {
      out.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    out.put((byte) rest);
  }

  private static long get(ByteBuffer in) {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = in.get();
      number |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return number & Long.MAX_VALUE;
      }
    }
    throw new BufferUnderflowException();
  }
}
