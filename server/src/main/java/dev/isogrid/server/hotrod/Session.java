package dev.isogrid.server.hotrod;

import dev.isogrid.server.net.OutputGate;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.security.Access;
import dev.isogrid.server.security.Caller;
import dev.isogrid.server.security.Permission;
import dev.isogrid.server.security.Requirements;
import dev.isogrid.wire.Opcodes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one connection: reads each, and executes it here and now if it does not block,
 * else aside. For the connection's event loop only.
 */
final class Session {
  /** What became of the next request. */
  enum Step {
    /** It was executed, or is being executed. */
    TAKEN,
    /** It is not all there. */
    INCOMPLETE,
    /** It was left where it is: too much is being executed aside. */
    NO_ROOM
  }

  private final Request request = new Request();
  private final RequestDecoder decoder;
  private final CacheHandles caches;
  private final Operations operations;
  private final ConnectionState state;
  private final OutputGate gate;
  private final AsideRequests aside;
  private final Caller caller;

  /**
   * Begins a session.
   *
   * @param parts what the connections of the server share
   * @param gate where replies go
   * @param aside where to execute what may block
   * @param state that of the connection; closed with the session
   */
  Session(
      SharedParts parts,
      ChannelHandlerContext channel,
      OutputGate gate,
      AsideRequests aside,
      ConnectionState state) {
    ServerContext context = parts.aside().context();
    this.decoder =
        new RequestDecoder(request, context.contentLengthMax(), context.node().env().epochClock());
    this.caller = state.caller();
    this.caches = new CacheHandles(context, parts.sections(), channel.channel(), caller);
    this.operations =
        Operations.thatNeverBlock(
            context, request, new Reply(gate, channel.alloc()), channel.alloc());
    this.state = state;
    this.aside = aside;
    this.gate = gate;
    operations.state(state);
  }

  /**
   * Takes the next request.
   *
   * @param in what has arrived; the request's bytes are passed over if it is taken
   * @throws MalformedRequest if the bytes are none; {@link #refuse} answers that
   */
  Step step(ByteBuf in) {
    ChunkedBody body = state.streams().body();
    if (body == null) {
      return next(in);
    }
    boolean isComplete = body.read(in);
    state.streams().noteBody();
    if (!isComplete) {
      return Step.INCOMPLETE;
    }
    Step step = next(body.head());
    if (step == Step.TAKEN) {
      state.streams().endBody(request.messageId);
    }
    return step;
  }

  private Step next(ByteBuf in) {
    int start = in.readerIndex();
    if (!decoder.decode(in)) {
      return Step.INCOMPLETE;
    }
    ChunkedBody body = state.streams().body();
    if (request.operation == Opcodes.PUT_STREAM && body == null) {
      beginBody(in.slice(start, in.readerIndex() - start));
      return Step.TAKEN;
    }
    try {
      boolean isOnCounters = RequestLayout.isOnCounters(request.operation);
      CacheHandle cache = isOnCounters ? caches.counters() : caches.find(request);
      checkAccess(cache);
      state.listeners().reading(cache, request);
      if (!operations.execute(cache)) {
        int length = in.readerIndex() - start;
        boolean tellsState =
            request.operation == Opcodes.ADD_CLIENT_LISTENER && request.includesState;
        if (!aside.hasRoom(length, tellsState)) {
          in.readerIndex(start);
          return Step.NO_ROOM;
        }
        aside.start(in.slice(start, length), cache, state, tellsState);
        if (body != null) {
          body.handOver();
        }
      }
      operations.answered();
    } catch (RuntimeException failure) {
      operations.fail(failure);
    } finally {
      operations.release();
    }
    return Step.TAKEN;
  }

  /** Begins a request that is executed when its chunks, which follow, were taken. */
  private void beginBody(ByteBuf head) {
    ChunkedBody body = new ChunkedBody(Unpooled.copiedBuffer(head));
    state.streams().beginBody(body);
    try {
      CacheHandle cache = caches.find(request);
      checkAccess(cache);
      if (cache != null) {
        body.to(operations.beginPut(cache));
      }
    } catch (RuntimeException failure) {
      body.fail(failure);
    } finally {
      operations.release();
    }
  }

  /** Only who has logged in is told that there is no such cache. */
  private void checkAccess(@Nullable CacheHandle cache) {
    int needed = Requirements.hotRod(request.operation);
    Access access = cache == null ? caller.server() : cache.access;
    if (access.allows(needed)) {
      return;
    }
    boolean isMissing = cache == null && RequestLayout.needsCache(request.operation);
    if (!isMissing || !access.allows(Permission.LOGGED_IN)) {
      String operation = Opcodes.describe(request.operation);
      throw caller.refusal(
          needed, cache == null ? operation : operation + " on cache " + cache.engine.name());
    }
  }

  /** Answers to bytes that are no request. */
  void refuse(MalformedRequest malformed) {
    operations.refuse(malformed);
  }

  /**
   * Sends what comes before answers.
   *
   * @return false if the client does not take more for now
   */
  boolean sendState() {
    return state.listeners().sendState(gate);
  }

  /** Sends events, as far as the client takes them. */
  void sendEvents() {
    state.listeners().send(gate);
  }

  /** What the connection keeps, for messages. */
  String shares() {
    return "%s, %s".formatted(state.shares().events(), state.shares().answers());
  }

  /** Gives all iterations up. */
  void endIterations() {
    state.iterations().close();
  }

  /** Gives all values up that are not finished. */
  void endValues() {
    state.streams().endUnfinished();
  }

  /** Frees what the session holds. */
  void close() {
    state.close();
  }
}
