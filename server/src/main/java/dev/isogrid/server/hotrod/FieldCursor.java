package dev.isogrid.server.hotrod;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Walks through a list of bytes, each after its length, that was validated before. For one
 * connection.
 */
final class FieldCursor {
  private ByteBuf in = Unpooled.EMPTY_BUFFER;
  private int position;

  /** Goes to the beginning of a request's list. */
  void begin(Request request) {
    begin(request.in, request.listIndex);
  }

  /** Goes to the beginning of a list. */
  void begin(ByteBuf in, int index) {
    this.in = in;
    this.position = index;
  }

  /** The index in the buffer of the next field, including its length. */
  int position() {
    return position;
  }

  /** Goes to an index that {@link #position()} returned. */
  void goTo(int index) {
    position = index;
  }

  /** Passes over a field. */
  void next(Request.Range field) {
    int length = 0;
    for (int shift = 0; ; shift += 7) {
      byte group = in.getByte(position++);
      length |= (group & 0x7F) << shift;
      if (group >= 0) {
        field.set(position, length);
        position += length;
        return;
      }
    }
  }
}
