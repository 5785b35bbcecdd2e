package dev.isogrid.server;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.FreePorts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers with stores for their caches, as clients and operators see them. */
class KeptServerTest {
  private static final String[] ALONE = {"--no-cluster"};

  @TempDir private Path folder;

  private final HttpClient http = HttpClient.newHttpClient();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** An action while a server runs. */
  private interface Use {
    void with(Rest rest) throws IOException, InterruptedException;
  }

  /** Runs a server until all is done; returns its exit code. */
  private int run(String[] options, Use use) throws IOException {
    List<String> args = new ArrayList<>(List.of(options));
    Path data = folder.resolve("data");
    args.addAll(List.of("--port", "0", "--memcached-port", "0", "--data", data.toString()));
    Exception[] failed = new Exception[1];
    PrintStream out =
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    int code =
        Main.run(
            args.toArray(String[]::new),
            out,
            new PrintStream(err, true, StandardCharsets.UTF_8),
            server -> {
              try {
                use.with(new Rest(server.address().getPort()));
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
    return code;
  }

  /** The REST endpoint of a server. */
  private final class Rest {
    private final int port;

    Rest(int port) {
      this.port = port;
    }

    HttpResponse<String> send(String method, String path, String body, String... headers)
        throws IOException, InterruptedException {
      URI uri = URI.create("http://127.0.0.1:" + port + "/rest/v2/caches/" + path).normalize();
      HttpRequest.Builder request =
          HttpRequest.newBuilder(uri).method(method, BodyPublishers.ofString(body));
      if (headers.length > 0) {
        request.headers(headers);
      }
      return http.send(request.build(), BodyHandlers.ofString());
    }

    void create(String name, String type, String document)
        throws IOException, InterruptedException {
      HttpResponse<String> answer = send("POST", name, document, "Content-Type", type);
      assertEquals(200, answer.statusCode(), answer::body);
    }

    void put(String path, String value, String... more) throws IOException, InterruptedException {
      List<String> headers = new ArrayList<>(List.of("Content-Type", "text/plain"));
      headers.addAll(List.of(more));
      HttpResponse<String> answer = send("PUT", path, value, headers.toArray(String[]::new));
      assertEquals(204, answer.statusCode(), answer::body);
    }

    @Nullable String get(String path) throws IOException, InterruptedException {
      HttpResponse<String> answer = send("GET", path, "", "Accept", "text/plain");
      return answer.statusCode() == 200 ? answer.body() : null;
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/xml  | <distributed-cache><persistence><file-store/></persistence>"
            + "</distributed-cache>",
        "application/xml  | <replicated-cache><encoding media-type='text/plain'/>"
            + "<persistence passivation='true'><file-store segmented='true' preload='true'>"
            + "<data path='d'/><index path='i'/><write-behind modification-queue-size='9'/>"
            + "</file-store></persistence></replicated-cache>",
        "application/json | {\"distributed-cache\":{\"mode\":\"SYNC\",\"persistence\":"
            + "{\"file-store\":{\"path\":\"p\",\"shared\":false,\"preload\":true}}}}",
        "application/yaml | 'localCache:\n  persistence:\n    fileStore:\n      path: p\n'",
      })
  void documents_ofEachFormat_keepTheEntries(String type, String document) throws IOException {
    int first =
        run(
            ALONE,
            rest -> {
              rest.create("c", type, document);
              rest.put("c/plain", "p");
              rest.put("c/mortal", "m", "timeToLiveSeconds", "1000", "maxIdleTimeSeconds", "500");
            });
    assertEquals(0, first, err::toString);
    int second =
        run(
            ALONE,
            rest -> {
              assertEquals("p", rest.get("c/plain"));
              HttpResponse<String> mortal =
                  rest.send("GET", "c/mortal", "", "Accept", "text/plain");
              assertEquals("m", mortal.body());
              assertEquals("1000", mortal.headers().firstValue("timeToLiveSeconds").orElse("none"));
              assertEquals("500", mortal.headers().firstValue("maxIdleTimeSeconds").orElse("none"));
            });
    assertEquals(0, second, err::toString);
  }

  @Test
  void cacheWithABound_hasAllEntriesForEveryWayIn() throws IOException {
    String document =
        "<local-cache><memory max-count='10'/><persistence passivation='true'>"
            + "<file-store fsync='NONE'/></persistence></local-cache>";
    int first =
        run(
            ALONE,
            rest -> {
              rest.create("c", "application/xml", document);
              for (int i = 0; i < 60; i++) {
                rest.put("c/key-" + i, "value-" + i);
              }
              assertAllThere(rest);
            });
    assertEquals(0, first, err::toString);
    assertEquals(0, run(ALONE, KeptServerTest::assertAllThere), err::toString);
  }

  private static void assertAllThere(Rest rest) throws IOException, InterruptedException {
    for (int i = 0; i < 60; i++) {
      assertEquals("value-" + i, rest.get("c/key-" + i));
    }
    assertEquals("60", rest.get("c?action=size"));
    String keys = rest.send("GET", "c?action=keys", "", "Accept", "application/json").body();
    for (int i = 0; i < 60; i++) {
      assertTrue(keys.contains("\"key-" + i + "\""), keys);
    }
  }

  private void assertRefused(Rest rest, String document, String expected)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        rest.send("POST", "refused", document, "Content-Type", "application/xml");
    assertEquals(400, answer.statusCode(), answer::body);
    assertTrue(answer.body().contains(expected), answer::body);
  }

  @Test
  void pathsOfClients_stayBelowTheStores() throws IOException {
    Path outside = folder.resolve("outside");
    String document =
        "<local-cache><persistence><file-store path='%s'/></persistence></local-cache>";
    int code =
        run(
            ALONE,
            rest -> {
              assertRefused(rest, document.formatted(outside), "can name an absolute one");
              assertRefused(rest, document.formatted("../outside"), "a relative path without ..;");
              rest.create("c", "application/xml", document.formatted("caches"));
            });
    assertEquals(0, code, err::toString);
    assertTrue(Files.notExists(outside));
    assertTrue(Files.isDirectory(folder.resolve("data/stores/@caches/c")));
  }

  @Test
  void pathOfTheConfigurationFile_isTakenAlsoByTemplate() throws IOException {
    Path outside = folder.resolve("outside");
    Path config = folder.resolve("isogrid.xml");
    String persistence =
        "<persistence><file-store path='%s' fsync='EACH'/></persistence>".formatted(outside);
    Files.writeString(
        config,
        ("<infinispan><cache-container><local-cache name='here'>%s</local-cache>"
                + "<local-cache-configuration name='kept'>%s</local-cache-configuration>"
                + "</cache-container></infinispan>")
            .formatted(persistence, persistence));
    String[] options = {"--no-cluster", "--config", config.toString()};
    int first =
        run(
            options,
            rest -> {
              rest.create("made", "application/xml", "<local-cache configuration='kept'/>");
              rest.put("made/k", "m");
              rest.put("here/k", "h");
            });
    assertEquals(0, first, err::toString);
    assertTrue(Files.isDirectory(outside.resolve("made")));
    int second =
        run(
            options,
            rest -> {
              assertEquals("m", rest.get("made/k"));
              assertEquals("h", rest.get("here/k"));
            });
    assertEquals(0, second, err::toString);
  }

  @Test
  void clusteredCache_inACluster_outlivesItsServer() throws IOException {
    String document =
        "<distributed-cache><persistence><file-store fsync='EACH'/></persistence>"
            + "</distributed-cache>";
    String port = String.valueOf(FreePorts.one());
    String[] clustered = {"--cluster", "kept-" + port, "--cluster-port", port};
    int first =
        run(
            clustered,
            rest -> {
              rest.create("c", "application/xml", document);
              rest.put("c/k", "v");
            });
    assertEquals(0, first, err::toString);
    int second = run(clustered, rest -> assertEquals("v", rest.get("c/k")));
    assertEquals(0, second, err::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<distributed-cache mode='ASYNC'><persistence><file-store/></persistence>"
            + "</distributed-cache> | mode=DIST_ASYNC",
        "<replicated-cache><persistence><file-store purge='true'/></persistence>"
            + "</replicated-cache> | can't be purged",
      })
  void clusteredCache_thatCantHaveAStore_isRefused(String document, String expected)
      throws IOException {
    String port = String.valueOf(FreePorts.one());
    String[] clustered = {"--cluster", "kept-" + port, "--cluster-port", port};
    int code = run(clustered, rest -> assertRefused(rest, document, expected));
    assertEquals(0, code, err::toString);
  }

  @Test
  void health_ofACacheWhoseStoreFails_hasANote() throws IOException {
    String store = "{\"local-cache\":{\"persistence\":{\"file-store\":{\"fsync\":\"EACH\"}}}}";
    int code =
        run(
            ALONE,
            rest -> {
              rest.create("orders", "application/json", store);
              rest.put("orders/first", "v");
              String health = rest.send("GET", "../container/health", "").body();
              assertFalse(health.contains("note"), health);
              Path inTheWay = folder.resolve("data/stores/orders/journal-0000000000000002.log");
              Files.createDirectory(inTheWay);
              HttpResponse<String> answer = null;
              for (int i = 0; i < 20 && (answer == null || answer.statusCode() == 204); i++) {
                answer = rest.send("PUT", "orders/k" + i, "v".repeat(1 << 20));
              }
              assertNotEquals(204, requireNonNull(answer).statusCode());
              health = rest.send("GET", "../container/health", "").body();
              assertTrue(
                  health.contains(
                      "\"cache_name\":\"orders\",\"note\":\"writes are refused on this server"),
                  health);
              Files.delete(inTheWay);
            });
    assertEquals(0, code, err::toString);
  }

  @Test
  void stores_haveTheSizeAndTheForcesOfTheirJournals() throws IOException {
    String store = "{\"local-cache\":{\"persistence\":{\"file-store\":{\"fsync\":\"EACH\"}}}}";
    int code =
        run(
            ALONE,
            rest -> {
              assertEquals("[]", rest.send("GET", "../server/stores", "").body());
              rest.create("orders", "application/json", store);
              rest.create("plain", "application/json", "{\"local-cache\":{}}");
              rest.put("orders/k", "v".repeat(1000));
              String stores = rest.send("GET", "../server/stores", "").body();
              assertTrue(
                  stores.startsWith("[{\"cache\":\"orders\",\"kind\":\"file\",\"fsync\":\"EACH\","),
                  stores);
              assertTrue(stores.matches(".*\"live_bytes\":1[0-9]{3},.*"), stores);
              assertTrue(stores.matches(".*\"forces\":[1-9].*"), stores);
              assertTrue(stores.matches(".*\"disk_free_bytes\":[1-9].*"), stores);
              assertTrue(stores.contains("stores/orders/journal-"), stores);
              assertTrue(stores.endsWith(",\"trouble\":null,\"cleaning_trouble\":null}]"), stores);
              String metrics = rest.send("GET", "../../../metrics", "").body();
              assertTrue(
                  metrics.matches(
                      "(?s).*isogrid_cache_journal_forces_total[{]cache=\"orders\"[^ ]* [1-9].*"),
                  metrics);
              assertTrue(
                  metrics.matches(
                      "(?s).*isogrid_cache_journal_failing[{]cache=\"orders\"[^ ]* 0.0\n.*"),
                  metrics);
              String list = rest.send("GET", "../caches?action=detailed", "").body();
              assertTrue(list.matches(".*\"persistent\":true.*\"persistent\":false.*"), list);
            });
    assertEquals(0, code, err::toString);
  }
}
