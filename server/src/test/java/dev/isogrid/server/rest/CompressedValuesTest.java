package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A cache with compressed values, as clients of REST see it. */
class CompressedValuesTest {
  private static final String CACHE = "/rest/v2/caches/documents";

  /** Of about 200 B each: more than a dictionary is trained from. */
  private static final int DOCUMENTS = 1_800;

  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @AfterEach
  void close() {
    server.close();
  }

  private static String document(int i) {
    return """
    {"id":%d,"name":"somebody %x","city":"Somewhere","active":%b,"tags":["one","two"],\
    "address":{"street":"Long Road","number":%d},"note":"shipped today, arrives tomorrow"}\
    """
        .formatted(i, i * 0x9E37_79B9, i % 3 == 0, i % 200);
  }

  private void putAll() {
    for (int i = 0; i < DOCUMENTS; i++) {
      String[] type = {"Content-Type: application/json"};
      assertEquals(204, client.put(CACHE + "/k" + i, document(i), type).status());
    }
  }

  @Test
  void documents_afterTheTraining_areAnsweredAsTheyWereWritten() {
    String config =
        """
        {"local-cache":{"encoding":{"media-type":"application/json"},\
        "memory":{"compression":"dictionary"}}}\
        """;
    assertEquals(200, client.post(CACHE, config, "Content-Type: application/json").status());
    putAll();
    Await.until("a dictionary", () -> server.engine("documents").memoryUse().dictionaryBytes() > 0);
    long before = server.engine("documents").memoryUse().liveBytes();
    putAll();

    long after = server.engine("documents").memoryUse().liveBytes();
    assertTrue(after < before / 2, after + " of " + before);
    for (int i = 0; i < DOCUMENTS; i += 10) {
      TestResponse found = client.get(CACHE + "/k" + i);
      assertEquals(document(i), found.text());
      String tag = found.header("etag");
      assertEquals(304, client.get(CACHE + "/k" + i, "If-None-Match: " + tag).status());
    }
    assertTrue(client.get(CACHE + "?action=config").text().contains("DICTIONARY"));
    String memory = client.get(CACHE + "?action=memory").text();
    assertFalse(memory.contains("\"dictionary_bytes\":0,\"segments\""), memory);
  }
}
