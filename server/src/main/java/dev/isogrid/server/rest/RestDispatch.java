package dev.isogrid.server.rest;

import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.ChangesGoneException;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.NanoClock;
import dev.isogrid.engine.WouldWaitException;
import dev.isogrid.server.backup.BackupDesk;
import dev.isogrid.server.net.RequestSpans;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.security.AccessRefused;
import dev.isogrid.wire.MediaTypes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Dispatches the requests of one connection: to the connection itself for single entries, or to the
 * administration on a thread that may block. For the connection's event loop, or the thread that
 * works for it meanwhile, except where noted.
 */
final class RestDispatch {
  /*
   * This class decides in one place on the purpose of a request, in an order that protects the
   * server: the name of the host, the origin of a web page, the method, then the target. A request
   * for an entry is answered here; one for the administration is handed on with its body, to a
   * thread that may block.
   */
  private static final AsciiString ALLOW = AsciiString.cached("Allow: ");
  private static final AsciiString KEY_TYPE = AsciiString.cached("key-content-type: ");
  private static final AsciiString RETRY_AFTER = AsciiString.cached("Retry-After: ");

  /** The advised wait: a new primary is found within a second or two. */
  private static final long RETRY_AFTER_SECONDS = 1;

  private static final AsciiString NOT_CACHED = AsciiString.cached("Cache-Control: no-cache\r\n");
  private static final String EVENT_STREAM = "text/event-stream";
  private static final AsciiString DISPOSITION = AsciiString.cached("Content-Disposition: ");
  private static final String ARCHIVE_TYPE = "application/zip";
  private static final AsciiString VALUE_TYPE = AsciiString.cached("value-content-type: ");
  private static final AsciiString PREFLIGHT =
      AsciiString.cached(
          "Access-Control-Allow-Methods: GET, HEAD, PUT, POST, DELETE, OPTIONS\r\n"
              + "Access-Control-Allow-Headers: Accept, Authorization, Cache-Control, Content-Type,"
              + " flags, If-Match, If-Modified-Since, If-None-Match, If-Unmodified-Since,"
              + " Key-Content-Type, maxIdleTimeSeconds, timeToLiveSeconds\r\n");

  private static final Set<Verb> ENTRY_VERBS =
      EnumSet.of(Verb.GET, Verb.HEAD, Verb.PUT, Verb.POST, Verb.DELETE);

  private static final byte[] NO_BODY = {};

  /** The target of a request that asks what the server as a whole can do. */
  private static final String WHOLE_SERVER = "*";

  private static final AsciiString ALLOWED =
      AsciiString.cached("Allow: GET, HEAD, PUT, POST, DELETE, OPTIONS\r\n");

  private final ServerContext server;
  private final AdminRoutes routes;
  private final RequestHeaders headers;
  private final Reply reply;
  private final Channel channel;
  private final RequestTarget target = new RequestTarget();
  private final EntryResource entries;
  private final ConsoleResource console;
  private final RestGuard guard;
  private final WebRules rules;
  private final NanoClock clock;

  /** Null if nobody wants spans. */
  private final @Nullable EntrySpans spans;

  /**
   * The segment of the path with the key of the entry, or -1 if the request does not name an entry.
   */
  private int keySegment;

  /** The request without its body, if it is for the administration. */
  private @Nullable AdminRequest admitted;

  /**
   * Creates the dispatch of a connection.
   *
   * @param headers of the current request
   * @param guard identifies callers
   * @param channel of the socket, which streams of HTTP/2 share
   */
  RestDispatch(
      RestEndpoint endpoint,
      RequestHeaders headers,
      Reply reply,
      RestGuard guard,
      Channel channel) {
    this.server = endpoint.server();
    this.clock = server.node().env().nanoClock();
    this.spans = EntrySpans.of(server, headers, channel);
    this.routes = endpoint.routes();
    this.rules = endpoint.rules();
    this.headers = headers;
    this.reply = reply;
    this.channel = channel;
    this.guard = guard;
    this.console = new ConsoleResource(endpoint.console(), target, headers, reply);
    this.entries = new EntryResource(server, target, headers, reply, guard);
  }

