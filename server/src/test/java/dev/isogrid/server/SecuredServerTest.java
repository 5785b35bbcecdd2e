package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.server.security.QuickUsers;
import dev.isogrid.server.security.Users;
import dev.isogrid.server.task.GuardedTask;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server whose clients must log in, over sockets. */
class SecuredServerTest {
  private static final int READ_TIMEOUT_MILLIS = 10_000;
  private static final String KEY = "/rest/v2/caches/default/k";

  @TempDir private Path folder;

  private static ServerOptions options(String... args) {
    return Objects.requireNonNull(
        new CommandLineParser().parse(args, new PrintStream(PrintStream.nullOutputStream())));
  }

  private ServerSettings settings(String... args) {
    List<String> all = new ArrayList<>(Arrays.asList(args));
    all.addAll(List.of("--conf", folder.toString(), "--no-cluster", "--port", "0"));
    ServerSettings read = ServerSettings.of(options(all.toArray(String[]::new)), null);
    return new ServerSettings(
        read.bindAddress(),
        0,
        0,
        read.external(),
        GridConfig.builder().build(),
        null,
        read.tasksDirectory(),
        read.caches(),
        read.protocols(),
        read.protection(),
        read.warnings());
  }

  private Server start(String... args) {
    Users users = QuickUsers.in(folder, "default");
    users.create("ada", "secret", List.of("admin"));
    users.create("obs", "secret", List.of("observer"));
    return Server.start(settings(args));
  }

