package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.ServerTask;
import dev.isogrid.server.task.GuardedTask;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The server's own task, and the reports of its map/reduce. */
class TaskRequestTest {
  private static final String TASKS = "/rest/v2/tasks";

  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void wordcount_countsTheWordsOfACache() {
    for (String cache : new String[] {"plain", "proto"}) {
      client.put("/rest/v2/caches/" + cache + "/1", "b a b c", "Content-Type: text/plain");
      client.put("/rest/v2/caches/" + cache + "/2", "c b  a b", "Content-Type: text/plain");
      TestResponse counted =
          client.request("POST", TASKS + "/wordcount?action=exec&param.top=1&cache=" + cache);
      assertEquals(200, counted.status(), counted.text());
      assertEquals("{\"b\":4}", counted.text());
      assertEquals("application/json", counted.header("content-type"));
    }
    String reports = client.get("/rest/v2/mapreduce").text();
    assertTrue(reports.contains("\"cache\":\"proto\",\"state\":\"DONE\""), reports);
    assertTrue(reports.contains("\"pairs_emitted\":8"), reports);
    assertTrue(reports.contains("\"map_skew\":1.0,"), reports);
    assertTrue(reports.matches(".*\"skew\":[1-9][0-9]*[.][0-9]+,\"map_skew.*"), reports);
    assertTrue(reports.matches(".*\"worker_nanos\":[\\[][0-9,]+],\"partitions\":.*"), reports);
  }

  /** Gives the bytes that its parameter has as hexadecimal digits. */
  public static final class Octets implements ServerTask<byte[]> {
    /** For the server. */
    public Octets() {}

    @Override
    public String name() {
      return "octets";
    }

    @Override
    public byte[] run(Context context) {
      return HexFormat.of().parseHex(String.valueOf(context.parameters().get("hex")));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "00ff80c3, application/octet-stream",
    "c3a4206230, text/plain",
    "'', text/plain",
  })
  void run_ofATaskThatGivesBytes_sendsThemAsTheyAre(String hex, String type, @TempDir Path folder) {
    try (TestServer deployed = TestServer.ofTasks(GuardedTask.deploy(folder, Octets.class))) {
      TestResponse result =
          deployed.connect().request("POST", TASKS + "/octets?action=exec&param.hex=" + hex);
      assertEquals(200, result.status(), result.text());
      assertEquals(hex, HexFormat.of().formatHex(result.body()));
      assertEquals(type, result.header("content-type"));
    }
  }

  @Test
  void list_hasTheServersOwnTask() {
    assertEquals(
        "[{\"name\":\"wordcount\",\"type\":\"Java\",\"parameters\":[\"top\"],"
            + "\"execution_mode\":\"ONE_NODE\",\"allowed_role\":null}]",
        client.get(TASKS).text());
    for (String type : new String[] {"user", "USER", "User", "ALL"}) {
      assertTrue(client.get(TASKS + "?type=" + type).text().contains("wordcount"), type);
    }
    assertEquals("[]", client.get(TASKS + "?type=ADMIN").text());
    assertEquals(400, client.get(TASKS + "?type=other").status());
  }

  @ParameterizedTest
  @CsvSource({
    "/nothing?action=exec, 404, no such task: name=nothing",
    "/wordcount?action=exec&cache=no, 404, ''",
    "/wordcount?action=exec, 400, no cache to count the words of; name one",
    "/wordcount?action=exec&cache=plain&param.top=x, 400, ''",
    "/wordcount, 400, ''"
  })
  void run_ofWhatIsWrong_saysWhat(String path, int status, String text) {
    TestResponse refused = client.request("POST", TASKS + path);
    assertEquals(status, refused.status(), refused.text());
    if (!text.isEmpty()) {
      assertEquals(text, refused.text());
    }
  }
}
