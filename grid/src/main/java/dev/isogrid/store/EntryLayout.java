package dev.isogrid.store;

import dev.isogrid.base.EpochClock;
import dev.isogrid.wire.KeyHash;
import dev.isogrid.wire.MediaTypes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An entry as bytes, on the heap and off it: the one place that knows where its fields are.
 *
 * <pre>
 * part    field        bytes              present if     meaning
 * head    flags        1                  always         bits below; upper 3: sequence's bytes,
 *                                                        or COMPRESSED
 *         key length   1 to 5, varint     always
 *         value length 1 to 5, varint     always
 *         key          key length         always
 *         value        value length       always
 * tail    sequence     1 to 5             always         lower 39 bits of the version
 *         created      5 (FAR_TIMES: 8)   any of the two ms since 2020 (FAR_TIMES: since 1970)
 *         lifespan     1 to 10, varint    LIFESPAN       duration, see below
 *         max idle     1 to 10, varint    MAX_IDLE       duration, see below
 *         client flags 4                  CLIENT_FLAGS   memcached's bits
 *         media type   1 (+ 1 + n)        MEDIA_TYPE     Hot Rod's number, or 0, length and ASCII
 *         padding      0 to 7             MAX_IDLE       so that the next field is aligned
 *         last used    8                  MAX_IDLE       ms since 1970; the only field that changes
 * </pre>
 *
 * <p>An entry whose value is in {@link ValuePieces} lacks the value, not its length; all else,
 * padding included, is as if the value were empty.
 *
 * <p>The upper three bits of the flags are 1 to 5 for a sequence of so many bytes. 6 and 7 stand
 * for a compressed value and a sequence of 3 and of 5 bytes. Such a value is the number of a
 * dictionary (1 byte), its length before (varint), and what {@link ZstdContext} made of it. Only
 * the container that has the dictionary keeps such entries.
 *
 * <p>Numbers are little endian. A varint has the low 7 bits first; bit 7 says that more follow. A
 * duration is milliseconds x 2 + 1, or seconds x 2 if it is whole seconds; with FAR_TIMES it is
 * milliseconds. The epoch of the version is the segment's. No checksum: the bytes leave the process
 * only as {@link PackedEntries}, in messages that have their own. An entry without times has 4 to 6
 * bytes beside key and value in all usual cases, one with a lifespan 10 to 13.
 */
final class EntryLayout {
  /*
   * Fields are left out where they say nothing, and numbers have as many bytes as they need: most
   * entries are small, so that each byte counts. What a search for a key reads comes first, what
   * only some entries have comes last. Nothing but the time of the last use changes in place, so
   * only that field is aligned, and a copy of an entry that was validated once can be trusted. All
   * that knows of offsets is in this class, which is why it is long.
   */

  static final int LIFESPAN = 1;
  static final int MAX_IDLE = 2;
  static final int CLIENT_FLAGS = 4;
  static final int MEDIA_TYPE = 8;

  /** A time is out of the range of the short form. */
  static final int FAR_TIMES = 16;

  private static final int SEQUENCE_SHIFT = 5;

  /** Flags from here on are those of entries whose values are compressed. */
  private static final int COMPRESSED = 6 << SEQUENCE_SHIFT;

  /** The same with the longest sequence. */
  private static final int COMPRESSED_LONG = 7 << SEQUENCE_SHIFT;

  /** The bytes of a sequence by the upper bits of the flags, 4 bits each. */
  private static final int SEQUENCE_BYTES = 0x5354_3210;

  /** The longest sequence of {@link #COMPRESSED}. */
  private static final long SHORT_SEQUENCE_MAX = (1L << (3 * Byte.SIZE)) - 1;

  /** Of the 39 bits of a sequence. */
  private static final int SEQUENCE_BYTES_MAX = 5;

  /** The longest varint of a length. */
  private static final int LENGTH_BYTES_MAX = 5;

  /** The longest varint of a duration. */
  private static final int DURATION_BYTES_MAX = 10;

