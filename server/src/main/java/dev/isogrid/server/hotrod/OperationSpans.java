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

  /** The longest name of a built-in task in a span; clients may send any. */
  private static final int TASK_LENGTH_MAX = 64;

  private final Request request;
  private final NanoClock clock;
  private final RequestSpans.Execution execution;

  /** The state of the present request's connection, and the name of its cache. */
  private @Nullable ConnectionState state;

  private String cache = "";

  /** The beginning of the request that is being executed; else {@link #NOT_BEGUN}. */
  private long beganNanos = NOT_BEGUN;

  private OperationSpans(RequestSpans target, Request request, NanoClock clock) {
    this.request = request;
    this.clock = clock;
    this.execution = target.execution(this::soFar);
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

  /**
   * Notes the beginning of a request; the operations of this thread are parts of it until the scope
   * is closed.
   */
  RequestSpans.Scope begin(@Nullable ConnectionState of, String cacheName, long nanos) {
    state = of;
    cache = cacheName;
    beganNanos = nanos;
    return execution.enter();
  }

  /** Reports a request that was answered. */
  void done(@Nullable ConnectionState of, String cacheName, long tookNanos) {
    report(of, cacheName, tookNanos, null);
  }

  /** Whether a request administers caches, templates or schemas, by a task that is built in. */
  static boolean isAdministration(Request request) {
    return request.operation == Opcodes.EXEC
        && request.text.length >= TaskRunner.PREFIX.length()
        && request.in.writerIndex() >= request.text.index + request.text.length
        && text(request, request.text, TaskRunner.PREFIX.length()).equals(TaskRunner.PREFIX);
  }

  private static String text(Request request, Request.Range of, int lengthMax) {
    int length = Math.min(of.length, lengthMax);
    return request.in.toString(of.index, length, StandardCharsets.UTF_8);
  }

  /** Reports a request that failed, unless it names no cache and does not administer any. */
  void failed(@Nullable ConnectionState of, String cacheName, Throwable failure) {
    if (!cacheName.isEmpty() || isAdministration(request)) {
      report(of, cacheName, tookNanos(), failure.getClass().getName());
    }
  }

  private long tookNanos() {
    return beganNanos == NOT_BEGUN ? 0 : clock.nanoTime() - beganNanos;
  }

  private void report(
      @Nullable ConnectionState of, String cacheName, long tookNanos, @Nullable String error) {
    beganNanos = NOT_BEGUN;
    state = null;
    execution.end(ended(of, cacheName, tookNanos, error));
  }

  private RequestSpans.Ended soFar() {
    return ended(state, cache, tookNanos(), null);
  }

  private RequestSpans.Ended ended(
      @Nullable ConnectionState of, String cacheName, long tookNanos, @Nullable String error) {
    return new RequestSpans.Ended(
        "hotrod",
        operation(),
        cacheName,
        of == null ? null : of.caller().peer(),
        text(request.traceParent),
        text(request.traceState),
        tookNanos,
        error);
  }

  private String operation() {
    String name = Opcodes.name(request.operation);
    return isAdministration(request)
        ? name + " " + text(request, request.text, TASK_LENGTH_MAX)
        : name;
  }

  private @Nullable String text(Request.Range of) {
    return of.length == 0
        ? null
        : request.in.toString(of.index, of.length, StandardCharsets.US_ASCII);
  }
}
