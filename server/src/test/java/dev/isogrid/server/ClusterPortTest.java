package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.ClusterSecret;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.ReadContext;
import dev.isogrid.config.ServerDocument;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The conditions under which a server opens a port for other nodes, and its reasons for not doing
 * so.
 */
class ClusterPortTest {
  private static final String SECRET = "a secret of a cluster, long enough";
  private static final String LOGIN =
      "<server><security><security-realms><security-realm name='r'><properties-realm>"
          + "</properties-realm></security-realm></security-realms>"
          + "</security><endpoints security-realm='r'/></server>";

  @TempDir private Path folder;
  private Path secret;
  private Path keys;
  private Path stack;
  private Path openStack;

  @BeforeEach
  void makeFiles() throws Exception {
    secret = Files.writeString(folder.resolve("cluster.secret"), SECRET + "\n");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    keys = Files.writeString(folder.resolve("keys.p12"), "not looked at here");
    String text = "<config xmlns=\"urn:org:jgroups\"><TCP bind_addr=\"%s\"/></config>";
    stack = Files.writeString(folder.resolve("loop.xml"), text.formatted("127.0.0.1"));
    openStack = Files.writeString(folder.resolve("site.xml"), text.formatted("SITE_LOCAL"));
  }

  private String[] arguments(@Nullable String options) {
    List<String> arguments = new ArrayList<>();
    for (String option : options == null ? new String[0] : options.split(" ", -1)) {
      arguments.addAll(
          switch (option) {
            case "SECRET" -> List.of("--cluster-secret-file", secret.toString());
            case "TLS" ->
                List.of(
                    "--cluster-tls-keystore=" + keys,
                    "--cluster-tls-truststore=" + keys,
                    "--cluster-tls-password-file=" + secret,
                    "--cluster-tls-trust-password-file=" + secret);
            case "STACK" -> List.of("--cluster-stack", stack.toString());
            case "OPENSTACK" -> List.of("--cluster-stack", openStack.toString());
            default -> List.of(option);
          });
    }
    return arguments.toArray(String[]::new);
  }

  private ServerSettings settings(@Nullable String document, String... arguments) {
    ServerOptions options = new CommandLineParser(_ -> null).parse(arguments, System.out);
    assertNotNull(options);
    return ServerSettings.of(
        options,
        document == null
            ? null
            : ServerDocument.read(document, DocumentFormat.XML, ReadContext.empty()));
  }

