package dev.isogrid.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.codec.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

class FrameEncoderTest {
  /** A message that may end in bytes that are not copied. */
  private record Ending(int number, ByteString last) implements Message {
    @Override
    public int epoch() {
      return 0;
    }
  }

  /** Writes a number, and bytes if there are some. */
  private static final class Codec extends EncodingCodec {
    @Override
    void write(Message message, MessageWriter out) {
      Ending ending = (Ending) message;
      out.putInt(ending.number);
      if (ending.last.length() > 0) {
        out.putLastBytes(ending.last);
      }
    }
  }

  private final Codec codec = new Codec();
  private final FrameEncoder encoder = new FrameEncoder(codec);
  private final Ending small = new Ending(7, ByteString.of(new byte[0]));

  private static Ending large() {
    byte[] array = new byte[300_000];
    array[100] = 1;
    array[299_998] = 2;
    return new Ending(9, ByteString.of(array, 100, 299_899));
  }

  private void check(Frame frame, Ending message) {
    byte[] expected = codec.encode(message);
    assertTrue(encoder.encode(frame));
    assertEquals(expected.length, encoder.length());
    ByteBuf out = Unpooled.buffer();
    encoder.writeTo(out);
    assertEquals(expected.length, out.readInt());
    assertArrayEquals(expected, ByteBufUtil.getBytes(out));
  }

  @Test
  void frames_withAndWithoutLastBytes_areWhatTheCodecWrites() {
    byte[] whole = codec.encode(large());
    assertEquals(8 + 299_899, whole.length);
    assertEquals(1, whole[8]);
    assertEquals(2, whole[whole.length - 1]);
    check(Frame.of(small, 4), small);
    check(Frame.of(large(), 300_000), large());
    check(Frame.of(small, 4), small);
  }

  @Test
  void frame_forSeveralNodes_keepsItsLastBytes() {
    Frame shared = Frame.of(large(), 300_000);
    shared.share();
    check(shared, large());
    check(Frame.of(small, 4), small);
    int before = codec.encoded;
    check(shared, large());
    assertEquals(before + 1, codec.encoded, "by the check alone");
  }

  @Test
  void lastBytes_thatAreTooLong_areRefused() {
    MessageWriter out = new MessageWriter();
    ByteString tooLong = ByteString.of(new byte[MessageLayout.MESSAGE_BYTES_MAX]);
    assertThrows(IllegalArgumentException.class, () -> out.putLastBytes(tooLong));
  }
}