  private static final int MORTAL = LIFESPAN | MAX_IDLE;

  /** The longest media type that is kept; longer ones are refused by the protocols. */
  static final int MEDIA_TYPE_LENGTH_MAX = 127;

  /** The longest head without key and value. */
  static final int HEAD_MAX = 1 + 5 + 5;

  /** The longest tail without a media type. */
  static final int TAIL_MAX_PLAIN = 5 + 8 + 10 + 10 + 4 + 7 + 8;

  /** The longest tail up to and with the lifespan. */
  static final int LIFESPAN_TAIL_MAX = 5 + 8 + 10;

  /** The longest tail. */
  static final int TAIL_MAX = TAIL_MAX_PLAIN + 2 + MEDIA_TYPE_LENGTH_MAX;

  /** The beginning of 2020: what short times are counted from. */
  private static final long TIME_ZERO_MILLIS = 1_577_836_800_000L;

  private static final int SHORT_TIME_BYTES = 5;
  private static final long SHORT_TIME_MAX = (1L << (8 * SHORT_TIME_BYTES)) - 1;
  private static final long MILLIS_PER_SECOND = 1000;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private EntryLayout() {}

  /** The fields of an entry beside key and value. Reusable. */
  static final class Header {
    long sequence;
    long createdMillis;
    long lastUsedMillis;
    long lifespanMillis;
    long maxIdleMillis;
    int clientFlags;
    @Nullable String mediaType;

    /** Whether the value that is written is compressed. */
    boolean isCompressed;

    /** Makes these the fields that a write gives an entry. */
    void set(Effect<Bytes> effect, EntryView<?, ?> current, long version, EpochClock clock) {
      boolean touched = effect.kind() == Effect.Kind.TOUCH;
      sequence = (touched ? current.version() : version) & Segment.SEQUENCE_MAX;
      long nowMillis = effect.isMortal() ? clock.millis() : 0;
      createdMillis = effect.createdMillisOr(nowMillis);
      lastUsedMillis = effect.lastUsedMillisOr(nowMillis);
      lifespanMillis = effect.lifespanMillis();
      maxIdleMillis = effect.maxIdleMillis();
      clientFlags = touched ? current.clientFlags() : effect.clientFlags();
      mediaType = touched ? current.mediaType() : effect.mediaType();
      isCompressed = false;
    }

    private int flags() {
      int flags =
          (lifespanMillis >= 0 ? LIFESPAN : 0)
              | (maxIdleMillis >= 0 ? MAX_IDLE : 0)
              | (clientFlags != 0 ? CLIENT_FLAGS : 0)
              | (mediaType != null ? MEDIA_TYPE : 0)
              | upperBits();
      if ((flags & MORTAL) == 0) {
        return flags;
      }
      long shortTime = createdMillis - TIME_ZERO_MILLIS;
      boolean far = shortTime < 0 || shortTime > SHORT_TIME_MAX;
      return far || isFar(lifespanMillis) || isFar(maxIdleMillis) ? flags | FAR_TIMES : flags;
    }

    private int upperBits() {
      if (isCompressed) {
        return sequence <= SHORT_SEQUENCE_MAX ? COMPRESSED : COMPRESSED_LONG;
      }
      return bytesOf(sequence) << SEQUENCE_SHIFT;
    }

    private static boolean isFar(long duration) {
      return duration > Long.MAX_VALUE / 2;
    }

    private static int bytesOf(long sequence) {
      return Math.max(1, (Long.SIZE + 7 - Long.numberOfLeadingZeros(sequence)) / 8);
    }
  }

  /** Whether the value of an entry is compressed; only for flags without a sign. */
  static boolean isCompressed(int flags) {
    return flags >= COMPRESSED;
  }

  private static int sequenceBytes(int flags) {
    return SEQUENCE_BYTES >>> (flags >>> SEQUENCE_SHIFT << 2) & 7;
  }

