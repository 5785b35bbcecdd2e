package dev.isogrid.server.rest;

import dev.isogrid.server.net.InputDeadline;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.net.ServerStopping;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Frame;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The shared parts of an HTTP/2 connection's streams: its limits, the memory of unsent output, and
 * the known callers. For one connection and its event loop.
 */
final class Http2Connection extends ChannelInboundHandlerAdapter {
  /*
   * Netty's codec parses frames and gives each stream a channel of its own. There a RestConnection
   * works as on a socket: it sees a request of HTTP/1.1, and stops reading and writing by the
   * stream's windows. So logins, budgets and deadlines apply to a stream as to a connection of
   * HTTP/1.1.
   *
   * Floods. The codec ends connections that reset many streams, send empty frames, cut heads into
   * small pieces, or let the answers to their settings and pings pile up. The limits are below.
   *
   * Output. A stream stops at its own bound while the client does not take its reply. A single
   * reply can be as large as a value, so no reply is begun while much waits on other streams.
   *
   * Memory. Streams take their part of the memory for requests; see StreamAllowance. A stream that
   * finds none is refused, which clients may repeat. A stranger's connection that finds none ends.
   */

  /**
   * The most concurrent requests of a connection: at least the number that browsers and clients
   * expect.
   */
  static final int STREAMS_MAX = 100;

  /** Unread bytes of a stream's body: the size of a large read of a socket. */
  private static final int STREAM_WINDOW = (1 << 16) - 1;

  /** Unread bytes of all bodies, so that a few streams that wait for memory don't stop others. */
  private static final int CONNECTION_WINDOW = 4 << 16;

  /** The streams that a client may reset: more of them are an attack. */
  private static final int RESETS_MAX = 200;

  private static final int RESETS_SECONDS = 30;

  /** Unsent answers to settings and pings. */
  private static final int CONTROL_FRAMES_MAX = 1000;

  /** Successive frames without data. */
  private static final int EMPTY_FRAMES_MAX = 10;

  /** Short pieces of a head. */
  private static final int SMALL_CONTINUATIONS_MAX = 16;

  /**
   * The unsent bytes of all streams above which no further reply begins: more than one large value.
   */
  private static final long QUEUED_MAX = 16 << 20;

  /** The same for a client that has not logged in: what it may keep waiting, and one reply more. */
  private static final long STRANGER_QUEUED_MAX = 16 << 10;

  /** Logins that are remembered for the next requests. */
  private static final int GUARDS_MAX = 8;

  private final RestEndpoint endpoint;
  private final FrameWatch watch;
  private final Http2FrameCodec codec;

  /** Those that no stream uses. */
  private final Deque<RestGuard> guards = new ArrayDeque<>();

  /** Those, and those that streams use. */
  private final Set<RestGuard> allGuards = new HashSet<>();

  private final Set<Http2Stream> streams = new LinkedHashSet<>();

  /** Written by {@link #handlerAdded}. */
  private @Nullable ChannelHandlerContext context;

  private @Nullable InputDeadline deadline;
  private @Nullable StreamAllowance allowance;

  /** Unsent bytes. */
  private long queued;

  /** Whether the connection ends with its last stream. */
  private boolean ending;

  private boolean closed;

  private Http2Connection(RestEndpoint endpoint, FrameWatch watch, Http2FrameCodec codec) {
    this.endpoint = endpoint;
    this.watch = watch;
    this.codec = codec;
  }

  /**
   * Makes a connection speak HTTP/2.
   *
   * @param after the handlers are added behind this one
   */
  static Http2Connection install(RestEndpoint endpoint, ChannelHandlerContext after) {
    FrameWatch watch = new FrameWatch();
    Http2FrameCodec codec = newCodec();
    Http2Connection connection = new Http2Connection(endpoint, watch, codec);
    String previous = after.name();
    for (ChannelHandler handler :
        List.of(watch, codec, new Http2MultiplexHandler(connection.new Streams()), connection)) {
      after.pipeline().addAfter(previous, null, handler);
      previous = after.pipeline().context(handler).name();
    }
    connection.widen();
    connection.enter();
    return connection;
  }

