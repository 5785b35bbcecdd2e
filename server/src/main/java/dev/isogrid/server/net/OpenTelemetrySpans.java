package dev.isogrid.server.net;

import dev.isogrid.base.EpochClock;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Requests as spans of OpenTelemetry, with the attributes that its semantic conventions have for
 * databases. A span is made when its request has ended, so that requests themselves carry nothing.
 * Thread-safe.
 */
final class OpenTelemetrySpans implements RequestSpans {
  private static final String SCOPE = "dev.isogrid.server";
  private static final String TRACE_PARENT = "traceparent";
  private static final String TRACE_STATE = "tracestate";

  private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("db.system.name");
  private static final AttributeKey<String> OPERATION = AttributeKey.stringKey("db.operation.name");
  private static final AttributeKey<String> CACHE = AttributeKey.stringKey("db.collection.name");
  private static final AttributeKey<String> PROTOCOL =
      AttributeKey.stringKey("network.protocol.name");
  private static final AttributeKey<String> PEER = AttributeKey.stringKey("network.peer.address");
  private static final AttributeKey<Long> PEER_PORT = AttributeKey.longKey("network.peer.port");
  private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");

  /** Reads the context of a client from its request. */
  private static final TextMapGetter<Ended> FIELDS =
      new TextMapGetter<>() {
        @Override
        @SuppressWarnings("deprecation") // earlier versions of the API have no default for it
        public Iterable<String> keys(Ended request) {
          return List.of(TRACE_PARENT, TRACE_STATE);
        }

        @Override
        public @Nullable String get(@Nullable Ended request, String key) {
          if (request == null) {
            return null;
          }
          return switch (key) {
            case TRACE_PARENT -> request.traceParent();
            case TRACE_STATE -> request.traceState();
            default -> null;
          };
        }
      };

  private final Tracer tracer;
  private final EpochClock clock;

  /** Creates spans by an SDK. */
  OpenTelemetrySpans(OpenTelemetry sdk, EpochClock clock) {
    this.tracer = sdk.getTracer(SCOPE);
    this.clock = clock;
  }

  /** Those of the SDK that is registered in this process, or null if none is. */
  static @Nullable RequestSpans ofRegistered(EpochClock clock) {
    OpenTelemetry registered = GlobalOpenTelemetry.get();
    boolean isNothing = registered.getTracerProvider().equals(TracerProvider.noop());
    return isNothing ? null : new OpenTelemetrySpans(registered, clock);
  }

  @Override
  public void report(Ended request) {
    long endNanos = TimeUnit.MILLISECONDS.toNanos(clock.millis());
    SpanBuilder builder =
        tracer
            .spanBuilder(request.operation() + " " + request.cache())
            .setSpanKind(SpanKind.SERVER)
            .setParent(
                W3CTraceContextPropagator.getInstance().extract(Context.root(), request, FIELDS))
            .setStartTimestamp(endNanos - request.tookNanos(), TimeUnit.NANOSECONDS)
            .setAttribute(SYSTEM, "isogrid")
            .setAttribute(OPERATION, request.operation())
            .setAttribute(CACHE, request.cache())
            .setAttribute(PROTOCOL, request.protocol());
    if (request.peer() instanceof InetSocketAddress peer && peer.getAddress() != null) {
      builder.setAttribute(PEER, peer.getAddress().getHostAddress());
      builder.setAttribute(PEER_PORT, (long) peer.getPort());
    }
    Span span = builder.startSpan();
    String error = request.error();
    if (error != null) {
      span.setStatus(StatusCode.ERROR).setAttribute(ERROR, error);
    }
    span.end(endNanos, TimeUnit.NANOSECONDS);
  }
}
