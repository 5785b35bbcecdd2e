package dev.isogrid.server.rest;

import dev.isogrid.base.NanoClock;
import dev.isogrid.server.net.RequestSpans;
import dev.isogrid.server.net.ServerContext;
import io.netty.channel.Channel;
import java.net.SocketAddress;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The span of an administrative request that changes something: a PUT, POST or DELETE. Requests
 * that only look are many, such as those of the console and of probes, and have none. For one
 * thread at a time.
 */
final class AdminSpan {
  private static final int FIRST_ERROR = 400;

  private final String operation;
  private final String cache;
  private final @Nullable SocketAddress peer;
  private final @Nullable String traceParent;
  private final @Nullable String traceState;
  private final NanoClock clock;
  private final long beganNanos;
  private final RequestSpans.Execution execution;

  private AdminSpan(
      RequestSpans target,
      AdminRequest request,
      @Nullable Route route,
      RequestHeaders headers,
      Channel channel,
      NanoClock clock) {
    this.operation = operation(request, route);
    this.cache = isOnCache(route) ? request.cacheName() : "";
    this.peer = channel.remoteAddress();
    this.traceParent = headers.traceparent;
    this.traceState = headers.tracestate;
    this.clock = clock;
    this.beganNanos = clock.nanoTime();
    this.execution = target.execution(() -> ended(null));
  }

  /**
   * That of a request, or null if it has none, or nobody wants it. For the connection's event loop.
   *
   * @param routes that were found to have the request
   * @param headers of the request
   */
  static @Nullable AdminSpan of(
      ServerContext server,
      AdminRequest request,
      AdminRoutes routes,
      RequestHeaders headers,
      Channel channel) {
    RequestSpans target = server.traffic().spans();
    boolean changes =
        switch (request.verb()) {
          case PUT, POST, DELETE -> true;
          case GET, HEAD, OPTIONS -> false;
        };
    return target == null || !changes
        ? null
        : new AdminSpan(
            target,
            request,
            routes.find(request),
            headers,
            channel,
            server.node().env().nanoClock());
  }

  private static String operation(AdminRequest request, @Nullable Route route) {
    if (route == null) {
      return request.verb().name();
    }
    String action = route.action() == null ? "" : "?action=" + route.action();
    return request.verb() + " /" + String.join("/", route.pattern()) + action;
  }

  private static boolean isOnCache(@Nullable Route route) {
    List<String> pattern = route == null ? List.of() : route.pattern();
    return pattern.size() > 3 && pattern.get(2).equals("caches") && pattern.get(3).equals("*");
  }

  /**
   * Answers the request: the operations of this thread are parts of it meanwhile.
   *
   * @param work answers it; does not throw
   */
  Answer answered(Supplier<Answer> work) {
    Answer answer;
    try (RequestSpans.Scope _ = execution.enter()) {
      answer = work.get();
    }
    int status = answer.statusCode();
    execution.end(ended(status < FIRST_ERROR ? null : String.valueOf(status)));
    return answer;
  }

  private RequestSpans.Ended ended(@Nullable String error) {
    return new RequestSpans.Ended(
        "http",
        operation,
        cache,
        peer,
        traceParent,
        traceState,
        clock.nanoTime() - beganNanos,
        error);
  }
}
