package dev.isogrid.server.rest;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.codec.Conversion;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.server.net.ByteBufBytes;
import dev.isogrid.server.net.CacheLatencies;
import dev.isogrid.server.net.IgnoredCaches;
import dev.isogrid.server.net.SchemaCatalog;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.net.SlowLog;
import dev.isogrid.server.security.Access;
import dev.isogrid.server.security.Requirements;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.wire.MediaTypes;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes single entries for one connection, on its event loop, or on the thread that
 * works for it meanwhile. A method that answers writes a reply or throws. If it returns false, it
 * has done nothing, since it may have to wait for other nodes, or to convert a long value, and must
 * not.
 */
final class EntryResource implements EntryReader<BinaryKey, Bytes> {
  private static final AsciiString ETAG = AsciiString.cached("Etag: ");
  private static final AsciiString LAST_MODIFIED = AsciiString.cached("Last-Modified: ");
  private static final AsciiString EXPIRES = AsciiString.cached("Expires: ");
  private static final AsciiString NO_CACHE = AsciiString.cached("Cache-Control: no-cache\r\n");
  private static final AsciiString VARY = AsciiString.cached("Vary: Accept\r\n");
  private static final AsciiString LIFESPAN = AsciiString.cached("timeToLiveSeconds: ");
  private static final AsciiString MAX_IDLE = AsciiString.cached("maxIdleTimeSeconds: ");
  private static final AsciiString CREATED = AsciiString.cached("created: ");
  private static final AsciiString PRIMARY = AsciiString.cached("Cluster-Primary-Owner: ");
  private static final AsciiString BACKUPS = AsciiString.cached("Cluster-Backup-Owners: ");
  private static final AsciiString NODE = AsciiString.cached("Cluster-Node-Name: ");
  private static final AsciiString ADDRESS = AsciiString.cached("Cluster-Server-Address: ");
  private static final AsciiString LAST_USED = AsciiString.cached("lastUsed: ");

  private static final String SKIP_STATISTICS = "SKIP_STATISTICS";

  /** The flags that clients may send. All except one make no difference on a single node. */
  private static final Set<String> FLAGS =
      Set.of(
          "CACHE_MODE_LOCAL",
          "FAIL_SILENTLY",
          "FORCE_ASYNCHRONOUS",
          "FORCE_SYNCHRONOUS",
          "FORCE_WRITE_LOCK",
          "IGNORE_RETURN_VALUES",
          "IGNORE_TRANSACTION",
          "REMOTE_ITERATION",
          "ROLLING_UPGRADE",
          "SKIP_CACHE_LOAD",
          "SKIP_CACHE_STORE",
          "SKIP_INDEXING",
          "SKIP_INDEX_CLEANUP",
          "SKIP_LISTENER_NOTIFICATION",
          "SKIP_LOCKING",
          "SKIP_OWNERSHIP_CHECK",
          "SKIP_REMOTE_LOOKUP",
          "SKIP_SHARED_CACHE_STORE",
          "SKIP_SIZE_OPTIMIZATION",
          SKIP_STATISTICS,
          "SKIP_XSITE_BACKUP",
          "ZERO_LOCK_ACQUISITION_TIMEOUT");

  private final ServerContext context;
  private final RequestTarget target;
  private final RequestHeaders headers;
  private final Reply reply;
  private final RestGuard guard;

  private final PathKey pathKey;
  private final BinaryKey key = new BinaryKey();
  private final ByteBufBytes value = new ByteBufBytes();
  private final Preconditions preconditions = new Preconditions();
  private final ConditionalWrite write = new ConditionalWrite(preconditions);
  private final Representation representation;

  // The cache of the last request, since the next request mostly has the same.
  private @Nullable CacheEngine<BinaryKey, Bytes> lastEngine;
  private @Nullable CacheLatencies latencies;
  private @Nullable EntryView<BinaryKey, Bytes> view;
  private Access access = Access.FULL;
  private String valueType = MediaTypes.UNKNOWN;
  private boolean converts;

  /** Whether this thread may wait for other nodes. */
  private boolean mayBlock;

  private long minFreshMillis;

  /** Whether the reply to a read names the nodes that have the entry. */
  private boolean isExtended;

  private @Nullable RestProblem refusal;

  /** Whether the last read is to be done anew where a conversion may take long. */
  private boolean isPutOff;

  /** Creates the resource of a connection with the target and headers of its requests. */
  EntryResource(
      ServerContext context,
      RequestTarget target,
      RequestHeaders headers,
      Reply reply,
      RestGuard guard) {
    this.guard = guard;
    this.context = context;
    this.pathKey = new PathKey(context.transcoder());
    this.representation = new Representation(context.transcoder());
    this.target = target;
    this.headers = headers;
    this.reply = reply;
  }

