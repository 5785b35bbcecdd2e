package dev.isogrid.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A window on a record in an array. Reusable, for one thread; valid only where the call that hands
 * it out says so.
 */
public final class JournalRecord {
  private ByteBuffer bytes = JournalLayout.view(new byte[0]);
  private int start;
  private int length;

  /** Where it begins in a file; 0 if that is not known. */
  private long offset;

  private long file;

  JournalRecord() {}

  /** Moves the window. */
  void point(ByteBuffer bytes, int start, int length) {
    this.bytes = bytes;
    this.start = start;
    this.length = length;
  }

  /** Notes where the record is. */
  void setPlace(long inFile, long atOffset) {
    file = inFile;
    offset = atOffset;
  }

  /** Returns the number of the file that the record is in. */
  public long file() {
    return file;
  }

  /** Returns where in the file the record begins. */
  public long offset() {
    return offset;
  }

  /**
   * Reads a put from a place of a file.
   *
   * @param room the most bytes that it has
   * @return what is wrong, or null
   */
  @Nullable String readFrom(DiskFile from, long at, int room, int segments) throws IOException {
    ByteBuffer read = JournalLayout.view(new byte[room]);
    from.read(read, at);
    read.flip();
    int found = read.remaining() < JournalLayout.RECORD_HEADER ? -1 : lengthIn(read);
    if (found < 0) {
      return "a record that is cut off, or of an impossible length";
    }
    int crc = JournalLayout.crc(read, JournalLayout.RECORD_LENGTH, found);
    if (read.getInt(JournalLayout.RECORD_CRC) != crc) {
      return "a record with a wrong checksum";
    }
    String trouble = JournalLayout.malformation(read, 0, found, segments);
    if (trouble == null && read.get(JournalLayout.RECORD_KIND) != JournalLayout.PUT) {
      trouble = "a record of another kind";
    }
    point(read, 0, found);
    return trouble;
  }

  private static int lengthIn(ByteBuffer read) {
    int length = read.getInt(JournalLayout.RECORD_LENGTH);
    return length >= JournalLayout.RECORD_HEADER && length <= read.remaining() ? length : -1;
  }

  /** Returns whether an entry was stored. */
  public boolean isPut() {
    return kind() == JournalLayout.PUT;
  }

  /** Returns whether an entry was removed since its time was over. */
  public boolean isExpiry() {
    return kind() == JournalLayout.REMOVE && hasFlag(JournalLayout.IS_EXPIRY);
  }

  /** Returns whether all entries of a segment were removed. */
  public boolean isClear() {
    return kind() == JournalLayout.CLEAR;
  }

  /** Returns whether all entries of a segment were removed by a write of the cluster. */
  public boolean isClearByWrite() {
    return isClear() && hasFlag(JournalLayout.IS_WRITE);
  }

  /** Returns whether an entry was appended again, or only its times changed. */
  public boolean isAgain() {
    return isPut() && hasFlag(JournalLayout.IS_AGAIN);
  }

  /** Returns whether it is one of several of a write, or the end of such a write. */
  public boolean isPart() {
    return hasFlag(JournalLayout.IS_PART);
  }

  /** Returns a window on a copy of all its bytes. */
  JournalRecord copied() {
    JournalRecord copy = new JournalRecord();
    copy.point(JournalLayout.view(toBytes()), 0, length);
    copy.setPlace(file, offset);
    return copy;
  }

  /** Returns whether the record says that an entry, or a segment, is another one than before. */
  boolean isChange() {
    return switch (kind()) {
      case JournalLayout.PUT -> !hasFlag(JournalLayout.IS_AGAIN);
      case JournalLayout.REMOVE -> !isPlace();
      case JournalLayout.CLEAR -> true;
      default -> false;
    };
  }

  private boolean hasFlag(byte flag) {
    return (bytes.get(start + JournalLayout.RECORD_FLAGS) & flag) != 0;
  }

  byte kind() {
    return bytes.get(start + JournalLayout.RECORD_KIND);
  }

  /** Returns its number among the records of its segment. */
  public long sequence() {
    return bytes.getLong(start + JournalLayout.RECORD_SEQUENCE);
  }

  /** Returns what a MARK or SEAL says was forced, or -1 if it is not one of a file. */
  long forced(long file, long identity) {
    boolean isOfFile =
        (kind() == JournalLayout.MARK || kind() == JournalLayout.SEAL)
            && bytes.getLong(start + JournalLayout.MARK_FILE) == file
            && bytes.getLong(start + JournalLayout.MARK_IDENTITY) == identity;
    return isOfFile ? bytes.getLong(start + JournalLayout.MARK_FORCED) : -1;
  }

