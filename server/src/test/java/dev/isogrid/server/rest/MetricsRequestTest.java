package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MetricsRequestTest {
  private static final String COUNTED = "{\"local-cache\":{\"statistics\":true}}";

  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @AfterEach
  void close() {
    server.close();
  }

  private long linesOf(String cache) {
    return client
        .get("/metrics")
        .text()
        .lines()
        .filter(line -> line.contains("cache=\"" + cache + "\""))
        .count();
  }

  private void create(String cache) {
    TestResponse created =
        client.post("/rest/v2/caches/" + cache, COUNTED, "Content-Type: application/json");
    assertEquals(200, created.status(), created.text());
  }

  @Test
  void metrics_ofACacheThatIsMadeAgain_stay() {
    create("again");
    long lines = linesOf("again");
    assertTrue(lines >= 9, () -> "lines: " + lines);
    assertEquals(200, client.request("DELETE", "/rest/v2/caches/again").status());
    create("again");
    assertEquals(lines, linesOf("again"));
    client.put("/rest/v2/caches/again/k", "v");
    assertTrue(
        client
            .get("/metrics")
            .text()
            .contains("isogrid_cache_stores_total{cache=\"again\",node=\"node-a\"} 1.0\n"));
    client.request("DELETE", "/rest/v2/caches/again");
    assertEquals(0, linesOf("again"));
  }

  @Test
  void metrics_haveLimitsCollectionsAndRefusals() {
    String metrics = client.get("/metrics").text();
    for (String name :
        new String[] {
          "isogrid_off_heap_max_bytes",
          "isogrid_connections_max",
          "isogrid_requests_unfinished_max_bytes",
          "isogrid_writes_refused_total",
          "isogrid_logins_failed_total",
          "isogrid_requests_denied_total",
          "jvm_classes_loaded_classes",
          "jvm_gc_collections_total",
          "jvm_gc_time_seconds_total"
        }) {
      assertTrue(metrics.contains("\n" + name + "{"), name);
    }
  }

  @Test
  void metrics_ofABoundedCache_haveItsBound() {
    client.post(
        "/rest/v2/caches/small",
        "{\"local-cache\":{\"memory\":{\"max-count\":77}}}",
        "Content-Type: application/json");
    String metrics = client.get("/metrics").text();
    assertTrue(
        metrics.contains("isogrid_cache_entries_max{cache=\"small\",node=\"node-a\"} 77.0\n"),
        metrics);
  }

  @Test
  void metrics_showHowLongRequestsTook() {
    client.put("/rest/v2/caches/plain/k", "v");
    client.get("/rest/v2/caches/plain/k");
    client.get("/rest/v2/caches/plain/none");
    String text = client.get("/metrics").text();
    String labels = "{cache=\"plain\",node=\"node-a\",operation=\"get\",protocol=\"rest\"";
    assertTrue(text.contains("# TYPE isogrid_request_seconds histogram"), text);
    assertTrue(text.contains("isogrid_request_seconds_count" + labels + "} 2"), text);
    assertTrue(text.contains("isogrid_request_seconds_bucket" + labels + ",le=\"+Inf\"} 2"), text);
    assertTrue(text.contains("operation=\"put\",protocol=\"rest\"} 1"), text);
    String stats = client.get("/rest/v2/caches/plain?action=stats").text();
    assertTrue(stats.contains("\"average_read_time\":0,\"average_read_time_nanos\":0"), stats);
    assertTrue(stats.contains("\"latencies\":{\"get\":{\"count\":2,"), stats);
    client.post("/rest/v2/caches/plain?action=stats-reset", "");
    String reset = client.get("/rest/v2/caches/plain?action=stats").text();
    assertTrue(reset.contains("\"latencies\":{\"get\":{\"count\":0,"), reset);
  }

  @Test
  void metrics_withTheNamesOfInfinispan_haveThoseToo() {
    TestClient other = server.connect(server.withInfinispanNames());
    other.put("/rest/v2/caches/plain/k", "v");
    other.get("/rest/v2/caches/plain/k");
    String text = other.get("/metrics").text();
    String labels = "{cache=\"plain\",cache_manager=\"default\",node=\"node-a\"}";
    assertTrue(text.contains("infinispan_statistics_stores" + labels + " 1.0"), text);
    assertTrue(text.contains("infinispan_statistics_hits" + labels + " 1.0"), text);
    assertTrue(text.contains("infinispan_statistics_hit_ratio" + labels + " 1.0"), text);
    assertTrue(text.contains("infinispan_statistics_approximate_entries" + labels + " 1.0"), text);
    assertTrue(text.contains("infinispan_cluster_size{"), text);
    assertTrue(text.contains("isogrid_cache_stores_total{"), text);
    assertFalse(client.get("/metrics").text().contains("infinispan_"));
  }

  /** All that the dashboard of Infinispan's operator has of the JVM and of its lists. */
  @Test
  void metrics_withTheNamesOfInfinispan_haveThoseOfItsOperatorsDashboard() {
    String text = server.connect(server.withInfinispanNames()).get("/metrics").text();
    for (String name :
        List.of(
            "base_memory_usedHeap_bytes",
            "base_memory_committedHeap_bytes",
            "base_memory_maxHeap_bytes",
            "base_memory_usedNonHeap_bytes",
            "base_thread_count",
            "base_thread_daemon_count",
            "base_thread_max_count",
            "vendor_cache_manager_default_cluster_size",
            "vendor_cache_manager_default_number_of_cache_configurations")) {
      Matcher found = figure(name, "").matcher(text);
      assertTrue(found.find(), () -> name + " is not in " + text);
      assertTrue(Double.parseDouble(found.group(1)) > 0, found::group);
    }
    for (String name : List.of("base_gc_total", "base_gc_time_total_seconds")) {
      assertTrue(figure(name, "name=\"[^\"]+\",").matcher(text).find(), () -> name + " in " + text);
    }
    for (String name : List.of("base_cpu_processCpuLoad", "base_memory_maxNonHeap_bytes")) {
      assertTrue(figure(name, "").matcher(text).find(), () -> name + " is not in " + text);
    }
    String own = client.get("/metrics").text();
    assertFalse(own.contains("base_") || own.contains("vendor_"), own);
  }

  private static Pattern figure(String name, String labels) {
    return Pattern.compile("(?m)^" + name + "\\{" + labels + "node=\"node-a\"} (\\S+)$");
  }
}
