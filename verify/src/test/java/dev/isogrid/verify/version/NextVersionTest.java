package dev.isogrid.verify.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.client.ClientConfig;
import dev.isogrid.client.RemoteCacheManager;
import dev.isogrid.server.Main;
import dev.isogrid.testkit.Await;
import dev.isogrid.testkit.Children;
import dev.isogrid.testkit.FreePorts;
import dev.isogrid.testkit.ProcessOutput;
import dev.isogrid.topology.ProtocolVersions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

/**
 * Replaces the servers of a cluster, one after the other, by ones that speak one more version of
 * the protocol, while clients write. There is no later build yet: a property lets this one say that
 * it speaks a version that is still to come, which has the layout of the newest one.
 */
@Tag("deep")
@Timeout(300)
class NextVersionTest {
  private static final Pattern READY = Pattern.compile(" ready on [^ ]*:(\\d+)");
  private static final int NODES = 3;
  private static final int NOW = ProtocolVersions.OF_BUILD.newest();
  private static final int NEXT = NOW + 1;

  /** A write takes no longer, tries and a fail-over included: the client's time for one. */
  private static final Duration GAP = Duration.ofSeconds(10);

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<Process> processes = new ArrayList<>();
  private List<Integer> clientPorts = List.of();
  private List<Integer> clusterPorts = List.of();

  @BeforeEach
  void start() throws IOException {
    List<Integer> ports = FreePorts.several(2 * (NODES + 1));
    clientPorts = ports.subList(0, NODES + 1);
    clusterPorts = ports.subList(NODES + 1, ports.size());
    for (int i = 0; i < NODES; i++) {
      processes.add(launch(i, NOW));
    }
    for (Process each : processes) {
      ProcessOutput.await(each, READY);
    }
    awaitWhole();
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Process each : processes) {
      each.destroyForcibly().waitFor();
    }
  }

  private Process launch(int number, int newest) throws IOException {
    String seeds =
        clusterPorts.subList(0, NODES).stream()
            .map(port -> "127.0.0.1:" + port)
            .collect(Collectors.joining(","));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "--enable-native-access=ALL-UNNAMED"));
    command.add("-Disogrid.home=" + System.getProperty("isogrid.home", "."));
    if (newest != NOW) {
      command.add("-Disogrid.test.protocol-newest=" + newest);
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("--node-name", "n" + number, "--join", seeds));
    command.addAll(List.of("--port", clientPorts.get(number).toString()));
    command.addAll(List.of("--memcached-port", "0"));
    command.addAll(List.of("--cluster-port", clusterPorts.get(number).toString()));
    return Children.start(new ProcessBuilder(command).redirectErrorStream(true));
  }

  private String send(int number, String method, String path, String body) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + clientPorts.get(number) + "/rest/v2/" + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .method(method, BodyPublishers.ofString(body))
            .header("Content-Type", "application/json")
            .build();
    return http.send(request, BodyHandlers.ofString()).body();
  }

  private void awaitWhole() {
    Await.until(
        "all copies to be on " + NODES + " nodes",
        () -> {
          for (int i = 0; i < NODES; i++) {
            String progress = send(i, "GET", "cluster?action=rebalancing", "");
            boolean isWhole = progress.contains("\"copies_left\":0,");
            if (!isWhole || members(i).split("node_address", -1).length != NODES + 1) {
              return false;
            }
          }
          return true;
        });
  }

  private String members(int number) throws Exception {
    return send(number, "GET", "cluster/members", "");
  }

  private void assertProtocol(int version, boolean isRolling) throws Exception {
    String expected = "],\"protocol\":%d,\"rolling_upgrade\":%b}".formatted(version, isRolling);
    for (int i = 0; i < NODES; i++) {
      String members = members(i);
      assertTrue(members.endsWith(expected), members);
    }
  }

  private void replace(int number, boolean isKilled) throws Exception {
    Process old = processes.get(number);
    if (isKilled) {
      old.destroyForcibly();
    } else {
      old.destroy();
    }
    old.waitFor();
    Process next = launch(number, NEXT);
    processes.set(number, next);
    ProcessOutput.await(next, READY);
    awaitWhole();
  }

  private void assertCachesAreShared(int number, String name) throws Exception {
    send(number, "POST", "caches/" + name, "{\"distributed-cache\":{}}");
    for (int i = 0; i < NODES; i++) {
      String key = "caches/" + name + "/k" + i;
      send(i, "PUT", key, "\"" + i + "\"");
      for (int reader = 0; reader < NODES; reader++) {
        assertEquals("\"" + i + "\"", send(reader, "GET", key, ""));
      }
    }
  }

  @Test
  void roll_toTheNextVersion_underLoad_losesNoWriteAndRefusesOlderNodesAfterwards(
      TestReporter reporter) throws Exception {
    assertProtocol(NOW, false);
    ClientConfig.Builder config = ClientConfig.builder().operationTimeout(GAP);
    for (int i = 0; i < NODES; i++) {
      config.addServer("127.0.0.1", clientPorts.get(i));
    }
    send(0, "POST", "caches/load", "{\"distributed-cache\":{\"owners\":\"2\"}}");
    try (RemoteCacheManager client = new RemoteCacheManager(config.build());
        WriteLoad load = WriteLoad.begin(Objects.requireNonNull(client.getCache("load")))) {
      load.awaitMore();
      replace(0, false);
      assertProtocol(NOW, true);
      assertCachesAreShared(0, "of-new");
      assertCachesAreShared(1, "of-old");
      load.awaitMore();
      replace(1, false);
      assertProtocol(NOW, true);
      load.awaitMore();
      replace(2, true);
      assertProtocol(NEXT, false);
      assertCachesAreShared(2, "of-next");
      load.awaitMore();
      load.end();
      reporter.publishEntry("writes", load.summary());
      load.check();
      assertTrue(load.longest().compareTo(GAP) < 0, load::summary);
    }
    Process older = launch(NODES, NOW);
    processes.add(older);
    ProcessOutput.await(
        older,
        Pattern.compile(
            "the cluster speaks another version of the protocol: node=n%d, speaks=%d, other=\\w+,"
                    .formatted(NODES, NOW)
                + " speaks=%d; this node is too old for it: start a later version here"
                    .formatted(NEXT)));
    assertProtocol(NEXT, false);
  }
}
