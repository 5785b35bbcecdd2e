package dev.isogrid.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A put that is being made: the caller copies key and value into its bytes, and hands it to {@link
 * Journal#append(PutRecord, long)}. For one thread.
 */
public final class PutRecord {
  private static final byte[] NO_MEDIA_TYPE = {};

  private final int segment;
  private final byte[] bytes;
  private final int keyOffset;
  private final int valueOffset;
  private long replaced;

  /**
   * Makes room for an entry.
   *
   * @throws IllegalArgumentException if it is larger than a record can be
   */
  public PutRecord(
      int segment, long version, EntryAttributes attributes, int keyLength, int valueLength) {
    this.segment = segment;
    byte[] mediaType = mediaType(attributes);
    long length = length(attributes, keyLength, valueLength);
    if (length > Integer.MAX_VALUE - Long.BYTES) {
      throw new IllegalArgumentException("entry is too large for a journal: bytes=" + length);
    }
    bytes = JournalLayout.newPut((int) length, segment, version, keyLength);
    valueOffset = bytes.length - valueLength;
    keyOffset = valueOffset - keyLength;
    if (keyOffset > JournalLayout.PUT_FIXED || attributes.clientFlags() != 0) {
      add(attributes, mediaType);
    }
  }

  private void add(EntryAttributes attributes, byte[] mediaType) {
    ByteBuffer view = JournalLayout.view(bytes);
    view.putInt(JournalLayout.PUT_CLIENT_FLAGS, attributes.clientFlags())
        .putShort(JournalLayout.RECORD_MEDIA_TYPE_LENGTH, (short) mediaType.length);
    if (attributes.isMortal()) {
      view.put(JournalLayout.RECORD_FLAGS, JournalLayout.HAS_TIMES)
          .putLong(JournalLayout.PUT_CREATED, attributes.createdMillis())
          .putLong(JournalLayout.PUT_LIFESPAN, attributes.lifespanMillis())
          .putLong(JournalLayout.PUT_MAX_IDLE, attributes.maxIdleMillis());
    }
    view.put(keyOffset - mediaType.length, mediaType);
  }

  /** Returns the number of bytes that the record of an entry has. */
  public static long length(EntryAttributes attributes, int keyLength, int valueLength) {
    return JournalLayout.putBytes(
        keyLength, valueLength, attributes.isMortal(), mediaType(attributes).length);
  }

  private static byte[] mediaType(EntryAttributes attributes) {
    String text = attributes.mediaType();
    return text == null ? NO_MEDIA_TYPE : text.getBytes(StandardCharsets.UTF_8);
  }

  int segment() {
    return segment;
  }

  /** Notes that key, value and version are those of an earlier record, so that it is no change. */
  public void isAgain() {
    JournalLayout.addFlag(bytes, JournalLayout.IS_AGAIN);
  }

  /** Notes that the entry is one of several of a write; see {@link Journal#endTogether}. */
  public void isPart() {
    JournalLayout.addFlag(bytes, JournalLayout.IS_PART);
  }

  /**
   * Notes that the entry replaces the only one of its segment that ever had a version. No record of
   * that version counts any more, and none may be appended later.
   *
   * @param version of the entry before
   */
  public void replaces(long version) {
    replaced = version;
  }

  long replaced() {
    return replaced;
  }

  /** Returns the array that key and value are copied into. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns where the key begins. */
  public int keyOffset() {
    return keyOffset;
  }

  /** Returns where the value begins; it goes up to the end of the array. */
  public int valueOffset() {
    return valueOffset;
  }
}
