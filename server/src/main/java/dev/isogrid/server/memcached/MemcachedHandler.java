package dev.isogrid.server.memcached;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.server.net.InputBudget;
import dev.isogrid.server.net.InputDeadline;
import dev.isogrid.server.net.InputShare;
import dev.isogrid.server.net.Intake;
import dev.isogrid.server.net.OutputGate;
import dev.isogrid.server.net.PendingInput;
import dev.isogrid.server.net.ServerStopping;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One memcached connection: keeps what came in until it is worked off, sends the replies of a batch
 * of commands at once, and stops while the client doesn't read. For its event loop only.
 */
final class MemcachedHandler extends ChannelInboundHandlerAdapter {
  /*
   * Memory. What is not yet worked off is at most one command that is not complete, which the
   * session bounds by the content length, and what one round of reading brought in. The former is
   * taken from the budget of all connections, and nothing is read before that grants it. What is
   * not yet sent is what the gate collects, one reply, and what the channel holds up to its own
   * mark.
   *
   * Order. When the channel has room, either all complete commands are worked off, or this handler
   * is doing so further up the stack. So a change of writability is passed on only after the work:
   * the handlers behind may close a connection whose client has ended its side once they see that
   * there is room.
   *
   * Waiting. A command that may have to wait for other nodes is done on a virtual thread, which has
   * the session and the input to itself until it is done: what comes in meanwhile is kept beside
   * it, nothing more is read, and if the connection ends, memory is given back afterwards.
   */

  private final MemcachedEndpoint endpoint;
  private @Nullable OutputGate gate;
  private @Nullable TextSession session;
  private @Nullable PendingInput input;
  private @Nullable InputShare share;
  private @Nullable InputDeadline deadline;

  /** What has arrived so far. */
  private long bytesRead;

  /** What came in while {@link #waiting}. */
  private @Nullable ByteBuf laterInput;

  private boolean working;

  /** Whether another thread works for this connection. */
  private boolean waiting;

  /** That the client sends nothing more, or the server stops, if nobody else was told so yet. */
  private @Nullable Object heldEnd;

  /** Whether no command is begun any more, since the server stops. */
  private boolean stopping;

  private boolean closed;

  MemcachedHandler(MemcachedEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    OutputGate newGate = new OutputGate(context);
    gate = newGate;
    session = new TextSession(endpoint, new Output(newGate, context.alloc()), context.channel());
    InputShare newShare =
        new InputShare(
            context.executor(), () -> granted(context), () -> giveUp(context, Reply.OUT_OF_MEMORY));
    share = newShare;
    deadline = new InputDeadline(context.executor(), () -> giveUp(context, Reply.TOO_SLOW));
    input = new PendingInput(context, newShare, endpoint.context().contentLengthMax());
  }

  private PendingInput input() {
    return Objects.requireNonNull(input);
  }

  private InputDeadline deadline() {
    return Objects.requireNonNull(deadline);
  }