  /** A new entry. */
  static byte[] encode(Header header, BinaryKey key, Bytes value) {
    byte[] entry = HeapLayout.newArray(sizeOf(header, key, value.length()));
    encode(header, key, value, entry);
    return entry;
  }

  /** What is before and behind the value of an entry whose value is elsewhere. */
  static byte[] encodeWithoutValue(Header header, BinaryKey key, int valueLength) {
    byte[] rest = new byte[sizeWithoutValue(header, key, valueLength)];
    int at = putHead(header, key, valueLength, rest);
    putTail(header, rest, at, at);
    return rest;
  }

  /** Writes an entry to the beginning of an array that is long enough. */
  static void encode(Header header, BinaryKey key, Bytes value, byte[] entry) {
    int at = putHead(header, key, value.length(), entry);
    value.copyTo(entry, at);
    at += value.length();
    putTail(header, entry, at, at);
  }

  /** Writes the fields up to and with the key; gives the offset after it. */
  static int putHead(Header header, BinaryKey key, int valueLength, byte[] entry) {
    entry[0] = (byte) header.flags();
    int at = putVarint(entry, 1, key.length());
    at = putVarint(entry, at, valueLength);
    key.copyTo(entry, at);
    return at + key.length();
  }

  /**
   * Writes the fields after the value.
   *
   * @param at where in the array
   * @param offset where in the entry; decides on the padding
   * @return the offset in the array after them
   */
  static int putTail(Header header, byte[] array, int at, int offset) {
    int flags = header.flags();
    int start = at;
    at = putNumber(array, at, header.sequence, sequenceBytes(flags));
    if ((flags & MORTAL) != 0) {
      at = putTimes(header, array, at, flags);
    }
    if ((flags & CLIENT_FLAGS) != 0) {
      INT.set(array, at, header.clientFlags);
      at += Integer.BYTES;
    }
    if (header.mediaType != null) {
      at = putMediaType(array, at, header.mediaType);
    }
    if ((flags & MAX_IDLE) != 0) {
      int aligned = aligned(offset + at - start) - offset + start;
      LONG.set(array, aligned, header.lastUsedMillis);
      at = aligned + Long.BYTES;
    }
    return at;
  }

  private static int putTimes(Header header, byte[] array, int at, int flags) {
    boolean far = (flags & FAR_TIMES) != 0;
    at =
        far
            ? putNumber(array, at, header.createdMillis, Long.BYTES)
            : putNumber(array, at, header.createdMillis - TIME_ZERO_MILLIS, SHORT_TIME_BYTES);
    if ((flags & LIFESPAN) != 0) {
      at = putVarint(array, at, durationCode(header.lifespanMillis, far));
    }
    return (flags & MAX_IDLE) != 0
        ? putVarint(array, at, durationCode(header.maxIdleMillis, far))
        : at;
  }

  private static long durationCode(long millis, boolean far) {
    if (far) {
      return millis;
    }
    return millis % MILLIS_PER_SECOND == 0 ? millis / MILLIS_PER_SECOND * 2 : millis * 2 + 1;
  }

  private static long duration(long code, int flags) {
    if ((flags & FAR_TIMES) != 0) {
      return code;
    }
    return (code & 1) != 0 ? code >>> 1 : (code >>> 1) * MILLIS_PER_SECOND;
  }

  private static int aligned(int offset) {
    return offset + Long.BYTES - 1 & -Long.BYTES;
  }

  /** The bytes of a whole entry. */
  static int sizeOf(Header header, BinaryKey key, int valueLength) {
    return sizeOf(header, key, valueLength, valueLength);
  }

  /** The bytes of an entry without its value, which is elsewhere. */
  static int sizeWithoutValue(Header header, BinaryKey key, int valueLength) {
    return sizeOf(header, key, valueLength, 0);
  }

