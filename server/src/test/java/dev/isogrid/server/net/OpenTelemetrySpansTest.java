package dev.isogrid.server.net;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.engine.CallTrace;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OpenTelemetrySpansTest {
  private static final long NOW_MILLIS = 1_700_000_000_000L;
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "b7ad6b7169203331";
  private static final String TRACE_PARENT = "00-" + TRACE + "-" + PARENT + "-01";

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final OpenTelemetrySdk sdk =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                  .build())
          .build();
  private final OpenTelemetrySpans spans = new OpenTelemetrySpans(sdk, () -> NOW_MILLIS);

  @AfterEach
  void close() {
    sdk.close();
  }

  private static RequestSpans.Ended get(
      @Nullable String traceParent, @Nullable String traceState, @Nullable String error) {
    return new RequestSpans.Ended(
        "hotrod",
        "GET",
        "books",
        new InetSocketAddress("127.0.0.1", 4711),
        traceParent,
        traceState,
        TimeUnit.MICROSECONDS.toNanos(1500),
        error);
  }

  private SpanData reported(
      @Nullable String traceParent, @Nullable String traceState, @Nullable String error) {
    RequestSpans.Ended request = get(traceParent, traceState, error);
    spans.execution(() -> request).end(request);
    List<SpanData> ended = exporter.getFinishedSpanItems();
    assertEquals(1, ended.size());
    return ended.getFirst();
  }

  @Test
  void report_ofARequestInATrace_isASpanOfThatTrace() {
    SpanData span = reported(TRACE_PARENT, "vendor=1", null);
    assertEquals(TRACE, span.getTraceId());
    assertEquals(PARENT, span.getParentSpanId());
    assertEquals("1", span.getSpanContext().getTraceState().get("vendor"));
    assertEquals("GET books", span.getName());
    assertEquals(SpanKind.SERVER, span.getKind());
    assertEquals(StatusCode.UNSET, span.getStatus().getStatusCode());
    assertEquals(TimeUnit.MILLISECONDS.toNanos(NOW_MILLIS), span.getEndEpochNanos());
    assertEquals(1_500_000, span.getEndEpochNanos() - span.getStartEpochNanos());
    Attributes expected =
        Attributes.builder()
            .put("db.system.name", "isogrid")
            .put("db.operation.name", "GET")
            .put("db.collection.name", "books")
            .put("network.protocol.name", "hotrod")
            .put("network.peer.address", "127.0.0.1")
            .put("network.peer.port", 4711)
            .build();
    assertEquals(expected.asMap(), span.getAttributes().asMap());
  }

  @Test
  void report_ofARequestWithoutATrace_orAMalformedOne_beginsOne() {
    SpanData span = reported(null, null, null);
    assertFalse(span.getParentSpanContext().isValid());
    exporter.reset();
    assertFalse(reported("00-no", null, null).getParentSpanContext().isValid());
  }

  @Test
  void report_ofAFailure_hasItsKind() {
    SpanData span = reported(TRACE_PARENT, null, "404");
    assertEquals(StatusCode.ERROR, span.getStatus().getStatusCode());
    assertEquals("404", span.getAttributes().asMap().get(stringKey("error.type")));
  }

  @Test
  void current_isTheSpanOfTheRequest_orTheOneThatItsCodeMadeCurrent() {
    RequestSpans.Ended request = get(TRACE_PARENT, null, null);
    RequestSpans.Execution execution = spans.execution(() -> request);
    assertNull(spans.current());
    try (RequestSpans.Scope _ = execution.enter()) {
      CallTrace ofRequest = requireNonNull(spans.current());
      assertTrue(ofRequest.parent().startsWith("00-" + TRACE + "-"), ofRequest::toString);
      assertEquals(ofRequest, spans.current());
      Span own = sdk.getTracer("task").spanBuilder("own").startSpan();
      try (Scope _ = own.makeCurrent()) {
        String id = own.getSpanContext().getSpanId();
        String parent = requireNonNull(spans.current()).parent();
        assertTrue(parent.contains(id), parent);
      }
      execution.end(request);
      String id = exporter.getFinishedSpanItems().getFirst().getSpanId();
      assertTrue(ofRequest.parent().contains(id), ofRequest::toString);
    }
    assertNull(spans.current());
  }

  @Test
  void current_ofARequestThatIsNotSampled_isNull() {
    String unsampled = TRACE_PARENT.substring(0, TRACE_PARENT.length() - 1) + "0";
    RequestSpans.Execution execution = spans.execution(() -> get(unsampled, null, null));
    try (RequestSpans.Scope _ = execution.enter()) {
      assertNull(spans.current());
    }
  }

  private static AttributeKey<String> stringKey(String name) {
    return AttributeKey.stringKey(name);
  }

  @Test
  void find_withoutAnSdk_isNull_andWithOne_isNot() {
    GlobalOpenTelemetry.resetForTest();
    try {
      assertNull(RequestSpans.find(() -> NOW_MILLIS));
      GlobalOpenTelemetry.resetForTest();
      GlobalOpenTelemetry.set(sdk);
      assertNotNull(RequestSpans.find(() -> NOW_MILLIS));
    } finally {
      GlobalOpenTelemetry.resetForTest();
    }
  }
}
