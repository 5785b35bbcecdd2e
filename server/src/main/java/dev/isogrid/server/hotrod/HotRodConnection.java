package dev.isogrid.server.hotrod;

import dev.isogrid.server.net.InputBudget;
import dev.isogrid.server.net.InputDeadline;
import dev.isogrid.server.net.InputShare;
import dev.isogrid.server.net.Intake;
import dev.isogrid.server.net.OutputGate;
import dev.isogrid.server.net.PacedReading;
import dev.isogrid.server.net.PendingInput;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.net.ServerStopping;
import dev.isogrid.wire.Statuses;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One Hot Rod connection: keeps what came in until it makes a whole request, and lets the {@link
 * Session} execute one request after the other. For its event loop only.
 */
final class HotRodConnection extends ChannelInboundHandlerAdapter {
  /*
   * Memory. What is kept of the input is at most one request that is not complete, which the
   * decoder bounds by the content length, and what one round of reading brought in. The former is
   * taken from the budget of all connections. Nothing more is read while the budget does not grant
   * it, while the client does not take its replies, which the gate sees to, or while as much is
   * executed aside as AsideRequests allows. A client that has not logged in can't begin a request
   * that is not part of a login, if it does not arrive in one piece.
   *
   * Order. Replies leave in the order in which requests are done: those that need not wait are done
   * when they are read, those that are executed aside whenever they are.
   *
   * End. After bytes that are no request there is no telling where the next one begins: the answer
   * is sent, what still arrives is dropped, and a little later the connection is closed. Closing at
   * once, with input unread, would make the client's system discard the answer.
   */

  private static final System.Logger log = System.getLogger(HotRodConnection.class.getName());

  /** The time for the last answer to arrive. */
  static final int FAREWELL_SECONDS = 2;

  private final SharedParts parts;

  /** Set once the handler is in its pipeline. */
  private @Nullable ChannelHandlerContext channel;

  private @Nullable OutputGate gate;
  private @Nullable AsideRequests aside;
  private @Nullable Session session;
  private @Nullable CounterClient client;

  private @Nullable PendingInput input;
  private @Nullable InputShare share;
  private @Nullable InputDeadline deadline;

  /** What has arrived so far. */
  private long bytesRead;

  /** Whether requests are executed just now, further up in the stack. */
  private boolean busy;

  /** Whether the next request waits until some that are executed aside are done. */
  private boolean full;

  /** Whether nothing that arrives is looked at any more. */
  private boolean closing;

  /** That the client sends nothing more, or the server stops, if nobody else was told so yet. */
  private @Nullable Object heldEnd;

  /** Whether no request is begun any more, since the server stops. */
  private boolean stopping;

  HotRodConnection(SharedParts parts) {
    this.parts = parts;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext channel) {
    OutputGate gate = new OutputGate(channel);
    this.channel = channel;
    this.gate = gate;
    AsideRequests aside =
        new AsideRequests(parts.aside(), gate, channel.executor(), channel.alloc(), this::resume);
    this.aside = aside;
    InputShare share = new InputShare(channel.executor(), this::granted, this::outOfMemory);
    this.share = share;
    this.deadline = new InputDeadline(channel.executor(), this::late);
    this.input = new PendingInput(channel, share, parts.aside().context().contentLengthMax());
    this.session = new Session(parts, channel, gate, aside, newState(channel));
  }

  private ConnectionState newState(ChannelHandlerContext channel) {
    ServerContext context = parts.aside().context();
    ConnectionShares shares = ConnectionShares.of(parts.budgets(), new Relief(channel));
    CounterClient counters =
        new CounterClient(
            parts.counterListeners(),
            channel.executor(),
            shares.events(),
            this::sendCounterEvents,
            channel.channel()::close);
    this.client = counters;
    return new ConnectionState(
        new Iterations(channel.executor(), shares),
        new ValueStreams(
            context.node().env(),
            channel.executor(),
            shares,
            parts.streamedValueMax(),
            context.contentLengthMax()),
        counters,
        new ClientListeners(
            channel.channel(), context.problems(), parts.eventLimits(), shares, this::resume),
        shares,
        context.security().newCaller(channel.channel(), "Hot Rod"));
  }

  /** Gives back what the connection has most of while others need memory. */
  private final class Relief implements ConnectionShares.Relief {
    private final ChannelHandlerContext channel;

    Relief(ChannelHandlerContext channel) {
      this.channel = channel;
    }

    private void later(Runnable step) {
      try {
        channel.executor().execute(step);
      } catch (RejectedExecutionException ended) {
        log.log(Level.DEBUG, "an event loop has ended, and its connections with it", ended);
      }
    }

    @Override
    public void cutOff(String reason) {
      Channel connection = channel.channel();
      later(() -> {
        parts
            .aside()
            .context()
            .problems()
            .report(
                "Hot Rod connection closed: " + reason,
                () -> "remote=%s, %s".formatted(connection.remoteAddress(), session().shares()));
        connection.close();
      });
    }

    @Override
    public void endIterations() {
      later(() -> session().endIterations());
    }

    @Override
    public void endValues() {
      later(() -> session().endValues());
    }
  }

  private ChannelHandlerContext channel() {
    return Objects.requireNonNull(channel);
  }

