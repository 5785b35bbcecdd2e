package dev.isogrid.server.rest;

import dev.isogrid.api.GridException;
import dev.isogrid.server.net.HeldOutput;
import dev.isogrid.server.net.OutputGate;
import dev.isogrid.server.net.ServerContext;
import io.netty.buffer.ByteBuf;
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
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP connection: takes requests one after the other and sends their replies in the same
 * order. While a reply is made elsewhere, is being streamed, or waits for the client to take it,
 * further requests stay where they are and nothing more is read.
 */
final class RestConnection {
  private static final Logger log = System.getLogger(RestConnection.class.getName());

  /** Parts of a streamed reply that are written before other connections get their turn. */
  private static final int PARTS_PER_TURN = 16;

  /**
   * How long a client may go on sending a body that was refused. If the connection ended at once,
   * its system might throw away the reply that tells it why.
   */
  private static final long LINGER_MILLIS = 2000;

  /** How far a streamed reply has come. */
  private enum Parts {
    LEFT,
    ALL_WRITTEN,
    BROKEN_OFF
  }

  private final ServerContext server;

  /** Decoded, not processed yet: no more than came in with the last read. */
  private final Queue<HttpObject> input = new ArrayDeque<>();

  private final RequestHeaders headers = new RequestHeaders();

  private final ChannelHandlerContext context;
  private final OutputGate gate;
  private final Reply reply;
  private final RequestBody body;
  private final RestDispatch dispatch;

  private @Nullable HttpRequest request;
  private @Nullable ListingWriter stream;

  /** Parts of streamed replies that were written on this connection. */
  private int parts;

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
   * @param context of the handler that it works for
   */
  RestConnection(ServerContext server, AdminRoutes routes, ChannelHandlerContext context) {
    this.server = server;
    this.context = context;
    this.gate = new OutputGate(context);
    this.reply = new Reply(gate, context.alloc(), server.node().env().epochClock());
    this.body = new RequestBody(context.alloc(), server.contentLengthMax());
    this.dispatch = new RestDispatch(server, routes, headers, reply, context.channel());
  }

  /** Takes the next piece of input, and with it the ownership of its buffer. */
  void read(HttpObject object) {
    if (ended) {
      ReferenceCountUtil.release(object);
      return;
    }
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
    return waiting || stream != null || !input.isEmpty();
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
    HttpObject next = waiting ? null : input.poll();
    if (next == null) {
      return false;
    }
    try {
      process(next);
    } finally {
      ReferenceCountUtil.release(next);
    }
    return true;
  }

  private void process(HttpObject next) {
    if (next.decoderResult().isFailure()) {
      refuse(statusOf(next.decoderResult().cause()), "malformed request");
      return;
    }
    if (next instanceof HttpRequest head) {
      begin(head);
    }
    if (next instanceof HttpContent content && request != null) {
      if (!body.add(content.content())) {
        refuse(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, tooLarge());
      } else if (next instanceof LastHttpContent) {
        answer(request);
      }
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
    if (!http10 && !head.protocolVersion().equals(HttpVersion.HTTP_1_1)) {
      refuse(HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED, "HTTP/1.1 is spoken here");
    } else if (HttpUtil.getContentLength(head, 0L) > server.contentLengthMax()) {
      refuse(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, tooLarge());
    } else if (headers.expect != null && !http10) {
      if (headers.expect.equalsIgnoreCase("100-continue")) {
        reply.proceed();
      } else {
        refuse(HttpResponseStatus.EXPECTATION_FAILED, "only 100-continue can be expected");
      }
    }
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
      return;
    }
    reply.open();
    dispatch.write(answer);
    reply.finish();
    if (answer instanceof Answer.Streamed(Listing listing) && !reply.isHead()) {
      stream = new ListingWriter(listing, !reply.isHttp10());
    } else {
      finished();
    }
    resume();
  }

  private boolean writePart(ListingWriter writer) {
    if (turnOver) {
      return false;
    }
    if (writer.mayWait()) {
      writePartsAside(writer);
      return false;
    }
    ByteBuf out = gate.buffer();
    int start = out.writerIndex();
    boolean done;
    try {
      done = writer.writePart(out);
    } catch (RuntimeException failure) {
      breakOff(failure);
      out.writerIndex(start);
      stream = null;
      end();
      return false;
    }
    if (done) {
      stream = null;
      finished();
    } else if (++parts % PARTS_PER_TURN == 0) {
      turnOver = true;
      context.executor().execute(this::nextTurn);
    }
    return true;
  }

  /** Writes parts where that may wait for other nodes. */
  private void writePartsAside(ListingWriter writer) {
    Parts[] parts = {Parts.LEFT};
    lend(() -> parts[0] = writeParts(writer), () -> partsWritten(parts[0]));
  }

  private Parts writeParts(ListingWriter writer) {
    HeldOutput held = reply.held();
    while (held.size() < OutputGate.COLLECTED_MAX) {
      ByteBuf out = held.buffer();
      int start = out.writerIndex();
      try {
        if (writer.writePart(out)) {
          return Parts.ALL_WRITTEN;
        }
      } catch (RuntimeException failure) {
        breakOff(failure);
        out.writerIndex(start);
        return Parts.BROKEN_OFF;
      }
    }
    return Parts.LEFT;
  }

  private void partsWritten(Parts parts) {
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

  /** Any thread. */
  private void breakOff(RuntimeException failure) {
    Supplier<String> detail =
        () -> "remote=" + context.channel().remoteAddress() + ", cause=" + failure.getMessage();
    if (failure instanceof GridException) {
      server.problems().report("listing broken off", detail);
    } else {
      server.problems().reportFailure("listing failed", failure, detail);
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
    } else if (owesReplies()) {
      context.channel().config().setAutoRead(false);
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
    channel.config().setAutoRead(true);
    channel.shutdownOutput();
    context.executor().schedule(() -> context.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Gives all memory back, when the connection is gone. */
  void release() {
    dispatch.close();
    stream = null;
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
