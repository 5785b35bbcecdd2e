package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.FreePorts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir Path directory;

  /** Runs a server that is closed as soon as it is ready. */
  private int run(String... args) {
    return Main.run(args, stream(out), stream(err), server -> interruptLater());
  }

  /** Ends the wait for the end of the server at once. */
  private static void interruptLater() {
    Thread.currentThread().interrupt();
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  private static List<String> lines(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private void assertRefused(String expected, String... args) {
    assertEquals(2, run(args));
    assertEquals(List.of(), lines(out));
    assertEquals(1, lines(err).size(), () -> String.join("\n", lines(err)));
    String line = lines(err).getFirst();
    assertTrue(line.startsWith("isogrid: ") && line.contains(expected), line);
  }

  static Stream<Arguments> wrongCommandLines() {
    return Stream.of(
        Arguments.of("unknown option: --foo", List.of("--foo")),
        Arguments.of("unknown option: stray", List.of("stray")),
        Arguments.of("unknown option: --prt", List.of("--prt", "1")),
        Arguments.of("--port abc is not a port", List.of("--port", "abc")),
        Arguments.of("--port -1 is not a port", List.of("--port", "-1")),
        Arguments.of("--port 65536 is not a port", List.of("--port=65536")),
        Arguments.of("--memcached-port 1e3 is not", List.of("--memcached-port", "1e3")),
        Arguments.of("--off-heap-max much is not a size", List.of("--off-heap-max", "much")),
        Arguments.of("--off-heap-max 4 is not a size", List.of("--off-heap-max", "4")),
        Arguments.of("--off-heap-max g is not a size", List.of("--off-heap-max", "g")),
        Arguments.of("--off-heap-max -4g is not a size", List.of("--off-heap-max=-4g")),
        Arguments.of("option '--port'", List.of("--port")),
        Arguments.of("option '--bind'", List.of("--bind")),
        Arguments.of("--bind has an empty value", List.of("--bind=")),
        Arguments.of("option '--port'", List.of("--port", "1", "--port", "2")),
        Arguments.of("--join a:1,,b names a node without a name", List.of("--join", "a:1,,b")),
        Arguments.of("seed=a:x; give host:port", List.of("--port", "0", "--join", "a:x")),
        Arguments.of("--cluster-port 0 is not a port", List.of("--cluster-port", "0")),
        Arguments.of("--external-port 0 is not a port", List.of("--external-port", "0")),
        Arguments.of("--capacity much is not a share", List.of("--capacity", "much")),
        Arguments.of("--capacity -1 is not a share", List.of("--capacity=-1")),
        Arguments.of("--no-cluster contradicts", List.of("--no-cluster", "--join", "a:1")),
        Arguments.of("--no-cluster contradicts", List.of("--no-cluster", "--found")),
        Arguments.of(
            "--bind no.such.host.invalid is not", List.of("--bind", "no.such.host.invalid")),
        Arguments.of(
            "can't listen on 203.0.113.1:0: the address is not one of this machine",
            List.of(
                "--bind", "203.0.113.1", "--port", "0", "--memcached-port", "0", "--no-cluster")),
        Arguments.of(
            "--config /no/such/file can't be read: no such file; name one that can be",
            List.of("--config", "/no/such/file")),
        Arguments.of(
            "--config / can't be read: a folder; name one that can be", List.of("--config", "/")),
        Arguments.of("data directory can't be used", List.of("--data", "/dev/null")));
  }

  @ParameterizedTest
  @MethodSource("wrongCommandLines")
  void run_wrongCommandLine_isOneLineAndExitCode2(String expected, List<String> args) {
    assertRefused(expected, args.toArray(String[]::new));
  }

  @Test
  void run_invalidConfigFile_isOneLineThatNamesIt() throws IOException {
    Path file = Files.writeString(directory.resolve("c.json"), "{\n\"infinispan\": {\n");
    assertRefused("--config " + file, "--config", file.toString());
  }

  @Test
  void run_unknownElementInConfigFile_isOneLineThatNamesIt() throws IOException {
    Path file = Files.writeString(directory.resolve("c.yaml"), "infinispan:\n  nonsense: {}\n");
    assertRefused("nonsense", "--config", file.toString());
  }

  @Test
  void run_portTaken_isOneLineThatNamesPortAndOption() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String port = String.valueOf(other.getLocalPort());
      assertRefused(
          "can't listen on 127.0.0.1:%s: the port is taken; stop its user or choose another"
              .formatted(port),
          "--port",
          port,
          "--memcached-port",
          "0");
    }
  }

  @Test
  void run_memcachedPortTaken_isOneLineThatNamesPortAndOption() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String port = String.valueOf(other.getLocalPort());
      assertRefused("choose another --memcached-port", "--port", "0", "--memcached-port", port);
    }
  }

  @Test
  void run_noClusterInTime_isOneLineAndAnExitCodeOfItsOwn() {
    List<Integer> ports = FreePorts.several(3);
    String seeds = "127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d".formatted(ports.toArray());
    String[] args = {
      "--port",
      "0",
      "--memcached-port",
      "0",
      "--join-timeout",
      "1",
      "--join",
      seeds,
      "--cluster-port",
      String.valueOf(ports.getFirst())
    };

    assertEquals(Main.EXIT_TRY_AGAIN, run(args));
    assertEquals(1, lines(err).size(), () -> String.join("\n", lines(err)));
    assertTrue(lines(err).getFirst().startsWith("isogrid: no cluster: "), lines(err)::toString);
  }

  @Test
  void run_databaseOfACacheThatIsDown_isOneLineAndTheSameExitCode() throws IOException {
    String document =
        """
        <infinispan><cache-container><local-cache name="orders"><persistence>
          <string-keyed-jdbc-store>
            <connection-pool connection-url="jdbc:h2:tcp://127.0.0.1:%d/none"/>
          </string-keyed-jdbc-store>
        </persistence></local-cache></cache-container></infinispan>
        """
            .formatted(FreePorts.one());
    Path file = Files.writeString(directory.resolve("c.xml"), document);

    assertEquals(
        Main.EXIT_TRY_AGAIN,
        run("--config", file.toString(), "--port", "0", "--memcached-port", "0", "--no-cluster"));
    assertEquals(1, lines(err).size(), () -> String.join("\n", lines(err)));
    assertTrue(lines(err).getFirst().contains("store can't be opened"), lines(err)::toString);
  }

  @Test
  void run_tornConfigurationOfACache_isOneLineThatNamesIt() throws IOException {
    Files.createDirectories(directory.resolve("caches"));
    Files.writeString(directory.resolve("caches").resolve("a.json"), "{\"a\":");
    assertRefused("a.json", "--data", directory.toString(), "--port", "0");
  }

  @Test
  void run_help_listsTheOptions() {
    assertEquals(0, run("--help"));
    String text = String.join("\n", lines(out));
    for (String option :
        List.of(
            "--bind",
            "--port",
            "--memcached-port",
            "--config",
            "--node-name",
            "--cluster",
            "--join",
            "--data",
            "--help",
            "--version")) {
      assertTrue(text.contains(option), option);
    }
    assertEquals(List.of(), lines(err));
  }

  @Test
  void run_version_isThatOfTheBuild() throws IOException {
    assertEquals(0, run("--version"));
    assertEquals(List.of("isogrid " + Server.VERSION), lines(out));
    Path pom = Path.of("..", "pom.xml");
    if (Files.exists(pom)) {
      String version = "<version>" + Server.VERSION + "</version>";
      assertTrue(Files.readString(pom).contains(version), version);
    }
  }

  @Test
  void run_started_saysSoInOneLine() {
    assertEquals(0, run("--port", "0", "--memcached-port", "0", "--node-name", "n1"));
    assertTrue(Thread.interrupted());
    assertEquals(1, lines(out).size());
    String line = lines(out).getFirst();
    assertTrue(
        line.matches(
            "isogrid \\S+ ready on 127\\.0\\.0\\.1:[1-9]\\d* in \\d+ ms, node n1,"
                + " 2 caches: default, memcachedCache"),
        line);
    assertEquals(List.of(), lines(err));
  }

  @Test
  void run_permanentCache_isThereAtTheNextStart() {
    String[] args = {
      "--port", "0", "--memcached-port", "0", "--data", directory.resolve("new").toString()
    };
    int first =
        Main.run(
            args,
            stream(out),
            stream(err),
            server -> {
              server.catalog().createPermanent("kept", CacheSetup.builtIn());
              server.catalog().createVolatile("lost", CacheSetup.builtIn());
              interruptLater();
            });
    assertEquals(0, first);
    assertTrue(Thread.interrupted());
    out.reset();
    assertEquals(0, run(args));
    assertTrue(Thread.interrupted());
    assertTrue(lines(out).getFirst().endsWith("3 caches: default, kept, memcachedCache"));
    assertFalse(lines(out).getFirst().contains("lost"));
  }

  @Test
  void run_configFile_definesCachesAndAddress() throws IOException {
    String document =
        """
        infinispan:
          cacheContainer:
            defaultCache: orders
            caches:
              orders:
                distributedCache: {segments: 16}
          server:
            interfaces:
              - name: public
                inetAddress: {value: 127.0.0.2}
            socketBindings:
              defaultInterface: public
              portOffset: 0
              socketBinding:
                - {name: default, port: 0}
            endpoints:
              socketBinding: default
        """;
    Path file = Files.writeString(directory.resolve("c.yaml"), document);
    assertEquals(0, run("--config", file.toString(), "--memcached-port", "0"));
    assertTrue(Thread.interrupted());
    String line = lines(out).getFirst();
    assertTrue(line.contains(" ready on 127.0.0.2:"), line);
    assertTrue(line.endsWith("2 caches: memcachedCache, orders"), line);
  }
}
