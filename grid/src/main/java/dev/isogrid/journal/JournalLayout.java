package dev.isogrid.journal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The bytes of a journal's files, format {@value #VERSION}. */
final class JournalLayout {
  /*
   * A journal is a folder of files that are numbered without a gap: journal-N.log, N in 16
   * hexadecimal digits. Together, in the order of their numbers, they are one log. All numbers are
   * little endian. A reader that finds another version than its own must not guess.
   *
   * Header of a file:
   *
   *   offset  bytes  what
   *    0      8      magic, ISOGRIDJ
   *    8      4      CRC32C of all that follows in the header
   *   12      4      length of the header
   *   16      4      version of the format
   *   20      4      epoch of the versions
   *   24      8      number of the file
   *   32      8      oldest: number of the first file that counts; earlier ones are to be deleted
   *   40     16      identity of the journal, random
   *   56      4      segments of the cache
   *   60      2      n, bytes of the cache's name
   *   62      2      m, bytes of the content
   *   64      8      floor: no version that was given before is greater
   *   72      n      the cache's name, UTF-8
   *   72+n    m      content: how keys and values became bytes, UTF-8
   *
   * Records follow each other up to the end of the file:
   *
   *    0      4      CRC32C of all that follows in the record
   *    4      4      length of the record
   *    8      8      sequence: 1 more than that of the segment's record before; 0 if no segment
   *   16      4      segment; -1 for a record that concerns the journal itself
   *   20      1      kind
   *   21      1      flags: 1 = has times; 2 = says a place, only of a REMOVE without a key;
   *                  4 = only of a PUT: key, value and version are those of a record before;
   *                  8 = only of a REMOVE: the time of the entry was over;
   *                  16 = part of a write of several entries; with 2 its end;
   *                  32 = only of a CLEAR: a write of the cluster, whose place follows.
   *                  Early writers of the format did not know 4, 8, 16 and 32
   *   22      2      t, bytes of the media type
   *   24             body
   *
   *   PUT     24     8      version of the entry
   *           32     4      k, bytes of the key
   *           36     4      flags of a memcached client
   *           40     24     only with times: created, lifespan, max idle; milliseconds, -1 for none
   *           40|64  t      media type of the value, UTF-8
   *                  k      key
   *                  rest   value
   *   REMOVE  24     8      version of the removal, 0 if it had none
   *           32     rest   key
   *                         which says a place if it has that flag: the version of the last
   *                         write of the cluster, which the segment has all of; or 0, it lacks some
   *                         Parts of a write count only if its end follows them directly in the
   *                         segment: a log that ends between them has nothing of the write
   *   CLEAR                 empties the segment, which may lack writes of the cluster then
   *   MARK    24     8      what is before this offset of the file was forced to the disk
   *           32     8      number of the file
   *           40     8      the first half of the journal's identity
   *   SEAL                  as MARK; the last record of a file that is complete
   *   DROP    24     8      number of a file whose live entries were all written again
   *
   * A MARK is written with the records that follow a force, or at once if there are none. The last
   * file may end with zeros, the space for records to come.
   *
   * Limitations: a record is at most 2 GB; a loss of what was forced last, without a MARK after it,
   * looks like a write that power was lost in.
   */
  static final int VERSION = 1;

  static final long MAGIC = 0x4A44_4952_474F_5349L; // "ISOGRIDJ"

  static final int FILE_CRC = 8;
  static final int FILE_LENGTH = 12;
  static final int FILE_VERSION = 16;
  static final int FILE_EPOCH = 20;
  static final int FILE_NUMBER = 24;
  static final int FILE_OLDEST = 32;
  static final int FILE_IDENTITY_HIGH = 40;
  static final int FILE_IDENTITY_LOW = 48;
  static final int FILE_SEGMENTS = 56;
  static final int FILE_NAME_LENGTH = 60;
  static final int FILE_CONTENT_LENGTH = 62;
  static final int FILE_FLOOR = 64;
  static final int FILE_FIXED = 72;
  static final int FILE_HEADER_MAX = FILE_FIXED + 2 * 0xFFFF;

