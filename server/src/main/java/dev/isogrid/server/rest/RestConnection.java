package dev.isogrid.server.rest;

import dev.isogrid.server.net.InputDeadline;
import dev.isogrid.server.net.InputShare;
import dev.isogrid.server.net.OutputGate;
import dev.isogrid.server.net.PacedReading;
import dev.isogrid.server.net.ServerContext;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP connection: takes requests one after the other and sends their replies in the same
 * order. While a reply is made elsewhere, is being streamed, or waits for the client to take it,
 * further requests stay where they are and nothing more is read.
 */
final class RestConnection {
  /*
   * Life of a request. When its head has arrived, the dispatch decides whether it may be made:
   * here, or on another thread if a login takes long. If it may, its body is collected, if the
   * server has the memory, and then it is answered: here, on another thread that may wait for other
   * nodes, or by the administration. If it may not, it is answered at once; its body is passed over
   * if it is short, and otherwise the connection ends.
   *
   * Waiting. While another thread works, and while memory for a body is lacking, what came in with
   * the last read stays in the input, and nothing more is read. So what a connection keeps is one
   * read, one head, and the body that the budget has granted.
   *
   * End. After a request that was refused, the client may still be sending. What arrives is dropped
   * for a moment after the reply, since closing with input unread makes systems discard the reply.
   */
  private static final Logger log = System.getLogger(RestConnection.class.getName());

  /**
   * How long a client may go on sending a body that was refused. If the connection ended at once,
   * its system might throw away the reply that tells it why.
   */
  private static final long LINGER_MILLIS = 2000;

  private final ServerContext server;

  /** Decoded, not processed yet: no more than came in with the last read. */
  private final Deque<HttpObject> input = new ArrayDeque<>();

  private final RequestHeaders headers = new RequestHeaders();

  private final ChannelHandlerContext context;
  private final OutputGate gate;
  private final Reply reply;
  private final RequestReader reader;
  private final RequestIntake intake;
  private final RequestBody body;
  private final RestDispatch dispatch;

  private @Nullable HttpRequest request;

  /** Whether the connection can go on if the request is answered before its body arrives. */
  private boolean canDiscard;

  /** Whether the client wants the connection to go on after the request. */
  private boolean keepsAlive;

  /** Whether the client sends the body only if it is told to. */
  private boolean asks;

  private @Nullable StreamedReply stream;

  /** The events that the client is told until the connection ends, or null. */
  private @Nullable EventFeed events;

  /** Whether a reply is made on another thread. */
  private boolean waiting;

  /** Whether that thread uses what belongs to this connection. */
  private boolean lent;

  /** Whether the streamed reply has had its turn. */
  private boolean turnOver;

  /** Whether this stands in {@link #advance} already. */
  private boolean advancing;

  /** Whether the client has ended its side and waits for replies. */
  private boolean inputEnded;

  /** Whether there will be no further reply. */
  private boolean ended;

  /** Whether the client may still be sending what nobody wants. */
  private boolean unread;

  private boolean closing;

  /**
   * Creates the connection.
   *
   * @param endpoint that it belongs to
   * @param reader takes its requests apart
   * @param context of the handler that it works for
   */
  RestConnection(RestEndpoint endpoint, RequestReader reader, ChannelHandlerContext context) {
    this.server = endpoint.server();
    this.context = context;
    this.gate = new OutputGate(context);
    this.reply = new Reply(gate, context.alloc(), server.node().env().epochClock());
    this.reader = reader;
    this.dispatch = new RestDispatch(endpoint, headers, reply, context.channel());
    InputShare share = new InputShare(context.executor(), this::resume, this::outOfMemory);
    InputDeadline deadline = new InputDeadline(context.executor(), this::late);
    this.body = new RequestBody(context.alloc(), share, server.contentLengthMax());
    this.intake = new RequestIntake(server, reader, share, deadline, body, dispatch::isStranger);
  }

  /** Takes the next piece of input, and with it the ownership of its buffer. */
  void read(HttpObject object) {
    if (ended || events != null) {
      ReferenceCountUtil.release(object);
      if (events != null) { // nothing can be answered behind a stream that does not end
        endEvents();
        flush();
      }
      return;
    }
    gate.limit(dispatch.isStranger());
    input.add(object);
    advance();
  }

  /** Goes on when the client takes replies again. */
  void resume() {
    advance();
    flush();
  }

