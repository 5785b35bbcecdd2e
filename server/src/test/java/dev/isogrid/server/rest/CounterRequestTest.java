package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.Await;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CounterRequestTest {
  private static final String COUNTERS = "/rest/v2/counters";
  private static final String STRONG = "{\"strong-counter\":{\"initial-value\":5}}";
  private static final String BOUNDED =
      "{\"strong-counter\":{\"initial-value\":1,\"storage\":\"VOLATILE\","
          + "\"lower-bound\":0,\"upper-bound\":2}}";
  private static final String WEAK =
      "{\"weak-counter\":{\"initial-value\":3,\"storage\":\"VOLATILE\",\"concurrency-level\":4}}";

  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @AfterEach
  void close() {
    server.close();
  }

  private TestResponse post(String path, String body) {
    return client.request("POST", path, body.getBytes(StandardCharsets.UTF_8));
  }

  private void define(String name, String document) {
    assertEquals(200, post(COUNTERS + "/" + name, document).status());
  }

  @Test
  void counter_livesByItsName() {
    assertEquals("[]", client.get(COUNTERS).text());
    define("b", BOUNDED);
    define("a", WEAK);
    assertEquals(304, post("/rest/v3/counters/a", STRONG).status());
    assertEquals("[\"a\",\"b\"]", client.get("/rest/v3/counters").text());
    assertEquals(BOUNDED, client.get(COUNTERS + "/b/config").text());
    assertEquals(WEAK, client.get("/rest/v3/counters/a/config").text());
    assertEquals("1", client.get(COUNTERS + "/b").text());
    assertEquals("text/plain", client.get(COUNTERS + "/b").header("content-type"));
    assertEquals("no-cache", client.get(COUNTERS + "/b").header("cache-control"));
    assertEquals(406, client.get(COUNTERS + "/b", "Accept: application/json").status());
    TestResponse incremented = post(COUNTERS + "/b?action=increment", "");
    assertEquals("application/json", incremented.header("content-type"));
    assertEquals(204, client.request("DELETE", COUNTERS + "/b").status());
    assertEquals(404, client.request("DELETE", COUNTERS + "/b").status());
  }

  @ParameterizedTest
  @CsvSource({
    "?action=increment, /_increment, 200, 6",
    "?action=decrement, /_decrement, 200, 4",
    "?action=add&delta=-7, /_add?delta=-7, 200, -2",
    "?action=reset, /_reset, 204, ''",
    "?action=compareAndSet&expect=5&update=9, /_compare-and-set?expect=5&update=9, 200, true",
    "?action=compareAndSet&expect=6&update=9, /_compare-and-set?expect=6&update=9, 200, false",
    "?action=compareAndSwap&expect=5&update=9, /_compare-and-swap?expect=5&update=9, 200, 5",
    "?action=getAndSet&value=9, /_get-and-set?value=9, 200, 5",
    "?action=add, /_add, 400, 'parameter missing: name=delta; give a number'"
  })
  void change_answersAsItIs(String second, String third, int status, String text) {
    define("two", STRONG);
    define("three", STRONG);
    for (String path :
        new String[] {COUNTERS + "/two" + second, "/rest/v3/counters/three" + third}) {
      TestResponse response = post(path, "");
      assertEquals(status, response.status(), path);
      assertEquals(text, response.text(), path);
    }
    assertEquals(
        client.get(COUNTERS + "/two").text(), client.get("/rest/v3/counters/three").text());
  }

  @Test
  void weakCounter_tellsNothing() {
    define("w", WEAK);
    TestResponse response = post(COUNTERS + "/w?action=increment", "");
    assertEquals(204, response.status());
    assertEquals("4", client.get(COUNTERS + "/w").text());
    assertEquals(400, post(COUNTERS + "/w?action=getAndSet&value=1", "").status());
  }

  @Test
  void boundedCounter_staysWithinItsBounds() {
    define("b", BOUNDED);
    assertEquals("2", post(COUNTERS + "/b?action=increment", "").text());
    TestResponse refused = post(COUNTERS + "/b?action=increment", "");
    assertEquals(409, refused.status());
    assertEquals("counter is at its bound: name=b, value=2", refused.text());
    assertEquals("2", client.get(COUNTERS + "/b").text());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"counter\":{}}",
        "{\"strong-counter\":{\"initial-value\":\"x\"}}",
        "{\"strong-counter\":{\"initial-value\":{}}}",
        "{\"strong-counter\":{\"lower-bound\":5}}",
        "{\"strong-counter\":{\"color\":5}}",
        "{\"strong-counter\":{\"lifespan\":5}}",
        "{\"weak-counter\":{\"lower-bound\":-5}}",
        "{\"weak-counter\":{\"concurrency-level\":0}}",
        "{\"weak-counter\":{\"concurrency-level\":-4294967295}}",
        "{\"weak-counter\":{\"storage\":\"DISK\"}}",
        "{\"weak-counter\":{\"storage\":\"PERSISTENT\"}}",
        "{\"weak-counter\":{},\"strong-counter\":{}}",
        "{\"weak-counter\":{}} x"
      })
  void document_thatIsWrong_isRefused(String document) {
    TestResponse refused = post(COUNTERS + "/c", document);
    assertEquals(400, refused.status(), refused::text);
    assertTrue(!refused.text().isBlank());
    assertEquals(404, client.get(COUNTERS + "/c").status());
  }

  @Test
  void counterThatIsNotThere_isNotFound() {
    for (String action : new String[] {"increment", "reset", "compareAndSet&expect=1&update=2"}) {
      assertEquals(404, post(COUNTERS + "/c?action=" + action, "").status());
    }
    assertEquals(404, client.get(COUNTERS + "/c").status());
    assertEquals(404, client.get(COUNTERS + "/c/config").status());
  }

  @Test
  void stop_ofServerAndCluster_isAsked() throws Exception {
    assertEquals(204, post("/rest/v2/server?action=stop", "").status());
    assertEquals(204, post("/rest/v3/cluster/_stop", "").status());
    assertEquals(400, post("/rest/v2/cluster?action=stop&server=nobody", "").status());
    Await.until("two stops", () -> server.stops.get() >= 2);
  }
}
