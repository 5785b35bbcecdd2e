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
import dev.isogrid.server.security.Caller;
import dev.isogrid.server.security.ClientNetwork;
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
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One Hot Rod connection: collects input until a request is complete, and lets the {@link Session}
 * execute one request after the other. For its event loop only.
 */
final class HotRodConnection extends ChannelInboundHandlerAdapter {
  /*
   * Memory. The kept input is at most one incomplete request, which the decoder bounds by the
   * content length, and the bytes of one round of reading. The former counts on the budget of all
   * connections. Reading stops while the budget has no room, while the client does not take its
   * replies (which the gate controls), and while AsideRequests is at its limit. Without a login, a
   * client can't begin a request in several pieces unless it is part of a login.
   *
   * Order. Replies leave in the order of completion. Requests that need not wait complete when they
   * are read, those executed aside at any time.
   *
   * End. After malformed bytes, the beginning of the next request is unknown. The answer is sent,
   * further input is dropped, and a little later the connection is closed. Closing at once, with
   * input unread, would make the client's system discard the answer.
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

  /** The number of received bytes. */
  private long bytesRead;

  /** Whether requests are being executed further up in the stack. */
  private boolean busy;

  /** Whether the next request waits for others that are executed aside. */
  private boolean full;

  private final BooleanSupplier hasRoom = this::hasRoom;

  /** Whether all further input is ignored. */
  private boolean closing;

  /**
   * The event that the client sends nothing more, or that the server stops, if it was not passed on
   * yet.
   */
  private @Nullable Object heldEnd;

  /** Whether no request begins any more, since the server stops. */
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
    InputShare share =
        new InputShare(
            channel.executor(),
            ClientNetwork.orNull(channel.channel().remoteAddress()),
            this::granted,
            this::outOfMemory,
            this::late);
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
    Caller caller = context.security().newCaller(channel.channel(), "Hot Rod");
    return new ConnectionState(
        new Iterations(channel.executor(), shares),
        new ValueStreams(
            context.node().env(),
            channel.executor(),
            shares,
            parts.streamedValueMax(),
            context.contentLengthMax()),
        counters,
        new ClientListeners(channel.channel(), context, parts.eventLimits(), shares, this::resume),
        shares,
        caller,
        new ClientBinding(parts.sessions(), caller));
  }

  /** Releases the memory that the connection holds most of, while others need it. */
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

  /** Executes the complete requests, as long as the client takes the replies. */
  private void execute() {
    if (busy || closing || stopping) {
      return;
    }
    busy = true;
    try {
      ByteBuf in = input().buffer();
      session().beginBatch();
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

  /** Keeps the received part of the next request. */
  private void keepRest(boolean isIncomplete) {
    boolean mayRead = input().keep(budget());
    if (isIncomplete && mayRead && input().buffer() != null) {
      deadline().unfinished(bytesRead);
    } else {
      deadline().done();
    }
  }

  /** Continues when there is memory for the received bytes. */
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

  /** Answers the incomplete request, and closes the connection. */
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

  /** Continues when requests executed aside are done, or there are events. */
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

  /** Sends the replies, reads on if the client takes them, and passes on the held event. */
  private void endBatch() {
    if (closing) {
      return;
    }
    gate().flush(hasRoom);
    Object end = heldEnd;
    if (end != null && !owesReplies()) {
      heldEnd = null;
      channel().fireUserEventTriggered(end);
    }
  }

  private boolean hasRoom() {
    return !full && !stopping && !input().isWaiting();
  }

  /** Whether there may be requests without an answer yet. */
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
