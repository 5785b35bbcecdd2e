package dev.isogrid.cluster;

import dev.isogrid.codec.ByteString;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes bytes of frames, one after the other, in room that it uses again. For the event loop only.
 */
final class FrameEncoder {
  private final MessageCodec codec;
  private final MessageWriter scratch = new MessageWriter();
  private byte[] array = {};

  /** The bytes in the array. */
  private int length;

  /** The rest of the frame behind them, or null. */
  private @Nullable ByteString tail;

  // written by: the thread that opens the transport, before there are messages
  private volatile BiConsumer<Message, Throwable> whenFailed = (_, _) -> {};

  /** Encodes nothing yet. */
  FrameEncoder(MessageCodec codec) {
    this.codec = codec;
  }

  /**
   * Sets the receiver of failures to encode a message; called before there are any.
   *
   * @param listener gets the message and why; must not throw
   */
  void whenFailed(BiConsumer<Message, Throwable> listener) {
    whenFailed = listener;
  }

  /** Makes the bytes of a frame; returns false if that failed, which is reported then. */
  boolean encode(Frame frame) {
    byte[] known = frame.bytes();
    Message message = frame.message();
    if (known != null || message == null) {
      take(known == null ? new byte[0] : known);
      return true;
    }
    scratch.clear();
    try {
      codec.encode(message, scratch);
    } catch (Throwable failure) { // tidy: it is reported, and the other frames have to go on
      whenFailed.accept(message, failure);
      return false;
    }
    array = scratch.array();
    length = scratch.length();
    tail = scratch.tail();
    if (frame.isShared()) {
      frame.keep(tail == null ? Arrays.copyOf(array, length) : scratch.toByteArray());
    }
    return true;
  }

  private void take(byte[] bytes) {
    array = bytes;
    length = bytes.length;
    tail = null;
  }

  /** The number of bytes of the last frame. */
  int length() {
    return tail == null ? length : length + tail.length();
  }

  /**
   * Writes the last frame behind its length, as {@link LinkFrames} reads it. To be called at most
   * once for each.
   */
  void writeTo(ByteBuf out) {
    out.writeInt(length()).writeBytes(array, 0, length);
    ByteString last = tail;
    if (last != null) {
      out.writeBytes(last.sharedArray(), last.sharedFrom(), last.length());
      tail = null;
      scratch.clear(); // it need not live as long as this
    }
  }
}
