package dev.isogrid.server.rest;

import dev.isogrid.server.backup.BackupDesk;
import dev.isogrid.server.net.InputBudget;
import dev.isogrid.server.net.InputDeadline;
import dev.isogrid.server.net.InputShare;
import dev.isogrid.server.net.OutputGate;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.net.VanishedPeers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
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
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP connection: takes requests one after the other and sends their replies in the same
 * order. While a reply is made elsewhere, is being streamed, or waits for the client to take it,
 * further requests wait and nothing more is read. A stream of HTTP/2 is a connection of one
 * request, whose reply ends with it.
 */
final class RestConnection {
  /*
   * Life of a request. When its head has arrived, the dispatch decides on its admission: here, or
   * on another thread if a login takes long. The body of an admitted request is collected, if the
   * server has the memory. Then the request is answered: here, on another thread that may wait for
   * other nodes, or by the administration. A refused request is answered at once. Its body is
   * skipped if it is short, otherwise the connection ends.
   *
   * Waiting. While another thread works, and while memory for a body is lacking, the bytes of the
   * last read stay in the input, and nothing more is read. So a connection keeps one read, one
   * head, and the body that the budget has granted.
   *
   * End. After a refused request, the client may still be sending. The line ensures that the reply
   * reaches it all the same.
   */
  private static final Logger log = System.getLogger(RestConnection.class.getName());

  private final ServerContext server;

  /** Decoded but unprocessed input: no more than that of the last read. */
  private final Deque<HttpObject> input = new ArrayDeque<>();

  private final RequestHeaders headers = new RequestHeaders();

  private final ChannelHandlerContext context;
  private final OutputGate gate;
  private final Reply reply;
  private final HttpLine line;
  private final RequestIntake intake;
  private final RequestBody body;
  private final RestDispatch dispatch;
  private final RestGuard guard;

  private @Nullable HttpRequest request;

  /** Whether the connection can continue if the request is answered before its body arrives. */
  private boolean canDiscard;

  /** Whether the client wants the connection to continue after the request. */
  private boolean keepsAlive;

  /** Whether the current request, which has no body, must be answered in HTTP/2. */
  private boolean upgrading;

  /** Whether the client waits for permission to send the body. */
  private boolean asks;

  private @Nullable StreamedReply stream;

  /** The file for the body of the request, or null. */
  private @Nullable IncomingFile upload;

  /** The events for the client until the connection ends, or null. */
  private @Nullable EventFeed events;

  /** Whether another thread makes a reply. */
  private boolean waiting;

  /** Whether that thread uses the objects of this connection. */
  private boolean lent;

  /** Whether {@link #advance} is running. */
  private boolean advancing;

  /** Whether the client has ended its side and waits for replies. */
  private boolean inputEnded;

  /** Whether there will be no further reply. */
  private boolean ended;

  /** Whether the client may still be sending unwanted input. */
  private boolean unread;

  /** Whether the last reply is incomplete. */
  private boolean brokenOff;

  private boolean closing;