  /** Sends, ends its side of the connection, and reads until the server ends its own. */
  private static String talk(@Nullable InetSocketAddress address, String text) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(READ_TIMEOUT_MILLIS);
      socket.connect(address);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  private static String http(String method, String path, String user) {
    String pair = user + ":secret";
    String basic = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.US_ASCII));
    return "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n%s\r\nx"
        .formatted(method, path, user.isEmpty() ? "" : "Authorization: Basic " + basic + "\r\n");
  }

  private static String status(String answer) {
    return answer.split(" ", 3)[1];
  }

  @Test
  void rest_byBasic_isAllowedByItsRole() throws IOException {
    String entry = "/rest/v2/caches/default/k";
    try (Server server = start("--auth", "--allow-clear-text")) {
      InetSocketAddress at = server.address();
      String challenge = talk(at, http("GET", entry, ""));
      assertEquals("401", status(challenge));
      assertTrue(challenge.contains("WWW-Authenticate: Digest realm=\"default\""), challenge);
      assertTrue(challenge.contains("WWW-Authenticate: Basic realm=\"default\""), challenge);
      assertEquals("204", status(talk(at, http("PUT", entry, "ada"))));
      assertEquals("200", status(talk(at, http("GET", entry, "obs"))));
      assertEquals("403", status(talk(at, http("PUT", entry, "obs"))));
      assertEquals("401", status(talk(at, http("GET", entry, "eve"))));
      assertEquals("200", status(talk(at, http("GET", "/rest/v2/caches", "obs"))));
      assertEquals("403", status(talk(at, http("DELETE", "/rest/v2/caches/default", "obs"))));
      assertEquals("404", status(talk(at, http("GET", "/rest/v2/caches/none/k", "obs"))));
      assertEquals("401", status(talk(at, http("GET", "/rest/v2/caches/none/k", ""))));
      assertEquals("200", status(talk(at, http("GET", "/health/ready", ""))));
      assertEquals("200", status(talk(at, http("GET", "/health/live", "eve"))));
    }
  }

  private static void assertTells(Server server, String user, String path, String part)
      throws IOException {
    assertTells("GET", server, user, path, part);
  }

  private static void assertTells(
      String method, Server server, String user, String path, String part) throws IOException {
    String answer = talk(server.address(), http(method, path, user));
    assertEquals("200", status(answer), answer);
    assertTrue(answer.contains(part), answer);
  }

  @Test
  void rest_aboutSecurity_tellsWhoMayDoWhat() throws IOException {
    String security = "/rest/v2/security/";
    try (Server server = start("--auth", "--allow-clear-text")) {
      assertTells(
          server,
          "",
          "/rest/v2/login?action=config",
          "{\"mode\":\"HTTP\",\"DIGEST\":\"true\",\"BASIC\":\"true\",\"ready\":\"true\"}");
      assertTells(server, "ada", security + "user/acl", "\"global\":[\"ALL\"]");
      assertTells(
          server,
          "obs",
          security + "user/acl",
          "{\"subject\":[{\"name\":\"obs\",\"type\":\"NamePrincipal\"}],"
              + "\"global\":[\"READ\",\"BULK_READ\",\"MONITOR\"]");
      assertTells(server, "ada", security + "users", "[\"ada\",\"obs\"]");
      assertTells(server, "ada", security + "roles", "\"deployer\"");
      assertTells(server, "ada", security + "roles/obs", "[\"observer\"]");
      assertTells(
          server,
          "ada",
          security + "roles?action=detailed",
          "\"admin\":{\"permissions\":[\"ALL\"],\"inheritable\":true,\"implicit\":true}");
      assertTells(
          server,
          "ada",
          security + "principals?action=detailed",
          "{\"name\":\"obs\",\"type\":\"NamePrincipal\",\"roles\":[\"observer\"]}");
      InetSocketAddress at = server.address();
      assertEquals("403", status(talk(at, http("GET", security + "users", "obs"))));
      assertEquals("401", status(talk(at, http("GET", security + "user/acl", ""))));
      String flush = security + "cache?action=flush";
      assertEquals("204", status(talk(at, http("POST", flush, "ada"))));
      assertEquals("403", status(talk(at, http("POST", flush, "obs"))));
      String grant = security + "roles/obs?action=grant&role=admin";
      assertEquals("409", status(talk(at, http("PUT", grant, "ada"))));
    }
  }

  @Test
  void rest_ofATaskWithARole_isForThoseOnlyWhoHaveIt() throws IOException {
    String exec = "/rest/v2/tasks/guarded?action=exec";
    String tasks = GuardedTask.deploy(folder).toString();
    Users users = QuickUsers.in(folder, "default");
    users.create("app", "secret", List.of("application"));
    users.create("dep", "secret", List.of("deployer"));
    try (Server server = start("--auth", "--allow-clear-text", "--tasks", tasks)) {
      InetSocketAddress at = server.address();
      assertEquals("401", status(talk(at, http("POST", exec, ""))));
      assertEquals("403", status(talk(at, http("POST", exec, "obs"))));
      String refusal = talk(at, http("POST", exec, "app"));
      assertEquals("403", status(refusal));
      assertTrue(refusal.contains("user=app, lacking=role deployer"), refusal);
      assertTells("POST", server, "dep", exec, "\"done\"");
      assertTells(server, "obs", "/rest/v2/tasks", "\"allowed_role\":\"deployer\"");
    }
    try (Server server = Server.start(settings("--tasks", tasks))) {
      assertTells("POST", server, "", exec, "\"done\"");
    }
  }

  @Test
  void rest_ofSeveralRequestsOnOneConnection_answersEachForItsOwnCaller() throws IOException {
    String entry = "/rest/v2/caches/default/k";
    try (Server server = start("--auth", "--allow-clear-text")) {
      String answers =
          talk(
              server.address(),
              http("PUT", entry, "ada") + http("PUT", entry, "obs") + http("PUT", entry, ""));
      List<String> statuses =
          Arrays.stream(answers.split("HTTP/1.1 ", -1))
              .skip(1)
              .map(answer -> answer.substring(0, 3))
              .toList();
      assertEquals(List.of("204", "403", "401"), statuses);
    }
  }

  @Test
  void memcached_beforeAndAfterLogin_answersAsMemcachedDoes() throws IOException {
    try (Server server = start("--auth")) {
      assertEquals(
          "CLIENT_ERROR unauthenticated\r\nCLIENT_ERROR authentication failure\r\nSTORED\r\n"
              + "STORED\r\nVALUE k 0 1\r\nv\r\nEND\r\n",
          talk(
              server.address(),
              "get k\r\nset a 0 0 9\r\nada wrong\r\nset a 0 0 10\r\nada secret\r\n"
                  + "set k 0 0 1\r\nv\r\nget k\r\n"));
      assertEquals(
          "CLIENT_ERROR bad authentication token format\r\nSTORED\r\nCLIENT_ERROR not permitted\r\n"
              + "CLIENT_ERROR not permitted\r\nEND\r\n",
          talk(
              server.memcachedAddress(),
              "set a 0 0 3\r\nobs\r\nset a 0 0 10\r\nobs secret\r\nset k 0 0 7\r\nget k\r\n\r\n"
                  + "flush_all\r\nget none\r\n"));
    }
  }

  private static Socket connect(@Nullable InetSocketAddress address) throws IOException {
    Socket socket = new Socket();
    socket.setSoTimeout(READ_TIMEOUT_MILLIS);
    socket.connect(address);
    return socket;
  }

  private static void send(Socket socket, String bytes) throws IOException {
    socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String read(Socket socket, int length) throws IOException {
    return new String(socket.getInputStream().readNBytes(length), StandardCharsets.ISO_8859_1);
  }

  /** A request of Hot Rod 2.0 to the cache {@code default}. */
  private static String hotRod(int operation, String body) {
    return "\u00a0\u0001\u0014" + (char) operation + "\u0007default\0\u0001\0" + body;
  }

  private static String sized(String text) {
    return (char) text.length() + text;
  }

  @Test
  void sessionOfMemcached_whenThePasswordChanges_isClosed() throws IOException {
    try (Server server = start("--auth");
        Socket socket = connect(server.memcachedAddress())) {
      send(socket, "set a 0 0 10\r\nobs secret\r\n");
      assertEquals("STORED\r\n", read(socket, 8));
      QuickUsers.in(folder, "default").password("obs", "other");
      assertEquals("", read(socket, 1), "the end of the connection");
    }
  }

  @Test
  void sessionOfHotRodWithAListener_whenARoleIsRevoked_isClosed() throws IOException {
    try (Server server = start("--auth", "--allow-clear-text");
        Socket socket = connect(server.address())) {
      String ok = "\u00a1\u0001";
      send(socket, hotRod(0x23, sized("PLAIN") + sized("\0ada\0secret")));
      assertEquals(ok + "$\0\0\u0001\0", read(socket, 7));
      send(socket, hotRod(0x25, sized("listener") + "\0\0\0"));
      assertEquals(ok + "&\0\0", read(socket, 5));
      assertEquals("204", status(talk(server.address(), http("PUT", KEY, "ada"))));
      assertEquals("\u00a1", read(socket, 1), "an event");
      QuickUsers.in(folder, "default").revoke("ada", List.of("admin"));
      socket.getInputStream().readAllBytes(); // returns at the end of the connection
      assertEquals("403", status(talk(server.address(), http("PUT", KEY, "ada"))));
    }
  }

  @Test
  void guesses_ofManyUsersFromOneAddress_leaveRightPasswordsAlone() throws IOException {
    try (Server server = start("--auth", "--allow-clear-text")) {
      InetSocketAddress at = server.address();
      for (int i = 0; i < 40; i++) {
        assertEquals("401", status(talk(at, http("GET", KEY, "nobody" + i))));
      }
      assertEquals("204", status(talk(at, http("PUT", KEY, "ada"))));
      assertEquals("200", status(talk(at, http("GET", KEY, "obs"))));
    }
  }

  @Test
  void clearText_whereTlsIsRequired_isRefused() throws Exception {
    Path store = folder.resolve("s.p12");
    Process made =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-storetype",
                "PKCS12",
                "-storepass",
                "secret",
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .start();
    made.getInputStream().readAllBytes();
    assertEquals(0, made.waitFor());
    try (Server server =
        start("--auth", "--tls-keystore", store.toString(), "--tls-password", "secret")) {
      assertTrue(talk(server.address(), http("GET", "/", "")).contains("TLS is required"));
      assertEquals("", talk(server.address(), "get k\r\n"));
      assertFalse(talk(server.memcachedAddress(), "version\r\n").contains("VERSION"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--allow-clear-text, means nothing without --auth",
    "--tls-password x, means nothing without --tls-keystore",
    "--tls-keystore f, needs its password",
    "--tls-certificate f, go together",
    "--tls-keystore f --tls-password x --tls-trust-password y, means nothing without --tls-trust",
    "--auth --auth-mechanisms MAGIC, is not known",
    "--auth --token-public-key a --token-secret b, exclude each other",
    "--auth --token-issuer a, means nothing without --token-public-key",
    "--tls-keystore f --tls-password x --tls-client-certificates needed, without --tls-trust",
  })
  void options_thatContradict_areRefused(String line, String words) {
    InvalidRequestException refusal =
        assertThrows(InvalidRequestException.class, () -> settings(line.split(" ", -1)));
    assertTrue(String.valueOf(refusal.getMessage()).contains(words), refusal.getMessage());
  }
}
