package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.MemoryUse;
import dev.isogrid.api.OffHeapUse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory reports of REST. */
class MemoryRequestTest {
  private static final String PLAIN = "/rest/v2/caches/plain";

  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @AfterEach
  void close() {
    server.close();
  }

  private static String text(MemoryUse use) {
    return """
    "allocated_bytes":%d,"live_bytes":%d,"dead_bytes":%d,"index_bytes":%d,"pages":%d\
    """
        .formatted(
            use.allocatedBytes(), use.liveBytes(), use.deadBytes(), use.indexBytes(), use.pages());
  }

  private void putSome() {
    for (int i = 0; i < 100; i++) {
      client.put(PLAIN + "/k" + i, "v".repeat(i + 1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {PLAIN + "?action=memory", "/rest/v3/caches/plain/_memory"})
  void memory_ofCache_isTheSumAndEachSegment(String target) {
    putSome();
    String memory = client.get(target).text();
    MemoryUse use = server.engine("plain").memoryUse();
    assertTrue(use.liveBytes() > 5050);
    String start =
        "{\"storage\":\"OFF_HEAP\",\"entries\":100,%s,\"dictionary_bytes\":0,\"segments\":["
            .formatted(text(use));
    assertTrue(memory.startsWith(start), memory);
    for (int i = 0; i < 16; i++) {
      String segment = "{\"segment\":" + i + "," + text(server.engine("plain").memoryUse(i)) + "}";
      assertTrue(memory.contains(segment), segment + " in " + memory);
    }
  }

  @Test
  void memory_ofSegment_hasItsPages() {
    putSome();
    String memory = client.get(PLAIN + "?action=memory&segment=3").text();
    MemoryUse use = server.engine("plain").memoryUse(3);
    assertTrue(memory.startsWith("{\"segment\":3," + text(use) + ",\"page_list\":["), memory);
    assertEquals(use.pages(), memory.split("used_bytes", -1).length - 1);
    long live = server.engine("plain").pages(3).stream().mapToLong(page -> page.liveBytes()).sum();
    assertEquals(use.liveBytes(), live);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "16", "x", "99999999999"})
  void memory_ofNoSuchSegment_is400(String segment) {
    assertEquals(400, client.get(PLAIN + "?action=memory&segment=" + segment).status());
  }

  @Test
  void memory_ofNoSuchCache_is404() {
    assertEquals(404, client.get("/rest/v2/caches/none?action=memory").status());
  }

  @Test
  void memory_ofProcess_isReadFromLinesOfTheSystem() {
    String status = "Name:\tjava\nVmHWM:\t  300 kB\nVmRSS:\t  200 kB\nRssFile:\t 50 kB\n";
    assertEquals(new ProcessMemory(200 << 10, 300 << 10, 50 << 10, -1), ProcessMemory.of(status));
    assertEquals(new ProcessMemory(-1, -1, -1, -1), ProcessMemory.of(""));
  }

  @Test
  void memory_ofNode_hasTheProcess() {
    String memory = client.get("/rest/v2/server/memory").text();
    assertTrue(
        memory.matches(
            ".*,\"process\":[{]\"resident_bytes\":-?[0-9]+,\"resident_max_bytes\":-?[0-9]+,"
                + "\"file_bytes\":-?[0-9]+,\"swapped_bytes\":-?[0-9]+,\"network_bytes\":[0-9]+,"
                + "\"threads\":[1-9][0-9]*},\"off_heap\".*"),
        memory);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/rest/v2/server/memory", "/rest/v3/server/memory"})
  void memory_ofNode_isThatOfHeapAndPool(String target) {
    putSome();
    String memory = client.get(target).text();
    OffHeapUse use = server.node.offHeapUse();
    assertTrue(use.allocatedBytes() > 0);
    assertTrue(
        memory.endsWith(
            "\"off_heap\":{\"max_bytes\":%d,\"reserved_bytes\":%d,\"allocated_bytes\":%d}}"
                .formatted(use.maxBytes(), use.reservedBytes(), use.allocatedBytes())),
        memory);
    assertTrue(
        memory.startsWith("{\"heap\":{\"max_bytes\":" + Runtime.getRuntime().maxMemory()), memory);
    String usage = "\"init\":-?[0-9]+,\"used\":[0-9]+,\"committed\":[0-9]+,\"max\":-?[0-9]+}";
    assertTrue(memory.matches("[{]\"heap\":[{][^}]*," + usage + ".*"), memory);
    assertTrue(memory.matches(".*,\"non_heap\":[{]" + usage + ",.*"), memory);
    assertTrue(
        memory.matches(
            ".*\"memory_pools\":\\[[{]\"name\":\"[^\"]+\",\"type\":\"[^\"]+\",\"usage\":[{]"
                + usage
                + ",\"peak_usage\":[{]"
                + usage
                + "}.*"),
        memory);
    assertTrue(memory.contains("\"collection_count\":"), memory);
    assertTrue(memory.contains("\"buffer_pools\":[{\"name\":"), memory);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/rest/v2/container/stats", "/rest/v3/container/_stats"})
  void stats_ofContainer_haveTheMemory(String target) {
    putSome();
    assertEquals(
        ("{\"statistics_enabled\":true,\"off_heap_memory_used\":%d,\"data_memory_used\":%d,"
                + "\"required_minimum_number_of_nodes\":1}")
            .formatted(
                server.node.offHeapUse().allocatedBytes(),
                server.engine("plain").memoryUse().allocatedBytes()
                    + server.engine("proto").memoryUse().allocatedBytes()),
        client.get(target).text());
  }
}
