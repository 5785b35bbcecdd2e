package dev.isogrid.structure;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The format of a file of counters, and the content of such a file.
 *
 * @param counters the current states, by the counters' names; mutable
 * @param damagedBytes the number of bytes that are not records and can't come from an interrupted
 *     write
 * @param tornBytes the number of bytes that an interrupted write left at the end
 */
record CounterRecords(Map<String, CounterState> counters, int damagedBytes, int tornBytes) {
  /*
   * The file is MAGIC and then records; the latest record of a name counts:
   *
   *   body length 4, CRC-32C of the body 4, body:
   *   name length 2, name in UTF-8, and if the counter exists its state as in CounterBucket
   *
   * Numbers have their high bytes first. Records are only appended, so a killed process leaves at
   * most its last record incomplete, which was not acknowledged: reading ends there. After a power
   * failure, zeros can be there instead.
   *
   * Any other bytes are damage. Reading then continues with the next record that has its checksum,
   * wherever that begins. A counter whose latest record is lost has the state of the previous one,
   * or comes back if it was removed. A record can be mistaken only if a counter's name looks like
   * one, checksum included, and the record around that name is the damaged one.
   */
  static final byte[] MAGIC = "isogrid counters 1\n".getBytes(StandardCharsets.US_ASCII);

  private static final int HEAD_BYTES = 2 * Integer.BYTES;
  private static final int BODY_BYTES_MAX = Short.BYTES + 0xFFFF + CounterBucket.STATE_BYTES;

  /**
   * Reads a file.
   *
   * @throws IOException if it has another format
   */
  static CounterRecords read(byte[] file) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(file);
    byte[] magic = new byte[Math.min(MAGIC.length, in.remaining())];
    in.get(magic);
    if (!Arrays.equals(magic, MAGIC)) {
      throw new IOException("not a file of counters");
    }
    Map<String, CounterState> counters = new TreeMap<>();
    int damagedBytes = 0;
    while (in.hasRemaining()) {
      if (readRecord(in, counters)) {
        continue;
      }
      int start = in.position();
      boolean isTorn = isTorn(in);
      boolean isFound = false;
      while (in.hasRemaining() && !isFound) {
        in.get();
        isFound = bodyBytes(in) >= 0;
      }
      if (!isFound && isTorn) {
        return new CounterRecords(counters, damagedBytes, in.limit() - start);
      }
      damagedBytes += in.position() - start;
    }
    return new CounterRecords(counters, damagedBytes, 0);
  }

  /** Whether the remaining bytes can come from an interrupted write. */
  private static boolean isTorn(ByteBuffer in) {
    if (in.remaining() < HEAD_BYTES) {
      return true;
    }
    int length = in.getInt(in.position());
    boolean isCut = length <= BODY_BYTES_MAX && length > in.remaining() - HEAD_BYTES;
    return isCut || in.slice().mismatch(ByteBuffer.allocate(in.remaining())) < 0;
  }

  /** The length of the body of the record at the position, or -1 if there is none. */
  private static int bodyBytes(ByteBuffer in) {
    int start = in.position();
    if (in.remaining() < HEAD_BYTES + Short.BYTES) {
      return -1;
    }
    int length = in.getInt(start);
    int name = Short.BYTES + Short.toUnsignedInt(in.getShort(start + HEAD_BYTES));
    boolean isPlausible =
        (length == name || length == name + CounterBucket.STATE_BYTES)
            && length <= in.remaining() - HEAD_BYTES;
    boolean isWhole =
        isPlausible
            && checksum(in.slice(start + HEAD_BYTES, length)) == in.getInt(start + Integer.BYTES);
    return isWhole ? length : -1;
  }

  /** Reads a record if there is a complete one; otherwise changes nothing. */
  private static boolean readRecord(ByteBuffer in, Map<String, CounterState> counters)
      throws IOException {
    int length = bodyBytes(in);
    if (length < 0) {
      return false;
    }
    ByteBuffer body = in.slice(in.position() + HEAD_BYTES, length);
    byte[] name = new byte[Short.toUnsignedInt(body.getShort())];
    body.get(name);
    String text = new String(name, StandardCharsets.UTF_8);
    try {
      if (body.hasRemaining()) {
        counters.put(text, CounterBucket.counter(body));
      } else {
        counters.remove(text);
      }
    } catch (RuntimeException malformed) { // states fail in many ways
      throw new IOException(
          "record of another version at offset " + in.position() + ", " + malformed, malformed);
    }
    in.position(in.position() + HEAD_BYTES + length);
    return true;
  }

  private static int checksum(ByteBuffer body) {
    CRC32C checksum = new CRC32C();
    checksum.update(body);
    return (int) checksum.getValue();
  }

  /** The length of a record; the state is null for a removed counter. */
  static int bytes(String name, @Nullable CounterState state) {
    int nameBytes = name.getBytes(StandardCharsets.UTF_8).length;
    return HEAD_BYTES + Short.BYTES + nameBytes + (state == null ? 0 : CounterBucket.STATE_BYTES);
  }

  /** Appends a record. */
  static void put(ByteBuffer out, String name, @Nullable CounterState state) {
    int start = out.position();
    out.position(start + HEAD_BYTES);
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    out.putShort((short) utf8.length).put(utf8);
    if (state != null) {
      CounterBucket.put(out, state);
    }
    int length = out.position() - start - HEAD_BYTES;
    out.putInt(start, length);
    out.putInt(start + Integer.BYTES, checksum(out.slice(start + HEAD_BYTES, length)));
  }
}
