package dev.isogrid.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.GridConfig;
import dev.isogrid.server.Protection;
import dev.isogrid.server.Server;
import dev.isogrid.server.ServerSettings;
import dev.isogrid.testkit.FreePorts;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs each example as a user does, and reads what it prints. */
class ExamplesTest {
  private interface Program {
    void main(String[] args) throws Exception;
  }

  private static List<String> output(Program program, String... args) throws Exception {
    PrintStream console = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      program.main(args);
    } finally {
      System.setOut(console);
    }
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static String json(Server server, String entry) throws Exception {
    URI address =
        URI.create(
            "http://127.0.0.1:%d/rest/v2/caches/%s".formatted(server.address().getPort(), entry));
    HttpRequest request =
        HttpRequest.newBuilder(address).header("Accept", "application/json").build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private static String[] twoPorts() {
    return FreePorts.several(2).stream().map(String::valueOf).toArray(String[]::new);
  }

  @Test
  void sessionStore() throws Exception {
    assertEquals(
        List.of("cart of the session: [book]", "session ended", "sessions left: 0"),
        output(SessionStore::main));
  }

  @Test
  void leaderboard() throws Exception {
    assertEquals(
        List.of(
            "best: [player2321, player4642, player6963]",
            "by country: {NO=3334, PT=3333, JP=3333}"),
        output(Leaderboard::main, twoPorts()));
  }

  @Test
  void cacheAside() throws Exception {
    List<String> lines = output(CacheAside::main, twoPorts());
    assertEquals(9, lines.size());
    assertEquals(
        Collections.nCopies(8, "Product[id=42, name=a book, price=12.50]"), lines.subList(0, 8));
    assertEquals("loads: 1", lines.get(8));
  }

  @Test
  void clusterLock() throws Exception {
    assertEquals(
        List.of("report made, fence greater than 0: true", "reports: 1"),
        output(ClusterLock::main, twoPorts()));
  }

  @Test
  void longWords() throws Exception {
    List<String> lines = output(LongWords::main, twoPorts());
    assertTrue(lines.contains("2 letters: Words[count=6, longest=to]"), lines.toString());
    assertTrue(lines.contains("8 letters: Words[count=4, longest=tomorrow]"), lines.toString());
  }

  private static Server startServer() throws Exception {
    return Server.start(ServerSettings.local(0, GridConfig.builder().build(), Protection.NONE));
  }

  private static String port(Server server) {
    return String.valueOf(server.address().getPort());
  }

  @Test
  void remoteRecords() throws Exception {
    try (Server server = startServer()) {
      assertEquals(
          List.of("Order[customer=Ada, day=2026-11-23, items=[Item[name=book, pieces=2]]]"),
          output(RemoteRecords::main, port(server)));
      String json = json(server, "orders/o-1");
      assertTrue(json.contains("\"customer\":\"Ada\""), json);
    }
  }

  @Test
  void ownClasses() throws Exception {
    try (Server server = startServer()) {
      assertEquals(List.of("2.50 EUR"), output(OwnClasses::main, port(server)));
    }
  }

  @Test
  void nearCache() throws Exception {
    try (Server server = startServer()) {
      assertEquals(
          List.of("most reads asked no server: true", "new price: 4"),
          output(NearCache::main, port(server)));
    }
  }

  @Test
  void wordCount() throws Exception {
    assertEquals(List.of("dog: 5", "the: 4"), output(WordCount::main, twoPorts()));
  }

  @Test
  void processLock() throws Exception {
    assertEquals(
        List.of(
            "free while the other process has it: false", "greater fence after its death: true"),
        output(ProcessLock::main, twoPorts()));
  }

  @Test
  void requestBudget() throws Exception {
    assertEquals(
        List.of("passed: 5 of 10", "counters left: 0"), output(RequestBudget::main, twoPorts()));
  }

  @Test
  void rateLimiter() throws Exception {
    assertEquals(List.of("passed: 5 of 10"), output(RateLimiter::main, twoPorts()));
  }

  @Test
  void recordEvolution() throws Exception {
    assertEquals(
        List.of(
            "upgraded node: Order[id=o-1, country=DE, cents=4200]",
            "running node: Order[id=o-2, cents=1700]"),
        output(RecordEvolution::main, twoPorts()));
  }
}