  private InputBudget budget() {
    Intake intake = endpoint.context().intake();
    return Objects.requireNonNull(session).isStranger() ? intake.strangers() : intake.requests();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      context.fireChannelRead(message);
      return;
    }
    if (closed) {
      bytes.release();
      return;
    }
    bytesRead += bytes.readableBytes();
    if (waiting) {
      laterInput = joined(context, laterInput, bytes);
    } else {
      Objects.requireNonNull(gate).limit(Objects.requireNonNull(session).isStranger());
      if (input().add(budget(), bytes)) {
        work(context);
      }
    }
  }

  private static ByteBuf joined(
      ChannelHandlerContext context, @Nullable ByteBuf before, ByteBuf bytes) {
    return before == null
        ? bytes
        : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(context.alloc(), before, bytes);
  }

  /** Works off the input as far as it is complete and there is room for the replies. */
  private void work(ChannelHandlerContext context) {
    if (working || waiting || stopping || closed) {
      return;
    }
    // Keys of a long get may be left although all bytes were read.
    ByteBuf buffer = input().buffer();
    ByteBuf in = buffer == null ? Unpooled.EMPTY_BUFFER : buffer;
    TextSession worker = Objects.requireNonNull(session);
    OutputGate out = Objects.requireNonNull(gate);
    working = true;
    boolean isIncomplete = false;
    try {
      while (!isIncomplete && !worker.isPostponed() && out.isOpen()) {
        isIncomplete = !worker.step(in);
        if (!isIncomplete) {
          deadline().done();
        }
      }
    } finally {
      working = false;
    }
    if (worker.isPostponed()) {
      workAside(context, worker);
    } else if (worker.isClosing()) {
      close(context, out);
    } else {
      keepRest(isIncomplete);
    }
  }

  /** Keeps what came in of the next command. */
  private void keepRest(boolean isIncomplete) {
    boolean mayRead = input().keep(budget());
    if (isIncomplete && mayRead && input().buffer() != null) {
      deadline().unfinished(bytesRead);
    } else {
      deadline().done();
    }
  }

  /** Goes on when there is memory for what came in. */
  private void granted(ChannelHandlerContext context) {
    if (!closed && !waiting && input().retry(budget())) {
      work(context);
    }
    endBatch(context);
  }

  /** Answers the command that is not complete, and closes the connection. */
  private void giveUp(ChannelHandlerContext context, byte[] reply) {
    if (closed || waiting) {
      return;
    }
    endpoint
        .context()
        .problems()
        .report(
            "memcached: connection closed",
            () ->
                "remote=%s, reply=%s"
                    .formatted(
                        context.channel().remoteAddress(),
                        new String(reply, StandardCharsets.US_ASCII).strip()));
    OutputGate out = Objects.requireNonNull(gate);
    out.buffer().writeBytes(reply);
    close(context, out);
  }

  /** Lets another thread do what may have to wait, and stops until it is done. */
  private void workAside(ChannelHandlerContext context, TextSession worker) {
    worker.beginPostponed();
    waiting = true;
    try {
      endpoint
          .context()
          .node()
          .env()
          .scheduler()
          .execute(() -> {
            @Nullable Throwable failure = doPostponed(worker);
            goOnLater(context, () -> goOn(context, worker, failure));
          });
    } catch (RejectedExecutionException failure) {
      worker.answer(new RetryableGridException("server is stopping; try another one", failure));
      goOnLater(context, () -> goOn(context, worker, null));
    }
  }

  private static @Nullable Throwable doPostponed(TextSession worker) {
    try {
      worker.doPostponed();
      return null;
    } catch (Throwable failure) { // tidy: the connection must learn of it
      return failure;
    }
  }

  private void goOnLater(ChannelHandlerContext context, Runnable task) {
    try {
      context.executor().execute(task);
    } catch (RejectedExecutionException _) {
      releaseAll(); // the event loop has ended, and the connection with it
    }
  }

  private void goOn(
      ChannelHandlerContext context, TextSession worker, @Nullable Throwable failure) {
    waiting = false;
    if (closed) {
      releaseAll();
      return;
    }
    if (failure != null) {
      context.pipeline().fireExceptionCaught(failure);
      return;
    }
    worker.endPostponed();
    ByteBuf later = laterInput;
    if (later != null) {
      laterInput = null;
      input().add(budget(), later);
    }
    if (input().retry(budget())) {
      work(context);
    }
    endBatch(context);
  }

  private void endBatch(ChannelHandlerContext context) {
    if (closed) {
      return;
    }
    Objects.requireNonNull(gate).flush(!waiting && !stopping && !input().isWaiting());
    Object end = heldEnd;
    if (end != null && !waiting) {
      heldEnd = null;
      context.fireUserEventTriggered(end);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    boolean isStop = event == ServerStopping.EVENT;
    stopping |= isStop;
    if (waiting && (isStop || event == ChannelInputShutdownEvent.INSTANCE)) {
      heldEnd = event;
    } else {
      context.fireUserEventTriggered(event);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    endBatch(context);
    context.fireChannelReadComplete();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (working) {
      return;
    }
    OutputGate out = Objects.requireNonNull(gate);
    if (!closed && out.isOpen()) {
      work(context);
      endBatch(context);
    }
    if (!waiting) {
      context.fireChannelWritabilityChanged();
    }
  }

  /** Sends what there is, then closes; what else the client sent is dropped. */
  private void close(ChannelHandlerContext context, OutputGate out) {
    closed = true;
    closeInput();
    out.flush();
    context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  private void closeInput() {
    input().clear();
    deadline().close();
    Objects.requireNonNull(share).close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    release();
    context.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    release();
  }

  /** A failure ends the connection: part of a command may have been worked off. */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    release();
    context.fireExceptionCaught(cause);
  }

  private void release() {
    closed = true;
    OutputGate out = gate;
    if (out != null) {
      out.release();
    }
    deadline().close();
    Objects.requireNonNull(share).close();
    if (!waiting) {
      releaseAll();
    }
  }

  private void releaseAll() {
    input().clear();
    ByteBuf later = laterInput;
    if (later != null) {
      laterInput = null;
      later.release();
    }
    TextSession worker = session;
    if (worker != null) {
      worker.release();
    }
  }
}
