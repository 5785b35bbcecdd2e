package dev.isogrid.server.hotrod;

import dev.isogrid.server.net.Intake;
import dev.isogrid.server.net.OutputGate;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.security.Access;
import dev.isogrid.server.security.Caller;
import dev.isogrid.server.security.Permission;
import dev.isogrid.server.security.Requirements;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.SessionExtension;
import dev.isogrid.wire.Statuses;
import dev.isogrid.wire.Versions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one connection: reads each, and executes it at once if it does not block, else
 * aside. For the connection's event loop only.
 */
final class Session {
  /** The result of a step. */
  enum Step {
    /** It was executed, or is being executed. */
    TAKEN,
    /** It has not fully arrived. */
    INCOMPLETE,
    /** It was left in the buffer: too many requests are executed aside. */
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
  private final LookAhead lookAhead;

  /** Whether the next request is the first of a batch, which may be the only one. */
  private boolean isFirst;

  /**
   * Begins a session.
   *
   * @param parts the shared parts of all connections
   * @param gate the output for replies
   * @param aside executes requests that may block
   * @param state the state of the connection; closed with the session
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
    this.lookAhead =
        new LookAhead(caches, context.contentLengthMax(), context.node().env().epochClock());
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
   * @param in the received bytes; a taken request is consumed
   * @throws MalformedRequest if the bytes are not a request; {@link #refuse} answers that
   */
  Step step(ByteBuf in) {
    if (aside.holdsBack()) {
      return Step.NO_ROOM;
    }
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

  /** Notes the beginning of a batch of requests that arrived together. */
  void beginBatch() {
    operations.paused();
    lookAhead.begin();
    isFirst = true;
  }

  private Step next(ByteBuf in) {
    decoder.skipStrayInterests(in);
    if (isFirst) {
      isFirst = false;
    } else if (in.isReadable()) {
      lookAhead.look(in);
    }
    int start = in.readerIndex();
    if (!decoder.decode(in)) {
      if (isStranger()) {
        checkStranger(in.readableBytes());
      }
      return Step.INCOMPLETE;
    }
    ChunkedBody body = state.streams().body();
    if (request.operation == Opcodes.PUT_STREAM && body == null) {
      beginBody(in.slice(start, in.readerIndex() - start));
      return Step.TAKEN;
    }
    try {
      boolean isNumbered = request.session.number != 0;
      if (isNumbered) {
        state.client().name(request.session);
      }
      boolean isOnCounters = RequestLayout.isOnCounters(request.operation);
      CacheHandle cache = isOnCounters ? caches.counters() : caches.find(request);
      checkAccess(cache);
      if (isNumbered) {
        state.client().enter(request.session);
      }
      state.listeners().reading(cache, request);
      noteExtensions();
      if (!operations.execute(cache)) {
        int length = in.readerIndex() - start;
        boolean tellsState =
            request.operation == Opcodes.ADD_CLIENT_LISTENER && request.includesState;
        if (!aside.hasRoom(length, tellsState)) {
          in.readerIndex(start);
          return Step.NO_ROOM;
        }
        aside.start(
            in.slice(start, length),
            cache,
            state,
            new HandOver(tellsState, operations.isHeldUp(), request.storedCount));
        if (body != null) {
          body.handOver();
        }
      }
      operations.answered();
      request.storedCount = 0;
    } catch (RuntimeException | Error failure) { // tidy: the client must get its answer
      operations.fail(failure);
      request.storedCount = 0;
    } finally {
      operations.release();
    }
    return Step.TAKEN;
  }

  /** Notes what a ping asks for: before that, flags and units of extensions are unknown ones. */
  private void noteExtensions() {
    if (request.operation == Opcodes.PING
        && request.version >= Versions.V30
        && (request.flags & SessionExtension.PING_FLAG) != 0) {
      state.client().takeTimes();
      request.takesTimes = true;
    }
  }

  /** Whether the client needs a login and has none. */
  boolean isStranger() {
    return !caller.isUnrestricted() && !caller.server().allows(Permission.LOGGED_IN);
  }

  /**
   * Lets a client without a login send the rest of a request only if it is a short one of a login.
   *
   * @param size the received bytes of it
   */
  private void checkStranger(int size) {
    int needed = decoder.hasHeader() ? Requirements.hotRod(request.operation) : Permission.PUBLIC;
    if (needed != Permission.PUBLIC || size > Intake.STRANGER_SIZE_MAX) {
      String operation =
          decoder.hasHeader() ? Opcodes.describe(request.operation) : "a request of this size";
      throw new MalformedRequest(
          Statuses.SERVER_ERROR,
          Operations.describe(caller.refusal(Permission.LOGGED_IN, operation)));
    }
  }

  /** Begins a request that is executed after the chunks that follow it. */
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

  /** Checks access first: only a client with a login learns that a cache does not exist. */
  private void checkAccess(@Nullable CacheHandle cache) {
    int needed = Requirements.hotRod(request.operation);
    Access access = cache == null ? caller.server() : cache.access;
    if (access.allows(needed)) {
      return;
    }
    boolean isMissing = cache == null && RequestLayout.needsCache(request.operation);
    if (!isMissing || !access.allows(Permission.LOGGED_IN)) {
      String operation = Opcodes.describe(request.operation);
      throw cache == null
          ? caller.refusal(needed, operation)
          : caller.refusal(
              Requirements.needed(cache.engine.name(), needed),
              operation + " on cache " + cache.engine.name());
    }
  }

  /** Answers malformed bytes. */
  void refuse(MalformedRequest malformed) {
    operations.refuse(malformed);
  }

  /**
   * Sends the states of listeners, which precede answers.
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

  /** The memory that the connection holds, for messages. */
  String shares() {
    return "%s, %s".formatted(state.shares().events(), state.shares().answers());
  }

  /** Gives up all iterations. */
  void endIterations() {
    state.iterations().close();
  }

  /** Gives up all unfinished values. */
  void endValues() {
    state.streams().endUnfinished();
  }

  /** Frees the resources of the session. */
  void close() {
    state.close();
  }
}
