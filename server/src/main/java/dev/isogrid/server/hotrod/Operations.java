package dev.isogrid.server.hotrod;

import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.ChangesGoneException;
import dev.isogrid.api.CounterBoundException;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.GridException;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.MapReduceException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.NanoClock;
import dev.isogrid.engine.WouldWaitException;
import dev.isogrid.server.net.ByteBudget;
import dev.isogrid.server.net.CacheLatencies;
import dev.isogrid.server.net.RequestSpans;
import dev.isogrid.server.net.SchemaCatalog;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.net.SlowLog;
import dev.isogrid.server.security.AccessRefused;
import dev.isogrid.server.security.Caller;
import dev.isogrid.server.security.Permission;
import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Executes requests, one at a time, and writes their replies. On an event loop it executes those
 * that do not block, elsewhere all. Reusable; not thread-safe.
 */
final class Operations {
  /*
   * This class has all steps of a request between its header and its reply: the thread that may
   * execute it, the notes of its time, its group of operations, and the meaning of its failure for
   * clients. The groups have classes of their own.
   *
   * A request is executed on the event loop first. If it would wait there, nothing was done, and it
   * is executed again on a thread that may block. Where neither latencies nor slow requests nor
   * spans are wanted, no clock is read.
   */
  private static final long NOT_ENDED = Long.MIN_VALUE;

  /** The cache of Infinispan that clients write scripts to. */
  private static final String SCRIPTS = "___script_cache";

  private final ServerContext context;
  private final Request request;
  private final Reply reply;
  private final boolean mayBlock;

  /** The result of {@link #isHeldUp()}. */
  private boolean isHeldUp;

  private final NanoClock clock;
  private final SlowLog slowLog;

  /** Null if nobody wants spans. */
  private final @Nullable OperationSpans spans;

  private final ValueWrite writes;
  private final KeyOperations keys;
  private final BulkOperations bulk;
  private final ServerOperations server;
  private final MultimapOperations multimaps;
  private final CounterOperations counters;
  private final StreamOperations streams;
  private final Repetition repetition;
  private final ByteBufAllocator allocator;

  /** The end of the last request, if the next one begins at once; else {@link #NOT_ENDED}. */
  private long endedNanos = NOT_ENDED;

  /** The state of the request's connection; null before the first request. */
  private @Nullable ConnectionState state;

  /** The listener that the last request began, if any. */
  private @Nullable ClientListener begun;

  private Operations(
      ServerContext context,
      Request request,
      Reply reply,
      ByteBufAllocator allocator,
      boolean mayBlock) {
    this.context = context;
    this.clock = context.node().env().nanoClock();
    this.slowLog = context.traffic().slowLog();
    this.spans = OperationSpans.of(context, request);
    this.request = request;
    this.reply = reply;
    this.allocator = allocator;
    this.mayBlock = mayBlock;
    this.writes = new ValueWrite(request);
    KeyScratch scratch = new KeyScratch(request);
    this.repetition = new Repetition(request, reply, mayBlock);
    this.keys = new KeyOperations(request, reply, scratch, writes, repetition, mayBlock);
    this.bulk = new BulkOperations(request, reply, scratch, writes, allocator, mayBlock);
    this.server = new ServerOperations(context, request, reply);
    this.multimaps = new MultimapOperations(request, reply, scratch, writes, mayBlock);
    this.counters = new CounterOperations(context, request, reply, repetition, mayBlock);
    this.streams = new StreamOperations(request, reply, scratch, mayBlock);
  }

  /** For an event loop. */
  static Operations thatNeverBlock(
      ServerContext context, Request request, Reply reply, ByteBufAllocator allocator) {
    return new Operations(context, request, reply, allocator, false);
  }

  /** For a thread that may wait for other nodes. */
  static Operations thatMayBlock(
      ServerContext context, Request request, Reply reply, ByteBufAllocator allocator) {
    return new Operations(context, request, reply, allocator, true);
  }

  /** Sets the state of the next requests' connection; null between requests. */
  void state(@Nullable ConnectionState state) {
    ClientBinding client = state == null ? null : state.client();
    this.state = state;
    repetition.client(client);
    request.takesTimes = client != null && client.takesTimes();
    begun = null;
    counters.forget();
  }

  private ClientListeners listeners() {
    return Objects.requireNonNull(state).listeners();
  }