  private OutputGate gate() {
    return Objects.requireNonNull(gate);
  }

  private AsideRequests aside() {
    return Objects.requireNonNull(aside);
  }

  private PendingInput input() {
    return Objects.requireNonNull(input);
  }

  private InputDeadline deadline() {
    return Objects.requireNonNull(deadline);
  }

  private InputBudget budget() {
    Intake intake = parts.aside().context().intake();
    return session().isStranger() ? intake.strangers() : intake.requests();
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
    bytesRead += bytes.readableBytes();
    gate().limit(session().isStranger());
    if (input().add(budget(), bytes)) {
      execute();
    }
  }

  /** Executes what requests are complete, as long as the client takes the replies. */
  private void execute() {
    if (busy || closing || stopping) {
      return;
    }
    busy = true;
    try {
      ByteBuf in = input().buffer();
      Session.Step step = Session.Step.TAKEN;
      while (in != null && step == Session.Step.TAKEN && gate().isOpen()) {
        int before = in.readerIndex();
        step = session().step(in);
        if (in.readerIndex() != before) {
          deadline().done();
        }
      }
      full = step == Session.Step.NO_ROOM;
      keepRest(step == Session.Step.INCOMPLETE);
    } catch (MalformedRequest malformed) {
      session().refuse(malformed);
      farewell("Hot Rod connection closed: bytes that are no request", malformed);
    } finally {
      busy = false;
    }
  }

  /** Keeps what came in of the next request. */
  private void keepRest(boolean isIncomplete) {
    boolean mayRead = input().keep(budget());
    if (isIncomplete && mayRead && input().buffer() != null) {
      deadline().unfinished(bytesRead);
    } else {
      deadline().done();
    }
  }

  /** Goes on when there is memory for what came in. */
  private void granted() {
    if (!closing) {
      if (input().retry(budget())) {
        execute();
      }
      endBatch();
    }
  }

  private void outOfMemory() {
    giveUp(
        "request refused",
        "out of memory for requests; try again later, or let the server have a larger"
            + " --request-memory-max");
  }

  private void late() {
    giveUp(
        "slow client",
        "request not sent in time: graceSeconds=%d, then bytesPerSecond=%d"
            .formatted(InputDeadline.GRACE_SECONDS, InputDeadline.BYTES_PER_SECOND_MIN));
  }

  /** Answers the request that is not complete, and closes the connection. */
  private void giveUp(String cause, String text) {
    if (!closing) {
      MalformedRequest unfinished = new MalformedRequest(Statuses.SERVER_ERROR, text);
      session().refuse(unfinished);
      farewell(cause, unfinished);
    }
  }

  private void farewell(String cause, MalformedRequest malformed) {
    closing = true;
    closeInput();
    Channel connection = channel().channel();
    parts
        .aside()
        .context()
        .problems()
        .report(
            cause,
            () -> "remote=%s, %s".formatted(connection.remoteAddress(), malformed.getMessage()));
    gate().flush();
    PacedReading.begin(connection);
    if (connection instanceof DuplexChannel duplex) {
      channel().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> duplex.shutdownOutput());
    }
    Runnable close = connection::close;
    channel().executor().schedule(close, FAREWELL_SECONDS, TimeUnit.SECONDS);
  }

  /** Goes on when requests that were executed aside are done, or there are events. */
  private void resume() {
    busy = true; // sending may tell that there is room, further down in the stack
    try {
      if (closing || session().sendState()) {
        aside().moveReplies();
      }
      if (!closing) {
        session().sendEvents();
      }
    } finally {
      busy = false;
    }
    execute();
    endBatch();
  }

  /** Sends events of counters, between replies and as far as the client takes them. */
  private void sendCounterEvents() {
    if (closing) {
      return;
    }
    if (busy) {
      channel().executor().execute(this::sendCounterEvents);
      return;
    }
    CounterClient events = Objects.requireNonNull(client);
    busy = true;
    try {
      while (gate().isOpen()) {
        byte[] event = events.poll();
        if (event == null) {
          break;
        }
        gate().buffer().writeBytes(event);
      }
    } finally {
      busy = false;
    }
    endBatch();
  }

  /** Sends the replies, reads on if the client takes them, and passes on what was held back. */
  private void endBatch() {
    if (closing) {
      return;
    }
    gate().flush(!full && !stopping && !input().isWaiting());
    Object end = heldEnd;
    if (end != null && !owesReplies()) {
      heldEnd = null;
      channel().fireUserEventTriggered(end);
    }
  }

  /** Whether there may be requests that were not answered yet. */
  private boolean owesReplies() {
    return !aside().isEmpty()
        || (input().buffer() != null && !stopping && !channel().channel().isWritable());
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
      resume();
      sendCounterEvents();
    }
    if (!owesReplies()) {
      channel.fireChannelWritabilityChanged();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext channel, Object event) {
    boolean isStop = event == ServerStopping.EVENT;
    stopping |= isStop;
    boolean isEnd = isStop || event == ChannelInputShutdownEvent.INSTANCE;
    if (isEnd && !closing && owesReplies()) {
      heldEnd = event;
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
    closeInput();
    gate().release();
    aside().close();
    session().close();
  }

  private void closeInput() {
    input().clear();
    deadline().close();
    Objects.requireNonNull(share).close();
  }
}