  /** Returns whether a server has memory for one more connection without a login. */
  static boolean hasRoom(ServerContext server) {
    return !server.security().isOn() || StreamAllowance.hasRoom(server.intake());
  }

  private boolean tryHold() {
    return Objects.requireNonNull(allowance).tryHold(isStranger(), streams.size());
  }

  /** Ends the connection if there is no memory for it. */
  private void enter() {
    if (!tryHold()) {
      server()
          .problems()
          .report(
              "no memory for more clients without a login",
              () -> "HTTP/2: remote=" + channel().remoteAddress() + "; closed");
      context()
          .writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.ENHANCE_YOUR_CALM))
          .addListener(ChannelFutureListener.CLOSE);
    }
  }

  private static Http2FrameCodec newCodec() {
    return Http2FrameCodecBuilder.forServer()
        .initialSettings(
            Http2Settings.defaultSettings()
                .maxConcurrentStreams(STREAMS_MAX)
                .initialWindowSize(STREAM_WINDOW)
                .maxHeaderListSize(RequestReader.HEADERS_SIZE_MAX))
        .validateHeaders(true)
        .decoderEnforceMaxRstFramesPerWindow(RESETS_MAX, RESETS_SECONDS)
        .encoderEnforceMaxRstFramesPerWindow(RESETS_MAX, RESETS_SECONDS)
        .encoderEnforceMaxQueuedControlFrames(CONTROL_FRAMES_MAX)
        .decoderEnforceMaxConsecutiveEmptyDataFrames(EMPTY_FRAMES_MAX)
        .decoderEnforceMaxSmallContinuationFrames(SMALL_CONTINUATIONS_MAX)
        .gracefulShutdownTimeoutMillis(0) // replies are waited for here, where it is known whose
        .build();
  }

  private void widen() {
    try {
      codec
          .connection()
          .local()
          .flowController()
          .incrementWindowSize(
              codec.connection().connectionStream(), CONNECTION_WINDOW - STREAM_WINDOW);
    } catch (Http2Exception impossible) {
      throw new IllegalStateException("window refused: size=" + CONNECTION_WINDOW, impossible);
    }
    context().flush();
  }

  private final class Streams extends ChannelInitializer<Channel> {
    @Override
    public boolean isSharable() {
      return true;
    }

    @Override
    protected void initChannel(Channel stream) {
      Http2Stream line = new Http2Stream(Http2Connection.this);
      stream.config().setAllocator(channel().alloc()); // or it were that of the whole process
      stream
          .pipeline()
          .addLast(line, new RestHandler(endpoint, line), new StreamTail(server().problems()));
    }
  }

  private ServerContext server() {
    return endpoint.server();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    deadline = new InputDeadline(added.executor(), this::late);
    allowance = new StreamAllowance(server().intake(), added.executor());
  }

  private ChannelHandlerContext context() {
    return Objects.requireNonNull(context);
  }

  Channel channel() {
    return context().channel();
  }

  /**
   * Begins the first stream with a request that came over HTTP/1.1.
   *
   * @param settings of the client
   */
  void begin(Http2Settings settings, Http2Headers request) {
    ChannelHandlerContext at = context().pipeline().context(codec);
    try {
      codec.onHttpServerUpgrade(settings);
      codec.decoder().frameListener().onHeadersRead(at, 1, request, 0, true);
      context().pipeline().fireChannelReadComplete();
    } catch (Http2Exception failure) {
      context().fireExceptionCaught(failure);
    }
  }

  /**
   * A stream has begun.
   *
   * @return false if there is no memory for it
   */
  boolean opened(Http2Stream stream) {
    streams.add(stream);
    return tryHold();
  }

  /** Notes the end of a stream. */
  void closed(Http2Stream stream) {
    streams.remove(stream);
    if (ending && streams.isEmpty()) {
      close();
    } else {
      look();
    }
  }

  /** Counts unsent bytes; a negative number if they were sent. */
  void queued(int bytes) {
    boolean wasFull = !hasRoom();
    queued += bytes;
    if (wasFull && hasRoom()) {
      context().executor().execute(() -> List.copyOf(streams).forEach(Http2Stream::resume));
    }
  }

  /** Whether a reply may begin. */
  boolean hasRoom() {
    return queued < STRANGER_QUEUED_MAX || (queued < QUEUED_MAX && !isStranger());
  }

  /** The received bytes of a stream's incomplete frame. */
  long arrived(int streamId) {
    return watch.unfinishedStream() == streamId ? watch.arrived() : 0;
  }

  /** A guard for the caller of a request: if possible, one that knows the client. */
  RestGuard guard() {
    RestGuard known = guards.pollLast();
    if (known == null) {
      known = new RestGuard(server(), channel());
      allGuards.add(known);
    }
    return known;
  }

  /** Takes back what {@link #guard} returned. */
  void giveBack(RestGuard guard, boolean isIdle) {
    if (closed || !isIdle || guards.size() >= GUARDS_MAX) {
      allGuards.remove(guard);
      guard.close();
    } else {
      guards.addLast(guard);
    }
  }

  /** Whether the client has to log in, and no request of it that is remembered has. */
  private boolean isStranger() {
    return server().security().isOn() && allGuards.stream().allMatch(RestGuard::isStranger);
  }

  /** Frames of streams go to their channels; this receives messages about the connection. */
  @Override
  public void channelRead(ChannelHandlerContext from, Object message) {
    if (message instanceof Http2Frame) {
      ReferenceCountUtil.release(message);
    } else {
      from.fireChannelRead(message);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext from) {
    int unfinished = watch.unfinishedStream();
    if (unfinished != 0) {
      streams.stream()
          .filter(stream -> stream.id() == unfinished)
          .findFirst()
          .ifPresent(Http2Stream::progressed);
    }
    look();
    from.fireChannelReadComplete();
  }

  /** Checks the expected next action of the client. */
  private void look() {
    InputDeadline due = Objects.requireNonNull(deadline);
    if (closed) {
      return;
    }
    tryHold(); // gives back what streams had that are gone
    if (watch.isUnfinished()) {
      due.unfinished(watch.bytesRead());
    } else if (streams.isEmpty() && isStranger()) {
      due.idle();
    } else {
      due.done();
    }
  }

  private void late() {
    server()
        .problems()
        .report(
            "slow client",
            () ->
                "HTTP/2: no login, or a frame not sent in time: remote=%s, streams=%d; closed"
                    .formatted(channel().remoteAddress(), streams.size()));
    context().close();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext from, Object event) {
    if (event == ServerStopping.EVENT) {
      from.writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR));
      channel().config().setAutoRead(true); // or windows would not open any more
      new ArrayList<>(streams).forEach(Http2Stream::stop);
    }
    boolean isEnd = event == ServerStopping.EVENT || event == ChannelInputShutdownEvent.INSTANCE;
    if (isEnd && !streams.isEmpty()) {
      ending = true;
    } else {
      from.fireUserEventTriggered(event);
    }
  }

  /** Not passed on while streams are open: later handlers might end the connection. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext from) {
    if (streams.isEmpty()) {
      from.fireChannelWritabilityChanged();
    }
  }

  /** Handles a violation of the standard; the codec has reported it to the client, and closes. */
  @Override
  public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
    Throwable actual = cause.getCause() instanceof Http2Exception inner ? inner : cause;
    if (actual instanceof Http2Exception) {
      server()
          .problems()
          .report(
              "HTTP/2 violated",
              () ->
                  "remote=%s, cause=%s; closed"
                      .formatted(channel().remoteAddress(), actual.getMessage()));
    } else {
      from.fireExceptionCaught(cause);
    }
  }

  private void close() {
    context().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext removed) {
    closed = true;
    Objects.requireNonNull(deadline).close();
    guards.forEach(RestGuard::close);
    guards.clear();
    Objects.requireNonNull(allowance).close();
  }
}