  private static String outcome(ServerSettings settings) {
    ClusterConfig cluster = settings.grid().cluster();
    String port = cluster == null ? "none" : "open";
    assertTrue(settings.warnings().size() + settings.notes().size() <= 1, settings::toString);
    if (!settings.warnings().isEmpty()) {
      return port + " warning";
    }
    return settings.notes().isEmpty() ? port : port + " note";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // only this machine, no login: as before
        "                                            | open",
        "--join=127.0.0.1:7801                       | open",
        "--bind=127.0.0.3 --found                    | open",
        "--bind=localhost --cluster=c                | open",
        "--bind=::1                                  | open",
        "STACK                                       | open",
        "SECRET                                      | open",
        "TLS                                         | open",
        "--cluster-insecure                          | open",
        // exposed, without options for a cluster
        "--auth                                      | none note",
        "--bind=0.0.0.0                              | none note",
        "--bind=192.0.2.1                            | none note",
        "--auth --bind=0.0.0.0                       | none note",
        "--auth --node-name=n                        | none note",
        "--auth --cluster=c                          | none warning",
        "--bind=0.0.0.0 --cluster=c                  | none warning",
        "--auth --no-cluster                         | none",
        "--bind=0.0.0.0 --no-cluster                 | none",
        // exposed, with options for a cluster
        "--auth --join=127.0.0.1:7801                | error",
        "--auth --found                              | error",
        "--auth --cluster-port=7900                  | error",
        "--auth --cluster-bind=127.0.0.1             | error",
        "--auth --discovery=multicast                | error",
        "--auth --zone=a                             | error",
        "--auth --capacity=0                         | error",
        "--auth --when-gone=always                   | error",
        "--auth --rebalance-rate=30MB                | error",
        "--auth STACK                                | error",
        "--bind=0.0.0.0 --join=10.0.0.1              | error",
        "--cluster-bind=0.0.0.0                      | error",
        "--cluster-bind=192.0.2.1 --join=10.0.0.1    | error",
        "OPENSTACK                                   | error",
        // secured
        "--auth SECRET                               | open",
        "--auth TLS                                  | open",
        "--auth --join=10.0.0.1 SECRET               | open",
        "--bind=0.0.0.0 SECRET                       | open",
        "--bind=0.0.0.0 --auth TLS --join=10.0.0.1   | open",
        "OPENSTACK SECRET                            | open",
        // insecure by the operator's choice
        "--auth --cluster-insecure                   | open warning",
        "--bind=0.0.0.0 --cluster-insecure           | open warning",
        "--auth --join=10.0.0.1 --cluster-insecure   | open warning",
        "OPENSTACK --cluster-insecure                | open warning",
      })
  void port_ofOptions_isOpenOnlyWhereStrangersStayOut(@Nullable String options, String expected) {
    check(null, options, expected);
  }

  private void check(@Nullable String document, @Nullable String options, String expected) {
    if (!expected.equals("error")) {
      assertEquals(expected, outcome(settings(document, arguments(options))));
      return;
    }
    String message = refusal(document, arguments(options));
    for (String wayOut :
        List.of(
            "--cluster-secret-file FILE",
            "--cluster-tls-keystore FILE",
            "--cluster-insecure",
            "--no-cluster")) {
      assertTrue(message.contains(wayOut), message);
    }
    assertFalse(message.contains("\n"), message);
  }

  private String refusal(@Nullable String document, String... arguments) {
    InvalidRequestException refused =
        assertThrows(InvalidRequestException.class, () -> settings(document, arguments));
    return String.valueOf(refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cluster='c' node-name='n' stack='tcp'  |                     | open",
        "cluster='c' node-name='n' stack='tcp'  | --auth              | none warning",
        "cluster='c'                            | --bind=0.0.0.0      | none warning",
        "site='s'                               | --auth              | none warning",
        "''                                     | --auth              | none note",
        "cluster='c' stack='tcp'                | --auth SECRET       | open",
        "cluster='c' stack='tcp'                | --auth --cluster-insecure | open warning",
        "cluster='c' stack='tcp'                | --auth --no-cluster | none",
        "discovery='multicast'                  | --auth              | error",
        "initial-hosts='a'                      | --auth              | error",
        "stack='mine'                           | --auth              | error",
        "cluster='c' secret-file='cluster.secret' | --auth            | open",
        "cluster='c' secret-file='cluster.secret' |                   | open",
      })
  void port_ofADocument_isOpenOnlyWhereStrangersStayOut(
      String transport, @Nullable String options, String expected) {
    String attributes = transport.equals("''") ? "" : transport;
    String document =
        """
        <infinispan>
          <jgroups><stack-file name='mine' path='my.xml'/></jgroups>
          <cache-container><transport %s/></cache-container>
        </infinispan>
        """
            .formatted(attributes);
    String conf = "--conf=" + folder;
    check(document, options == null ? conf : conf + " " + options, expected);
  }

  @Test
  void port_whereADocumentAsksForALogin_isNotOpened() {
    String document = "<infinispan><cache-container/>" + LOGIN + "</infinispan>";
    assertEquals("none note", outcome(settings(document)));
    assertEquals("open", outcome(settings(document, arguments("SECRET"))));
  }

  @Test
  void secret_ofAFile_isWithoutTheLineEnd() throws Exception {
    ClusterConfig cluster = settings(null, arguments("SECRET")).grid().cluster();
    assertNotNull(cluster);
    assertEquals(new ClusterSecret(SECRET), cluster.secret());
    Files.writeString(secret, SECRET + "\r\n");
    assertEquals(new ClusterSecret(SECRET), ClusterSecret.ofFile(secret));
    assertFalse(cluster.toString().contains(SECRET), cluster.toString());
  }

  @Test
  void secret_thatIsNotUsable_isSaidPrecisely() throws Exception {
    Files.writeString(secret, "fifteen bytes..\n");
    assertTrue(refusal(null, arguments("SECRET")).contains("bytes=15; give 16 to 4096 bytes"));
    Files.writeString(secret, "x".repeat(5000));
    assertTrue(refusal(null, arguments("SECRET")).contains("give 16 to 4096 bytes"));
    byte[] random = new byte[32];
    Arrays.fill(random, (byte) 0xFE);
    Files.write(secret, random);
    assertTrue(refusal(null, arguments("SECRET")).contains("it is no text in UTF-8"));
    Files.delete(secret);
    String missing = refusal(null, arguments("SECRET"));
    assertTrue(missing.contains("file=" + secret) && missing.contains("NoSuchFile"), missing);
  }

  @Test
  void secret_thatOthersCanRead_isWarnedOf() throws Exception {
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
    ServerSettings settings = settings(null, arguments("SECRET"));
    assertEquals(1, settings.warnings().size());
    assertTrue(settings.warnings().getFirst().contains("file=" + secret), settings::toString);
  }

  @ParameterizedTest
  @CsvSource({"SECRET TLS", "SECRET --cluster-insecure", "TLS --cluster-insecure"})
  void securing_inTwoWays_isRefused(String options) {
    assertTrue(refusal(null, arguments(options)).contains("exclude each other; give one"));
  }
}
