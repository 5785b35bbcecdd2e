package dev.isogrid.server.rest;

import dev.isogrid.base.NanoClock;
import dev.isogrid.server.net.RequestSpans;
import dev.isogrid.server.net.ServerContext;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/** Reports the requests for entries of a connection for traces. Not thread-safe. */
final class EntrySpans {
  private final RequestHeaders headers;
  private final Channel channel;
  private final NanoClock clock;
  private final RequestSpans.Execution execution;
  private Verb verb = Verb.GET;
  private String cache = "";
  private long beganNanos;

  private EntrySpans(
      RequestSpans target, RequestHeaders headers, Channel channel, NanoClock clock) {
    this.headers = headers;
    this.channel = channel;
    this.clock = clock;
    this.execution =
        target.execution(() -> ended(verb, cache, clock.nanoTime() - beganNanos, null));
  }

  /**
   * Those of a connection, or null if nobody wants them.
   *
   * @param headers has those of the present request when something is reported
   */
  static @Nullable EntrySpans of(ServerContext server, RequestHeaders headers, Channel channel) {
    RequestSpans target = server.traffic().spans();
    NanoClock clock = server.node().env().nanoClock();
    return target == null ? null : new EntrySpans(target, headers, channel, clock);
  }

  /**
   * Notes the beginning of a request; the operations of this thread are parts of it until the scope
   * is closed.
   */
  RequestSpans.Scope begin(Verb wanted, String cacheName) {
    verb = wanted;
    cache = cacheName;
    beganNanos = clock.nanoTime();
    return execution.enter();
  }

  /** Reports a request that was answered. */
  void done(Verb wanted, String cacheName, long tookNanos) {
    report(wanted, cacheName, tookNanos, null);
  }

  /** Reports a request that failed. */
  void failed(HttpRequest head, String cacheName, long tookNanos, Throwable failure) {
    Verb wanted = Verb.of(head.method());
    if (wanted != null) {
      String error =
          failure instanceof RestProblem problem
              ? String.valueOf(problem.status().code())
              : failure.getClass().getName();
      report(wanted, cacheName, tookNanos, error);
    }
  }

  private void report(Verb wanted, String cacheName, long tookNanos, @Nullable String error) {
    execution.end(ended(wanted, cacheName, tookNanos, error));
  }

  private RequestSpans.Ended ended(
      Verb wanted, String cacheName, long tookNanos, @Nullable String error) {
    return new RequestSpans.Ended(
        "http",
        wanted.name(),
        cacheName,
        channel.remoteAddress(),
        headers.traceparent,
        headers.tracestate,
        tookNanos,
        error);
  }
}
