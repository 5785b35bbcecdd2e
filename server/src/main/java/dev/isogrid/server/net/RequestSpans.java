package dev.isogrid.server.net;

import dev.isogrid.base.EpochClock;
import dev.isogrid.engine.CallTraces;
import java.net.SocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes note of the requests of clients for traces. It is an interface, since the library of its
 * implementation may be absent. Thread-safe.
 */
public interface RequestSpans {
  /**
   * A request that has ended.
   *
   * @param protocol its name as OpenTelemetry has it, such as {@code http}
   * @param operation the name of the operation
   * @param cache its name
   * @param peer the address of the client, or null
   * @param traceParent the client's span, in the form of W3C's field of that name, or null
   * @param traceState the state beside it, likewise, or null
   * @param tookNanos the time from its beginning to its end, which is now
   * @param error the kind of its failure, or null
   */
  record Ended( // tidy: the parts of a span
      String protocol,
      String operation,
      String cache,
      @Nullable SocketAddress peer,
      @Nullable String traceParent,
      @Nullable String traceState,
      long tookNanos,
      @Nullable String error) {}

  /**
   * The execution of requests, one after the other, whose operations at other nodes belong to their
   * spans. Not thread-safe.
   */
  interface Execution {
    /**
     * Begins to execute the next request: the operations of this thread are parts of it until the
     * scope is closed. They stay parts of it afterwards.
     */
    Scope enter();

    /** Takes note of the request, which has ended. */
    void end(Ended request);
  }

  /** An effect on its thread, until it is closed. */
  interface Scope extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Returns an execution of requests.
   *
   * @param soFar describes the request that is being executed, as if it ended now
   */
  Execution execution(Supplier<Ended> soFar);

  /** The connection of a node's operations with these spans. */
  CallTraces calls();

  /** The spans of OpenTelemetry's SDK in this process; null without its API or without an SDK. */
  static @Nullable RequestSpans find(EpochClock clock) {
    try {
      Class.forName(
          "io.opentelemetry.api.GlobalOpenTelemetry", false, RequestSpans.class.getClassLoader());
    } catch (ClassNotFoundException _) {
      return null;
    }
    return OpenTelemetrySpans.ofRegistered(clock);
  }
}
