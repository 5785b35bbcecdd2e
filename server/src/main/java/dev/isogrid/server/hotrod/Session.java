package dev.isogrid.server.hotrod;

import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.GridException;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.server.net.OutputGate;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/** The requests of one connection: reads each, executes it and appends the reply. */
final class Session {
  private final ServerContext context;
  private final Request request = new Request();
  private final RequestDecoder decoder;
  private final CacheHandles caches;
  private final Reply reply;
  private final ValueWrite writes = new ValueWrite(request);
  private final KeyOperations keys;
  private final BulkOperations bulk;
  private final ServerOperations server;
  private final Iterations iterations;

  /**
   * Begins a session.
   *
   * @param gate where replies go
   * @param aside where to do what takes long
   */
  Session(ServerContext context, ChannelHandlerContext channel, OutputGate gate, Aside aside) {
    this.context = context;
    this.decoder =
        new RequestDecoder(request, context.contentLengthMax(), context.node().env().epochClock());
    this.caches = new CacheHandles(context, channel.channel());
    this.reply = new Reply(gate, channel.alloc());
    KeyScratch scratch = new KeyScratch(request);
    this.keys = new KeyOperations(request, reply, scratch, writes);
    this.bulk = new BulkOperations(request, reply, scratch, writes, channel.alloc());
    this.server = new ServerOperations(context, request, reply, aside);
    this.iterations = new Iterations(request, reply, channel.alloc(), channel.executor());
  }

  /**
   * Executes the next request, if all of it is there.
   *
   * @param in what has arrived; the request's bytes are passed over
   * @return whether there was one
   * @throws MalformedRequest if the bytes are none; {@link #refuse} answers that
   */
  boolean step(ByteBuf in) {
    if (!decoder.decode(in)) {
      return false;
    }
    try {
      CacheHandle cache = caches.find(request);
      if (cache == null) {
        executeWithoutCache();
        return true;
      }
      switch (request.operation) {
        case Opcodes.GET,
            Opcodes.GET_WITH_VERSION,
            Opcodes.GET_WITH_METADATA,
            Opcodes.CONTAINS_KEY ->
            keys.read(cache);
        case Opcodes.PUT,
            Opcodes.PUT_IF_ABSENT,
            Opcodes.REPLACE,
            Opcodes.REPLACE_IF_UNMODIFIED,
            Opcodes.REMOVE,
            Opcodes.REMOVE_IF_UNMODIFIED ->
            keys.write(cache);
        default -> executeOther(cache);
      }
    } catch (RuntimeException failure) {
      fail(failure);
    } finally {
      request.release();
      writes.release();
    }
    return true;
  }

  private void executeOther(CacheHandle cache) {
    switch (request.operation) {
      case Opcodes.PUT_ALL -> bulk.putAll(cache);
      case Opcodes.GET_ALL -> bulk.getAll(cache);
      case Opcodes.BULK_GET, Opcodes.BULK_GET_KEYS -> bulk.bulkGet(cache);
      case Opcodes.ITERATION_START -> iterations.start(cache);
      case Opcodes.ITERATION_NEXT -> iterations.next(cache);
      case Opcodes.ITERATION_END -> iterations.end(cache);
      case Opcodes.PING -> server.ping(cache);
      case Opcodes.SIZE -> server.size(cache);
      case Opcodes.CLEAR -> server.clear(cache);
      case Opcodes.STATS -> server.stats(cache);
      default -> executeOnServer();
    }
  }

  private void executeWithoutCache() {
    boolean unnamed = request.cacheName.length == 0;
    if (unnamed && request.operation == Opcodes.PING) {
      server.ping(null);
    } else if (RequestLayout.needsCache(request.operation)) {
      fail(
          Statuses.PARSE_ERROR,
          unnamed
              ? HotRod.CACHE_NOT_FOUND + ": Default cache requested but not configured"
              : "%s: Cache with name '%s' not found amongst the configured caches"
                  .formatted(HotRod.CACHE_NOT_FOUND, caches.shownName(request)));
    } else {
      executeOnServer();
    }
  }

  private void executeOnServer() {
    switch (request.operation) {
      case Opcodes.EXEC -> server.execute();
      case Opcodes.AUTH_MECH_LIST -> server.mechanisms();
      case Opcodes.AUTH -> server.authenticate();
      default ->
          fail(
              Statuses.UNKNOWN_OPERATION,
              "operation not supported: operation=%s; ping tells which ones are"
                  .formatted(Opcodes.describe(request.operation)));
    }
  }

  /** Answers to bytes that are no request. */
  void refuse(MalformedRequest malformed) {
    fail(malformed.status(), String.valueOf(malformed.getMessage()));
  }

  /** Answers that the request failed. */
  void fail(RuntimeException failure) {
    reply.cancel();
    fail(statusOf(failure), describe(failure));
  }

  private void fail(int status, String message) {
    reply.error(request.messageId, status, message);
    reply.end();
  }

  private int statusOf(RuntimeException failure) {
    if (!(failure instanceof GridException known)) {
      context
          .problems()
          .reportFailure(
              "request failed", failure, () -> "operation=" + Opcodes.describe(request.operation));
      return Statuses.SERVER_ERROR;
    }
    return switch (known) {
      case InvalidRequestException _, FatalGridException _, CacheFullException _ ->
          Statuses.SERVER_ERROR;
      case RetryableGridException _ -> Statuses.ILLEGAL_LIFECYCLE;
      case IndeterminateGridException _ -> Statuses.TIMEOUT;
    };
  }

  private static String describe(RuntimeException failure) {
    @Nullable String message = failure.getMessage();
    return failure instanceof GridException && message != null ? message : failure.toString();
  }

  /** Frees what the session holds. */
  void close() {
    iterations.close();
  }
}
