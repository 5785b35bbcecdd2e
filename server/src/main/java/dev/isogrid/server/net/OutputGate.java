package dev.isogrid.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
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

  private final ChannelHandlerContext context;
  private @Nullable ByteBuf collected;

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
   * Whether one more request may be processed. Passes on what is collected if that is much. When
   * this is false, keep the input and wait for {@code channelWritabilityChanged}.
   */
  public boolean isOpen() {
    ByteBuf buffer = collected;
    if (buffer != null && buffer.readableBytes() >= COLLECTED_MAX) {
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
