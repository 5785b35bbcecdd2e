package dev.isogrid.server.memcached;

import dev.isogrid.server.net.InputBudget;
import dev.isogrid.server.net.InputDeadline;
import dev.isogrid.server.net.InputShare;
import dev.isogrid.server.net.Intake;
import dev.isogrid.server.net.OutputGate;
import dev.isogrid.server.net.PendingInput;
import dev.isogrid.server.net.ServerStopping;
import dev.isogrid.server.security.Caller;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
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
   * the session to itself until it is done, while this goes on with another session: AsideCommands
   * has the order that is kept, and the limits. If the connection ends meanwhile, memory is given
   * back afterwards.
   */

  private final MemcachedEndpoint endpoint;
  private @Nullable OutputGate gate;
  private @Nullable AsideCommands aside;
  private @Nullable Caller caller;

  /** The session that takes what comes in. */
  private @Nullable TextSession session;

  private @Nullable PendingInput input;
  private @Nullable InputShare share;
  private @Nullable InputDeadline deadline;

  /** What has arrived so far. */
  private long bytesRead;

  private boolean working;

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
    aside = new AsideCommands(endpoint, context.executor(), () -> goOn(context));
    caller = endpoint.context().security().newCaller(context.channel(), "memcached");
    session = newSession(context);
    InputShare newShare =
        new InputShare(
            context.executor(), () -> granted(context), () -> giveUp(context, Reply.OUT_OF_MEMORY));
    share = newShare;
    deadline = new InputDeadline(context.executor(), () -> giveUp(context, Reply.TOO_SLOW));
    input = new PendingInput(context, newShare, endpoint.context().contentLengthMax());
  }

  private TextSession newSession(ChannelHandlerContext context) {
    return new TextSession(
        endpoint,
        new Output(gate(), context.alloc()),
        context.channel(),
        Objects.requireNonNull(caller),
        aside());
  }

  private OutputGate gate() {
    return Objects.requireNonNull(gate);
  }

  private AsideCommands aside() {
    return Objects.requireNonNull(aside);
  }

  private TextSession session() {
    return Objects.requireNonNull(session);
  }

  private PendingInput input() {
    return Objects.requireNonNull(input);
  }

  private InputDeadline deadline() {
    return Objects.requireNonNull(deadline);
  }

  private InputBudget budget() {
    Intake intake = endpoint.context().intake();
    return session().isStranger() ? intake.strangers() : intake.requests();
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
    gate().limit(session().isStranger());
    if (input().add(budget(), bytes)) {
      work(context);
    }
  }

  /** Works off the input as far as it is complete and there is room for the replies. */
  private void work(ChannelHandlerContext context) {
    if (working || stopping || closed) {
      return;
    }
    // Keys of a long get may be left although all bytes were read.
    ByteBuf buffer = input().buffer();
    ByteBuf in = buffer == null ? Unpooled.EMPTY_BUFFER : buffer;
    working = true;
    boolean isIncomplete = false;
    try {
      while (!isIncomplete && mayBegin(context)) {
        TextSession worker = session();
        isIncomplete = !worker.step(in);
        if (!isIncomplete) {
          deadline().done();
        }
        if (worker.isPostponed()) {
          worker.keepBlock(context.alloc());
        }
      }
    } finally {
      working = false;
    }
    if (closed) {
      return;
    }
    if (!session().isClosing()) {
      keepRest(isIncomplete);
    } else if (aside().isEmpty()) {
      close(context, gate());
    }
  }

  /** Whether the next command may be begun; hands over to another thread what is for one. */
  private boolean mayBegin(ChannelHandlerContext context) {
    AsideCommands commands = aside();
    TextSession worker = session();
    if (commands.isAlone()) {
      return false;
    }
    if (worker.isPostponed()) {
      if (!commands.tryStart(worker) || commands.isAlone()) {
        return false;
      }
      TextSession free = commands.takeFree();
      TextSession next = free == null ? newSession(context) : free;
      next.hold();
      session = next;
    }
    return session().hasRoom();
  }

  /** Whether nothing more is worked off until a command is done. */
  private boolean isFull() {
    return session().isPostponed() || session().isClosing() || !session().hasRoom();
  }

  /** Whether there are commands that are begun and not answered. */
  private boolean isBusy() {
    return !aside().isEmpty() || (!stopping && session().isPostponed());
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
    if (!closed && input().retry(budget())) {
      work(context);
    }
    endBatch(context);
  }

  /** Answers the command that is not complete, and closes the connection. */
  private void giveUp(ChannelHandlerContext context, byte[] reply) {
    if (closed || session().isPostponed()) {
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
    session().giveUp(reply);
    if (aside().isEmpty()) {
      close(context, gate());
    }
  }

  /** Goes on after commands were done aside. */
  private void goOn(ChannelHandlerContext context) {
    AsideCommands commands = aside();
    if (closed) {
      commands.dropDone();
      releaseIfOver();
      return;
    }
    @Nullable Throwable failure = commands.moveReplies(gate());
    if (failure != null) {
      context.pipeline().fireExceptionCaught(failure);
      return;
    }
    if (commands.isEmpty()) {
      session().passOn();
    }
    work(context);
    endBatch(context);
  }

  private void endBatch(ChannelHandlerContext context) {
    if (closed) {
      return;
    }
    gate().flush(!stopping && !input().isWaiting() && !isFull());
    Object end = heldEnd;
    if (end != null && !isBusy()) {
      heldEnd = null;
      context.fireUserEventTriggered(end);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    boolean isStop = event == ServerStopping.EVENT;
    stopping |= isStop;
    if (isBusy() && (isStop || event == ChannelInputShutdownEvent.INSTANCE)) {
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
    if (!closed && gate().isOpen()) {
      goOn(context);
    }
    if (!isBusy()) {
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
    closeInput();
    aside().dropDone();
    releaseIfOver();
  }

  /** Gives back what is left when no other thread works for the connection any more. */
  private void releaseIfOver() {
    if (aside().isEmpty()) {
      session().release();
      Objects.requireNonNull(caller).close();
    }
  }
}