  /**
   * Decides on the admission of a request by its head. Call this before {@link #answer}.
   *
   * @param mayBlock whether this thread may check a login that takes long
   */
  Admission admit(HttpRequest head, boolean mayBlock) {
    try {
      return tryAdmit(head, mayBlock);
    } catch (RuntimeException | Error failure) { // tidy: the client must get its answer
      fail(failure);
      return Admission.ANSWERED;
    }
  }

  /**
   * Answers an admitted request, or returns where it must be answered.
   *
   * @param body borrowed
   * @param mayBlock whether this thread may wait for other nodes; if so, a request for an entry is
   *     answered in any case
   */
  Handling answer(HttpRequest head, ByteBuf body, boolean mayBlock) {
    entries.mayBlock(mayBlock);
    long beganNanos = spans == null ? 0 : clock.nanoTime();
    try {
      return tryAnswer(head, body, mayBlock);
    } catch (WouldWaitException _) {
      reply.takeBack();
      return Handling.MUST_WAIT;
    } catch (RuntimeException | Error failure) { // tidy: the client must get its answer
      fail(failure);
      if (spans != null && admitted == null) {
        spans.failed(head, cacheName(), clock.nanoTime() - beganNanos, failure);
      }
      return Handling.ANSWERED;
    }
  }

  /** The name of the cache in the target, or "" if it is malformed. */
  private String cacheName() {
    try {
      return target.text(3);
    } catch (RestProblem malformed) {
      return "";
    }
  }

  private void fail(Throwable failure) {
    switch (failure) {
      case AccessRefused refusal -> guard.answer(refusal, reply);
      case RestProblem problem -> problem(problem.status(), problem.text());
      case FatalGridException fatal when entries.isRemoved(fatal) ->
          problem(HttpResponseStatus.NOT_FOUND, RestProblem.noSuchCache(target.text(3)).text());
      default -> {
        RestProblem problem = problemOf(failure);
        problem(problem.status(), problem.text());
      }
    }
  }

  private Handling tryAnswer(HttpRequest head, ByteBuf body, boolean mayBlock) {
    String encoding = body.isReadable() ? headers.contentEncoding : null;
    if (encoding == null) {
      return answerPlain(head, body);
    }
    if (!mayBlock && body.readableBytes() > ContentEncoding.SMALL_SIZE) {
      return Handling.MUST_WAIT;
    }
    try (ContentEncoding.Decoded decoded =
        ContentEncoding.decoded(
            encoding, body.duplicate(), server.contentLengthMax(), server.intake().requests())) {
      return answerPlain(head, decoded.bytes());
    }
  }

  private Handling answerPlain(HttpRequest head, ByteBuf body) {
    AdminRequest request = admitted;
    if (request != null) {
      return new Handling.Administrative(request.with(ByteBufUtil.getBytes(body)));
    }
    if (keySegment == 5 && target.is(4, "_distribution")) {
      return Handling.of(entries.distribution(3, 5));
    }
    Verb verb = Objects.requireNonNull(Verb.of(head.method()));
    long beganNanos = clock.nanoTime();
    boolean isDone =
        spans == null
            ? answerEntry(verb, keySegment, body)
            : answerInSpan(spans, verb, keySegment, body);
    if (isDone) {
      long tookNanos = clock.nanoTime() - beganNanos;
      entries.timed(verb, body.readableBytes(), tookNanos);
      if (spans != null) {
        spans.done(verb, target.text(3), tookNanos);
      }
    }
    return Handling.of(isDone);
  }

  private boolean answerInSpan(EntrySpans known, Verb verb, int keySegment, ByteBuf body) {
    try (RequestSpans.Scope _ = known.begin(verb, target.text(3))) {
      return answerEntry(verb, keySegment, body);
    }
  }