  /** Notes that the answer to the last request was sent. On the event loop. */
  void answered() {
    ClientListener accepted = begun;
    begun = null;
    if (accepted != null) {
      accepted.accept();
    }
    counters.answered();
  }

  private Caller caller() {
    return Objects.requireNonNull(state).caller();
  }

  private boolean hasSessions() {
    return Objects.requireNonNull(state).client().sessions().hasRoom();
  }

  private Iterations iterations() {
    return Objects.requireNonNull(state).iterations();
  }

  private ByteBudget.Share answers() {
    return Objects.requireNonNull(state).shares().answers();
  }

  private ValueStreams streams() {
    return Objects.requireNonNull(state).streams();
  }

  /** Begins the stream for the chunks that follow an old put request; the caller closes it. */
  PutStream beginPut(CacheHandle cache) {
    return streams.newPut(cache, streams());
  }

  /**
   * Executes the request.
   *
   * @param cache null if the cache that it names does not exist
   * @return false if it must be executed on a thread that may block; then nothing was done
   * @throws RuntimeException if it failed; {@link #fail} answers that
   */
  boolean execute(@Nullable CacheHandle cache) {
    return execute(cache, 0);
  }

  /** As {@link #execute(CacheHandle)}, for a request that has waited for this thread. */
  boolean execute(@Nullable CacheHandle cache, long waitedNanos) {
    isHeldUp = false;
    try {
      return executeTimed(cache, waitedNanos);
    } catch (WouldWaitException _) {
      reply.cancel();
      isHeldUp = cache == null || !cache.mayWait;
      return false;
    }
  }

  /**
   * Begins the request without a thread that waits for other nodes, if that is possible. {@link
   * #finish} replies, once {@code whenDone} was called.
   *
   * @param whenDone called once, by any thread; must be short and must not block
   * @return false if it must be executed on a thread that may block; then nothing was done
   * @throws RuntimeException if it failed; then nothing was done
   */
  boolean tryBegin(CacheHandle cache, Runnable whenDone) {
    if (cache.holdsSchemas || context.catalog().schemas().isBehind()) {
      return false;
    }
    return switch (request.operation) {
      case Opcodes.PUT,
          Opcodes.PUT_IF_ABSENT,
          Opcodes.REPLACE,
          Opcodes.REPLACE_IF_UNMODIFIED,
          Opcodes.REMOVE,
          Opcodes.REMOVE_IF_UNMODIFIED ->
          tryBeginWrite(cache, whenDone);
      default -> false;
    };
  }

  private boolean tryBeginWrite(CacheHandle cache, Runnable whenDone) {
    if (spans == null) {
      return keys.tryBegin(cache, whenDone);
    }
    try (RequestSpans.Scope _ = spans.begin(state, cache.engine.name(), clock.nanoTime())) {
      return keys.tryBegin(cache, whenDone);
    }
  }

  /**
   * Replies to a request that was begun. Does not block.
   *
   * @param beganNanos when it was begun
   * @throws RuntimeException if it failed; {@link #fail} answers that
   */
  void finish(CacheHandle cache, long beganNanos) {
    boolean _ = keys.write(cache); // what waits is done
    if (cache.latencies.isOn() || slowLog.isOn() || spans != null) {
      timed(cache, 0, clock.nanoTime() - beganNanos);
    }
  }

  /**
   * Whether a hold-up within this node kept the last request from being executed. Then later
   * requests of the connection must not overtake it, as they would not if it had waited.
   */
  boolean isHeldUp() {
    return isHeldUp;
  }

  private boolean executeTimed(@Nullable CacheHandle cache, long waitedNanos) {
    if (spans != null && mayBlock && OperationSpans.isAdministration(request)) {
      endedNanos = NOT_ENDED;
      return executeAdministration(spans, cache);
    }
    if (cache == null) {
      endedNanos = NOT_ENDED;
      return executeWithoutCache();
    }
    CacheLatencies latencies = cache.latencies;
    if (!latencies.isOn() && !slowLog.isOn() && spans == null) {
      endedNanos = NOT_ENDED;
      return executeOnAny(cache);
    }
    long beganNanos = endedNanos == NOT_ENDED ? clock.nanoTime() : endedNanos;
    endedNanos = NOT_ENDED;
    boolean isDone =
        spans == null ? executeOnAny(cache) : executeInSpan(spans, cache, beganNanos - waitedNanos);
    if (isDone) {
      long nowNanos = clock.nanoTime();
      endedNanos = mayBlock ? NOT_ENDED : nowNanos;
      timed(cache, waitedNanos, nowNanos - beganNanos);
    }
    return isDone;
  }

