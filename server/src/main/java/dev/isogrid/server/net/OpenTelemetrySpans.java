package dev.isogrid.server.net;

import dev.isogrid.base.EpochClock;
import dev.isogrid.engine.CallTrace;
import dev.isogrid.engine.CallTraces;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests as spans of OpenTelemetry, with the attributes that its semantic conventions have for
 * databases. A span is made when its request has ended, or when a part of the request is sent to
 * another node, which needs the span's identity. Thread-safe.
 */
final class OpenTelemetrySpans implements RequestSpans, CallTraces {
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
  private static final AttributeKey<String> NODE = AttributeKey.stringKey("isogrid.node.name");

  /** Under this key a context has the execution whose request a thread works on. */
  private static final ContextKey<TracedExecution> EXECUTION = ContextKey.named("isogrid-request");

  /** The fields of a trace's context. */
  private record Fields(@Nullable String parent, @Nullable String state) {}

  /** Reads a context from its fields. */
  private static final TextMapGetter<Fields> FIELDS =
      new TextMapGetter<>() {
        @Override
        @SuppressWarnings("deprecation") // earlier versions of the API have no default for it
        public Iterable<String> keys(Fields fields) {
          return List.of(TRACE_PARENT, TRACE_STATE);
        }

        @Override
        public @Nullable String get(@Nullable Fields fields, String key) {
          if (fields == null) {
            return null;
          }
          return switch (key) {
            case TRACE_PARENT -> fields.parent;
            case TRACE_STATE -> fields.state;
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

  // ---- requests

  private Span begin(Ended request) {
    SpanBuilder builder =
        builder(
                request.operation(),
                request.cache(),
                new Fields(request.traceParent(), request.traceState()),
                request.tookNanos())
            .setAttribute(PROTOCOL, request.protocol());
    if (request.peer() instanceof InetSocketAddress peer && peer.getAddress() != null) {
      builder.setAttribute(PEER, peer.getAddress().getHostAddress());
      builder.setAttribute(PEER_PORT, (long) peer.getPort());
    }
    return builder.startSpan();
  }

  private SpanBuilder builder(String operation, String cache, Fields parent, long agoNanos) {
    return tracer
        .spanBuilder(cache.isEmpty() ? operation : operation + " " + cache)
        .setSpanKind(SpanKind.SERVER)
        .setParent(context(parent))
        .setStartTimestamp(nowNanos() - agoNanos, TimeUnit.NANOSECONDS)
        .setAttribute(SYSTEM, "isogrid")
        .setAttribute(OPERATION, operation)
        .setAttribute(CACHE, cache.isEmpty() ? null : cache);
  }

  private static Context context(Fields fields) {
    return W3CTraceContextPropagator.getInstance().extract(Context.root(), fields, FIELDS);
  }

  private long nowNanos() {
    return TimeUnit.MILLISECONDS.toNanos(clock.millis());
  }

  private void end(Span span, @Nullable String error) {
    if (error != null) {
      span.setStatus(StatusCode.ERROR).setAttribute(ERROR, error);
    }
    span.end(nowNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public Execution execution(Supplier<Ended> soFar) {
    return new TracedExecution(soFar);
  }

  /** Requests whose spans begin when a part of them is sent to another node. Not thread-safe. */
  private final class TracedExecution implements Execution {
    private final Supplier<Ended> soFar;
    private final Context context = Context.root().with(EXECUTION, this);
    private @Nullable Span begun;

    TracedExecution(Supplier<Ended> soFar) {
      this.soFar = soFar;
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // the caller closes it
    public Scope enter() {
      begun = null;
      return context.makeCurrent()::close;
    }

    @Override
    public void end(Ended request) {
      Span span = begun;
      begun = null;
      OpenTelemetrySpans.this.end(span == null ? begin(request) : span, request.error());
    }

    private SpanContext span() {
      Span span = begun;
      if (span == null) {
        span = begin(soFar.get());
        begun = span;
      }
      return span.getSpanContext();
    }
  }

  // ---- operations of the node

  @Override
  public CallTraces calls() {
    return this;
  }

  /** The span that users' code made current, else the request that the thread executes. */
  @Override
  public @Nullable CallTrace current() {
    Context context = Context.current();
    Span users = Span.fromContextOrNull(context);
    SpanContext span;
    if (users != null) {
      span = users.getSpanContext();
    } else {
      TracedExecution execution = context.get(EXECUTION);
      if (execution == null) {
        return null;
      }
      span = execution.span();
    }
    return span.isSampled() && span.isValid() ? trace(span) : null;
  }

  private static CallTrace trace(SpanContext span) {
    Map<String, String> fields = new HashMap<>();
    W3CTraceContextPropagator.getInstance()
        .inject(
            Context.root().with(Span.wrap(span)),
            fields,
            (target, name, value) -> Objects.requireNonNull(target).put(name, value));
    String state = fields.getOrDefault(TRACE_STATE, "");
    return new CallTrace(
        Objects.requireNonNull(fields.get(TRACE_PARENT)),
        state.length() > CallTrace.STATE_LENGTH_MAX ? "" : state);
  }

  @Override
  public <T extends @Nullable Object> Callable<T> within(CallTrace trace, Callable<T> work) {
    return context(new Fields(trace.parent(), trace.state())).wrap(work);
  }

  @Override
  public void report(Part part) {
    CallTrace trace = part.trace();
    Fields parent = new Fields(trace.parent(), trace.state());
    Span span =
        builder(part.operation(), part.cache(), parent, part.tookNanos())
            .setAttribute(NODE, part.node())
            .startSpan();
    end(span, part.error());
  }
}