  private Admission tryAdmit(HttpRequest head, boolean mayBlock) {
    admitted = null;
    if (headers.userAgent != null && headers.userAgent.startsWith("Mozilla")) {
      reply.toBrowser();
    }
    if (!guard.isRestricted() && !rules.isKnownHost(headers.host)) {
      throw unknownHost(headers.host);
    }
    Verb verb = Verb.of(head.method());
    if (headers.origin != null && isAnsweredByOrigin(headers.origin, verb)) {
      return Admission.ANSWERED;
    }
    if (verb == null) {
      reply.begin(HttpResponseStatus.FORBIDDEN).empty();
      return Admission.ANSWERED;
    }
    if (verb == Verb.OPTIONS && head.uri().equals(WHOLE_SERVER)) {
      reply.begin(HttpResponseStatus.OK).headers(ALLOWED).empty();
      return Admission.ANSWERED;
    }
    target.parse(head.uri());
    int count = target.count();
    if (count > 0 && target.is(0, ConsoleResource.PATH)) {
      return answerConsole(head, verb, mayBlock);
    }
    if (count == 0) {
      answerStart(verb);
      return Admission.ANSWERED;
    }
    keySegment = keySegment(count, verb);
    if (keySegment < 0) {
      return admitAdministrative(head, verb, mayBlock);
    }
    if (guard.isRestricted()) {
      if (!mayBlock && guard.mustWait(headers)) {
        return Admission.MUST_WAIT;
      }
      guard.identify(head, headers);
      entries.admit(verb, 3);
    }
    return Admission.ADMITTED;
  }

  private Admission answerConsole(HttpRequest head, Verb verb, boolean mayBlock) {
    if (!mayBlock && console.mustWait()) {
      return Admission.MUST_WAIT;
    }
    console.answer(verb, head.uri());
    return Admission.ANSWERED;
  }

  private static RestProblem unknownHost(@Nullable String host) {
    return new RestProblem(
        HttpResponseStatus.MISDIRECTED_REQUEST,
        "unknown host: Host=%s; use an address or localhost, or start the server with"
                .formatted(host)
            + " --external-address or --auth");
  }

  /**
   * The segment of the path with the key of an entry, or -1 if the request does not name an entry.
   */
  private int keySegment(int count, Verb verb) {
    if (count == 5 && isUnderCaches("v2")) {
      return 4;
    }
    boolean isEntry =
        count == 6
            && isUnderCaches("v3")
            && (target.is(4, "entries") || (target.is(4, "_distribution") && verb == Verb.GET));
    return isEntry ? 5 : -1;
  }

  private Admission admitAdministrative(HttpRequest head, Verb verb, boolean mayBlock) {
    checkNames(verb);
    AdminRequest request = adminRequest(verb);
    Route route = routes.find(request);
    if (!RestGuard.isPublic(route)) {
      if (!mayBlock && guard.mustWait(headers)) {
        return Admission.MUST_WAIT;
      }
      guard.identify(head, headers);
      guard.check(route, request);
    }
    admitted = request;
    return Admission.ADMITTED;
  }

  /**
   * Refuses a path that is the one of a cache only since a name in it is empty: it was meant for an
   * entry. An action says that it is meant for the cache.
   */
  private void checkNames(Verb verb) {
    if (target.count() != 4 || !target.hasEmptyBehind(3)) {
      return;
    }
    boolean isRead = verb == Verb.GET || verb == Verb.HEAD;
    boolean maybeEntry = isUnderCaches("v2") || (isUnderCaches("v3") && !isRead);
    if (maybeEntry && !target.parameters().containsKey("action")) {
      throw RestProblem.badRequest(
          ("empty name of a key or cache in the path: method=%s, name=%s; REST can't address the"
                  + " empty key. If the cache itself is meant, leave out the last or doubled slash")
              .formatted(verb, target.text(3)));
    }
  }

  /** Whether the client must log in and has not. */
  boolean isStranger() {
    return guard.isStranger();
  }

  private void answerStart(Verb verb) {
    if (verb == Verb.GET || verb == Verb.HEAD) {
      welcome();
    } else {
      write(new Answer.NotAllowed(EnumSet.of(Verb.GET, Verb.HEAD)));
    }
  }

  private void welcome() {
    String text =
        """
        Isogrid %s
        /rest/v2/caches              the caches
        /rest/v2/caches/NAME/KEY     an entry
        /rest/v2/container           this node
        /console/                    the console, for browsers
        /health/live, /health/ready  probes
        """
            .formatted(server.version());
    reply.begin(HttpResponseStatus.OK).text(MediaTypes.TEXT_PLAIN, text);
  }

  private boolean isUnderCaches(String version) {
    return target.is(1, version) && target.is(2, "caches") && target.is(0, "rest");
  }

