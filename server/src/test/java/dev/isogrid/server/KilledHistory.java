package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Fsync;
import dev.isogrid.testkit.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The knowledge of a cache's clients while servers are killed. The values of a key are numbers,
 * each greater than the one before. Thread-safe.
 */
final class KilledHistory {
  private static final int WRITERS = 6;
  private static final int WRITES_MIN = 200;

  /** How often a system property has servers killed. */
  static int kills(int usual) {
    return Integer.getInteger("kills", usual);
  }

  private final HttpClient http = HttpClient.newHttpClient();
  private final Fsync fsync;
  private final Map<String, Integer> sent = new ConcurrentHashMap<>();
  private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();
  private final Map<String, Integer> seen = new ConcurrentHashMap<>();
  private final AtomicInteger writes = new AtomicInteger();
  private int lives;

  /** By key, the least value that must be there after the next kill. */
  private Map<String, Integer> kept = Map.of();

  // written by: writeUntilKilled
  private volatile boolean isKilling;

  KilledHistory(Fsync fsync) {
    this.fsync = fsync;
  }

  void create(int port, String config) throws IOException, InterruptedException {
    HttpResponse<String> created = send(port, "caches/kept", "POST", config, "application/json");
    assertEquals(200, created.statusCode(), created::body);
  }

  /** Writes and reads by several clients, and ends the servers meanwhile. */
  void writeUntilKilled(List<Integer> ports, Runnable kill) throws Exception {
    isKilling = false;
    int before = writes.get();
    String life = lives++ + "-";
    List<Thread> clients = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      String start = life + writer + "-";
      int port = ports.get(writer % ports.size());
      int other = ports.get((writer + 1) % ports.size());
      clients.add(Thread.ofVirtual().start(() -> write(port, start)));
      clients.add(Thread.ofVirtual().start(() -> read(other, start + "again")));
    }
    Await.until("writes", () -> writes.get() >= before + WRITES_MIN);
    if (fsync != Fsync.EACH) {
      Map<String, Integer> soFar = new HashMap<>(acknowledged);
      for (int port : ports) {
        long appended = figure(port, "appended_bytes");
        Await.until("a force", () -> figure(port, "forced_bytes") >= appended);
      }
      kept = soFar;
    }
    isKilling = true;
    kill.run();
    for (Thread client : clients) {
      client.join();
    }
    if (fsync == Fsync.EACH) {
      kept = new HashMap<>(acknowledged);
      seen.forEach((key, value) -> kept.merge(key, value, Math::max));
    }
  }

  private long figure(int port, String name) throws IOException, InterruptedException {
    String report = send(port, "server/stores", "GET", "", "text/plain").body();
    Matcher found = Pattern.compile("\"" + name + "\" *: *(\\d+)").matcher(report);
    assertTrue(found.find(), report);
    return Long.parseLong(found.group(1));
  }

  /** Writes new keys, and one repeatedly. */
  private void write(int port, String start) {
    for (int i = 0; !isKilling; i++) {
      put(port, start + i, i);
      put(port, start + "again", i);
    }
  }

  private void put(int port, String key, int value) {
    sent.put(key, value);
    try {
      String text = Integer.toString(value);
      if (send(port, "caches/kept/" + key, "PUT", text, "text/plain").statusCode() == 204) {
        acknowledged.put(key, value);
        writes.incrementAndGet();
      }
    } catch (IOException _) {
      // a killed server
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void read(int port, String key) {
    while (!isKilling) {
      try {
        HttpResponse<String> found = get(port, key);
        if (found.statusCode() == 200) {
          seen.merge(key, Integer.valueOf(found.body()), Math::max);
        }
      } catch (IOException _) {
        // a killed server
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** Checks what restarted servers have, and that they have the same. */
  void check(List<Integer> ports) throws Exception {
    for (String key : new TreeSet<>(sent.keySet())) {
      int found = find(ports.getFirst(), key);
      for (int port : ports) {
        assertEquals(found, find(port, key), key);
      }
      int least = kept.getOrDefault(key, -1);
      int most = sent.getOrDefault(key, -1);
      assertTrue(
          found >= least && found <= most,
          () -> "key=%s, kept=%d, sent=%d, found=%d".formatted(key, least, most, found));
      sent.put(key, found);
      acknowledged.put(key, found);
      seen.remove(key);
    }
    kept = new HashMap<>(acknowledged);
  }

  private int find(int port, String key) throws Exception {
    Await.until("an answer", () -> get(port, key).statusCode() / 100 != 5);
    HttpResponse<String> found = get(port, key);
    return found.statusCode() == 404 ? -1 : Integer.parseInt(found.body());
  }

  private HttpResponse<String> get(int port, String key) throws IOException, InterruptedException {
    return send(port, "caches/kept/" + key, "GET", "", "text/plain");
  }

  private HttpResponse<String> send(int port, String path, String method, String body, String type)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/rest/v2/" + path))
            .header("Content-Type", type)
            .header("Accept", path.startsWith("server") ? "application/json" : "text/plain")
            .method(method, BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }
}
