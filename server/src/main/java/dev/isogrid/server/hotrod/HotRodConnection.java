package dev.isogrid.server.hotrod;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.server.net.OutputGate;
import dev.isogrid.server.net.ServerContext;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.EventExecutor;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One Hot Rod connection: keeps what came in until it makes a whole request, and lets the {@link
 * Session} execute one request after the other. For its event loop only.
 */
final class HotRodConnection extends ChannelInboundHandlerAdapter {
  /*
   * Memory. What is kept of the input is at most one request that is not complete, which the
   * decoder bounds by the content length, and what one round of reading brought in. Nothing more is
   * read while the client does not take its replies, which the gate sees to, or while a request is
   * executed aside.
   *
   * Order. Replies leave in the order of the requests: those after a request that is executed aside
   * wait for it.
   *
   * End. After bytes that are no request there is no telling where the next one begins: the answer
   * is sent, what still arrives is dropped, and a little later the connection is closed. Closing at
   * once, with input unread, would make the client's system discard the answer.
   */

  /** The time for the last answer to arrive. */
  static final int FAREWELL_SECONDS = 2;

  /** The smallest buffer for a request that came in pieces. */
  private static final int INPUT_SIZE_MIN = 1024;

  private final ServerContext context;

  /** Set once the handler is in its pipeline. */
  private @Nullable ChannelHandlerContext channel;

  private @Nullable OutputGate gate;
  private @Nullable Session session;

  private @Nullable ByteBuf input;

  /** Whether requests are executed just now, further up in the stack. */
  private boolean busy;

  /** Whether a request is executed aside. */
  private boolean waiting;

  /** Whether nothing that arrives is looked at any more. */
  private boolean closing;

  /** Whether the client sends nothing more, and nobody else was told so yet. */
  private boolean endHeld;

  HotRodConnection(ServerContext context) {
    this.context = context;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext channel) {
    OutputGate gate = new OutputGate(channel);
    this.channel = channel;
    this.gate = gate;
    this.session = new Session(context, channel, gate, this::aside);
  }

  private ChannelHandlerContext channel() {
    return Objects.requireNonNull(channel);
  }

  private OutputGate gate() {
    return Objects.requireNonNull(gate);
  }

  private Session session() {
    return Objects.requireNonNull(session);
  }

  @Override
  public void channelRead(ChannelHandlerContext channel, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      channel.fireChannelRead(message);
      return;
    }
    if (closing) {
      bytes.release();
      return;
    }
    ByteBuf before = input;
    input = before == null ? bytes : joined(before, bytes);
    execute();
  }

  /** Both buffers in one; takes both. Grows twofold, so that all copying is linear. */
  private ByteBuf joined(ByteBuf before, ByteBuf more) {
    int size = before.readableBytes() + more.readableBytes();
    ByteBuf joined = before;
    if (before.refCnt() > 1
        || before.isReadOnly()
        || before.writableBytes() < more.readableBytes()) {
      joined = channel().alloc().ioBuffer(Math.max(INPUT_SIZE_MIN, 2 * size));
      joined.writeBytes(before);
      before.release();
    }
    joined.writeBytes(more);
    more.release();
    return joined;
  }

  /** Executes what requests are complete, as long as the client takes the replies. */
  private void execute() {
    if (busy || waiting || closing) {
      return;
    }
    busy = true;
    try {
      ByteBuf in = input;
      while (in != null && !waiting && gate().isOpen() && session().step(in)) {
        // the condition does it all
      }
    } catch (MalformedRequest malformed) {
      session().refuse(malformed);
      farewell(malformed);
    } finally {
      busy = false;
    }
    if (input != null && !input.isReadable()) {
      dropInput();
    }
  }

  private void dropInput() {
    if (input != null) {
      input.release();
      input = null;
    }
  }

  private void farewell(MalformedRequest malformed) {
    closing = true;
    dropInput();
    Channel connection = channel().channel();
    context
        .problems()
        .report(
            "Hot Rod connection closed: bytes that are no request",
            () -> "remote=%s, %s".formatted(connection.remoteAddress(), malformed.getMessage()));
    gate().flush();
    connection.config().setAutoRead(true);
    if (connection instanceof DuplexChannel duplex) {
      channel().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> duplex.shutdownOutput());
    }
    Runnable close = connection::close;
    channel().executor().schedule(close, FAREWELL_SECONDS, TimeUnit.SECONDS);
  }

  /** See {@link Aside}. */
  private void aside(Supplier<Runnable> work) {
    EventExecutor executor = channel().executor();
    try {
      context
          .node()
          .env()
          .scheduler()
          .execute(() -> {
            Runnable completion = outcome(work);
            executor.execute(() -> resume(completion));
          });
    } catch (RejectedExecutionException failure) {
      throw new RetryableGridException("server is stopping; try another one", failure);
    }
    waiting = true;
    gate().flush();
    channel().channel().config().setAutoRead(false);
  }

  private Runnable outcome(Supplier<Runnable> work) {
    try {
      return work.get();
    } catch (RuntimeException failure) {
      return () -> session().fail(failure);
    }
  }

  private void resume(Runnable completion) {
    waiting = false;
    if (closing) {
      return;
    }
    try {
      completion.run();
    } catch (RuntimeException failure) {
      session().fail(failure);
    }
    execute();
    endBatch();
  }

  /** Sends the replies, reads on if the client takes them, and passes on what was held back. */
  private void endBatch() {
    if (waiting || closing) {
      return;
    }
    gate().flush();
    if (endHeld && !owesReplies()) {
      endHeld = false;
      channel().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    }
  }

  /** Whether there may be requests that were not answered yet. */
  private boolean owesReplies() {
    return waiting || (input != null && !channel().channel().isWritable());
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext channel) {
    endBatch();
    channel.fireChannelReadComplete();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext channel) {
    if (busy) {
      return;
    }
    if (channel.channel().isWritable()) {
      execute();
      endBatch();
    }
    if (!owesReplies()) {
      channel.fireChannelWritabilityChanged();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext channel, Object event) {
    if (event == ChannelInputShutdownEvent.INSTANCE && !closing && owesReplies()) {
      endHeld = true;
    } else {
      channel.fireUserEventTriggered(event);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext channel) {
    release();
    channel.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext channel) {
    release();
  }

  private void release() {
    closing = true;
    dropInput();
    gate().release();
    session().close();
  }
}
