package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.ReadContext;
import dev.isogrid.config.ServerDocument;
import dev.isogrid.testkit.Await;
import dev.isogrid.testkit.Children;
import dev.isogrid.testkit.FreePorts;
import dev.isogrid.testkit.ProcessOutput;
import dev.isogrid.topology.Topology;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Kills the servers that decide for a cluster, and has an operator recover it by REST. */
@Timeout(180)
class RecoveredClusterTest {
  private static final Pattern READY = Pattern.compile(" ready on [^ ]*:(\\d+)");
  private static final Pattern CONFIRM = Pattern.compile("\"confirm\":\"([^\"]+)\"");
  private static final int KEYS = 50;

  private final HttpClient http = HttpClient.newHttpClient();
  private List<Integer> clusterPorts = List.of();
  private String seeds = "";

  @BeforeEach
  void prepare() throws Exception {
    clusterPorts = FreePorts.several(2);
    seeds = "127.0.0.1:" + clusterPorts.getFirst();
  }

  private List<String> arguments(int number) {
    List<String> all = new ArrayList<>(List.of("--port", "0", "--memcached-port", "0"));
    all.addAll(List.of("--node-name", "n" + number));
    all.addAll(List.of("--cluster-port", clusterPorts.get(number).toString()));
    if (number > 0) {
      all.addAll(List.of("--join", seeds, "--when-gone", "ignored"));
    }
    return all;
  }

  /** The first one founds the cluster, so it is the only voter of two. */
  private Process startFirst() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx160m", "--enable-native-access=ALL-UNNAMED"));
    command.add("-Disogrid.home=" + System.getProperty("isogrid.home", "."));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(arguments(0));
    return Children.start(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD));
  }

  /** It does not go by refused connections, as where hosts die with their processes. */
  private Server startSecond() {
    String document = "<infinispan><cache-container/></infinispan>";
    ServerOptions options =
        new CommandLineParser().parse(arguments(1).toArray(String[]::new), System.out);
    assertNotNull(options);
    return Server.start(
        ServerSettings.of(
            options, ServerDocument.read(document, DocumentFormat.XML, ReadContext.empty())));
  }

  private HttpResponse<String> send(int port, String method, String path, String body)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/rest/v2/" + path))
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private static boolean isWhole(Server server) {
    Topology known = server.node().topology();
    return known != null
        && known.members().size() == 2
        && server.node().rebalancing().progress().isComplete();
  }

  private void limit(int port, String rate, String shown) throws Exception {
    String action = "container?action=limit-rebalancing&rate=" + rate;
    assertEquals(204, send(port, "POST", action, "").statusCode());
    String progress = send(port, "GET", "cluster?action=rebalancing", "").body();
    assertTrue(progress.contains("\"rate_limit\":\"" + shown + "\""), progress);
  }

  @Test
  void limitOfRebalancing_byRest_holdsForAllServers() throws Exception {
    Process first = startFirst();
    try {
      ProcessOutput.await(first, READY);
      try (Server second = startSecond()) {
        Await.until("two nodes", () -> isWhole(second));
        int port = second.address().getPort();
        limit(port, "30MB", "30000000");
        assertEquals(30_000_000, second.node().rebalancing().bytesPerSecondMax());
        limit(port, "unlimited", "unlimited");
        limit(port, "configured", "configured");
      }
    } finally {
      first.destroyForcibly().waitFor();
    }
  }

  @Test
  void youngerOfTwo_whenTheOlderIsKilled_goesOnWithAllEntriesOnceConfirmed() throws Exception {
    Process first = startFirst();
    try {
      ProcessOutput.await(first, READY);
      try (Server second = startSecond()) {
        int port = second.address().getPort();
        String cache = "caches/c";
        assertEquals(
            200,
            send(port, "POST", cache, "{\"distributed-cache\":{\"mode\":\"SYNC\"}}").statusCode());
        Await.until("two copies", () -> isWhole(second));
        for (int i = 0; i < KEYS; i++) {
          assertEquals(204, send(port, "PUT", cache + "/k" + i, "v" + i).statusCode());
        }
        String action = "cluster?action=recover-majority";
        assertEquals("{\"majority\":true}", send(port, "GET", action, "").body());
        assertEquals(409, send(port, "POST", action, "").statusCode());

        first.destroyForcibly().waitFor();
        Await.until("a lost majority", () -> !second.node().hasMajority());
        HttpResponse<String> asked = send(port, "POST", action, "");
        assertEquals(428, asked.statusCode());
        assertTrue(asked.body().contains("\"missing\":[\"n0\"]"), asked::body);
        assertTrue(asked.body().contains("\"lost_segments\":{}"), asked::body);
        assertTrue(asked.body().contains("\"may_lack_writes\":true"), asked::body);
        assertEquals(409, send(port, "POST", action + "&confirm=1-2", "").statusCode());
        Matcher confirm = CONFIRM.matcher(asked.body());
        assertTrue(confirm.find(), asked::body);

        HttpResponse<String> done = send(port, "POST", action + "&confirm=" + confirm.group(1), "");
        assertEquals(200, done.statusCode(), done::body);
        Await.until("a lease", () -> second.node().hasMajority());
        for (int i = 0; i < KEYS; i++) {
          assertEquals("v" + i, send(port, "GET", cache + "/k" + i, "").body());
        }
        assertEquals(204, send(port, "PUT", cache + "/k0", "new").statusCode());
      }
    } finally {
      first.destroyForcibly().waitFor();
    }
  }
}