  /** Sets whether this thread may wait for other nodes; a request begins on one that may not. */
  void mayBlock(boolean mayBlock) {
    this.mayBlock = mayBlock;
    isPutOff &= mayBlock; // another request begins
  }

  /**
   * Checks the permission for a request at its head.
   *
   * @throws RestProblem if there is no such cache
   * @throws dev.isogrid.server.security.AccessRefused if the caller lacks a permission
   */
  void admit(Verb verb, int cacheSegment) {
    switch (verb) {
      case GET, HEAD -> engine(cacheSegment, Requirements.restRead(), "read");
      case PUT, POST, DELETE -> engine(cacheSegment, Requirements.restWrite(), "write");
      case OPTIONS -> {} // the answer is the same for everybody
    }
  }

  private boolean mustWait(CacheEngine<BinaryKey, Bytes> engine, boolean isRead) {
    SchemaCatalog schemas = context.catalog().schemas();
    if (mayBlock && schemas.isBehind()) {
      schemas.catchUp();
    }
    boolean changesSchemas = !isRead && engine.name().equals(SchemaCatalog.CACHE);
    return !mayBlock
        && (changesSchemas
            || schemas.isBehind()
            || (engine.mayWait() && engine.mayWait(key.hash(), isRead)));
  }

  /** Answers a GET or a HEAD. */
  boolean get(int cacheSegment, int keySegment) {
    CacheEngine<BinaryKey, Bytes> engine = engine(cacheSegment, Requirements.restRead(), "read");
    readKey(engine, keySegment);
    if (mustWait(engine, true)) {
      return false;
    }
    preconditions.read(headers);
    isExtended = target.hasQuery() && target.parameters().containsKey("extended");
    minFreshMillis = EntryTimes.minFreshMillis(headers.cacheControl);
    refusal = null;
    boolean isCounted = isPutOff;
    isPutOff = false;
    EntryView<BinaryKey, Bytes> window = Objects.requireNonNull(view);
    boolean found =
        (isCounted || skipsStatistics())
            ? engine.peek(key, key.hash(), window, this, mayBlock)
            : engine.read(key, key.hash(), window, this, mayBlock);
    if (isPutOff) {
      return false;
    }
    if (refusal != null) {
      throw refusal;
    }
    if (!found) {
      reply.begin(HttpResponseStatus.NOT_FOUND).empty();
    }
    return true;
  }

  /** Writes the reply to a read, from the beginning at each call. */
  @Override
  public void read(EntryView<BinaryKey, Bytes> entry) {
    refusal = null;
    isPutOff = false;
    if (minFreshMillis != 0 && endsTooSoon(entry)) {
      reply.begin(HttpResponseStatus.NOT_FOUND).empty();
      return;
    }
    int bytesMax = mayBlock ? Integer.MAX_VALUE : Representation.LOOP_BYTES_MAX;
    boolean isAcceptable = representation.choose(headers.accept, valueType, entry, bytesMax);
    if (representation.isLong()) {
      isPutOff = true;
      return;
    }
    if (!isAcceptable) {
      String failure = representation.failure();
      String own = Representation.ownType(entry.mediaType(), valueType);
      refusal =
          failure == null
              ? RestProblem.notAcceptable(String.valueOf(headers.accept), own)
              : RestProblem.badRequest(failure);
      return;
    }
    switch (preconditions.forRead(entry)) {
      case FAILED -> reply.begin(HttpResponseStatus.PRECONDITION_FAILED).empty();
      case NOT_MODIFIED -> {
        begin(HttpResponseStatus.NOT_MODIFIED, entry);
        reply.bodiless();
      }
      case GO_ON -> {
        reply.toStored();
        begin(HttpResponseStatus.OK, entry);
        byte[] converted = representation.converted();
        if (converted == null) {
          reply.bytes(representation.contentType(), entry.value());
        } else {
          reply.bytes(representation.contentType(), converted);
        }
      }
    }
  }

  private boolean endsTooSoon(EntryView<BinaryKey, Bytes> entry) {
    long end = EntryTimes.endMillis(entry);
    return end >= 0 && end - context.node().env().epochClock().millis() < minFreshMillis;
  }

  private void begin(HttpResponseStatus status, EntryView<BinaryKey, Bytes> entry) {
    reply.begin(status).tag(ETAG, entry.version()).headers(NO_CACHE);
    if (converts) {
      reply.headers(VARY);
    }
    if (isExtended) {
      nameOwners();
    }
    if (!entry.isMortal()) {
      return;
    }
    reply.dateHeader(LAST_MODIFIED, entry.createdMillis());
    reply.dateHeader(EXPIRES, EntryTimes.endMillis(entry));
    reply.header(CREATED, entry.createdMillis());
    if (entry.lifespanMillis() >= 0) {
      reply.header(LIFESPAN, EntryTimes.seconds(entry.lifespanMillis()));
    }
    if (entry.maxIdleMillis() >= 0) {
      reply.header(MAX_IDLE, EntryTimes.seconds(entry.maxIdleMillis()));
      reply.header(LAST_USED, entry.lastUsedMillis());
    }
  }