  private boolean executeAdministration(OperationSpans known, @Nullable CacheHandle cache) {
    long beganNanos = clock.nanoTime();
    try (RequestSpans.Scope _ = known.begin(state, "", beganNanos)) {
      boolean _ = executeOnServer(cache); // all of it, since this thread may block
    }
    known.done(state, "", clock.nanoTime() - beganNanos);
    return true;
  }

  private boolean executeInSpan(OperationSpans known, CacheHandle cache, long beganNanos) {
    try (RequestSpans.Scope _ = known.begin(state, cache.engine.name(), beganNanos)) {
      return executeOnAny(cache);
    }
  }

  /**
   * Notes that time has passed since the last request. Otherwise the end of one request is the
   * beginning of the next, which saves half of the clock readings.
   */
  void paused() {
    endedNanos = NOT_ENDED;
  }

  private void timed(CacheHandle cache, long waitedNanos, long tookNanos) {
    CacheLatencies.Kind kind = kind(request.operation);
    if (cache.latencies.isOn()) {
      cache.latencies.record(CacheLatencies.Protocol.HOT_ROD, kind, waitedNanos + tookNanos);
    }
    if (spans != null) {
      spans.done(state, cache.engine.name(), waitedNanos + tookNanos);
    }
    if (slowLog.isSlow(waitedNanos + tookNanos)) {
      slowLog.report(
          new SlowLog.Operation(
              Opcodes.describe(request.operation),
              cache.engine.name(),
              kind == CacheLatencies.Kind.OTHER ? 0 : keys.hash(),
              request.in.writerIndex()),
          waitedNanos,
          tookNanos);
    }
  }

  private static CacheLatencies.Kind kind(int operation) {
    return switch (operation) {
      case Opcodes.GET, Opcodes.GET_WITH_VERSION, Opcodes.GET_WITH_METADATA, Opcodes.CONTAINS_KEY ->
          CacheLatencies.Kind.GET;
      case Opcodes.PUT, Opcodes.PUT_IF_ABSENT, Opcodes.REPLACE, Opcodes.REPLACE_IF_UNMODIFIED ->
          CacheLatencies.Kind.PUT;
      case Opcodes.REMOVE, Opcodes.REMOVE_IF_UNMODIFIED -> CacheLatencies.Kind.REMOVE;
      default -> CacheLatencies.Kind.OTHER;
    };
  }

  private boolean executeOnAny(CacheHandle cache) {
    return cache.holdsSchemas ? executeOnSchemas(cache) : executeOn(cache);
  }

  private boolean executeOn(CacheHandle cache) {
    SchemaCatalog schemas = context.catalog().schemas();
    if (schemas.isBehind()) {
      if (mayBlock) {
        schemas.catchUp();
      } else if (mayConvert()) {
        return false;
      }
    }
    return switch (request.operation) {
      case Opcodes.GET, Opcodes.GET_WITH_VERSION, Opcodes.GET_WITH_METADATA, Opcodes.CONTAINS_KEY ->
          keys.read(cache);
      case Opcodes.PUT,
          Opcodes.PUT_IF_ABSENT,
          Opcodes.REPLACE,
          Opcodes.REPLACE_IF_UNMODIFIED,
          Opcodes.REMOVE,
          Opcodes.REMOVE_IF_UNMODIFIED ->
          keys.write(cache);
      case Opcodes.GET_STREAM,
          Opcodes.PUT_STREAM,
          Opcodes.START_GET_STREAM,
          Opcodes.NEXT_GET_STREAM,
          Opcodes.END_GET_STREAM,
          Opcodes.START_PUT_STREAM,
          Opcodes.NEXT_PUT_STREAM,
          Opcodes.END_PUT_STREAM ->
          streams.execute(cache, streams());
      default -> executeOther(cache);
    };
  }

  /**
   * Whether the event loop may convert something for the request. If not, the request must stay
   * there: chunks of a value must keep their order, and iterations begin and end there.
   */
  private boolean mayConvert() {
    return switch (request.operation) {
      case Opcodes.PUT_STREAM,
          Opcodes.NEXT_PUT_STREAM,
          Opcodes.END_PUT_STREAM,
          Opcodes.NEXT_GET_STREAM,
          Opcodes.END_GET_STREAM,
          Opcodes.ITERATION_START,
          Opcodes.ITERATION_END ->
          false;
      default -> true;
    };
  }