  /**
   * Notes that the client sends nothing more.
   *
   * @return whether replies are owed; the connection ends by itself then, once they are sent
   */
  boolean endInput() {
    if (events != null) {
      endEvents();
      flush();
      return true;
    }
    inputEnded = owesReplies();
    return inputEnded;
  }

  /**
   * Begins no further request, since the server stops.
   *
   * @return whether replies are owed; the connection ends by itself then, once they are sent
   */
  boolean stop() {
    dropInput();
    return endInput();
  }

  /** Whether there are whole requests without a whole reply. */
  boolean owesReplies() {
    return waiting || stream != null || events != null || !input.isEmpty();
  }

  /** Does all that can be done now. */
  private void advance() {
    if (advancing) {
      return;
    }
    advancing = true;
    try {
      while (!ended && gate.isOpen() && step()) {
        // until there is nothing to do, or no room for more
      }
    } finally {
      advancing = false;
    }
  }

  /** Does one thing; false if there is nothing to do now. */
  private boolean step() {
    if (stream != null) {
      return !waiting && writePart(stream);
    }
    if (events != null) {
      return writeEvent(events);
    }
    HttpObject next = waiting || intake.isWaiting() ? null : input.poll();
    if (next == null) {
      return false;
    }
    try {
      if (process(next)) {
        return true;
      }
      input.addFirst(ReferenceCountUtil.retain(next));
      return false;
    } finally {
      ReferenceCountUtil.release(next);
    }
  }

  /** Deals with a piece of input; false if there is no memory for it now. */
  private boolean process(HttpObject next) {
    if (next.decoderResult().isFailure()) {
      refuse(statusOf(next.decoderResult().cause()), "malformed request");
    } else if (next instanceof HttpRequest head) {
      begin(head);
    } else if (next instanceof HttpContent content) {
      HttpRequest head = request;
      if (head != null) {
        return take(content, head);
      }
      discard(content);
    }
    return true;
  }

  private boolean take(HttpContent content, HttpRequest head) {
    switch (intake.take(content)) {
      case NO_ROOM -> {
        return false;
      }
      case TOO_LARGE -> refuse(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, tooLarge());
      case TAKEN -> {
        if (content instanceof LastHttpContent) {
          intake.ended();
          answer(head);
        }
      }
    }
    return true;
  }

  /** Passes over the body of a request that is answered. */
  private void discard(HttpContent content) {
    if (!intake.discard(content)) {
      unread = true;
      end();
    } else if (content instanceof LastHttpContent) {
      intake.ended();
      finished();
    }
  }

  private static HttpResponseStatus statusOf(Throwable failure) {
    return switch (failure) {
      case TooLongHttpLineException _ -> HttpResponseStatus.REQUEST_URI_TOO_LONG;
      case TooLongHttpHeaderException _ -> HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE;
      default -> HttpResponseStatus.BAD_REQUEST;
    };
  }

  private String tooLarge() {
    return "body too large: limit=" + server.contentLengthMax();
  }

  private void begin(HttpRequest head) {
    request = head;
    headers.read(head.headers());
    boolean http10 = head.protocolVersion().equals(HttpVersion.HTTP_1_0);
    reply.to(Verb.of(head.method()) == Verb.HEAD, HttpUtil.isKeepAlive(head), http10);
    long announced = HttpUtil.getContentLength(head, 0L);
    asks = headers.expect != null && !http10;
    if (!http10 && !head.protocolVersion().equals(HttpVersion.HTTP_1_1)) {
      refuse(HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED, "HTTP/1.1 is spoken here");
    } else if (announced > server.contentLengthMax()) {
      refuse(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, tooLarge());
    } else if (asks && !"100-continue".equalsIgnoreCase(headers.expect)) {
      refuse(HttpResponseStatus.EXPECTATION_FAILED, "only 100-continue can be expected");
    } else {
      canDiscard = !asks && announced <= RequestIntake.DISCARDED_MAX;
      keepsAlive = reply.isKeepAlive();
      reply.keepAlive(keepsAlive && canDiscard);
      body.expect(announced);
      reply.open();
      admitted(head, dispatch.admit(head, false));
    }
  }

  /** Goes on after it was decided whether a request may be made. */
  private void admitted(HttpRequest head, Admission admission) {
    switch (admission) {
      case ADMITTED -> {
        reply.keepAlive(keepsAlive);
        if (asks) {
          reply.proceed();
        }
      }
      case ANSWERED -> {
        reply.finish();
        request = null;
        if (!canDiscard) {
          unread = true;
          end();
        }
      }
      case MUST_WAIT -> admitAside(head);
    }
  }

