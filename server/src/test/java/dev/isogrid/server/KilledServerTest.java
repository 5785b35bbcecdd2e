package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.Await;
import dev.isogrid.testkit.Children;
import dev.isogrid.testkit.ProcessOutput;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills the process of a server during writes, and checks for the acknowledged entries. */
@Tag("deep")
class KilledServerTest {
  private static final Pattern READY = Pattern.compile(" ready on [^ ]*:(\\d+)");
  private static final int KILLS = 10;
  private static final int WRITERS = 8;
  private static final int WRITES_MIN = 200;

  private static final String CONFIG =
      "{\"local-cache\":{\"persistence\":{\"file-store\":{\"fsync\":\"EACH\"}}}}";

  @TempDir private Path data;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, String> acknowledged = new ConcurrentHashMap<>();

  /** The value that was last sent for a key and not acknowledged: it may be stored. */
  private final Map<String, String> uncertain = new ConcurrentHashMap<>();

  @Test
  void killedUnderWrites_hasAllThatWasAcknowledged() throws Exception {
    for (int kill = 0; kill < KILLS; kill++) {
      Process process = start();
      try {
        int port = port(process);
        if (kill == 0) {
          HttpResponse<String> created = send(port, "", "POST", CONFIG, "application/json");
          assertEquals(200, created.statusCode(), created::body);
        }
        check(port);
        List<Thread> writers = new ArrayList<>();
        int before = acknowledged.size();
        for (int writer = 0; writer < WRITERS; writer++) {
          String start = kill + "-" + writer + "-";
          writers.add(Thread.ofVirtual().start(() -> write(port, start)));
        }
        Await.until("writes", () -> acknowledged.size() >= before + WRITES_MIN);
        process.destroyForcibly();
        for (Thread writer : writers) {
          writer.join();
        }
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
    Process last = start();
    try {
      check(port(last));
    } finally {
      last.destroyForcibly().waitFor();
    }
    assertTrue(acknowledged.size() >= KILLS * WRITES_MIN);
  }

  private Process start() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx160m",
            "--enable-native-access=ALL-UNNAMED",
            "-Disogrid.home=" + System.getProperty("isogrid.home", "."),
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "--port",
            "0",
            "--memcached-port",
            "0",
            "--no-cluster",
            "--data",
            data.toString());
    return Children.start(builder.redirectError(ProcessBuilder.Redirect.DISCARD));
  }

  private static int port(Process process) throws IOException {
    return Integer.parseInt(ProcessOutput.await(process, READY).match().group(1));
  }

  /** Writes new keys, and the first one repeatedly, until the server is gone. */
  private void write(int port, String start) {
    try {
      for (int i = 0; ; i++) {
        put(port, start + i, "value-" + i);
        put(port, start + "again", "value-" + i);
      }
    } catch (IOException gone) {
      // expected
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void put(int port, String key, String value) throws IOException, InterruptedException {
    uncertain.put(key, value);
    int status = send(port, "/" + key, "PUT", value, "text/plain").statusCode();
    assertEquals(204, status);
    acknowledged.put(key, value);
    uncertain.remove(key);
  }

  private void check(int port) throws Exception {
    for (Map.Entry<String, String> entry : acknowledged.entrySet()) {
      String key = entry.getKey();
      String found = send(port, "/" + key, "GET", "", "text/plain").body();
      assertTrue(
          found.equals(entry.getValue()) || found.equals(uncertain.get(key)),
          () -> "key=%s, value=%s, found=%s".formatted(key, entry.getValue(), found));
    }
  }

  private HttpResponse<String> send(int port, String path, String method, String body, String type)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + port + "/rest/v2/caches/kept" + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", type)
            .header("Accept", "text/plain")
            .method(method, BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }
}