  private static int sizeOf(Header header, BinaryKey key, int valueLength, int contained) {
    int flags = header.flags();
    boolean far = (flags & FAR_TIMES) != 0;
    int size = 1 + varintSize(key.length()) + varintSize(valueLength) + key.length();
    size = Math.addExact(size, contained);
    size = Math.addExact(size, sequenceBytes(flags));
    if ((flags & MORTAL) != 0) {
      size += far ? Long.BYTES : SHORT_TIME_BYTES;
    }
    if ((flags & LIFESPAN) != 0) {
      size += varintSize(durationCode(header.lifespanMillis, far));
    }
    if ((flags & MAX_IDLE) != 0) {
      size += varintSize(durationCode(header.maxIdleMillis, far));
    }
    if ((flags & CLIENT_FLAGS) != 0) {
      size += Integer.BYTES;
    }
    if (header.mediaType != null) {
      size += MediaTypes.idOf(header.mediaType) != 0 ? 1 : 2 + header.mediaType.length();
    }
    return (flags & MAX_IDLE) != 0 ? Math.addExact(aligned(size), Long.BYTES) : size;
  }

  private static int putMediaType(byte[] array, int at, String mediaType) {
    int id = MediaTypes.idOf(mediaType);
    array[at++] = (byte) id;
    if (id != 0) {
      return at;
    }
    byte[] ascii = mediaType.getBytes(StandardCharsets.US_ASCII);
    assert ascii.length <= MEDIA_TYPE_LENGTH_MAX;
    array[at++] = (byte) ascii.length;
    System.arraycopy(ascii, 0, array, at, ascii.length);
    return at + ascii.length;
  }

  /** The most bytes that the tail of an entry of some flags takes; the exact number of most. */
  static int tailMax(int flags) {
    if ((flags & (MORTAL | MEDIA_TYPE)) == 0) {
      int ofSequence = sequenceBytes(flags & 0xFF);
      return (flags & CLIENT_FLAGS) == 0 ? ofSequence : ofSequence + Integer.BYTES;
    }
    return (flags & MEDIA_TYPE) != 0 ? TAIL_MAX : TAIL_MAX_PLAIN;
  }

  /** Whether an entry has a limited life. */
  static boolean isMortal(int flags) {
    return (flags & MORTAL) != 0;
  }

  /** Whether an entry is that of a key. */
  static boolean isKey(byte[] entry, BinaryKey key) {
    int length = (int) varint(entry, 1);
    return length == key.length() && key.equalsRange(entry, keyOffset(entry, 0), length);
  }

  /** The order of two entries' keys as unsigned bytes. */
  static int compareKeys(byte[] entry, byte[] other) {
    int from = keyOffset(other, 0);
    return compareKey(entry, 0, other, from, from + (int) varint(other, 1));
  }

  /** The order of an entry's key and another one. */
  static int compareKey(byte[] entry, BinaryKey key) {
    byte[] bytes = key.toByteArray();
    return compareKey(entry, 0, bytes, 0, bytes.length);
  }

  /** The order of the key of an entry at an offset and a part of an array. */
  static int compareKey(byte[] array, int entry, byte[] other, int from, int to) {
    int start = keyOffset(array, entry);
    int end = start + (int) varint(array, entry + 1);
    return Arrays.compareUnsigned(array, start, end, other, from, to);
  }

  /** The hash of an entry's key. */
  static int keyHash(byte[] array, int entry) {
    return KeyHash.hash(array, keyOffset(array, entry), (int) varint(array, entry + 1));
  }

  /** The offset of the key of an entry at an offset. */
  static int keyOffset(byte[] array, int entry) {
    return afterVarint(array, afterVarint(array, entry + 1));
  }

  /** The offset of the first field after the sequence, given that of the tail. */
  static int afterSequence(int flags, int tail) {
    return tail + sequenceBytes(flags);
  }

  static long sequence(byte[] array, int flags, int tail) {
    return number(array, tail, sequenceBytes(flags));
  }