  /** Decides on a request where a login may take its time. Nothing more is read meanwhile. */
  private void admitAside(HttpRequest head) {
    Admission[] admission = {Admission.ANSWERED};
    lend(
        () -> {
          reply.open();
          admission[0] = dispatch.admit(head, true);
          if (admission[0] == Admission.ANSWERED) {
            reply.finish();
          }
        },
        () -> admitted(head, admission[0]));
  }

  /** Gives up a request for which there was no memory for too long. */
  private void outOfMemory() {
    RestProblem problem = RestProblem.noMemory();
    problems("request refused", problem.text());
    refuse(problem.status(), problem.text());
    flush();
  }

  /** Gives up a client that is too slow. */
  private void late() {
    if (ended || !reader.hasBegun()) {
      context.close();
      return;
    }
    String text =
        "request not sent in time: graceSeconds=%d, then bytesPerSecond=%d"
            .formatted(InputDeadline.GRACE_SECONDS, InputDeadline.BYTES_PER_SECOND_MIN);
    problems("slow client", text);
    refuse(HttpResponseStatus.REQUEST_TIMEOUT, text);
    flush();
  }

  private void problems(String cause, String text) {
    server
        .problems()
        .report(cause, () -> "remote=" + context.channel().remoteAddress() + ", " + text);
  }

  /** Answers with an error and ends the connection, since what follows can't be understood. */
  private void refuse(HttpResponseStatus status, String message) {
    if (request == null) {
      reply.to(false, false, false);
    }
    reply.close();
    reply.open();
    dispatch.problem(status, message);
    reply.finish();
    unread = true;
    end();
  }

  private void end() {
    ended = true;
    request = null;
    body.release();
    dropInput();
    intake.expectNothing();
  }

  private void answer(HttpRequest head) {
    reply.open();
    switch (dispatch.answer(head, body.content(), false)) {
      case Handling.Answered() -> {
        reply.finish();
        finished();
      }
      case Handling.MustWait() -> answerAside(head);
      case Handling.Administrative(AdminRequest admin) -> administer(admin);
    }
  }

  /** Answers a request where that may wait for other nodes, or a login may take its time. */
  private void answerAside(HttpRequest head) {
    ByteBuf content = body.content();
    Handling[] handling = {Handling.ANSWERED};
    lend(
        () -> {
          reply.open();
          handling[0] = dispatch.answer(head, content, true);
          if (handling[0] instanceof Handling.Answered) {
            reply.finish();
          }
        },
        () -> {
          if (handling[0] instanceof Handling.Administrative(AdminRequest admin)) {
            administer(admin);
          } else {
            finished();
          }
        });
  }

  private void administer(AdminRequest admin) {
    body.release();
    waiting = true;
    dispatch.answerElsewhere(admin, this::deliver);
  }

  /**
   * Lets another thread work with what belongs to this connection. Nothing else is done meanwhile;
   * what it writes is held until it is done.
   *
   * @param work may block; must deal with its failures
   * @param next what to do then, on the event loop
   */
  private void lend(Runnable work, Runnable next) {
    waiting = true;
    lent = true;
    reply.hold();
    try {
      server
          .node()
          .env()
          .scheduler()
          .execute(() -> {
            @Nullable Throwable failure = failureOf(work);
            comeBack(() -> returned(failure, next));
          });
    } catch (RejectedExecutionException e) {
      log.log(Level.DEBUG, "connection ended, for the server is stopping", e);
      waiting = false;
      lent = false;
      reply.passOn();
      end();
    }
  }

  private static @Nullable Throwable failureOf(Runnable work) {
    try {
      work.run();
      return null;
    } catch (Throwable failure) { // tidy: the connection must learn of it
      return failure;
    }
  }

  /** Any thread. */
  private void comeBack(Runnable task) {
    try {
      context.executor().execute(task);
    } catch (RejectedExecutionException e) {
      releaseMemory(); // the event loop has ended, and the connection with it
    }
  }

  private void returned(@Nullable Throwable failure, Runnable next) {
    waiting = false;
    lent = false;
    if (ended || context.isRemoved()) {
      releaseMemory();
    } else if (failure != null) {
      context.pipeline().fireExceptionCaught(failure);
    } else {
      reply.passOn();
      next.run();
      resume();
    }
  }