  long droppedFile() {
    return bytes.getLong(start + JournalLayout.DROP_FILE);
  }

  /** Returns a copy of all its bytes. */
  byte[] toBytes() {
    return copy(start, start + length);
  }

  /** Returns the segment that the key had when the record was written. */
  public int segment() {
    return bytes.getInt(start + JournalLayout.RECORD_SEGMENT);
  }

  /** Returns where it is in the files of its journal. */
  public long place() {
    return Place.of(file, offset, length);
  }

  /** Returns the number of bytes of the record. */
  public int length() {
    return length;
  }

  /** Returns whether it only says a place of the cluster's order, by its version. */
  public boolean isPlace() {
    return kind() == JournalLayout.REMOVE
        && (bytes.get(start + JournalLayout.RECORD_FLAGS) & JournalLayout.IS_PLACE) != 0;
  }

  /** Returns the version of the entry. Not for a clear. */
  public long version() {
    return bytes.getLong(start + JournalLayout.ENTRY_VERSION);
  }

  /** Returns the key in a new array. Not for a clear. */
  public byte[] key() {
    int from = keyStart();
    return copy(from, from + keyLength());
  }

  /** Returns the number of bytes of the key. Not for a clear. */
  public int keyLength() {
    return kind() == JournalLayout.PUT
        ? bytes.getInt(start + JournalLayout.PUT_KEY_LENGTH)
        : length - JournalLayout.REMOVE_KEY;
  }

  /** Returns where the key begins in {@link #array}. Not for a clear. */
  public int keyOffset() {
    return bytes.arrayOffset() + keyStart();
  }

  /** Returns the array that the record is in, valid as long as the record is; not to be changed. */
  public byte[] array() {
    return bytes.array();
  }

  /** Returns the value in a new array. Only for a put. */
  public byte[] value() {
    return copy(start + length - valueLength(), start + length);
  }

  /** Returns the number of bytes of the value. Only for a put. */
  public int valueLength() {
    return start + length - keyStart() - keyLength();
  }

  /** Returns where the value begins in {@link #array}. Only for a put. */
  public int valueOffset() {
    return bytes.arrayOffset() + start + length - valueLength();
  }

  private byte[] copy(int from, int to) {
    byte[] copy = new byte[to - from];
    bytes.get(from, copy);
    return copy;
  }

  private int keyStart() {
    return kind() == JournalLayout.PUT
        ? mediaTypeStart() + mediaTypeLength()
        : start + JournalLayout.REMOVE_KEY;
  }

  private int mediaTypeStart() {
    return start + JournalLayout.PUT_FIXED + (hasTimes() ? JournalLayout.PUT_TIMES : 0);
  }

  private int mediaTypeLength() {
    return Short.toUnsignedInt(bytes.getShort(start + JournalLayout.RECORD_MEDIA_TYPE_LENGTH));
  }

  private boolean hasTimes() {
    return (bytes.get(start + JournalLayout.RECORD_FLAGS) & JournalLayout.HAS_TIMES) != 0;
  }

  /** Returns what the entry has beside key and value. Only for a put. */
  public EntryAttributes attributes() {
    int clientFlags = bytes.getInt(start + JournalLayout.PUT_CLIENT_FLAGS);
    String mediaType = mediaType();
    return hasTimes()
        ? new EntryAttributes(
            bytes.getLong(start + JournalLayout.PUT_CREATED),
            bytes.getLong(start + JournalLayout.PUT_LIFESPAN),
            bytes.getLong(start + JournalLayout.PUT_MAX_IDLE),
            clientFlags,
            mediaType)
        : new EntryAttributes(-1, -1, -1, clientFlags, mediaType);
  }

  /** Returns when the lifespan of a put ends; {@link Long#MAX_VALUE} if it does not. */
  public long lifespanEndMillis() {
    long lifespan = hasTimes() ? bytes.getLong(start + JournalLayout.PUT_LIFESPAN) : -1;
    if (lifespan < 0) {
      return Long.MAX_VALUE;
    }
    long created = bytes.getLong(start + JournalLayout.PUT_CREATED);
    return created > Long.MAX_VALUE - lifespan ? Long.MAX_VALUE : created + lifespan;
  }

  private @Nullable String mediaType() {
    int bytesCount = mediaTypeLength();
    return bytesCount == 0
        ? null
        : new String(copy(mediaTypeStart(), mediaTypeStart() + bytesCount), StandardCharsets.UTF_8);
  }
}
