package dev.isogrid.server.memcached;

import dev.isogrid.server.net.InputBudget;
import dev.isogrid.server.net.InputDeadline;
import dev.isogrid.server.net.InputShare;
import dev.isogrid.server.net.Intake;
import dev.isogrid.server.net.OutputGate;
import dev.isogrid.server.net.PendingInput;
import dev.isogrid.server.net.ServerStopping;
import dev.isogrid.server.security.Caller;
import dev.isogrid.server.security.ClientNetwork;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One memcached connection: keeps input until it is processed, sends the replies of a batch of
 * commands at once, and stops while the client doesn't read. For its event loop only.
 */
final class MemcachedHandler extends ChannelInboundHandlerAdapter {
  /*
   * Memory. Unprocessed input is at most one incomplete command, which the session bounds by the
   * content length, and the bytes of one round of reading. The former counts on the budget of all
   * connections, and reading stops until the budget grants it. Unsent output is the content of the
   * gate, one reply, and the channel's buffer up to its own mark.
   *
   * Order. When the channel has room, either all complete commands are processed, or this handler
   * is doing so further up the stack. So a change of writability is passed on only after the work:
   * when there is room, the handlers behind may close a connection whose client has ended its side.
   *
   * Waiting. A command that may have to wait for other nodes runs on a virtual thread, which owns
   * the session until the end of the command. The connection continues with another session:
   * AsideCommands describes the order and the limits. If the connection ends meanwhile, memory is
   * released afterwards.
   */

  private final MemcachedEndpoint endpoint;
  private @Nullable OutputGate gate;
  private @Nullable AsideCommands aside;
  private @Nullable Caller caller;

  /** The session of new input. */
  private @Nullable Session session;

  private @Nullable PendingInput input;
  private @Nullable InputShare share;
  private @Nullable InputDeadline deadline;

  /** The number of received bytes. */
  private long bytesRead;

  /** Whether the first byte has arrived, which determines the protocol. */
  private boolean isChosen;

  private final BooleanSupplier hasRoom = this::hasRoom;
  private boolean isBinary;
  private boolean working;

  /**
   * The event that the client sends nothing more, or that the server stops, if it was not passed on
   * yet.
   */
  private @Nullable Object heldEnd;

  /** Whether no command begins any more, since the server stops. */
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
            context.executor(),
            ClientNetwork.orNull(context.channel().remoteAddress()),
            () -> granted(context),
            () -> giveUp(context, GiveUp.NO_MEMORY),
            () -> giveUp(context, GiveUp.TOO_SLOW));
    share = newShare;
    deadline = new InputDeadline(context.executor(), () -> giveUp(context, GiveUp.TOO_SLOW));
    tellConnection(context, "conn_new", "");
    input = new PendingInput(context, newShare, endpoint.context().contentLengthMax());
  }

  /** Notifies watchers of the connection's beginning or end. */
  private void tellConnection(ChannelHandlerContext context, String type, String more) {
    Watchers watchers = endpoint.watchers();
    if (watchers.want(Watchers.CONNECTIONS)
        && context.channel().remoteAddress() instanceof InetSocketAddress remote) {
      watchers.tell(
          Watchers.CONNECTIONS,
          "type=%s rip=%s rport=%d transport=tcp%s cfd=%d"
              .formatted(
                  type,
                  remote.getAddress().getHostAddress(),
                  remote.getPort(),
                  more,
                  aside().connection()));
    }
  }

  private Session newSession(ChannelHandlerContext context) {
    Output output = new Output(gate(), context.alloc());
    Caller client = Objects.requireNonNull(caller);
    return isBinary
        ? new BinarySession(endpoint, output, context.channel(), client, aside())
        : new TextSession(endpoint, output, context.channel(), client, aside());
  }

  /** Chooses the protocol by the first byte of the connection. */
  private void choose(ChannelHandlerContext context, ByteBuf first) {
    isChosen = true;
    if (first.getUnsignedByte(first.readerIndex()) == BinaryHeader.REQUEST_MAGIC) {
      isBinary = true;
      session = newSession(context);
    }
  }

  private OutputGate gate() {
    return Objects.requireNonNull(gate);
  }

  private AsideCommands aside() {
    return Objects.requireNonNull(aside);
  }

  private Session session() {
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
    if (!isChosen && bytes.isReadable()) {
      choose(context, bytes);
    }
    bytesRead += bytes.readableBytes();
    gate().limit(session().isStranger());
    if (input().add(budget(), bytes)) {
      work(context);
    }
  }

  /** Processes the complete input while there is room for the replies. */
  private void work(ChannelHandlerContext context) {
    if (working || stopping || closed) {
      return;
    }
    // Keys of a long get may remain although all bytes were read.
    ByteBuf buffer = input().buffer();
    ByteBuf in = buffer == null ? Unpooled.EMPTY_BUFFER : buffer;
    working = true;
    boolean isIncomplete = false;
    try {
      while (!isIncomplete && mayBegin(context)) {
        Session worker = session();
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

  /** Whether the next command may begin; hands a postponed operation to another thread. */
  private boolean mayBegin(ChannelHandlerContext context) {
    AsideCommands commands = aside();
    Session worker = session();
    if (commands.isAlone()) {
      return false;
    }
    if (worker.isPostponed()) {
      if (!commands.tryStart(worker) || commands.isAlone()) {
        return false;
      }
      Session free = commands.takeFree();
      Session next = free == null ? newSession(context) : free;
      next.hold();
      session = next;
    }
    return session().hasRoom();
  }

  /** Whether the connection must wait for the end of a command. */
  private boolean isFull() {
    return session().isPostponed() || session().isClosing() || !session().hasRoom();
  }

  private boolean hasRoom() {
    return !stopping && !input().isWaiting() && !isFull();
  }

  /** Whether there are begun commands without an answer. */
  private boolean isBusy() {
    return !aside().isEmpty() || (!stopping && session().isPostponed());
  }

  /** Keeps the received part of the next command. */
  private void keepRest(boolean isIncomplete) {
    boolean mayRead = input().keep(budget());
    if (isIncomplete && mayRead && input().buffer() != null) {
      deadline().unfinished(bytesRead);
    } else {
      deadline().done();
    }
  }

  /** Continues when there is memory for the received bytes. */
  private void granted(ChannelHandlerContext context) {
    if (!closed && input().retry(budget())) {
      work(context);
    }
    endBatch(context);
  }

  /** Answers the incomplete command, and closes the connection. */
  private void giveUp(ChannelHandlerContext context, GiveUp reason) {
    if (closed || session().isPostponed()) {
      return;
    }
    endpoint
        .context()
        .problems()
        .report(
            "memcached: connection closed",
            () ->
                "remote=%s, reply=%s".formatted(context.channel().remoteAddress(), reason.line()));
    session().giveUp(reason);
    if (aside().isEmpty()) {
      close(context, gate());
    }
  }

  /** Continues after commands were executed aside. */
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
    gate().flush(hasRoom);
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

  /** Sends the remaining output, then closes; further input is dropped. */
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
    tellConnection(context, "conn_close", " reason=normal");
    release();
    context.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    release();
  }

  /** A failure ends the connection: part of a command may have been processed. */
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

  /** Releases the remaining memory when no other thread works for the connection any more. */
  private void releaseIfOver() {
    if (aside().isEmpty()) {
      session().release();
      Objects.requireNonNull(caller).close();
    }
  }
}
