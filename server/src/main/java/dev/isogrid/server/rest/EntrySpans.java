package dev.isogrid.server.rest;

import dev.isogrid.server.net.RequestSpans;
import dev.isogrid.server.net.ServerContext;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/** Reports the requests for entries of a connection for traces. Not thread-safe. */
final class EntrySpans {
  private final RequestSpans target;
  private final RequestHeaders headers;
  private final Channel channel;

  private EntrySpans(RequestSpans target, RequestHeaders headers, Channel channel) {
    this.target = target;
    this.headers = headers;
    this.channel = channel;
  }

  /**
   * Those of a connection, or null if nobody wants them.
   *
   * @param headers has those of the present request when something is reported
   */
  static @Nullable EntrySpans of(ServerContext server, RequestHeaders headers, Channel channel) {
    RequestSpans target = server.traffic().spans();
    return target == null ? null : new EntrySpans(target, headers, channel);
  }

  /** Reports a request that was answered. */
  void done(Verb verb, String cache, long tookNanos) {
    report(verb, cache, tookNanos, null);
  }

  /** Reports a request that failed. */
  void failed(HttpRequest head, String cache, long tookNanos, Throwable failure) {
    Verb verb = Verb.of(head.method());
    if (verb != null) {
      String error =
          failure instanceof RestProblem problem
              ? String.valueOf(problem.status().code())
              : failure.getClass().getName();
      report(verb, cache, tookNanos, error);
    }
  }

  private void report(Verb verb, String cache, long tookNanos, @Nullable String error) {
    target.report(
        new RequestSpans.Ended(
            "http",
            verb.name(),
            cache,
            channel.remoteAddress(),
            headers.traceparent,
            headers.tracestate,
            tookNanos,
            error));
  }
}