  /** As on any other cache, except that each change updates the list of schemas. */
  private boolean executeOnSchemas(CacheHandle cache) {
    return switch (request.operation) {
      case Opcodes.PUT,
          Opcodes.PUT_IF_ABSENT,
          Opcodes.REPLACE,
          Opcodes.REPLACE_IF_UNMODIFIED,
          Opcodes.REMOVE,
          Opcodes.REMOVE_IF_UNMODIFIED,
          Opcodes.PUT_ALL,
          Opcodes.CLEAR -> {
        boolean isDone = mayBlock && writeSchemas(cache);
        if (isDone) {
          refreshSchemas();
        }
        yield isDone;
      }
      default -> executeOn(cache);
    };
  }

  private boolean writeSchemas(CacheHandle cache) {
    int size = 0;
    switch (request.operation) {
      case Opcodes.PUT, Opcodes.PUT_IF_ABSENT, Opcodes.REPLACE, Opcodes.REPLACE_IF_UNMODIFIED -> {
        size = request.value.length;
        SchemaCatalog.checkSize(size);
      }
      case Opcodes.PUT_ALL -> size = request.in.writerIndex();
      default -> {}
    }
    return context.catalog().schemas().writeDirectly(size, () -> executeOn(cache));
  }

  /** The change itself is done and answered; a failure to list its errors is only logged. */
  private void refreshSchemas() {
    try {
      context.catalog().schemas().refresh();
    } catch (GridException failure) {
      context
          .problems()
          .reportFailure("schemas not checked", failure, () -> "cache=" + SchemaCatalog.CACHE);
    }
  }

  private boolean executeOther(CacheHandle cache) {
    if (!mayBlock && mayWait(cache)) {
      return false;
    }
    switch (request.operation) {
      case Opcodes.PUT_ALL -> bulk.putAll(cache);
      case Opcodes.GET_ALL -> bulk.getAll(cache, answers());
      case Opcodes.BULK_GET, Opcodes.BULK_GET_KEYS -> bulk.bulkGet(cache, answers());
      case Opcodes.ITERATION_START -> iterations().start(cache, request, reply);
      case Opcodes.ITERATION_NEXT -> iterations().next(cache, request, reply, allocator);
      case Opcodes.ITERATION_END -> iterations().end(cache, request, reply);
      case Opcodes.ADD_CLIENT_LISTENER, Opcodes.ADD_BLOOM_LISTENER ->
          begun = listeners().add(cache, request, reply);
      case Opcodes.REMOVE_CLIENT_LISTENER -> listeners().remove(cache, request, reply);
      case Opcodes.UPDATE_BLOOM_FILTER -> listeners().updateFilter(cache, request, reply);
      case Opcodes.PING -> server.ping(cache, hasSessions());
      case Opcodes.SIZE -> server.size(cache);
      case Opcodes.CLEAR -> server.clear(cache);
      case Opcodes.STATS -> server.stats(cache);
      default -> {
        return MultimapOperations.has(request.operation)
            ? multimaps.execute(cache)
            : executeOnServer(cache);
      }
    }
    return true;
  }

  /** Whether an operation on more than one key may wait, or takes long on any cache. */
  private boolean mayWait(CacheHandle cache) {
    return switch (request.operation) {
      case Opcodes.SIZE,
          Opcodes.CLEAR,
          Opcodes.STATS,
          Opcodes.BULK_GET,
          Opcodes.BULK_GET_KEYS,
          Opcodes.ITERATION_NEXT ->
          true;
      case Opcodes.ADD_CLIENT_LISTENER ->
          cache.mayWait || request.includesState || ClientListeners.hasFactory(request);
      case Opcodes.ADD_BLOOM_LISTENER -> cache.mayWait;
      case Opcodes.PUT_ALL -> cache.mayWait || bulk.isLongPutAll();
      case Opcodes.GET_ALL -> bulk.isLongGetAll(cache);
      default -> false;
    };
  }