  /**
   * Answers a PUT, or a POST that must not replace.
   *
   * @param body borrowed
   */
  boolean put(int cacheSegment, int keySegment, ByteBuf body, boolean onlyIfAbsent) {
    CacheEngine<BinaryKey, Bytes> engine = engine(cacheSegment, Requirements.restWrite(), "write");
    readKey(engine, keySegment);
    if (mustWait(engine, false)) {
      return false;
    }
    preconditions.read(headers);
    Conversion conversion =
        StoredValue.conversion(context.transcoder(), headers.contentType, valueType);
    if (conversion != null && !mayBlock && body.readableBytes() > Representation.LOOP_BYTES_MAX) {
      return false;
    }
    String kept = StoredValue.keptType(headers.contentType, conversion != null);
    long lifespan =
        EntryTimes.limitMillis("timeToLiveSeconds", headers.timeToLiveSeconds, context.problems());
    long maxIdle =
        EntryTimes.limitMillis(
            "maxIdleTimeSeconds", headers.maxIdleTimeSeconds, context.problems());
    Bytes stored =
        conversion == null ? bytes(body) : Bytes.of(conversion.convert(bytes(body).toByteArray()));
    KeyWrite<BinaryKey, Bytes> put =
        write.write().put(stored).expiry(lifespan, maxIdle).attributes(0, kept);
    if (onlyIfAbsent) {
      put.when(KeyWrite.Condition.ABSENT);
    }
    long version = write(engine, body.readableBytes());
    value.clear();
    answerPut(version, put.outcome());
    return true;
  }

  private Bytes bytes(ByteBuf body) {
    return value.set(body, body.readerIndex(), body.readableBytes());
  }

  /** Runs the write; returns the entry's version. */
  private long write(CacheEngine<BinaryKey, Bytes> engine, int size) {
    if (!engine.name().equals(SchemaCatalog.CACHE)) {
      return engine.write(key, key.hash(), write.mutation(), mayBlock);
    }
    SchemaCatalog.checkSize(size);
    SchemaCatalog schemas = context.catalog().schemas();
    long[] version = {0};
    schemas.writeDirectly(
        size,
        () -> {
          version[0] = engine.write(key, key.hash(), write.mutation());
          return true;
        });
    schemas.refresh();
    return version[0];
  }

  private void answerPut(long version, KeyWrite.Outcome outcome) {
    switch (write.verdict()) {
      case FAILED -> reply.begin(HttpResponseStatus.PRECONDITION_FAILED).empty();
      case NOT_MODIFIED -> reply.begin(HttpResponseStatus.NOT_MODIFIED).bodiless();
      case GO_ON -> {
        if (outcome != KeyWrite.Outcome.DONE) {
          throw new RestProblem(HttpResponseStatus.CONFLICT, "An entry already exists");
        }
        reply.begin(HttpResponseStatus.NO_CONTENT).tag(ETAG, version).bodiless();
      }
    }
  }

  /** Answers a DELETE. */
  boolean delete(int cacheSegment, int keySegment) {
    CacheEngine<BinaryKey, Bytes> engine = engine(cacheSegment, Requirements.restWrite(), "write");
    readKey(engine, keySegment);
    if (mustWait(engine, false)) {
      return false;
    }
    preconditions.read(headers);
    KeyWrite<BinaryKey, Bytes> removal = write.write().remove();
    write(engine, 0);
    if (write.verdict() != Preconditions.Verdict.GO_ON) {
      reply.begin(HttpResponseStatus.PRECONDITION_FAILED).empty();
    } else if (removal.existed()) {
      reply.begin(HttpResponseStatus.NO_CONTENT).bodiless();
    } else {
      reply.begin(HttpResponseStatus.NOT_FOUND).empty();
    }
    return true;
  }

  /** Answers with the nodes that have a key's entry. */
  boolean distribution(int cacheSegment, int keySegment) {
    CacheEngine<BinaryKey, Bytes> engine = engine(cacheSegment, Requirements.restRead(), "read");
    readKey(engine, keySegment);
    if (mustWait(engine, true)) {
      return false;
    }
    EntryView<BinaryKey, Bytes> window = Objects.requireNonNull(view);
    boolean found = engine.peek(key, key.hash(), window, entry -> {}, mayBlock);
    Json json = new Json().beginObject().name("contains_key").value(found);
    json.name("owners").beginArray();
    if (found) {
      addOwners(json, engine);
    }
    reply
        .begin(HttpResponseStatus.OK)
        .text(MediaTypes.JSON, json.endArray().endObject().toString());
    return true;
  }