  /** The sequence of an entry at an offset. */
  static long sequenceOf(byte[] array, int entry) {
    int valueLengthAt = afterVarint(array, entry + 1);
    long ahead = varint(array, entry + 1) + varint(array, valueLengthAt);
    int tail = (int) (afterVarint(array, valueLengthAt) + ahead);
    return sequence(array, array[entry] & 0xFF, tail);
  }

  /** When an entry was made, given the offset of its tail. */
  static long createdMillis(byte[] array, int flags, int tail) {
    int at = afterSequence(flags, tail);
    return (flags & FAR_TIMES) != 0
        ? number(array, at, Long.BYTES)
        : TIME_ZERO_MILLIS + number(array, at, SHORT_TIME_BYTES);
  }

  /** The offset of the durations, given that of the tail; only for mortal entries. */
  private static int durationsOffset(int flags, int tail) {
    return afterSequence(flags, tail) + ((flags & FAR_TIMES) != 0 ? Long.BYTES : SHORT_TIME_BYTES);
  }

  static long lifespanMillis(byte[] array, int flags, int tail) {
    return duration(varint(array, durationsOffset(flags, tail)), flags);
  }

  /** Whether the lifespan of an entry that has one is over, given the offset of its tail. */
  static boolean isLifeOver(byte[] array, int flags, int tail, long nowMillis) {
    long created = createdMillis(array, flags, tail);
    return EntryView.isOver(created, lifespanMillis(array, flags, tail), nowMillis);
  }

  static long maxIdleMillis(byte[] array, int flags, int tail) {
    int at = durationsOffset(flags, tail);
    at = (flags & LIFESPAN) != 0 ? afterVarint(array, at) : at;
    return duration(varint(array, at), flags);
  }

  /** The offset after the times, given that of the tail. */
  static int clientFlagsOffset(byte[] array, int flags, int tail) {
    if ((flags & MORTAL) == 0) {
      return afterSequence(flags, tail);
    }
    int at = durationsOffset(flags, tail);
    for (int i = Integer.bitCount(flags & MORTAL); i > 0; i--) {
      at = afterVarint(array, at);
    }
    return at;
  }

  static int clientFlags(byte[] array, int flags, int tail) {
    return (int) INT.get(array, clientFlagsOffset(array, flags, tail));
  }

  private static int mediaTypeOffset(byte[] array, int flags, int tail) {
    int at = clientFlagsOffset(array, flags, tail);
    return (flags & CLIENT_FLAGS) != 0 ? at + Integer.BYTES : at;
  }

  static @Nullable String mediaType(byte[] array, int flags, int tail) {
    int at = mediaTypeOffset(array, flags, tail);
    int id = array[at];
    return id != 0
        ? MediaTypes.nameOf(id)
        : new String(array, at + 2, array[at + 1], StandardCharsets.US_ASCII);
  }

  /** The offset of the first field after the media type, given that of the tail. */
  private static int afterMediaType(byte[] array, int flags, int tail) {
    int at = mediaTypeOffset(array, flags, tail);
    if ((flags & MEDIA_TYPE) == 0) {
      return at;
    }
    return array[at] != 0 ? at + 1 : at + 2 + array[at + 1];
  }

  /**
   * The offset of the last use in the array.
   *
   * @param shift the offset of the tail in the entry, less that in the array
   */
  static int lastUsedOffset(byte[] array, int flags, int tail, int shift) {
    return aligned(afterMediaType(array, flags, tail) + shift) - shift;
  }

  /** The offset of the entry's end in the array. Shift as in {@link #lastUsedOffset}. */
  static int endOffset(byte[] array, int flags, int tail, int shift) {
    return (flags & MAX_IDLE) != 0
        ? lastUsedOffset(array, flags, tail, shift) + Long.BYTES
        : afterMediaType(array, flags, tail);
  }

