package dev.isogrid.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.DuplexChannel;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The output of a connection: collects the replies to a batch of requests in one buffer, flushes
 * them together, and stops reading while the peer does not take them. So a client that sends
 * requests and reads no replies costs a bounded amount of memory.
 *
 * <p>A protocol's handler uses it like this:
 *
 * <ul>
 *   <li>{@code channelRead}: keep the input; {@code while (gate.isOpen() && hasWholeRequest())}
 *       process it, appending the reply to {@link #buffer()};
 *   <li>{@code channelReadComplete}: {@link #flush()};
 *   <li>{@code channelWritabilityChanged}: if {@link #isOpen()}, process the kept input, as in
 *       {@code channelRead}, then {@link #flush()}, which also starts reading again;
 *   <li>{@code handlerRemoved}: {@link #release()}.
 * </ul>
 *
 * <p>{@link #isOpen()} and {@link #flush()} may call {@code channelWritabilityChanged} before they
 * return, so check for input after {@code isOpen}, not before.
 *
 * <p>For one connection and its event loop only. Between batches it holds no memory.
 */
public final class OutputGate implements ReplyOutput {
  /**
   * The bytes of replies that are collected before they are sent: enough to share system calls, and
   * few enough for the caches of the processor.
   */
  public static final int COLLECTED_MAX = 1 << 16;

  /** The expected size before the first batch, and the least later on. */
  private static final int EXPECTED_SIZE_MIN = 512;

  /** The reserve of an expected size, an eighth, since batches differ. */
  private static final int SPARE_SHIFT = 3;

  /**
   * The part of an excessive expectation that each batch removes, a quarter. So a client that sends
   * large and small batches in turns does not keep much more memory than it fills.
   */
  private static final int FORGET_SHIFT = 2;

  /**
   * The same for a client without a login, and the limit of its unsent output: such a client must
   * not cost more.
   */
  private static final int STRANGER_COLLECTED_MAX = 4 << 10;

  private static final WriteBufferWaterMark STRANGER_MARK =
      new WriteBufferWaterMark(STRANGER_COLLECTED_MAX / 2, STRANGER_COLLECTED_MAX);

  private final ChannelHandlerContext context;
  private @Nullable ByteBuf collected;

  /** The approximate bytes of the next batch's replies: a buffer that grows costs copies. */
  private int expectedSize = EXPECTED_SIZE_MIN;

  private int collectedMax = COLLECTED_MAX;

  /** The usual limit of unsent output, for clients with a login; set while the client has none. */
  private @Nullable WriteBufferWaterMark usualMark;

  /**
   * Creates the gate of a connection.
   *
   * @param context of the handler that produces the replies; writes start from there
   */
  public OutputGate(ChannelHandlerContext context) {
    this.context = context;
  }

  @Override
  public ByteBuf buffer() {
    ByteBuf buffer = collected;
    if (buffer == null) {
      buffer = context.alloc().ioBuffer(expectedSize);
      collected = buffer;
    }
    return buffer;
  }

  /**
   * Sets the limit of replies that the server keeps for the client. Cheap if nothing has changed.
   *
   * @param isStranger whether the client must log in and has not
   */
  public void limit(boolean isStranger) {
    WriteBufferWaterMark usual = usualMark;
    if (isStranger == (usual != null)) {
      return;
    }
    ChannelConfig config = context.channel().config();
    if (usual == null) {
      usualMark = config.getWriteBufferWaterMark();
      collectedMax = STRANGER_COLLECTED_MAX;
      config.setWriteBufferWaterMark(STRANGER_MARK);
    } else {
      usualMark = null;
      collectedMax = COLLECTED_MAX;
      config.setWriteBufferWaterMark(usual);
    }
  }

  /**
   * Whether one more request may be processed. Passes on the collected replies if they are large.
   * If this is false, keep the input and wait for {@code channelWritabilityChanged}.
   */
  public boolean isOpen() {
    ByteBuf buffer = collected;
    if (buffer != null && buffer.readableBytes() >= collectedMax) {
      send();
    }
    return context.channel().isWritable();
  }

  @Override
  public void write(ByteBuf part) {
    writeCollected();
    context.write(part, context.voidPromise());
  }

  private void writeCollected() {
    ByteBuf buffer = collected;
    if (buffer != null) {
      collected = null;
      expect(buffer.readableBytes());
      context.write(buffer, context.voidPromise());
    }
  }

  /** Updates the expectation by the size of a batch. */
  private void expect(int size) {
    int next = Math.max(EXPECTED_SIZE_MIN, size + (size >> SPARE_SHIFT));
    int tooMuch = expectedSize - next;
    expectedSize = tooMuch < 0 ? next : expectedSize - (tooMuch >> FORGET_SHIFT);
  }

  /** Sends the collected replies, and reads on if and only if the peer keeps up with them. */
  public void flush() {
    flush(OutputGate::always);
  }

  private static boolean always() {
    return true;
  }

  /**
   * Sends the collected replies.
   *
   * @param hasRoom returns whether to read on if the peer keeps up with them; if not, nothing is
   *     read. Asked once they are sent, since that may call {@code channelWritabilityChanged},
   *     which makes room.
   */
  public void flush(BooleanSupplier hasRoom) {
    send();
    Channel channel = context.channel();
    boolean reads = hasRoom.getAsBoolean() && channel.isWritable();
    if (canRead(channel) && channel.config().isAutoRead() != reads) {
      channel.config().setAutoRead(reads);
    }
  }

  /**
   * Whether the channel can be read: false if the peer has ended its side, since then epoll fails.
   */
  private static boolean canRead(Channel channel) {
    return channel.isActive()
        && !(channel instanceof DuplexChannel duplex && duplex.isInputShutdown());
  }

  private void send() {
    writeCollected();
    context.flush();
  }

  /** Drops the collected replies. Calling it twice is harmless. */
  public void release() {
    ByteBuf buffer = collected;
    collected = null;
    if (buffer != null) {
      buffer.release();
    }
  }
}