  /** Whether a request is answered because of its web page's origin. */
  private boolean isAnsweredByOrigin(String origin, @Nullable Verb verb) {
    boolean allowed = rules.isAllowed(origin, headers.host, channel);
    if (allowed) {
      reply.allowOrigin(origin);
    }
    if (verb == Verb.OPTIONS && headers.accessControlRequestMethod != null) {
      reply.begin(HttpResponseStatus.OK);
      if (allowed) {
        reply.headers(PREFLIGHT);
      }
      reply.empty();
      return true;
    }
    if (!allowed) {
      reply.begin(HttpResponseStatus.FORBIDDEN).empty();
    }
    return !allowed;
  }

  private boolean answerEntry(Verb verb, int keySegment, ByteBuf body) {
    if (target.hasQuery()) {
      String action = target.parameters().get("action");
      if (action != null && action.equals("distribution") && verb == Verb.GET) {
        return entries.distribution(3, keySegment);
      }
      if (action != null) {
        throw RestProblem.badRequest("unknown action: action=%s".formatted(action));
      }
    }
    return switch (verb) {
      case GET, HEAD -> entries.get(3, keySegment);
      case PUT -> entries.put(3, keySegment, body, false);
      case POST -> entries.put(3, keySegment, body, true);
      case DELETE -> entries.delete(3, keySegment);
      case OPTIONS -> {
        write(new Answer.NotAllowed(ENTRY_VERBS));
        yield true;
      }
    };
  }

  private AdminRequest adminRequest(Verb verb) {
    return new AdminRequest(
        verb,
        target.segments(),
        target.query(),
        headers.accept,
        headers.contentType,
        headers.flags,
        NO_BODY,
        null,
        guard);
  }

  /** Whether the body of the admitted request goes into a file. */
  boolean isUpload() {
    AdminRequest request = admitted;
    return request != null && uploads(request) != null;
  }

  private Route.@Nullable UploadHandler uploads(AdminRequest request) {
    Route route = routes.find(request);
    return route != null
            && route.handler() instanceof Route.UploadHandler handler
            && handler.isUpload(request)
        ? handler
        : null;
  }

  /**
   * Begins the upload of the admitted request, on a thread that may block.
   *
   * @return null if it is refused; then the refusal is written as the reply
   */
  BackupDesk.@Nullable Upload beginUpload() {
    AdminRequest request = Objects.requireNonNull(admitted);
    try {
      if (headers.contentEncoding != null) {
        throw new RestProblem(
            HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
            "archives are compressed already: Content-Encoding=%s; send it unchanged"
                .formatted(headers.contentEncoding));
      }
      BackupDesk.Upload upload = Objects.requireNonNull(uploads(request)).begin(request);
      admitted = request.with(upload);
      return upload;
    } catch (RuntimeException | Error failure) { // tidy: the client must get its answer
      fail(failure);
      return null;
    }
  }

  /** Whether the body of a request may be longer than others, as far as its head shows. */
  static boolean mayUpload(HttpRequest head) {
    return head.method().equals(HttpMethod.POST) && head.uri().contains("/container/restores/");
  }

  /**
   * Answers an administrative request on a thread that may block.
   *
   * @param receiver gets the answer, on that thread
   */
  void answerElsewhere(AdminRequest request, Consumer<Answer> receiver) {
    AdminSpan span = AdminSpan.of(server, request, routes, headers, channel);
    try {
      server.node().env().scheduler().execute(() -> receiver.accept(adminAnswer(request, span)));
    } catch (RejectedExecutionException e) {
      receiver.accept(
          error(HttpResponseStatus.SERVICE_UNAVAILABLE, "server is stopping; try another one"));
    }
  }

  private Answer adminAnswer(AdminRequest request, @Nullable AdminSpan span) {
    Answer answer =
        span == null ? answerOrProblem(request) : span.answered(() -> answerOrProblem(request));
    guard.administered(request, answer.statusCode());
    return answer;
  }

  private Answer answerOrProblem(AdminRequest request) {
    try {
      return routes.answer(request);
    } catch (AccessRefused refusal) {
      return error(RestGuard.status(refusal), refusal.text());
    } catch (RestProblem problem) {
      return error(problem.status(), problem.text());
    } catch (RuntimeException | Error failure) { // tidy: the client must get its answer
      RestProblem problem = problemOf(failure);
      return error(problem.status(), problem.text());
    }
  }