  static final int RECORD_CRC = 0;
  static final int RECORD_LENGTH = 4;
  static final int RECORD_SEQUENCE = 8;
  static final int RECORD_SEGMENT = 16;
  static final int RECORD_KIND = 20;
  static final int RECORD_FLAGS = 21;
  static final int RECORD_MEDIA_TYPE_LENGTH = 22;
  static final int RECORD_HEADER = 24;

  static final int ENTRY_VERSION = 24;
  static final int REMOVE_KEY = 32;
  static final int PUT_KEY_LENGTH = 32;
  static final int PUT_CLIENT_FLAGS = 36;
  static final int PUT_CREATED = 40;
  static final int PUT_LIFESPAN = 48;
  static final int PUT_MAX_IDLE = 56;
  static final int PUT_FIXED = 40;
  static final int PUT_TIMES = 24;

  static final int MARK_FORCED = 24;
  static final int MARK_FILE = 32;
  static final int MARK_IDENTITY = 40;
  static final int MARK_BYTES = 48;
  static final int DROP_FILE = 24;
  static final int DROP_BYTES = 32;

  static final byte PUT = 1;
  static final byte REMOVE = 2;
  static final byte CLEAR = 3;
  static final byte MARK = 4;
  static final byte SEAL = 5;
  static final byte DROP = 6;

  static final byte HAS_TIMES = 1;
  static final byte IS_PLACE = 2;
  static final byte IS_AGAIN = 4;
  static final byte IS_EXPIRY = 8;
  static final byte IS_PART = 16;
  static final byte IS_WRITE = 32;
  static final int NO_SEGMENT = -1;

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final String NAME_START = "journal-";
  private static final String NAME_END = ".log";
  private static final int NAME_DIGITS = 16;

  private JournalLayout() {}

  /** Returns the name of a file. */
  static String fileName(long number) {
    return NAME_START + "%016x".formatted(number) + NAME_END;
  }

  /** Returns the number of a file, or -1 if the name is not that of a journal's file. */
  static long fileNumber(String name) {
    int digitsEnd = NAME_START.length() + NAME_DIGITS;
    boolean isNamed =
        name.length() == digitsEnd + NAME_END.length()
            && name.startsWith(NAME_START)
            && name.endsWith(NAME_END);
    if (!isNamed) {
      return -1;
    }
    try {
      long number = Long.parseLong(name, NAME_START.length(), digitsEnd, 16);
      return fileName(number).equals(name) ? number : -1;
    } catch (NumberFormatException _) {
      return -1;
    }
  }

  /** Returns a view of an array in the order of bytes that the format has. */
  static ByteBuffer view(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static int crc(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }

  static int crc(ByteBuffer bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(from, to - from));
    return (int) crc.getValue();
  }

  static void setInt(byte[] record, int offset, int value) {
    INTS.set(record, offset, value);
  }

  static void setLong(byte[] record, int offset, long value) {
    LONGS.set(record, offset, value);
  }

  /** Sets the sequence and then the checksum of a record that is otherwise complete. */
  static void complete(byte[] record, long sequence) {
    setLong(record, RECORD_SEQUENCE, sequence);
    setInt(record, RECORD_CRC, crc(record, RECORD_LENGTH, record.length));
  }

  private static byte[] newRecord(int length, int segment, byte kind) {
    byte[] record = new byte[length];
    setInt(record, RECORD_LENGTH, length);
    setInt(record, RECORD_SEGMENT, segment);
    record[RECORD_KIND] = kind;
    return record;
  }

  /** Sets the segment of a record, which must be completed then. */
  static void setSegment(byte[] record, int segment) {
    setInt(record, RECORD_SEGMENT, segment);
  }

  /** Adds a flag to a record, which must be completed then. */
  static void addFlag(byte[] record, byte flag) {
    record[RECORD_FLAGS] |= flag;
  }

  /** Removes a flag of a record, which must be completed then. */
  static void removeFlag(byte[] record, byte flag) {
    record[RECORD_FLAGS] &= (byte) ~flag;
  }

  /** Returns the version that a record has, 0 if it has none. */
  static long version(byte[] bytes, int at) {
    byte kind = bytes[at + RECORD_KIND];
    return kind == PUT || kind == REMOVE ? (long) LONGS.get(bytes, at + ENTRY_VERSION) : 0;
  }

