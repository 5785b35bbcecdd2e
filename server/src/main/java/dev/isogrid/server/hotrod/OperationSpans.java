package dev.isogrid.server.hotrod;

import dev.isogrid.base.NanoClock;
import dev.isogrid.server.net.RequestSpans;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.wire.Opcodes;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reports the requests on caches, one after the other, for traces. Not thread-safe. */
final class OperationSpans {
  private static final long NOT_BEGUN = Long.MIN_VALUE;

  private final RequestSpans target;
  private final Request request;
  private final NanoClock clock;

  /** The beginning of the request that is being executed; else {@link #NOT_BEGUN}. */
  private long beganNanos = NOT_BEGUN;

  private OperationSpans(RequestSpans target, Request request, NanoClock clock) {
    this.target = target;
    this.request = request;
    this.clock = clock;
  }

  /**
   * Those of a request object, or null if nobody wants them.
   *
   * @param request has the present request when something is reported
   */
  static @Nullable OperationSpans of(ServerContext context, Request request) {
    RequestSpans target = context.traffic().spans();
    return target == null
        ? null
        : new OperationSpans(target, request, context.node().env().nanoClock());
  }

  /** Notes the beginning of a request. */
  void begin(long nanos) {
    beganNanos = nanos;
  }

  /** Reports a request that was answered. */
  void done(@Nullable ConnectionState state, String cache, long tookNanos) {
    report(state, cache, tookNanos, null);
  }

  /** Reports a request that failed, unless it names no cache. */
  void failed(@Nullable ConnectionState state, String cache, Throwable failure) {
    long tookNanos = beganNanos == NOT_BEGUN ? 0 : clock.nanoTime() - beganNanos;
    if (!cache.isEmpty()) {
      report(state, cache, tookNanos, failure.getClass().getName());
    }
  }

  private void report(
      @Nullable ConnectionState state, String cache, long tookNanos, @Nullable String error) {
    beganNanos = NOT_BEGUN;
    target.report(
        new RequestSpans.Ended(
            "hotrod",
            Opcodes.name(request.operation),
            cache,
            state == null ? null : state.caller().peer(),
            text(request.traceParent),
            text(request.traceState),
            tookNanos,
            error));
  }

  private @Nullable String text(Request.Range of) {
    return of.length == 0
        ? null
        : request.in.toString(of.index, of.length, StandardCharsets.US_ASCII);
  }
}