  /**
   * Returns whether a part of an array is one entry, whatever it was made by: all of its fields are
   * in their ranges, and its last one ends where the part does. One with a compressed value is not.
   */
  static boolean isWhole(byte[] array, int from, int to) {
    int flags = from < to ? array[from] & 0xFF : 0;
    int sequenceBytes = flags >>> SEQUENCE_SHIFT;
    int keyLengthAt = from + 1;
    int valueLengthAt = afterVarintWithin(array, keyLengthAt, to, LENGTH_BYTES_MAX);
    int key =
        valueLengthAt < 0 ? -1 : afterVarintWithin(array, valueLengthAt, to, LENGTH_BYTES_MAX);
    if (key < 0 || sequenceBytes == 0 || sequenceBytes > SEQUENCE_BYTES_MAX) {
      return false;
    }
    long tail = key + varint(array, keyLengthAt) + varint(array, valueLengthAt);
    return tail <= to - sequenceBytes && isTailWhole(array, flags, from, (int) tail, to);
  }

  private static boolean isTailWhole(byte[] array, int flags, int from, int tail, int to) {
    int at = afterSequence(flags, tail);
    if ((flags & MORTAL) != 0) {
      at += (flags & FAR_TIMES) != 0 ? Long.BYTES : SHORT_TIME_BYTES;
      for (int i = Integer.bitCount(flags & MORTAL); i > 0 && at >= 0; i--) {
        at = afterVarintWithin(array, at, to, DURATION_BYTES_MAX);
      }
      if (at < 0) {
        return false;
      }
    }
    at += (flags & CLIENT_FLAGS) != 0 ? Integer.BYTES : 0;
    if ((flags & MEDIA_TYPE) != 0) {
      at = afterMediaTypeWithin(array, at, to);
      if (at < 0) {
        return false;
      }
    }
    return (flags & MAX_IDLE) != 0 ? aligned(at - from) + from + Long.BYTES == to : at == to;
  }

  /** The offset after a media type, or -1 if it does not end before another offset. */
  private static int afterMediaTypeWithin(byte[] array, int at, int to) {
    if (at >= to) {
      return -1;
    }
    if (array[at] != 0) {
      return MediaTypes.nameOf(array[at]) == null ? -1 : at + 1;
    }
    boolean hasLength = at + 1 < to && array[at + 1] >= 0;
    return hasLength && to - at - 2 >= array[at + 1] ? at + 2 + array[at + 1] : -1;
  }

  /** The offset after a varint, or -1 if it is longer, or does not end before another offset. */
  private static int afterVarintWithin(byte[] array, int from, int to, int bytesMax) {
    int end = Math.min(to, from + bytesMax);
    for (int at = from; at < end; at++) {
      if (array[at] >= 0) {
        return at + 1;
      }
    }
    return -1;
  }

  static long lastUsed(byte[] array, int offset) {
    return (long) LONG.get(array, offset);
  }

  static void setLastUsed(byte[] array, int offset, long nowMillis) {
    LONG.set(array, offset, nowMillis); // arrays of bytes offer no stronger mode
  }

  static int varintSize(long number) {
    return number == 0 ? 1 : (70 - Long.numberOfLeadingZeros(number)) / 7;
  }

  private static int putNumber(byte[] array, int at, long number, int bytes) {
    for (int i = 0; i < bytes; i++) {
      array[at + i] = (byte) (number >>> (8 * i));
    }
    return at + bytes;
  }

  private static long number(byte[] array, int at, int bytes) {
    long number = 0;
    for (int i = 0; i < bytes; i++) {
      number |= (array[at + i] & 0xFFL) << (8 * i);
    }
    return number;
  }

  static int putVarint(byte[] array, int at, long number) {
    while ((number & ~0x7FL) != 0) {
      array[at++] = (byte) (number | 0x80);
      number >>>= 7;
    }
    array[at] = (byte) number;
    return at + 1;
  }

  /** The varint that ends before the offset that {@link #afterVarint} gives. */
  static long varint(byte[] array, int at) {
    long number = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = array[at++];
      number |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return number;
      }
    }
  }

  static int afterVarint(byte[] array, int at) {
    while (array[at] < 0) {
      at++;
    }
    return at + 1;
  }
}
