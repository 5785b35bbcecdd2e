package dev.isogrid.server.hotrod;

import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.MediaTypes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;

/** Appends the primitives of the protocol to a buffer. Stateless. See {@link WireReader}. */
final class WireWriter {
  /** The most bytes of a vInt. */
  static final int VINT_SIZE_MAX = 5;

  private WireWriter() {}

  static void vInt(ByteBuf out, int number) {
    int rest = number;
    while ((rest & ~0x7F) != 0) {
      out.writeByte((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    out.writeByte(rest);
  }

  /** The bytes that a vInt takes. */
  static int vIntSize(int number) {
    int size = 1;
    for (int rest = number >>> 7; rest != 0; rest >>>= 7) {
      size++;
    }
    return size;
  }

  static void vLong(ByteBuf out, long number) {
    long rest = number;
    while ((rest & ~0x7FL) != 0) {
      out.writeByte(((int) rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    out.writeByte((int) rest);
  }

  static void bytes(ByteBuf out, byte[] bytes) {
    vInt(out, bytes.length);
    out.writeBytes(bytes);
  }

  static void string(ByteBuf out, String text) {
    vInt(out, ByteBufUtil.utf8Bytes(text));
    ByteBufUtil.writeUtf8(out, text);
  }

  /**
   * Writes a media type without parameters, which not all clients can read. Null, or a type without
   * a number, is written as "none".
   */
  static void mediaType(ByteBuf out, @Nullable String mediaType) {
    int id = mediaType == null ? 0 : MediaTypes.idOf(mediaType);
    if (id == 0) {
      out.writeByte(HotRod.MEDIA_NONE);
      return;
    }
    out.writeByte(HotRod.MEDIA_PREDEFINED);
    vInt(out, id);
    vInt(out, 0);
  }
}
