package dev.isogrid.server.memcached;

import dev.isogrid.base.NanoClock;
import dev.isogrid.server.net.RequestSpans;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.security.Caller;
import org.jspecify.annotations.Nullable;

/**
 * Reports the operations on keys of a connection, one after the other, for traces. Not thread-safe.
 */
final class CommandSpans {
  private final Caller caller;
  private final NanoClock clock;
  private final RequestSpans.Execution execution;
  private Command command = Command.UNKNOWN;
  private String cache = "";
  private long beganNanos;

  private CommandSpans(RequestSpans target, Caller caller, NanoClock clock) {
    this.caller = caller;
    this.clock = clock;
    this.execution = target.execution(() -> ended(clock.nanoTime() - beganNanos, null));
  }

  /** Those of a connection, or null if nobody wants them. */
  static @Nullable CommandSpans of(ServerContext context, Caller caller) {
    RequestSpans target = context.traffic().spans();
    return target == null
        ? null
        : new CommandSpans(target, caller, context.node().env().nanoClock());
  }

  /** Sets the cache of the next operations. */
  void on(String cacheName) {
    cache = cacheName;
  }

  /** Sets the command of the next operations. */
  void by(Command next) {
    command = next;
  }

  /** Notes the beginning of an operation. */
  void begin(long nanos) {
    beganNanos = nanos;
  }

  /** Makes operations of this thread parts of the operation in progress until it is closed. */
  RequestSpans.Scope enter() {
    return execution.enter();
  }

  /** Reports the operation in progress. */
  void end(@Nullable Throwable failure) {
    String error = failure == null ? null : failure.getClass().getName();
    execution.end(ended(clock.nanoTime() - beganNanos, error));
  }

  private RequestSpans.Ended ended(long tookNanos, @Nullable String error) {
    return new RequestSpans.Ended(
        "memcached", command.text(), cache, caller.peer(), null, null, tookNanos, error);
  }
}
