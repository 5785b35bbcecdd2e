package dev.isogrid.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads the records of one file in their order. For one thread. */
final class LogReader {
  /** Bytes that are read at once: large enough that a disk is read at its full speed. */
  private static final int CHUNK_BYTES = 1 << 18;

  private final DiskFile file;
  private final long number;
  private final int segments;

  /** Up to where it is read. */
  private long size;

  private ByteBuffer buffer = JournalLayout.view(new byte[CHUNK_BYTES]).limit(0);

  /** Where in the file the buffer begins. */
  private long bufferStart;

  private @Nullable String trouble;
  private final CRC32C crc = new CRC32C();
  private int part;
  private int parts = 1;

  /**
   * Begins behind the header.
   *
   * @param file read, not closed
   * @param size up to where it is read
   */
  LogReader(DiskFile file, FileHeader header, long size) {
    this.file = file;
    this.size = size;
    this.number = header.number();
    this.segments = header.scope().segments();
    this.bufferStart = header.length();
  }

  /**
   * Returns where the last byte of a file ends that is not 0, or the place to begin at. Zeros at
   * the end of a file are space that no record took.
   */
  static long contentEnd(DiskFile file, long from) throws IOException {
    long size = file.size();
    long end = from;
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
    for (long at = from; at < size; at += chunk.capacity()) {
      chunk.clear().limit((int) Math.min(chunk.capacity(), size - at));
      file.read(chunk, at);
      for (int i = 0; i < chunk.position(); i++) {
        end = chunk.get(i) == 0 ? end : at + i + 1;
      }
    }
    return end;
  }

  /** Goes on at a place where a record begins. */
  void skipTo(long offset) {
    bufferStart = offset;
    buffer.limit(0);
  }

  /** Returns up to where it is read. */
  long limit() {
    return size;
  }

  /** Reads up to a later place from now on. */
  void limit(long laterSize) {
    size = laterSize;
  }

  /** Returns where the next record begins, or the one that can't be read. */
  long offset() {
    return bufferStart + buffer.position();
  }

  /** Returns why {@link #next} returned false; null if it was the end of the file. */
  @Nullable String trouble() {
    return trouble;
  }

  /**
   * Moves a window to the next record, which is valid until the next call.
   *
   * @return false at the end, or at bytes that are no record
   */
  boolean next(JournalRecord record) throws IOException {
    trouble = null;
    if (offset() >= size) {
      return false;
    }
    int length = ensure(JournalLayout.RECORD_HEADER) ? lengthHere() : -1;
    if (length < 0 || !ensure(length)) {
      trouble = "a record that is cut off, or of an impossible length";
      return false;
    }
    trouble = checkHere(length);
    if (trouble != null) {
      return false;
    }
    record.setPlace(number, offset());
    record.point(buffer, buffer.position(), length);
    buffer.position(buffer.position() + length);
    return true;
  }

  /** Whether the next record is in memory, so that {@link #next} leaves those before it there. */
  boolean hasNextInMemory() {
    return buffer.remaining() >= JournalLayout.RECORD_HEADER
        && lengthHere() >= 0
        && buffer.remaining() >= lengthHere();
  }

  private int lengthHere() {
    int length = buffer.getInt(buffer.position() + JournalLayout.RECORD_LENGTH);
    return length >= JournalLayout.RECORD_HEADER && length <= size - offset() ? length : -1;
  }

  /** Checks the records of some segments only from now on; see {@link #isOf}. */
  void checkOnly(int ofPart, int ofParts) {
    part = ofPart;
    parts = ofParts;
  }

  /** Whether a segment is one of a part of all; those of the journal itself are of the first. */
  static boolean isOf(int segment, int part, int parts) {
    return Math.max(0, segment) % parts == part;
  }

  private @Nullable String checkHere(int length) {
    int at = buffer.position();
    if (!isOf(buffer.getInt(at + JournalLayout.RECORD_SEGMENT), part, parts)) {
      return null;
    }
    int from = JournalLayout.RECORD_LENGTH;
    crc.reset();
    crc.update(buffer.array(), buffer.arrayOffset() + at + from, length - from);
    return buffer.getInt(at + JournalLayout.RECORD_CRC) == (int) crc.getValue()
        ? JournalLayout.malformation(buffer, at, length, segments)
        : "a record with a wrong checksum";
  }

  /** Has so many bytes in the buffer from its position on; false if the file has not so many. */
  private boolean ensure(int bytes) throws IOException {
    if (buffer.remaining() >= bytes) {
      return true;
    }
    if (bytes > size - offset()) {
      return false;
    }
    bufferStart += buffer.position();
    if (bytes > buffer.capacity() || buffer.capacity() > CHUNK_BYTES) {
      buffer = JournalLayout.view(new byte[Math.max(bytes, CHUNK_BYTES)]);
    } else {
      buffer.clear();
    }
    buffer.limit((int) Math.min(buffer.capacity(), size - bufferStart));
    file.read(buffer, bufferStart);
    buffer.flip();
    return buffer.remaining() >= bytes;
  }

  /**
   * Goes on one byte further on, for a search behind bytes that are no record.
   *
   * @return false at the end of the file
   */
  boolean skipByte() throws IOException {
    if (!ensure(1)) {
      return false;
    }
    buffer.position(buffer.position() + 1);
    return offset() < size;
  }

  /**
   * Goes on to the next place where a record may be: its segment, kind and length are possible.
   *
   * @return false if there is none up to the end
   */
  boolean skipToCandidate() throws IOException {
    while (skipByte()) {
      if (!ensure(JournalLayout.RECORD_HEADER)) {
        return false;
      }
      int at = buffer.position();
      int segment = buffer.getInt(at + JournalLayout.RECORD_SEGMENT);
      byte kind = buffer.get(at + JournalLayout.RECORD_KIND);
      boolean isPossible =
          kind >= JournalLayout.PUT
              && kind <= JournalLayout.DROP
              && segment >= JournalLayout.NO_SEGMENT
              && segment < segments
              && lengthHere() >= 0;
      if (isPossible) {
        return true;
      }
    }
    return false;
  }
}
