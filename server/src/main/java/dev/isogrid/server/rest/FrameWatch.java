package dev.isogrid.server.rest;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Follows the frames of an HTTP/2 connection as they arrive, and knows whether a frame, or a head
 * of several frames, is incomplete. Passes all bytes on. For one connection.
 */
final class FrameWatch extends ChannelInboundHandlerAdapter {
  /** The bytes that a client sends before its first frame. */
  private static final int PREFACE_SIZE = 24;

  private static final int FRAME_HEAD_SIZE = 9;
  private static final int TYPE_AT = 3;
  private static final int FLAGS_AT = 4;
  private static final int STREAM_AT = 5;
  private static final int HEADERS = 1;
  private static final int CONTINUATION = 9;
  private static final int END_HEADERS = 4;

  private final byte[] head = new byte[FRAME_HEAD_SIZE];

  /** The received bytes of {@link #head}. */
  private int headSize;

  /** The missing bytes of the preface or of the current frame's payload. */
  private int left = PREFACE_SIZE;

  private int streamId;

  /** The received bytes of the current payload. */
  private int arrived;

  /** Whether the head of a request continues in the next frame. */
  private boolean headGoesOn;

  private long bytesRead;

  /** The number of received bytes. */
  long bytesRead() {
    return bytesRead;
  }

  /** Whether a frame, or the head of a request, is incomplete. */
  boolean isUnfinished() {
    return left > 0 || headSize > 0 || headGoesOn;
  }

  /** The stream of the incomplete frame; 0 if there is none. */
  int unfinishedStream() {
    return left > 0 ? streamId : 0;
  }

  /** The received bytes of that frame. */
  int arrived() {
    return left > 0 ? arrived : 0;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof ByteBuf bytes) {
      bytesRead += bytes.readableBytes();
      follow(bytes);
    }
    context.fireChannelRead(message);
  }

  private void follow(ByteBuf bytes) {
    int at = bytes.readerIndex();
    while (at < bytes.writerIndex()) {
      if (left > 0) {
        int skipped = Math.min(left, bytes.writerIndex() - at);
        left -= skipped;
        arrived += skipped;
        at += skipped;
      } else {
        head[headSize++] = bytes.getByte(at++);
        if (headSize == FRAME_HEAD_SIZE) {
          beginFrame();
        }
      }
    }
  }

  private void beginFrame() {
    headSize = 0;
    arrived = 0;
    left = (head[0] & 0xff) << 16 | (head[1] & 0xff) << 8 | (head[2] & 0xff);
    streamId =
        (head[STREAM_AT] & 0x7f) << 24
            | (head[STREAM_AT + 1] & 0xff) << 16
            | (head[STREAM_AT + 2] & 0xff) << 8
            | (head[STREAM_AT + 3] & 0xff);
    int type = head[TYPE_AT];
    if (type == HEADERS || type == CONTINUATION) {
      headGoesOn = (head[FLAGS_AT] & END_HEADERS) == 0;
    }
  }
}
