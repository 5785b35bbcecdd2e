package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.Await;
import dev.isogrid.testkit.Children;
import dev.isogrid.testkit.FreePorts;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills all servers of a cluster during writes, and checks for the acknowledged entries. */
@Tag("deep")
class KilledClusterTest {
  private static final Pattern READY = Pattern.compile(" ready on [^ ]*:(\\d+)");
  private static final int SERVERS = 3;
  private static final int KILLS = 3;
  private static final int WRITERS = 6;
  private static final int WRITES_MIN = 200;

  private static final String CONFIG =
      "{\"distributed-cache\":{\"mode\":\"SYNC\",\"segments\":32,"
          + "\"persistence\":{\"file-store\":{\"fsync\":\"EACH\"}}}}";

  @TempDir private Path data;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, String> acknowledged = new ConcurrentHashMap<>();

  /**
   * The values that were sent for a key since the last acknowledgement: any of them may be stored.
   */
  private final Map<String, Set<String>> uncertain = new ConcurrentHashMap<>();

  // written by: writeAndKill
  private volatile boolean isKilling;

  @Test
  void allKilledUnderWrites_haveAllThatWasAcknowledged() throws Exception {
    List<Integer> clusterPorts = FreePorts.several(SERVERS);
    for (int kill = 0; kill <= KILLS; kill++) {
      List<Process> processes = new ArrayList<>();
      try {
        for (int i = 0; i < SERVERS; i++) {
          processes.add(start(i, clusterPorts));
        }
        List<Integer> ports = new ArrayList<>();
        for (Process process : processes) {
          ports.add(Integer.parseInt(ProcessOutput.await(process, READY).match().group(1)));
        }
        if (kill == 0) {
          HttpResponse<String> created = send(ports.getFirst(), "", "POST", CONFIG);
          assertEquals(200, created.statusCode(), created::body);
        }
        check(ports);
        if (kill < KILLS) {
          writeAndKill(ports, processes, kill);
        }
      } finally {
        for (Process process : processes) {
          process.destroyForcibly().waitFor();
        }
      }
    }
    assertTrue(acknowledged.size() >= KILLS * WRITES_MIN);
  }

  private void writeAndKill(List<Integer> ports, List<Process> processes, int kill)
      throws InterruptedException {
    isKilling = false;
    int before = acknowledged.size();
    List<Thread> writers = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      int port = ports.get(writer % ports.size());
      String start = kill + "-" + writer + "-";
      writers.add(Thread.ofVirtual().start(() -> write(port, start)));
    }
    Await.until("writes", () -> acknowledged.size() >= before + WRITES_MIN);
    isKilling = true;
    processes.forEach(Process::destroyForcibly);
    for (Thread writer : writers) {
      writer.join();
    }
  }

  private Process start(int number, List<Integer> clusterPorts) throws IOException {
    String seeds =
        clusterPorts.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
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
            "--node-name",
            "n" + number,
            "--cluster-port",
            clusterPorts.get(number).toString(),
            "--join",
            seeds,
            "--data",
            data.resolve("n" + number).toString());
    return Children.start(builder.redirectError(ProcessBuilder.Redirect.DISCARD));
  }

  /** Writes new keys, and the first one repeatedly, until the servers are gone. */
  private void write(int port, String start) {
    for (int i = 0; !isKilling; i++) {
      put(port, start + i, "value-" + i);
      put(port, start + "again", "value-" + i);
    }
  }

  /** A failed write may be done all the same. */
  private void put(int port, String key, String value) {
    Set<String> sent = uncertain.computeIfAbsent(key, _ -> new HashSet<>());
    sent.add(value);
    try {
      if (send(port, "/" + key, "PUT", value).statusCode() == 204) {
        acknowledged.put(key, value);
        sent.clear();
      }
    } catch (IOException _) {
      // a killed server
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void check(List<Integer> ports) throws Exception {
    for (Map.Entry<String, String> entry : acknowledged.entrySet()) {
      String key = entry.getKey();
      Set<String> others = uncertain.getOrDefault(key, Set.of());
      for (int port : ports) {
        Await.until("an answer", () -> send(port, "/" + key, "GET", "").statusCode() / 100 != 5);
        String found = send(port, "/" + key, "GET", "").body();
        assertTrue(
            found.equals(entry.getValue()) || others.contains(found),
            () -> "key=%s, value=%s, found=%s".formatted(key, entry.getValue(), found));
      }
    }
  }

  private HttpResponse<String> send(int port, String path, String method, String body)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + port + "/rest/v2/caches/kept" + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", path.isEmpty() ? "application/json" : "text/plain")
            .header("Accept", "text/plain")
            .method(method, BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }
}
