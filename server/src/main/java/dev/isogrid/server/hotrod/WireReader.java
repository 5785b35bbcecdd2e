package dev.isogrid.server.hotrod;

import dev.isogrid.wire.Statuses;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Reads the primitives of the protocol one after the other from the received part of a request.
 * Reusable; for one connection. Allocates nothing.
 *
 * <p>If the bytes end too early, that method and all that are called afterwards return 0, and
 * {@link #isIncomplete()} is true: so the code that reads a request needs no test after each field,
 * only in its loops.
 *
 * <pre>
 * vInt, vLong   7 bits per byte, low ones first; bit 7 says that more follow; 5 and 9 bytes at most
 * sInt          a vInt with the sign in the lowest bit
 * i32, i64      4 and 8 bytes, high ones first
 * bytes         vInt length, then the bytes
 * optional      sInt length, then the bytes; -1 for none
 * </pre>
 */
final class WireReader {
  /** A vInt of 5 bytes has 4 bits in the last one. */
  private static final int VINT_LAST_SHIFT = 28;

  private static final int VINT_LAST_MAX = 0x0F;

  /**
   * A vLong of 9 bytes holds 63 bits; a negative one, which no client sends, would need another
   * byte.
   */
  private static final int VLONG_LAST_SHIFT = 56;

  private final int requestSizeMax;
  private ByteBuf in = Unpooled.EMPTY_BUFFER;
  private int start;
  private int position;
  private int end;
  private boolean incomplete;

  /**
   * Creates a reader.
   *
   * @param requestSizeMax the most bytes of a request
   */
  WireReader(int requestSizeMax) {
    this.requestSizeMax = requestSizeMax;
  }

  /** Begins at the first readable byte of a buffer, borrowed; its reader index stays unchanged. */
  void begin(ByteBuf buffer) {
    in = buffer;
    start = buffer.readerIndex();
    position = start;
    end = buffer.writerIndex();
    incomplete = false;
  }

  /** Whether the bytes ended before the request did. */
  boolean isIncomplete() {
    return incomplete;
  }

  /** The index in the buffer of the next byte. */
  int position() {
    return position;
  }

  /**
   * Goes to an index that {@link #position()} returned for this request, maybe in an earlier try.
   */
  void goTo(int offset) {
    position = start + offset;
  }

  /** The bytes of the request read so far. */
  int offset() {
    return position - start;
  }

  private void lack(long size) {
    if (size > requestSizeMax) {
      throw tooLarge(size);
    }
    incomplete = true;
    position = end;
  }

  private MalformedRequest tooLarge(long size) {
    return new MalformedRequest(
        Statuses.PARSE_ERROR,
        "request too large: size=%d or more, limit=%d; send smaller values or fewer at once"
            .formatted(size, requestSizeMax));
  }

  /** An unsigned byte. */
  int u8() {
    if (position >= end) {
      lack(offset() + 1L);
      return 0;
    }
    return in.getByte(position++) & 0xFF;
  }

  /** A vInt: 32 bits of any sign. */
  int vInt() {
    int first = u8();
    return first < 0x80 ? first : vIntRest(first & 0x7F);
  }

  private int vIntRest(int first) {
    int number = first;
    for (int shift = 7; shift <= VINT_LAST_SHIFT; shift += 7) {
      int next = u8();
      if (shift == VINT_LAST_SHIFT && next > VINT_LAST_MAX) {
        throw new MalformedRequest(Statuses.PARSE_ERROR, "number of more than 32 bits");
      }
      number |= (next & 0x7F) << shift;
      if (next < 0x80) {
        return number;
      }
    }
    return number;
  }

  /** A vInt with the sign in its lowest bit. */
  int sInt() {
    int coded = vInt();
    return coded >>> 1 ^ -(coded & 1);
  }

  /** A vLong of 0 or more. */
  long vLong() {
    long number = 0;
    for (int shift = 0; shift <= VLONG_LAST_SHIFT; shift += 7) {
      int next = u8();
      number |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        return number;
      }
    }
    throw new MalformedRequest(Statuses.PARSE_ERROR, "number of more than 63 bits");
  }

  /** A number of 8 bytes. */
  long i64() {
    int at = skip(Long.BYTES);
    return incomplete ? 0 : in.getLong(at);
  }

  /** A number of 4 bytes. */
  int i32() {
    int at = skip(Integer.BYTES);
    return incomplete ? 0 : in.getInt(at);
  }

  /** A length: a vInt of 0 or more. */
  int length() {
    int length = vInt();
    if (length < 0) {
      throw new MalformedRequest(Statuses.PARSE_ERROR, "negative length: length=" + length);
    }
    return length;
  }

  /** The length of an optional field: -1 if it is missing, otherwise 0 or more. */
  int optionalLength() {
    int length = sInt();
    if (length < -1) {
      throw new MalformedRequest(Statuses.PARSE_ERROR, "negative length: length=" + length);
    }
    return length;
  }

  /**
   * Skips bytes.
   *
   * @param length their number, 0 or more
   * @return the index in the buffer of the first one
   */
  int skip(int length) {
    int at = position;
    long size = (long) offset() + length;
    if (size > requestSizeMax) {
      throw tooLarge(size);
    }
    if (length > end - position) {
      lack(size);
      return at;
    }
    position += length;
    return at;
  }

  /** Skips a length and as many bytes. */
  void skipBytes() {
    skip(length());
  }
}
