package dev.isogrid.server.hotrod;

import dev.isogrid.engine.ClientOperation;
import dev.isogrid.wire.SessionExtension;
import dev.isogrid.wire.Statuses;
import io.netty.buffer.ByteBuf;

/** The session of the client in a request, in the form of {@link SessionExtension}. Reusable. */
final class SessionField {
  private static final int VLONG_BITS = 7;
  private static final int MORE = 0x80;

  /** The operation's number, 1 or more; 0 if the request has no session. */
  long number;

  /** The number up to which the client needs no answers any more, below the operation's number. */
  long doneUpTo;

  /** The time since the client began it, or {@link ClientOperation#FIRST}. */
  long ageMillis = ClientOperation.FIRST;

  /** Whether the request has the two halves of the session's id. */
  boolean hasId;

  long idHigh;
  long idLow;

  private int position;
  private int end;

  /** Sets the field to no session. */
  void clear() {
    number = 0;
    hasId = false;
    ageMillis = ClientOperation.FIRST;
  }

  /** Whether the client sent the operation before. */
  boolean isRepeated() {
    return ageMillis != ClientOperation.FIRST;
  }

  /**
   * Reads the field.
   *
   * @throws MalformedRequest if it is not a session
   */
  void read(ByteBuf in, int index, int length) {
    position = index;
    end = index + length;
    int kind = length == 0 ? 0 : in.getByte(position++);
    hasId = (kind & SessionExtension.ID) != 0;
    if (hasId) {
      if (end - position < SessionExtension.ID_SIZE) {
        throw malformed(length);
      }
      idHigh = in.getLong(position);
      idLow = in.getLong(position + Long.BYTES);
      position += SessionExtension.ID_SIZE;
    }
    long ofOperation = vLong(in, length);
    long behind = vLong(in, length);
    ageMillis = (kind & SessionExtension.REPEATED) != 0 ? vLong(in, length) : ClientOperation.FIRST;
    if (ofOperation < 1 || behind < 1 || behind > ofOperation || position != end) {
      throw malformed(length);
    }
    number = ofOperation;
    doneUpTo = ofOperation - behind;
  }

  private long vLong(ByteBuf in, int length) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE - 1; shift += VLONG_BITS) {
      if (position >= end) {
        throw malformed(length);
      }
      int next = in.getByte(position++);
      value |= (long) (next & (MORE - 1)) << shift;
      if ((next & MORE) == 0) {
        return value;
      }
    }
    throw malformed(length);
  }

  private static MalformedRequest malformed(int length) {
    return new MalformedRequest(
        Statuses.PARSE_ERROR, "malformed session in the header: length=%d".formatted(length));
  }
}