  private void nameOwners() {
    ClusterReport cluster = ClusterReport.of(context);
    List<String> owners = cluster.ownerNames(Objects.requireNonNull(lastEngine).name(), key.hash());
    reply.header(PRIMARY, owners.isEmpty() ? "" : owners.getFirst());
    reply.header(
        BACKUPS, String.join(" ", owners.subList(Math.min(1, owners.size()), owners.size())));
    reply.header(NODE, context.node().nodeName());
    reply.header(ADDRESS, cluster.ownAddresses().toString());
  }

  private void addOwners(Json json, CacheEngine<BinaryKey, Bytes> engine) {
    ClusterReport cluster = ClusterReport.of(context);
    boolean isPrimary = true;
    for (String name : cluster.ownerNames(engine.name(), key.hash())) {
      json.beginObject().name("node_name").value(name);
      json.name("primary").value(isPrimary);
      json.name("node_addresses").values(cluster.addresses(name)).endObject();
      isPrimary = false;
    }
  }

  private void readKey(CacheEngine<BinaryKey, Bytes> engine, int keySegment) {
    pathKey.read(target, keySegment, headers.keyContentType, engine.config().keyMediaType(), key);
  }

  private CacheEngine<BinaryKey, Bytes> engine(int cacheSegment, int needed, String request) {
    CacheEngine<BinaryKey, Bytes> engine = engine(cacheSegment);
    if (!access.allows(needed)) {
      guard.checkLoggedIn("read or write"); // strangers get the same answer for all names
      throw guard.refusal(
          Requirements.needed(engine.name(), needed),
          "%s in cache %s".formatted(request, engine.name()));
    }
    return engine;
  }

  private CacheEngine<BinaryKey, Bytes> engine(int cacheSegment) {
    if (headers.flags != null) {
      checkFlags(headers.flags);
    }
    CacheEngine<BinaryKey, Bytes> last = lastEngine;
    IgnoredCaches ignored = context.catalog().ignored();
    if (last != null && !last.isClosed() && target.is(cacheSegment, last.name())) {
      checkReachable(ignored, last);
      return last;
    }
    guard.checkLoggedIn("read or write");
    String name = target.text(cacheSegment);
    CacheEngine<BinaryKey, Bytes> engine = context.engine(name);
    if (engine == null) {
      throw RestProblem.noSuchCache(name);
    }
    checkReachable(ignored, engine);
    lastEngine = engine;
    latencies = context.traffic().latencies().of(engine);
    access = guard.cache(engine.name(), engine.config());
    view = engine.newView();
    valueType = engine.config().valueMediaType();
    converts = !valueType.equals(MediaTypes.UNKNOWN);
    return engine;
  }

  private static void checkReachable(IgnoredCaches ignored, CacheEngine<BinaryKey, Bytes> engine) {
    if (ignored.contains(engine.name())) {
      throw RestProblem.ignored(engine.name());
    }
  }

  /**
   * Records the latency of the last request.
   *
   * @param size of its body
   */
  void timed(Verb verb, int size, long nanos) {
    CacheLatencies known = latencies;
    CacheEngine<BinaryKey, Bytes> engine = lastEngine;
    if (known == null || engine == null) {
      return;
    }
    if (known.isOn()) {
      known.record(CacheLatencies.Protocol.REST, kind(verb), nanos);
    }
    SlowLog slowLog = context.traffic().slowLog();
    if (slowLog.isSlow(nanos)) {
      slowLog.report(
          new SlowLog.Operation("REST " + verb, engine.name(), key.hash(), size), 0, nanos);
    }
  }

  private static CacheLatencies.Kind kind(Verb verb) {
    return switch (verb) {
      case GET, HEAD -> CacheLatencies.Kind.GET;
      case PUT, POST -> CacheLatencies.Kind.PUT;
      case DELETE -> CacheLatencies.Kind.REMOVE;
      case OPTIONS -> CacheLatencies.Kind.OTHER;
    };
  }

  /** Whether the last request failed because its cache was removed meanwhile. */
  boolean isRemoved(FatalGridException failure) {
    return lastEngine != null && lastEngine.isClosed() && failure.getCause() == null;
  }

  private boolean skipsStatistics() {
    return headers.flags != null && headers.flags.contains(SKIP_STATISTICS);
  }

  private static void checkFlags(String flags) {
    for (String flag : flags.split(",", -1)) {
      if (!FLAGS.contains(flag.strip()) && !flag.isBlank()) {
        throw RestProblem.badRequest("unknown flag: flag=%s".formatted(flag.strip()));
      }
    }
  }
}
