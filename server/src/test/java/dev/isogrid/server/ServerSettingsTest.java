package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.ClusterDiscovery;
import dev.isogrid.api.ClusterTls;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.WhenGone;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.ReadContext;
import dev.isogrid.config.ServerDocument;
import dev.isogrid.server.ServerSettings.Protocol;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerSettingsTest {
  private static final String DOCUMENT =
      """
      <infinispan>
        <cache-container default-cache="orders">
          <transport cluster="fileCluster" node-name="fileNode"/>
          <distributed-cache name="orders" segments="16"/>
          <local-cache-configuration name="small" />
        </cache-container>
        <server>
          <interfaces>
            <interface name="public"><inet-address value="127.0.0.2"/></interface>
          </interfaces>
          <socket-bindings default-interface="public" port-offset="0">
            <socket-binding name="default" port="7000"/>
            <socket-binding name="mc" port="7001"/>
          </socket-bindings>
          <endpoints socket-binding="default">
            <endpoint>
              <rest-connector name="r"/>
              <memcached-connector name="m" socket-binding="mc" cache="mem" idle-timeout="7"/>
            </endpoint>
          </endpoints>
        </server>
      </infinispan>
      """;

  private static ServerOptions parse(String... args) {
    PrintStream none = new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8);
    ServerOptions options = new CommandLineParser().parse(args, none);
    assertNotNull(options);
    return options;
  }

  private static ServerSettings settings(@Nullable String document, String... args) {
    return ServerSettings.of(
        parse(args),
        document == null
            ? null
            : ServerDocument.read(document, DocumentFormat.XML, ReadContext.empty()));
  }

  @Test
  void of_nothing_isTheDefaults() {
    ServerSettings settings = settings(null);
    assertEquals(ServerSettings.defaults(), settings);
    assertEquals("127.0.0.1", settings.bindAddress());
    assertEquals(11222, settings.port());
    assertEquals(11211, settings.memcachedPort());
    assertEquals("cluster", settings.grid().clusterName());
    assertEquals("", settings.grid().nodeName());
    assertNull(settings.dataDirectory());
    assertEquals(new Protocol(Protocol.CONTENT_LENGTH_MAX, 0), settings.protocols().hotRod());
  }

  @Test
  void of_commandLine_winsOverDefaults() {
    ServerSettings settings =
        settings(
            null,
            "--bind=0.0.0.0",
            "--port",
            "0",
            "--memcached-port",
            "0",
            "--node-name",
            "n",
            "--cluster",
            "c",
            "--data",
            "d");
    assertEquals("0.0.0.0", settings.bindAddress());
    assertEquals(0, settings.port());
    assertEquals(ServerSettings.OFF, settings.memcachedPort());
    assertEquals("n", settings.grid().nodeName());
    assertEquals("c", settings.grid().clusterName());
    assertEquals(Path.of("d"), settings.dataDirectory());
  }

  @Test
  void log_ofOptions_isAsTheySay() {
    LogOptions log =
        parse(
                "--log-level=warn,org.jgroups=DEBUG",
                "--log-format",
                "JSON",
                "--log-file=f",
                "--log-file-size",
                "2m",
                "--log-files=7")
            .logging();
    assertEquals(
        new LogOptions(
            null, Map.of("", Level.WARNING, "org.jgroups", Level.DEBUG), true, "f", 2 << 20, 7),
        log);
    assertEquals(LogOptions.NONE, parse("--port", "0").logging());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "--log-level loud",
        "--log-level =INFO",
        "--log-level a.b=",
        "--log-format xml",
        "--log-files 0",
        "--log-files x",
        "--log-format=json --log-config=f",
        "--log-file=g --log-config=f",
        "--log-file-size=1m --log-config=f",
        "--log-files=2 --log-config=f"
      })
  void log_ofWrongOptions_isRefused(String name, String value) {
    InvalidRequestException refusal =
        assertThrows(InvalidRequestException.class, () -> parse(name, value));
    assertTrue(
        String.valueOf(refusal.getMessage()).startsWith(name.replaceAll("=.*", "") + " "),
        refusal::getMessage);
  }

  @Test
  void itemMax_ofNothing_isMemcachedsOnItsOwnPort() {
    ServerSettings.Protocols protocols = settings(null).protocols();
    assertEquals(1 << 20, protocols.memcachedItemMax());
    assertEquals(Integer.MAX_VALUE, protocols.sharedItemMax());
  }

  @ParameterizedTest
  @CsvSource({"1k, 1024, 10485760", "4m, 4194304, 10485760", "64MiB, 67108864, 67108864"})
  void itemMax_ofAnOption_holdsOnAllPorts(String size, int bytes, int contentLengthMax) {
    ServerSettings.Protocols protocols = settings(null, "--memcached-item-max", size).protocols();
    assertEquals(bytes, protocols.memcachedItemMax());
    assertEquals(bytes, protocols.sharedItemMax());
    assertEquals(new Protocol(contentLengthMax, 0), protocols.memcached());
  }

  @ParameterizedTest
  @CsvSource({"1000", "2g", "x"})
  void itemMax_outOfRange_isRefused(String size) {
    InvalidRequestException refusal =
        assertThrows(
            InvalidRequestException.class, () -> settings(null, "--memcached-item-max", size));
    assertTrue(
        String.valueOf(refusal.getMessage()).startsWith("--memcached-item-max "),
        refusal::getMessage);
  }

  @Test
  void cluster_ofNothing_listensWhereTheServerDoes() {
    ClusterConfig cluster = settings(null, "--bind=127.0.0.3").grid().cluster();
    assertNotNull(cluster);
    assertEquals("127.0.0.3", cluster.bindAddress());
    assertEquals(7800, cluster.bindPort());
    assertEquals(50, cluster.portRange());
    assertEquals(List.of(), cluster.seeds());
  }

  @Test
  void cluster_ofOptions_isAsTheySay(@TempDir Path folder) throws Exception {
    Path stack = folder.resolve("stack.xml");
    Files.writeString(stack, "<config><TCP bind_addr=\"${x.y:127.0.0.1}\"/></config>");
    ServerSettings settings =
        settings(
            null,
            "--join",
            "10.0.0.1:7801, 10.0.0.2",
            "--cluster-bind",
            "127.0.0.4",
            "--cluster-port",
            "7900",
            "--found",
            "--zone",
            "s/r/m",
            "--capacity",
            "0.5",
            "--cluster-stack",
            stack.toString(),
            "--external-address",
            "grid.example",
            "--external-port",
            "1234");
    ClusterConfig cluster = settings.grid().cluster();
    assertNotNull(cluster);
    assertEquals(
        ClusterConfig.builder()
            .bindAddress("127.0.0.4")
            .bindPort(7900)
            .portRange(0)
            .seeds(List.of("10.0.0.1:7801", "10.0.0.2"))
            .found(true)
            .zone("s/r/m")
            .capacity(0.5f)
            .stackFile(stack)
            .build(),
        cluster);
    assertEquals(new ServerSettings.External("grid.example", 1234), settings.external());
  }

  private static ClusterConfig cluster(@Nullable String document, String... args) {
    ClusterConfig cluster = settings(document, args).grid().cluster();
    assertNotNull(cluster);
    return cluster;
  }

  private static String transport(String attributes, String more) {
    return """
    <infinispan>
      <jgroups><stack-file name="mine" path="my.xml"/></jgroups>
      <cache-container><transport %s/></cache-container>
      <server>%s</server>
    </infinispan>
    """
        .formatted(attributes, more);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "multicast:239.1.2.3:7000 | Multicast[address=239.1.2.3, port=7000]",
        "dns:grid.svc | Dns[query=grid.svc, recordType=A, server=null]",
        "dns:grid.svc/SRV@127.0.0.1:53 | Dns[query=grid.svc, recordType=SRV, server=127.0.0.1:53]",
        "folder:/shared/nodes | SharedFolder[folder=/shared/nodes]"
      })
  void discovery_ofEitherSource_isAsItSays(String text, String expected) {
    assertEquals(expected, String.valueOf(cluster(null, "--discovery", text).discovery()));
    String document = transport("discovery='" + text + "'", "");
    assertEquals(expected, String.valueOf(cluster(document).discovery()));
    assertNull(cluster(document, "--join", "a").discovery());
  }

  @Test
  void discovery_inADatabase_takesItsPasswordFromOutside(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("secret"), "geheim\nmore");
    String[] args = {
      "--discovery=database:jdbc:h2:mem:x", "--discovery-user=u", "--discovery-driver=org.h2.Driver"
    };
    String[] withFile = Arrays.copyOf(args, 4);
    withFile[3] = "--discovery-password-file=" + file;
    ClusterDiscovery expected =
        new ClusterDiscovery.Database("jdbc:h2:mem:x", "u", "geheim", "org.h2.Driver");

    assertEquals(expected, cluster(null, withFile).discovery());
    CommandLineParser parser =
        new CommandLineParser(name -> name.equals("ISOGRID_DISCOVERY_PASSWORD") ? "geheim" : null);
    ServerOptions options = parser.parse(args, System.out);
    assertNotNull(options);
    assertEquals(expected, options.cluster().discovery());
    assertFalse(options.toString().contains("geheim"), options.toString());
  }

  @Test
  void clusterTls_ofOptions_needsBothStoresAndTheirPasswords(@TempDir Path folder)
      throws Exception {
    String keys = Files.writeString(folder.resolve("keys.p12"), "k").toString();
    String trust = Files.writeString(folder.resolve("trust.p12"), "t").toString();
    String secret = Files.writeString(folder.resolve("secret"), "one").toString();
    String[] all = {
      "--cluster-tls-keystore=" + keys,
      "--cluster-tls-truststore=" + trust,
      "--cluster-tls-password-file=" + secret,
      "--cluster-tls-trust-password-file=" + secret,
      "--when-gone=always",
      "--rebalance-rate=30MB",
      "--rebalance-latency=7",
      "--found-after=9",
      "--join-timeout=8",
      "--leave-timeout=0"
    };

    assertEquals(
        new ClusterTls(Path.of(keys), "one", Path.of(trust), "one"), cluster(null, all).tls());
    assertEquals(WhenGone.ALWAYS, cluster(null, all).whenGone());
    assertEquals(30_000_000, cluster(null, all).rebalanceBytesPerSecondMax());
    assertEquals(7, cluster(null, all).rebalanceLatencyMaxMillis());
    assertEquals(9, cluster(null, all).foundAfterMillis());
    assertEquals(8, cluster(null, all).joinTimeoutMillis());
    assertEquals(0, cluster(null, all).leaveTimeoutMillis());
    assertRefused("--cluster-tls-keystore needs --cluster-tls-truststore", all[0]);
    assertRefused("ISOGRID_CLUSTER_TLS_PASSWORD", all[0], all[1]);
    assertRefused("means nothing without --cluster-tls-keystore", all[1]);
    assertRefused("can't be read", "--cluster-tls-keystore=/none", all[1]);
    assertRefused("give ignored, of-two or always", "--when-gone=never");
    assertRefused("--rebalance-latency fast is not a time", "--rebalance-latency=fast");
    assertRefused("--leave-timeout 10s is not a time", "--leave-timeout=10s");
    assertRefused("unknown kind: nonsense", "--discovery=nonsense");
    assertRefused("port 0 is not from 1 to 65535", "--discovery=multicast:239.1.1.1:0");
    assertRefused("needs the class of a driver", "--discovery=database:jdbc:x");
    assertRefused("exclude each other", "--discovery=multicast", "--join=a");
  }

  private static void assertRefused(String part, String... args) {
    InvalidRequestException refused =
        assertThrows(InvalidRequestException.class, () -> settings(null, args));
    assertTrue(String.valueOf(refused.getMessage()).contains(part), refused.getMessage());
  }

  @Test
  void cluster_ofADocument_isAsItSays() {
    String realm =
        "<security><security-realms><security-realm name='nodes'><server-identities><ssl>"
            + "<keystore path='k.p12' password='one'/><truststore path='t.p12' password='two'/>"
            + "</ssl></server-identities></security-realm></security-realms></security>";
    ClusterConfig cluster =
        cluster(
            transport(
                "initial-hosts='a:1, b' site='s' machine='m' stack='mine' security-realm='nodes'"
                    + " initial-cluster-timeout='5s'",
                realm),
            "--conf=conf");

    assertEquals(List.of("a:1", "b"), cluster.seeds());
    assertEquals("s/-/m", cluster.zone());
    assertEquals(Path.of("my.xml"), cluster.stackFile());
    assertEquals(5_000, cluster.joinTimeoutMillis());
    assertEquals(
        new ClusterTls(Path.of("conf/k.p12"), "one", Path.of("conf/t.p12"), "two"), cluster.tls());
    String document = transport("security-realm='none'", realm);
    assertThrows(InvalidRequestException.class, () -> settings(document));
    String udp = transport("stack='udp'", "");
    InvalidRequestException refused =
        assertThrows(InvalidRequestException.class, () -> settings(udp));
    assertTrue(String.valueOf(refused.getMessage()).contains("kubernetes"), refused.getMessage());
    assertEquals(
        "Multicast[address=239.78.0.1, port=7811]",
        String.valueOf(cluster(transport("stack='tcp'", "")).discovery()));
  }

  @Test
  void cluster_thatIsOff_isNone() {
    assertNull(settings(null, "--no-cluster").grid().cluster());
  }

  @Test
  void reachable_ofAllAddresses_isOneThatOthersReach() throws UnknownHostException {
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    InetAddress site = InetAddress.getByName("10.1.2.3");
    InetAddress global = InetAddress.getByName("203.0.113.7");
    InetAddress global6 = InetAddress.getByName("2001:db8::1");
    InetAddress link = InetAddress.getByName("169.254.1.1");
    assertEquals(site, HostAddresses.best(List.of(loopback, link, global6, global, site)));
    assertEquals(global, HostAddresses.best(List.of(loopback, global6, link, global)));
    assertEquals(global6, HostAddresses.best(List.of(global6, loopback)));
    assertTrue(HostAddresses.best(List.of(link, loopback)).isLoopbackAddress());
    assertEquals(site, HostAddresses.reachable(site));
    assertFalse(HostAddresses.reachable(InetAddress.getByName("0.0.0.0")).isAnyLocalAddress());
  }

  @Test
  void of_document_winsOverDefaults() {
    ServerSettings settings = settings(DOCUMENT);
    assertEquals("127.0.0.2", settings.bindAddress());
    assertEquals(7000, settings.port());
    assertEquals(7001, settings.memcachedPort());
    assertEquals("fileNode", settings.grid().nodeName());
    assertEquals("fileCluster", settings.grid().clusterName());
    assertEquals(Set.of("orders"), settings.caches().caches().keySet());
    assertEquals(Set.of("small"), settings.caches().templates().keySet());
    assertEquals("orders", settings.caches().defaultCache());
    assertEquals("mem", settings.caches().memcachedCache());
    assertNull(settings.protocols().hotRod());
    assertEquals(new Protocol(Protocol.CONTENT_LENGTH_MAX, 7), settings.protocols().memcached());
  }

  @Test
  void of_both_commandLineWins() {
    ServerSettings settings =
        settings(
            DOCUMENT,
            "--bind",
            "::1",
            "--port",
            "8000",
            "--memcached-port",
            "8001",
            "--node-name",
            "n",
            "--cluster",
            "c");
    assertEquals("::1", settings.bindAddress());
    assertEquals(8000, settings.port());
    assertEquals(8001, settings.memcachedPort());
    assertEquals("n", settings.grid().nodeName());
    assertEquals("c", settings.grid().clusterName());
    assertEquals("orders", settings.caches().defaultCache());
  }

  @ParameterizedTest
  @CsvSource({
    "4g, 4294967296",
    "4G, 4294967296",
    "512m, 536870912",
    "2048k, 2097152",
    "1t, 1099511627776",
    "1.5g, 1610612736",
    "100MB, 100000000",
    "1GiB, 1073741824",
    "1048576, 1048576",
  })
  void of_offHeapMax_isInBytes(String size, long bytes) {
    assertEquals(bytes, settings(null, "--off-heap-max", size).grid().offHeapMaxBytes());
  }

  @Test
  void of_noOffHeapMax_isTheDefault() {
    assertEquals(GridConfig.OFF_HEAP_DEFAULT, settings(null).grid().offHeapMaxBytes());
    assertEquals(GridConfig.OFF_HEAP_DEFAULT, settings(DOCUMENT).grid().offHeapMaxBytes());
  }

  @Test
  void of_memcachedNotInDocument_isOffAndMayNotBeAskedFor() {
    String without = DOCUMENT.replaceAll("<memcached-connector.*", "");
    ServerSettings settings = settings(without);
    assertEquals(ServerSettings.OFF, settings.memcachedPort());
    assertNull(settings.protocols().memcached());
    assertEquals(ServerSettings.OFF, settings(without, "--memcached-port", "0").memcachedPort());
    InvalidRequestException refused =
        assertThrows(
            InvalidRequestException.class, () -> settings(without, "--memcached-port", "1"));
    assertTrue(String.valueOf(refused.getMessage()).contains("--memcached-port 1"));
  }

  @Test
  void limits_ofTheCommandLine_areRead() {
    AccessLimits limits =
        settings(
                null,
                "--connections-per-address=7",
                "--request-memory-max=64m",
                "--cors-origin=https://a.example:8443,http://b",
                "--cors-origin=http://[::1]:90")
            .protection()
            .limits();
    assertEquals(7, limits.connectionsPerAddress());
    assertEquals(64L << 20, limits.requestMemoryMax());
    assertEquals(
        List.of("https://a.example:8443", "http://b", "http://[::1]:90"), limits.corsOrigins());
    assertEquals(AccessLimits.USUAL, settings(null).protection().limits());
    assertRefused("is not a number of connections", "--connections-per-address=0");
    assertRefused("is not a number of connections", "--connections-per-address=many");
    assertRefused("is not a size", "--request-memory-max=1");
    for (String wrong : List.of("*", "null", "a.example", "http://a/", "ftp://a", "http://u@a")) {
      assertRefused("is not an origin", "--cors-origin=" + wrong);
    }
  }

  @Test
  void reporting_isWhatTheOptionsSay() {
    assertEquals(Reporting.NONE, parse("--port", "0").reporting());
    assertEquals(
        new Reporting(20, true),
        parse("--slow-log", "20", "--metrics-names", "infinispan").reporting());
    for (String millis : List.of("0", "-1", "x", "99999999999")) {
      assertThrows(InvalidRequestException.class, () -> parse("--slow-log", millis));
    }
    assertThrows(InvalidRequestException.class, () -> parse("--metrics-names", "other"));
  }
}