  private boolean executeWithoutCache() {
    boolean unnamed = request.cacheName.length == 0;
    boolean isStranger = !caller().server().allows(Permission.LOGGED_IN);
    if ((unnamed || isStranger) && request.operation == Opcodes.PING) {
      server.ping(null, hasSessions()); // strangers get the same answer for all names
      return true;
    }
    if (!RequestLayout.needsCache(request.operation)) {
      return executeOnServer(null);
    }
    fail(
        Statuses.PARSE_ERROR,
        HotRod.CACHE_NOT_FOUND
            + (unnamed
                ? ": Default cache requested but not configured"
                : missing(shownCacheName())));
    return true;
  }

  private static String missing(String name) {
    String reason = name.equals(SCRIPTS) ? "; servers run no scripts, use a task in Java" : "";
    return ": Cache with name '%s' not found amongst the configured caches%s"
        .formatted(name, reason);
  }

  /** The cache's name for a message: cut if no cache can have it, empty if it was not read. */
  private String shownCacheName() {
    int length = Math.min(request.cacheName.length, CacheHandles.NAME_LENGTH_MAX);
    if (request.in.writerIndex() < request.cacheName.index + length) {
      return "";
    }
    return request.in.toString(request.cacheName.index, length, StandardCharsets.UTF_8);
  }

  private boolean executeOnServer(@Nullable CacheHandle cache) {
    if (RequestLayout.isOnCounters(request.operation)) {
      return counters.execute(cache, Objects.requireNonNull(state).counters());
    }
    switch (request.operation) {
      case Opcodes.EXEC -> {
        if (!mayBlock) {
          return false;
        }
        server.execute(caller(), cache);
      }
      case Opcodes.AUTH_MECH_LIST -> server.mechanisms(caller());
      case Opcodes.AUTH -> {
        if (!mayBlock) {
          return false; // proofs take their time
        }
        server.authenticate(caller());
      }
      case Opcodes.PREPARE_TX, Opcodes.PREPARE_TX_2 ->
          fail(
              Statuses.SERVER_ERROR,
              "cache has no transactions: cache=%s; use versioned operations instead"
                  .formatted(Objects.requireNonNull(cache).engine.name()));
      default ->
          fail(
              Statuses.UNKNOWN_OPERATION,
              "operation not supported: operation=%s; ping lists the supported ones"
                  .formatted(Opcodes.describe(request.operation)));
    }
    return true;
  }

  /** Answers malformed bytes. */
  void refuse(MalformedRequest malformed) {
    fail(malformed.status(), String.valueOf(malformed.getMessage()));
  }

  /** Answers that the request failed. */
  void fail(Throwable failure) {
    reply.cancel();
    if (spans != null) {
      spans.failed(state, shownCacheName(), failure);
    }
    fail(statusOf(failure), describe(failure));
  }

  private void fail(int status, String message) {
    reply.error(request.messageId, status, message);
    reply.end();
  }

  private int statusOf(Throwable failure) {
    if (failure instanceof AccessRefused refusal) {
      return refusal.reason() == AccessRefused.Reason.LOGIN_MALFORMED
          ? Statuses.PARSE_ERROR
          : Statuses.SERVER_ERROR;
    }
    if (!(failure instanceof GridException known)) {
      context
          .problems()
          .reportFailure(
              "request failed", failure, () -> "operation=" + Opcodes.describe(request.operation));
      return Statuses.SERVER_ERROR;
    }
    return switch (known) {
      case InvalidRequestException _,
          FatalGridException _,
          ChangesGoneException _,
          CounterBoundException _,
          MapReduceException _ ->
          Statuses.SERVER_ERROR;
      case CacheFullException full -> {
        context.traffic().writeRefused();
        context.problems().report("Hot Rod: cache full", full::getMessage);
        yield Statuses.SERVER_ERROR;
      }
      case RetryableGridException _ -> Statuses.NODE_SUSPECTED;
      case IndeterminateGridException _ -> Statuses.TIMEOUT;
    };
  }

  /** The message for clients; some of them recognise kinds of failures by it. */
  static String describe(Throwable failure) {
    return switch (failure) {
      case AccessRefused known -> "java.lang.SecurityException: " + known.text();
      case RetryableGridException known -> HotRod.SUSPECT + ": " + known.getMessage();
      case GridException known -> String.valueOf(known.getMessage());
      default -> failure.toString();
    };
  }

  /** Forgets the request's bytes. */
  void release() {
    request.release();
    writes.release();
    keys.release();
  }
}
