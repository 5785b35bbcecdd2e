package dev.isogrid.journal;

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

  JournalRecord() {}

  /** Moves the window. */
  void point(ByteBuffer bytes, int start, int length) {
    this.bytes = bytes;
    this.start = start;
    this.length = length;
  }

  byte kind() {
    return bytes.get(start + JournalLayout.RECORD_KIND);
  }

  long sequence() {
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

  /** Returns the number of bytes of the record. */
  public int length() {
    return length;
  }

  /** Returns the version of the entry. Not for a clear. */
  public long version() {
    return bytes.getLong(start + JournalLayout.ENTRY_VERSION);
  }

  /** Returns the key in a new array. Not for a clear. */
  public byte[] key() {
    int from = keyStart();
    int to =
        kind() == JournalLayout.PUT
            ? from + bytes.getInt(start + JournalLayout.PUT_KEY_LENGTH)
            : start + length;
    return copy(from, to);
  }

  /** Returns the value in a new array. Only for a put. */
  public byte[] value() {
    int from = keyStart() + bytes.getInt(start + JournalLayout.PUT_KEY_LENGTH);
    return copy(from, start + length);
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

  private @Nullable String mediaType() {
    int bytesCount = mediaTypeLength();
    return bytesCount == 0
        ? null
        : new String(copy(mediaTypeStart(), mediaTypeStart() + bytesCount), StandardCharsets.UTF_8);
  }
}