  private static Answer error(HttpResponseStatus status, String text) {
    return new Answer.Text(status, MediaTypes.TEXT_PLAIN, text);
  }

  /** Any thread. */
  private RestProblem problemOf(Throwable failure) {
    return switch (failure) {
      case InvalidRequestException e -> RestProblem.badRequest(String.valueOf(e.getMessage()));
      case RetryableGridException e ->
          new RestProblem(HttpResponseStatus.SERVICE_UNAVAILABLE, String.valueOf(e.getMessage()));
      case IndeterminateGridException e ->
          new RestProblem(HttpResponseStatus.GATEWAY_TIMEOUT, String.valueOf(e.getMessage()));
      case ChangesGoneException e ->
          new RestProblem(HttpResponseStatus.GONE, String.valueOf(e.getMessage()));
      case OutOfMemoryError _ -> RestProblem.noMemory();
      case CacheFullException e -> RestProblem.full(refusedWrite(e));
      default -> new RestProblem(HttpResponseStatus.INTERNAL_SERVER_ERROR, reported(failure));
    };
  }

  private String refusedWrite(CacheFullException full) {
    String message = String.valueOf(full.getMessage());
    server.traffic().writeRefused();
    server.problems().report("REST: cache full", () -> message);
    return message;
  }

  private String reported(Throwable failure) {
    server
        .problems()
        .reportFailure("REST request failed", failure, () -> "remote=" + channel.remoteAddress());
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }

  /** Writes an error as the reply. */
  void problem(HttpResponseStatus status, String text) {
    begin(status).text(MediaTypes.TEXT_PLAIN, text);
  }

  private Reply begin(HttpResponseStatus status) {
    reply.begin(status);
    return status.equals(HttpResponseStatus.SERVICE_UNAVAILABLE)
        ? reply.header(RETRY_AFTER, RETRY_AFTER_SECONDS)
        : reply;
  }

  /** Writes an answer as the reply. */
  void write(Answer answer) {
    switch (answer) {
      case Answer.Empty(HttpResponseStatus status) -> {
        reply.begin(status);
        if (status.equals(HttpResponseStatus.NO_CONTENT)) {
          reply.bodiless();
        } else {
          reply.empty();
        }
      }
      case Answer.Text(HttpResponseStatus status, String contentType, String text) ->
          begin(status).text(contentType, text);
      case Answer.Octets(byte[] bytes) ->
          reply.begin(HttpResponseStatus.OK).bytes(MediaTypes.OCTET_STREAM, bytes);
      case Answer.Passing(String text) ->
          reply.begin(HttpResponseStatus.OK).headers(NOT_CACHED).text(MediaTypes.TEXT_PLAIN, text);
      case Answer.NotAllowed(Set<Verb> allowed) ->
          reply
              .begin(HttpResponseStatus.METHOD_NOT_ALLOWED)
              .header(ALLOW, names(allowed))
              .text(MediaTypes.TEXT_PLAIN, "Not allowed");
      case Answer.Streamed(Listing listing) -> beginStream(listing);
      case Answer.Archive(Path file) -> beginArchive(file);
      case Answer.Events _ -> beginEvents();
    }
  }

  private static String names(Set<Verb> verbs) {
    return verbs.stream().sorted().map(Verb::name).collect(Collectors.joining(", "));
  }

  private void beginArchive(Path file) {
    if (reply.isHttp10()) {
      reply.close(); // its end is the end of the connection
    }
    reply
        .begin(HttpResponseStatus.OK)
        .header(DISPOSITION, "attachment; filename=\"%s\"".formatted(file.getFileName()))
        .streamed(ARCHIVE_TYPE);
  }

  private void beginEvents() {
    reply.close(); // the stream ends with the connection
    reply.begin(HttpResponseStatus.OK).headers(NOT_CACHED).streamed(EVENT_STREAM);
  }

  private void beginStream(Listing listing) {
    if (reply.isHttp10()) {
      reply.close(); // its end is the end of the connection
    }
    reply.begin(HttpResponseStatus.OK).header(KEY_TYPE, listing.keyType());
    if (!listing.keysOnly()) {
      reply.header(VALUE_TYPE, listing.valueType());
    }
    reply.streamed(MediaTypes.JSON);
  }
}