  /**
   * Creates the connection.
   *
   * @param endpoint that it belongs to
   * @param line of the requests, which ends after the last reply
   * @param context of the handler that it works for
   */
  RestConnection(RestEndpoint endpoint, HttpLine line, ChannelHandlerContext context) {
    this.server = endpoint.server();
    this.context = context;
    this.gate = new OutputGate(context);
    this.reply = new Reply(gate, context.alloc(), server.node().env().epochClock());
    this.line = line;
    this.guard = line.guard();
    this.dispatch = new RestDispatch(endpoint, headers, reply, guard, line.connection());
    InputShare share =
        new InputShare(
            context.executor(), guard.network(), this::resume, this::outOfMemory, this::tooSlow);
    InputDeadline deadline = new InputDeadline(context.executor(), this::late);
    this.body = new RequestBody(context.alloc(), share, server.contentLengthMax());
    this.intake = new RequestIntake(server, line, share, deadline, body, dispatch::isStranger);
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

  /** Continues when the client takes replies again. */
  void resume() {
    advance();
    EventFeed feed = events;
    if (feed != null && feed.isStuck(unsentBytes())) {
      problems("client takes no events", "seconds=" + EventFeed.STUCK_SECONDS + "; disconnected");
      context.close();
      return;
    }
    flush();
  }

  /** The bytes that the client must take before it is sent more; 0 if it is now. */
  private long unsentBytes() {
    Channel channel = context.channel();
    return channel.isWritable() ? 0 : Math.max(1, channel.bytesBeforeWritable());
  }

  /**
   * Notes that the client sends nothing more.
   *
   * @return whether replies are missing; then the connection ends by itself, once they are sent
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
   * @return whether replies are missing; then the connection ends by itself, once they are sent
   */
  boolean stop() {
    dropInput();
    return endInput();
  }

  /** Whether there are complete requests without a complete reply. */
  boolean owesReplies() {
    return waiting || stream != null || events != null || !input.isEmpty();
  }

  /** Does all possible work. */
  private void advance() {
    if (advancing) {
      return;
    }
    advancing = true;
    try {
      while (!ended && gate.isOpen() && line.hasRoom() && step()) {
        // until there is nothing to do, or no room for more
      }
    } finally {
      advancing = false;
    }
  }

  /** Does one step; returns false if there is nothing to do now. */
  private boolean step() {
    if (stream != null) {
      if (!waiting) {
        writeParts(stream);
      }
      return false;
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

  /** Processes a piece of input; returns false if there is no memory for it now. */
  private boolean process(HttpObject next) {
    if (next.decoderResult().isFailure()) {
      Throwable failure = next.decoderResult().cause();
      refuse(statusOf(failure), RequestReader.problem(failure));
    } else if (next instanceof HttpRequest head) {
      begin(head);
    } else if (next instanceof HttpContent content) {
      HttpRequest head = request;
      if (upgrading && head != null) {
        upgrade(head);
      } else if (head != null) {
        return take(content, head);
      }
      discard(content);
    }
    return true;
  }

  /** Continues in another version of HTTP, which answers the request. */
  private void upgrade(HttpRequest head) {
    ended = true;
    closing = true; // what follows is another handler's
    gate.flush();
    line.upgrade(context, head);
  }

  private boolean take(HttpContent content, HttpRequest head) {
    IncomingFile file = upload;
    if (file != null) {
      upload(file, content, head);
      return true;
    }
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

  /** Skips the body of an answered request. */
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
    boolean isLast = line.isStream() || !HttpUtil.isKeepAlive(head);
    reply.to(Verb.of(head.method()) == Verb.HEAD, !isLast, http10 || line.isStream());
    long announced = HttpUtil.getContentLength(head, 0L);
    asks = headers.expect != null && !http10;
    if (!http10 && !head.protocolVersion().equals(HttpVersion.HTTP_1_1)) {
      refuse(HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED, "HTTP/1.1 is spoken here");
    } else if (headers.hasSeveralHosts && !line.isStream()) {
      refuse(HttpResponseStatus.BAD_REQUEST, "several fields Host; send one");
    } else if (announced > server.contentLengthMax() && !RestDispatch.mayUpload(head)) {
      refuse(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, tooLarge());
    } else if (asks && !"100-continue".equalsIgnoreCase(headers.expect)) {
      refuse(HttpResponseStatus.EXPECTATION_FAILED, "only 100-continue can be expected");
    } else if (headers.upgrade != null && input.size() <= 1 && line.canUpgrade(head)) {
      upgrading = true;
    } else {
      canDiscard = !asks && announced <= RequestIntake.DISCARDED_MAX;
      keepsAlive = reply.isKeepAlive();
      reply.keepAlive(keepsAlive && canDiscard);
      body.expect(announced);
      reply.open();
      admitted(head, dispatch.admit(head, false));
    }
  }

  /** Continues after the decision on a request's admission. */
  private void admitted(HttpRequest head, Admission admission) {
    switch (admission) {
      case ADMITTED -> {
        reply.keepAlive(keepsAlive);
        if (dispatch.isUpload()) {
          beginUpload();
        } else if (HttpUtil.getContentLength(head, 0L) > server.contentLengthMax()) {
          refuse(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, tooLarge());
        } else {
          proceed();
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

  private void proceed() {
    if (asks) {
      reply.proceed();
    }
  }

  /** Begins to write the body of the request into a file. */
  private void beginUpload() {
    @Nullable IncomingFile[] begun = {null};
    reply.close(); // if it is refused
    lend(
        () -> {
          reply.open();
          BackupDesk.Upload file = dispatch.beginUpload();
          if (file == null) {
            reply.finish();
          } else {
            begun[0] = new IncomingFile(file);
          }
        },
        () -> {
          upload = begun[0];
          if (upload == null) {
            unread = true;
            end();
          } else {
            reply.keepAlive(keepsAlive);
            proceed();
          }
        });
  }

  /**
   * Writes the next part of the body into its file. Nothing more is read meanwhile. If it can't be
   * written, the rest of the body is skipped before the answer: some clients read no answer while
   * they send.
   */
  private void upload(IncomingFile file, HttpContent content, HttpRequest head) {
    ByteBuf piece = content.content().retain();
    boolean isLast = content instanceof LastHttpContent;
    lend(
        () -> file.add(piece),
        () -> {
          String failure = file.failure();
          if (isLast && failure != null) {
            refuse(HttpResponseStatus.INSUFFICIENT_STORAGE, failure);
          } else if (isLast) {
            intake.ended();
            upload = null; // the request has it
            answer(head);
          }
        });
  }

  /**
   * Decides on a request on a thread where a login may take long. Nothing more is read meanwhile.
   */
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

  /** Gives up a request that waited too long for memory. */
  private void outOfMemory() {
    RestProblem problem = RestProblem.noMemory();
    problems("request refused", problem.text());
    refuse(problem.status(), problem.text());
    flush();
  }

  /** Gives up a client that is too slow. */
  private void late() {
    if (ended || !line.hasBegun()) {
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

  /** Gives up a client that is too slow while others wait for memory. */
  private void tooSlow() {
    String text =
        "request comes too slowly while others wait for memory: bytesPerSecond=%d; try again later"
            .formatted(InputBudget.BYTES_PER_SECOND_MIN);
    problems("slow client", text);
    refuse(HttpResponseStatus.REQUEST_TIMEOUT, text);
    flush();
  }

  private void problems(String cause, String text) {
    server
        .problems()
        .report(cause, () -> "remote=" + context.channel().remoteAddress() + ", " + text);
  }

  /** Answers with an error and ends the connection, since the rest of the input can't be parsed. */
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

  /** Ends the connection within a reply. */
  private void breakOff() {
    brokenOff = true;
    end();
  }

  private void end() {
    ended = true;
    request = null;
    body.release();
    dropUpload();
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

  /** Answers a request on a thread that may wait for other nodes, or for a login. */
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
   * Lends the objects of this connection to another thread. The connection does nothing else
   * meanwhile; its output is held until the end.
   *
   * @param work may block; must handle its failures
   * @param next runs afterwards, on the event loop
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
      breakOff();
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
      VanishedPeers.endAfter(context.channel(), EventFeed.STUCK_SECONDS);
      feed.onEvents(() -> comeBack(this::resume));
      context.channel().config().setAutoRead(true); // to learn of the client's end
    } else if (answer instanceof Answer.Streamed(Listing listing) && !reply.isHead()) {
      beginStream(new ListingWriter(listing, !reply.isHttp10()));
    } else if (answer instanceof Answer.Archive(Path file) && !reply.isHead()) {
      beginStream(new FileParts(file, !reply.isHttp10()));
    } else {
      closeFeed(answer);
      finished();
    }
    resume();
  }

  private void beginStream(BodyParts parts) {
    stream = new StreamedReply(parts, server.problems(), context.channel());
  }

  private static void closeFeed(Answer answer) {
    if (answer instanceof Answer.Events(EventFeed feed)) {
      feed.close();
    }
  }

  /** Sends the next event; returns false if there is none now. */
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

  /** Lets another thread write the next parts of a body. */
  private void writeParts(StreamedReply streamed) {
    StreamedReply.Parts[] parts = {StreamedReply.Parts.LEFT};
    lend(() -> parts[0] = streamed.writeParts(reply.held()), () -> partsWritten(parts[0]));
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
        breakOff();
      }
    }
  }

  /** Sends the output, and reads on if there is nothing else to do. */
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
    if (!closing) {
      closing = true;
      line.end(context, unread, !brokenOff);
    }
  }

  /** Releases all memory of an ended connection. */
  void release() {
    line.giveBack(guard, !waiting);
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
    dropUpload();
    request = null;
    body.release();
    reply.drop();
  }

  /** Deletes the file of an incomplete body. */
  private void dropUpload() {
    IncomingFile file = upload;
    upload = null;
    if (file != null) {
      server.node().env().scheduler().execute(file::drop);
    }
  }

  private void dropInput() {
    for (HttpObject object = input.poll(); object != null; object = input.poll()) {
      ReferenceCountUtil.release(object);
    }
  }
}
