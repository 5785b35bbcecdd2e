package dev.isogrid.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.ClusterSecret;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidConfigurationException;
import dev.isogrid.api.StorageType;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.ReadContext;
import dev.isogrid.config.ServerDocument;
import dev.isogrid.testkit.FreePorts;
import dev.isogrid.topology.Topology;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers with a login whose nodes share a secret, and hosts that don't know it. */
@Timeout(120)
class SecuredClusterTest {
  private static final String SECRET = "b3BlbnNzbCByYW5kIC1iYXNlNjQgMzIgaXMgYmV0dGVy";

  /** A short wait for a cluster, for a node that is not let in. */
  private static final String IMPATIENT =
      "<infinispan><cache-container><transport initial-cluster-timeout='3s'/></cache-container>"
          + "</infinispan>";

  private static final String PATIENT = "<infinispan><cache-container/></infinispan>";

  @TempDir private Path folder;
  private Path secret;
  private int first;
  private int second;
  private int third;

  @BeforeEach
  void prepare() throws Exception {
    secret = write("cluster.secret", SECRET);
    first = FreePorts.one();
    second = FreePorts.one();
    third = FreePorts.one();
  }

  private Path write(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private Server start(String document, int port, Path withSecret, String... more) {
    List<String> all = new ArrayList<>(List.of("--auth", "--conf", folder.toString()));
    all.addAll(List.of("--port", "0", "--memcached-port", "0"));
    all.addAll(List.of("--cluster-port", String.valueOf(port), "--node-name", "n" + port));
    all.addAll(List.of("--cluster-secret-file", withSecret.toString()));
    Collections.addAll(all, more);
    return start(document, all);
  }

  private static Server start(String document, List<String> arguments) {
    ServerOptions options =
        new CommandLineParser().parse(arguments.toArray(String[]::new), System.out);
    assertNotNull(options);
    return Server.start(
        ServerSettings.of(
            options, ServerDocument.read(document, DocumentFormat.XML, ReadContext.empty())));
  }

  private String[] joining() {
    return new String[] {"--join", "127.0.0.1:" + first};
  }

  private static int members(Server server) {
    Topology topology = server.node().topology();
    return topology == null ? 0 : topology.members().size();
  }

  @Test
  void servers_withTheSameSecret_areOneClusterThatStrangersStayOutOf() throws Exception {
    Path copied = write("copied.secret", SECRET);
    Path wrong = write("wrong.secret", SECRET.substring(1));
    try (Server one = start(PATIENT, first, secret);
        Server other = start(PATIENT, second, copied, joining())) {
      assertEquals(2, members(one));
      Cache<String, String> cache = one.node().cache("c", replicated());
      cache.put("k", "v");
      sendGarbage(first);

      GridConfig.Builder stranger = GridConfig.builder();
      FatalGridException refused =
          assertThrows(
              FatalGridException.class, () -> start(IMPATIENT, third, wrong, joining()).close());
      assertTrue(
          String.valueOf(refused.getMessage()).contains("it has another secret than this node"),
          refused::toString);
      assertThrows(
          FatalGridException.class, () -> Grid.start(stranger.cluster(plain()).build()).close());

      assertEquals(2, members(one));
      assertEquals("v", other.node().<String, String>cache("c", replicated()).get("k"));
    }
  }

  private static CacheConfig replicated() {
    return CacheConfig.builder().mode(CacheMode.REPL_SYNC).storage(StorageType.HEAP_BINARY).build();
  }

  /** A node without the secret. */
  private ClusterConfig plain() {
    return ClusterConfig.builder()
        .bindPort(third)
        .portRange(0)
        .seeds(List.of("127.0.0.1:" + first))
        .joinTimeout(3, TimeUnit.SECONDS)
        .build();
  }

  /** Sends bytes that are not a handshake, which ends the connection. */
  private static void sendGarbage(int port) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8));
      InputStream in = socket.getInputStream();
      byte[] alert = in.readAllBytes();
      assertTrue(alert.length < 100, () -> "answered " + alert.length + " bytes");
    }
  }

  @Test
  void server_withALoginAndNothingElse_opensNoClusterPort() {
    List<String> arguments = List.of("--auth", "--conf", folder.toString(), "--port", "0");
    List<String> all = new ArrayList<>(arguments);
    all.addAll(List.of("--memcached-port", "0"));
    try (Server alone = start(PATIENT, all)) {
      assertNull(alone.node().config().cluster());
      assertEquals(0, members(alone));
    }
  }

  @Test
  void node_thatSendsAClassOfItsOwn_isToldWhichAndHowToAllowIt() throws Exception {
    String name = GridConfig.builder().build().clusterName();
    try (Server server = start(PATIENT, first, secret)) {
      ClusterConfig.Builder joining =
          ClusterConfig.builder()
              .bindPort(second)
              .portRange(0)
              .seeds(List.of("127.0.0.1:" + first))
              .secret(new ClusterSecret(SECRET));
      URI captured = URI.create("x:y");
      try (Grid grid =
          Grid.start(GridConfig.builder().clusterName(name).cluster(joining.build()).build())) {
        ExecutionException refused =
            assertThrows(
                ExecutionException.class,
                () ->
                    grid.executor()
                        .onNodes(List.of("n" + first))
                        .submit(_ -> captured.getPath())
                        .get());
        assertTrue(causes(refused).contains("class=java.net.URI"), () -> causes(refused));
        assertTrue(causes(refused).contains("--allow-packages"), () -> causes(refused));
      }
      assertEquals(name, server.node().config().clusterName());
    }
  }

  private static String causes(Throwable failure) {
    StringBuilder all = new StringBuilder();
    for (Throwable each = failure; each != null; each = each.getCause()) {
      all.append(each).append('\n');
    }
    return all.toString();
  }

  @Test
  void packages_ofTheOption_areTheConfigurations() {
    ServerOptions options =
        new CommandLineParser()
            .parse(new String[] {"--allow-packages", "com.acme, org.x"}, System.out);
    assertNotNull(options);
    assertEquals(
        List.of("com.acme", "org.x"), ServerSettings.of(options, null).grid().allowedPackages());
    assertEquals(List.of(), ServerSettings.defaults().grid().allowedPackages());
    assertEquals(List.of("*"), GridConfig.builder().build().allowedPackages());
    GridConfig.Builder wrong = GridConfig.builder().allowedPackages(List.of("com.acme.*"));
    assertThrows(InvalidConfigurationException.class, wrong::build);
  }
}