  static int segment(byte[] bytes, int at) {
    return (int) INTS.get(bytes, at + RECORD_SEGMENT);
  }

  /** Returns whether a record says something that readers of the cache can see. */
  static boolean isVisible(byte[] record) {
    byte flags = record[RECORD_FLAGS];
    return switch (record[RECORD_KIND]) {
      case PUT -> (flags & IS_AGAIN) == 0;
      case REMOVE -> (flags & (IS_EXPIRY | IS_PLACE)) == 0;
      case CLEAR -> true;
      default -> false;
    };
  }

  /** Returns the bytes of a PUT, which may be more than an array can have. */
  static long putBytes(long keyLength, long valueLength, boolean hasTimes, int mediaTypeLength) {
    return PUT_FIXED + (hasTimes ? PUT_TIMES : 0) + mediaTypeLength + keyLength + valueLength;
  }

  static byte[] newPut(int length, int segment, long version, int keyLength) {
    byte[] record = newRecord(length, segment, PUT);
    setLong(record, ENTRY_VERSION, version);
    setInt(record, PUT_KEY_LENGTH, keyLength);
    return record;
  }

  static byte[] newRemove(int segment, long version, int keyLength) {
    byte[] record = newRecord(REMOVE_KEY + keyLength, segment, REMOVE);
    setLong(record, ENTRY_VERSION, version);
    return record;
  }

  static byte[] newPlace(int segment, long version) {
    byte[] record = newRemove(segment, version, 0);
    record[RECORD_FLAGS] = IS_PLACE;
    return record;
  }

  static byte[] newEnd(int segment, long version) {
    byte[] record = newPlace(segment, version);
    addFlag(record, IS_PART);
    return record;
  }

  static byte[] newClear(int segment) {
    return newRecord(RECORD_HEADER, segment, CLEAR);
  }

  static byte[] mark(byte kind, long forced, long file, long identity) {
    byte[] record = newRecord(MARK_BYTES, NO_SEGMENT, kind);
    view(record)
        .putLong(MARK_FORCED, forced)
        .putLong(MARK_FILE, file)
        .putLong(MARK_IDENTITY, identity);
    complete(record, 0);
    return record;
  }

  static byte[] drop(long file) {
    byte[] record = newRecord(DROP_BYTES, NO_SEGMENT, DROP);
    view(record).putLong(DROP_FILE, file);
    complete(record, 0);
    return record;
  }

  /**
   * Checks the form of a record whose checksum is right.
   *
   * @param bytes all of it
   * @return what is wrong, or null
   */
  static @Nullable String malformation(ByteBuffer bytes, int at, int length, int segments) {
    int segment = bytes.getInt(at + RECORD_SEGMENT);
    byte kind = bytes.get(at + RECORD_KIND);
    boolean hasSegment = kind == PUT || kind == REMOVE || kind == CLEAR;
    if (hasSegment ? segment < 0 || segment >= segments : segment != NO_SEGMENT) {
      return "segment " + segment;
    }
    boolean fits =
        switch (kind) {
          case PUT -> isPut(bytes, at, length);
          case REMOVE -> length >= REMOVE_KEY;
          case CLEAR -> length == RECORD_HEADER;
          case MARK, SEAL -> length == MARK_BYTES;
          case DROP -> length == DROP_BYTES;
          default -> false;
        };
    return fits ? null : "kind " + kind + " of " + length + " bytes";
  }

  private static boolean isPut(ByteBuffer bytes, int at, int length) {
    if (length < PUT_FIXED) {
      return false;
    }
    int keyLength = bytes.getInt(at + PUT_KEY_LENGTH);
    int mediaTypeLength = Short.toUnsignedInt(bytes.getShort(at + RECORD_MEDIA_TYPE_LENGTH));
    boolean hasTimes = (bytes.get(at + RECORD_FLAGS) & HAS_TIMES) != 0;
    return keyLength >= 0 && putBytes(keyLength, 0, hasTimes, mediaTypeLength) <= length;
  }
}
