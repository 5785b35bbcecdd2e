package dev.isogrid.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.DuplexChannel;
import org.jspecify.annotations.Nullable;

/**
 * The way out of a connection: collects the replies to a batch of requests in one buffer, flushes
 * them together, and stops reading while the peer does not take what was sent. So a client that
 * sends requests and reads no replies costs a bounded amount of memory.
 *
 * <p>A protocol's handler uses it like this:
 *
 * <ul>
 *   <li>{@code channelRead}: keep the input; {@code while (gate.isOpen() && hasWholeRequest())}
 *       process it, appending the reply to {@link #buffer()};
 *   <li>{@code channelReadComplete}: {@link #flush()};
 *   <li>{@code channelWritabilityChanged}: if {@link #isOpen()}, process what input was kept, as in
 *       {@code channelRead}, then {@link #flush()}, which also starts reading again;
 *   <li>{@code handlerRemoved}: {@link #release()}.
 * </ul>
 *
 * <p>{@link #isOpen()} and {@link #flush()} may call {@code channelWritabilityChanged} before they
 * return, so ask whether there is input after {@code isOpen}, not before.
 *
 * <p>For one connection and its event loop only. Between batches it holds no memory.
 */
public final class OutputGate implements ReplyOutput {
  /**
   * Bytes of replies that are collected before they are sent: large enough to share system calls,
   * small enough that collecting does not use up the caches of the processor.
   */
  public static final int COLLECTED_MAX = 1 << 16;

  private static final int INITIAL_SIZE = 512;

  /**
   * The same for a client that has not logged in, and what may wait for it to be sent: a client
   * that does not take its replies must not cost more before a login.
   */
  private static final int STRANGER_COLLECTED_MAX = 4 << 10;

  private static final WriteBufferWaterMark STRANGER_MARK =
      new WriteBufferWaterMark(STRANGER_COLLECTED_MAX / 2, STRANGER_COLLECTED_MAX);

  private final ChannelHandlerContext context;
  private @Nullable ByteBuf collected;
  private int collectedMax = COLLECTED_MAX;

  /** What may wait to be sent to a client that has logged in; set while it has not. */
  private @Nullable WriteBufferWaterMark usualMark;

  /**
   * Creates the gate of a connection.
   *
   * @param context of the handler that produces the replies; what is written starts from there
   */
  public OutputGate(ChannelHandlerContext context) {
    this.context = context;
  }

  @Override
  public ByteBuf buffer() {
    ByteBuf buffer = collected;
    if (buffer == null) {
      buffer = context.alloc().ioBuffer(INITIAL_SIZE);
      collected = buffer;
    }
    return buffer;
  }

  /**
   * Bounds what the client can make the server keep of replies. Cheap if nothing has changed.
   *
   * @param isStranger whether the client has to log in and has not
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
   * Whether one more request may be processed. Passes on what is collected if that is much. When
   * this is false, keep the input and wait for {@code channelWritabilityChanged}.
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
    ByteBuf buffer = collected;
    if (buffer != null) {
      collected = null;
      context.write(buffer, context.voidPromise());
    }
    context.write(part, context.voidPromise());
  }

  /** Sends what is collected, and reads on if and only if the peer keeps up with it. */
  public void flush() {
    flush(true);
  }

  /**
   * Sends what is collected.
   *
   * @param hasRoom whether to read on if the peer keeps up with it; if not, nothing is read
   */
  public void flush(boolean hasRoom) {
    send();
    Channel channel = context.channel();
    boolean reads = hasRoom && channel.isWritable();
    if (canRead(channel) && channel.config().isAutoRead() != reads) {
      channel.config().setAutoRead(reads);
    }
  }

  /** False if the peer has ended its side: asking epoll for its input fails then. */
  private static boolean canRead(Channel channel) {
    return channel.isActive()
        && !(channel instanceof DuplexChannel duplex && duplex.isInputShutdown());
  }

  private void send() {
    ByteBuf buffer = collected;
    if (buffer != null) {
      collected = null;
      context.write(buffer, context.voidPromise());
    }
    context.flush();
  }

  /** Drops what is collected. Calling it twice is harmless. */
  public void release() {
    ByteBuf buffer = collected;
    collected = null;
    if (buffer != null) {
      buffer.release();
    }
  }
}
