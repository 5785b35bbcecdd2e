package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers with caches in a database, as clients see them. */
class BackedServerTest {
  @TempDir private Path folder;

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** An action while a server runs. */
  private interface Use {
    void with(RestCaller rest) throws IOException, InterruptedException;
  }

  private void run(String kind, String attributes, String behind, Use use) throws IOException {
    Path document = folder.resolve("server.xml");
    Files.writeString(
        document,
        """
        <infinispan><cache-container>
          <%s-cache name="orders" statistics="true">
            <persistence>
              <string-keyed-jdbc-store shared="true" %s>
                <connection-pool connection-url="jdbc:h2:%s" username="sa" password="hunter2"/>
                %s
              </string-keyed-jdbc-store>
            </persistence>
          </%s-cache>
        </cache-container></infinispan>
        """
            .formatted(kind, attributes, folder.resolve("database"), behind, kind));
    List<String> args = new ArrayList<>(List.of("--config", document.toString()));
    args.addAll(List.of("--port", "0", "--memcached-port", "0", "--no-cluster"));
    Exception[] failed = new Exception[1];
    PrintStream quiet = new PrintStream(err, true, StandardCharsets.UTF_8);
    int code =
        Main.run(
            args.toArray(String[]::new),
            quiet,
            quiet,
            server -> {
              try (RestCaller rest = new RestCaller(server.address(), "", "")) {
                use.with(rest);
              } catch (IOException | InterruptedException failure) {
                failed[0] = failure;
              } finally {
                Thread.currentThread().interrupt(); // ends the wait for the server's end
              }
            });
    boolean _ = Thread.interrupted();
    if (failed[0] != null) {
      throw new IOException("the server was not used to the end", failed[0]);
    }
    assertEquals(0, code, err::toString);
  }

  private static void put(RestCaller rest, String key, String value)
      throws IOException, InterruptedException {
    HttpResponse<String> answer = rest.send("PUT", "/rest/v2/caches/orders/" + key, value);
    assertEquals(204, answer.statusCode(), answer::body);
  }

  private static String get(RestCaller rest, String key) throws IOException, InterruptedException {
    HttpResponse<String> answer = rest.send("GET", "/rest/v2/caches/orders/" + key, "");
    return answer.statusCode() == 200 ? answer.body() : "status " + answer.statusCode();
  }

  private static String stats(RestCaller rest) throws IOException, InterruptedException {
    return rest.send("GET", "/rest/v2/caches/orders?action=stats", "").body();
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "distributed", "replicated"})
  void entries_areThereAfterARestart(String kind) throws IOException {
    run(
        kind,
        "",
        "",
        rest -> {
          put(rest, "a", "1");
          put(rest, "a", "2");
          put(rest, "b", "3");
          put(rest, "c", "4");
          assertEquals(204, rest.send("DELETE", "/rest/v2/caches/orders/c", "").statusCode());
          assertTrue(stats(rest).contains("\"store_writes\":4,\"store_deletes\":1"), stats(rest));
        });
    run(
        kind,
        "",
        "",
        rest -> {
          assertEquals("2", get(rest, "a"));
          assertEquals("3", get(rest, "b"));
          assertEquals("status 404", get(rest, "c"));
          assertEquals(409, rest.send("POST", "/rest/v2/caches/orders/b", "x").statusCode());
          String metrics = rest.send("GET", "/metrics", "").body();
          assertTrue(
              metrics.contains("isogrid_cache_store_failures_total{cache=\"orders\""), metrics);
        });
    run(
        kind,
        "preload=\"true\"",
        "",
        rest ->
            assertEquals("2", rest.send("GET", "/rest/v2/caches/orders?action=size", "").body()));
  }

  @Test
  void entries_writtenBehind_areThereAfterARestart() throws IOException {
    String behind = "<write-behind modification-queue-size=\"100\"/>";
    run(
        "local",
        "",
        behind,
        rest -> {
          for (int i = 0; i < 50; i++) {
            put(rest, "k" + i, "v" + i);
          }
        });
    run(
        "local",
        "",
        behind,
        rest -> {
          for (int i = 0; i < 50; i++) {
            assertEquals("v" + i, get(rest, "k" + i));
          }
        });
  }

  @Test
  void clients_seeNoPassword_andCannotNameADatabase() throws IOException {
    run(
        "local",
        "",
        "",
        rest -> {
          String shown = rest.send("GET", "/rest/v2/caches/orders?action=config", "").body();
          assertTrue(shown.contains("\"password\":\"***\""), shown);
          for (String path :
              List.of("caches/orders", "container/config", "cache-managers/default")) {
            String body = rest.send("GET", "/rest/v2/" + path, "").body();
            assertFalse(body.contains("hunter2"), body);
          }
          String document =
              "{\"local-cache\":{\"persistence\":{\"string-keyed-jdbc-store\":{\"connection-pool\":"
                  + "{\"connection-url\":\"jdbc:h2:mem:x;INIT=RUNSCRIPT FROM 'y'\"}}}}}";
          String same = "{\"distributed-cache\":{}}";
          String refusal = rest.send("POST", "/rest/v2/caches/orders", same).body();
          assertFalse(refusal.contains("hunter2"), refusal);
          HttpResponse<String> answer = rest.send("POST", "/rest/v2/caches/other", document);
          assertEquals(400, answer.statusCode());
          assertTrue(answer.body().contains("the server's configuration file can name one"));
        });
  }
}