  /** Any thread. */
  private void deliver(Answer answer) {
    try {
      context.executor().execute(() -> answered(answer));
    } catch (RejectedExecutionException e) {
      closeFeed(answer);
      log.log(Level.DEBUG, "answer dropped, for the server has ended", e);
    }
  }

  private void finished() {
    request = null;
    body.release();
    if (!reply.isKeepAlive()) {
      end();
    }
  }

  private void answered(Answer answer) {
    waiting = false;
    if (ended || context.isRemoved()) {
      closeFeed(answer);
      return;
    }
    reply.open();
    dispatch.write(answer);
    reply.finish();
    if (answer instanceof Answer.Events(EventFeed feed) && !reply.isHead()) {
      events = feed;
      feed.onEvents(() -> comeBack(this::resume));
      context.channel().config().setAutoRead(true); // to learn of the client's end
    } else if (answer instanceof Answer.Streamed(Listing listing) && !reply.isHead()) {
      ListingWriter writer = new ListingWriter(listing, !reply.isHttp10());
      stream = new StreamedReply(writer, server.problems(), context.channel());
    } else {
      closeFeed(answer);
      finished();
    }
    resume();
  }

  private static void closeFeed(Answer answer) {
    if (answer instanceof Answer.Events(EventFeed feed)) {
      feed.close();
    }
  }

  /** Sends the next event; false if there is none now. */
  private boolean writeEvent(EventFeed feed) {
    if (feed.isOver()) {
      endEvents();
      return false;
    }
    byte @Nullable [] event = feed.poll();
    if (event == null) {
      return false;
    }
    ByteBuf out = gate.buffer();
    if (reply.isHttp10()) {
      out.writeBytes(event);
    } else {
      ByteBufUtil.writeAscii(out, Integer.toHexString(event.length) + "\r\n");
      out.writeBytes(event);
      ByteBufUtil.writeAscii(out, "\r\n");
    }
    return true;
  }

  private void endEvents() {
    EventFeed feed = events;
    if (feed != null) {
      events = null;
      feed.close();
      if (!reply.isHttp10()) {
        ByteBufUtil.writeAscii(gate.buffer(), "0\r\n\r\n");
      }
      end();
    }
  }

  private boolean writePart(StreamedReply streamed) {
    if (turnOver) {
      return false;
    }
    if (streamed.mayWait()) {
      StreamedReply.Parts[] parts = {StreamedReply.Parts.LEFT};
      lend(() -> parts[0] = streamed.writeParts(reply.held()), () -> partsWritten(parts[0]));
      return false;
    }
    partsWritten(streamed.writePart(gate.buffer()));
    if (stream != null && streamed.isTurnOver()) {
      turnOver = true;
      context.executor().execute(this::nextTurn);
    }
    return true;
  }

  private void partsWritten(StreamedReply.Parts parts) {
    switch (parts) {
      case LEFT -> {}
      case ALL_WRITTEN -> {
        stream = null;
        finished();
      }
      case BROKEN_OFF -> {
        stream = null;
        end();
      }
    }
  }

  private void nextTurn() {
    turnOver = false;
    resume();
  }

  /** Sends what was written, and reads on if there is nothing else to do. */
  void flush() {
    gate.flush();
    if (ended || (inputEnded && !owesReplies())) {
      close();
    } else {
      boolean mayRead = intake.watch(!owesReplies() && context.channel().isWritable());
      if (!mayRead || (owesReplies() && events == null)) {
        context.channel().config().setAutoRead(false);
      }
    }
  }

  /** Ends the connection once all is sent. */
  private void close() {
    if (closing) {
      return;
    }
    closing = true;
    context
        .writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(unread ? _ -> linger() : ChannelFutureListener.CLOSE);
  }

  private void linger() {
    if (!(context.channel() instanceof DuplexChannel channel) || channel.isInputShutdown()) {
      context.close();
      return;
    }
    PacedReading.begin(channel);
    channel.shutdownOutput();
    context.executor().schedule(() -> context.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Gives all memory back, when the connection is gone. */
  void release() {
    dispatch.close();
    intake.close();
    stream = null;
    if (events != null) {
      events.close();
      events = null;
    }
    ended = true;
    dropInput();
    gate.release();
    if (!lent) {
      releaseMemory();
    }
  }

  private void releaseMemory() {
    request = null;
    body.release();
    reply.drop();
  }

  private void dropInput() {
    for (HttpObject object = input.poll(); object != null; object = input.poll()) {
      ReferenceCountUtil.release(object);
    }
  }
}
