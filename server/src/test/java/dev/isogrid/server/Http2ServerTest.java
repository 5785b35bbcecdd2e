package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTP/2 over sockets, with the JDK's client. */
class Http2ServerTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final String PASSWORD = "secret";

  @TempDir private Path folder;

  private static Server start(String... options) {
    List<String> all = new ArrayList<>(List.of("--no-cluster", "--port=0", "--memcached-port=0"));
    all.addAll(List.of(options));
    return Server.start(
        ServerSettings.of(
            Objects.requireNonNull(
                new CommandLineParser()
                    .parse(
                        all.toArray(String[]::new),
                        new PrintStream(OutputStream.nullOutputStream()))),
            null));
  }

  private static HttpClient client(@Nullable SSLContext tls) {
    HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2);
    return (tls == null ? builder : builder.sslContext(tls)).build();
  }

  private static HttpRequest.Builder request(String scheme, InetSocketAddress at, String path) {
    return HttpRequest.newBuilder(
            URI.create("%s://127.0.0.1:%d%s".formatted(scheme, at.getPort(), path)))
        .timeout(TIMEOUT);
  }

  private static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void clearText_isUpgradedByTheFirstRequest() throws Exception {
    try (Server server = start();
        HttpClient client = client(null)) {
      HttpResponse<String> first = send(client, request("http", server.address(), "/health/live"));
      assertEquals(200, first.statusCode());
      assertEquals(HttpClient.Version.HTTP_2, first.version());
      assertWritesAndReads(client, "http", server.address());
    }
  }

  /** Many requests at once on one connection; some values are larger than a window. */
  private static void assertWritesAndReads(HttpClient client, String scheme, InetSocketAddress at)
      throws IOException, InterruptedException {
    String large = "large value ".repeat(50_000);
    List<CompletableFuture<HttpResponse<String>>> writes = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      String value = i % 10 == 0 ? large : "value" + i;
      writes.add(
          client.sendAsync(
              request(scheme, at, "/rest/v2/caches/default/k" + i)
                  .header("Content-Type", "text/plain")
                  .PUT(BodyPublishers.ofString(value))
                  .build(),
              BodyHandlers.ofString()));
    }
    for (CompletableFuture<HttpResponse<String>> write : writes) {
      assertEquals(204, write.join().statusCode());
      assertEquals(HttpClient.Version.HTTP_2, write.join().version());
    }
    for (int i = 0; i < 40; i++) {
      HttpResponse<String> read =
          send(client, request(scheme, at, "/rest/v2/caches/default/k" + i));
      assertEquals(i % 10 == 0 ? large : "value" + i, read.body());
    }
    HttpResponse<String> none = send(client, request(scheme, at, "/rest/v2/caches/default/no"));
    assertEquals(404, none.statusCode());
  }

  @Test
  void clearText_upgradeWithABody_isAnsweredInHttp1() throws Exception {
    try (Server server = start();
        HttpClient client = client(null)) {
      HttpResponse<String> first =
          send(
              client,
              request("http", server.address(), "/rest/v2/caches/default/k")
                  .PUT(BodyPublishers.ofString("v")));
      assertEquals(204, first.statusCode());
      assertEquals(
          "v", send(client, request("http", server.address(), "/rest/v2/caches/default/k")).body());
    }
  }

  @Test
  void tls_choosesTheVersionInItsHandshake() throws Exception {
    Path store = keyStore();
    try (Server server = start("--tls-keystore=" + store, "--tls-password=" + PASSWORD);
        HttpClient client = client(trusting(store))) {
      HttpResponse<String> first = send(client, request("https", server.address(), "/health/live"));
      assertEquals(HttpClient.Version.HTTP_2, first.version());
      assertWritesAndReads(client, "https", server.address());
      try (HttpClient older =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .sslContext(trusting(store))
              .build()) {
        HttpResponse<String> second =
            send(older, request("https", server.address(), "/health/live"));
        assertEquals(HttpClient.Version.HTTP_1_1, second.version());
        assertEquals(200, second.statusCode());
      }
    }
  }

  private Path keyStore() throws IOException, InterruptedException {
    Path store = folder.resolve("keys.p12");
    Process made =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .start();
    made.getInputStream().readAllBytes();
    assertEquals(0, made.waitFor());
    return store;
  }

  private static SSLContext trusting(Path store) throws Exception {
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("a", keys.getCertificate(keys.aliases().nextElement()));
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  @Test
  void logins_ofManyStreams_areCheckedEach() {
    try (SecuredServer secured = SecuredServer.start(folder);
        HttpClient client = client(null)) {
      secured.create("c", SecuredServer.LOCAL, "alias");
      InetSocketAddress at = secured.server().address();
      List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        HttpRequest.Builder get = request("http", at, "/rest/v2/caches/c/none");
        if (i % 2 == 0) {
          byte[] pair = ("admin:" + SecuredServer.PASSWORD).getBytes(StandardCharsets.US_ASCII);
          get.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair));
        }
        answers.add(client.sendAsync(get.build(), BodyHandlers.ofString()));
      }
      for (int i = 0; i < 30; i++) {
        assertEquals(i % 2 == 0 ? 404 : 401, answers.get(i).join().statusCode());
      }
    }
  }

  @Test
  void upgrade_withUnreadableSettings_isIgnored() throws IOException {
    try (Server server = start();
        Socket socket = new Socket()) {
      socket.connect(server.address());
      socket
          .getOutputStream()
          .write(
              ("GET /health/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\n"
                      + "Connection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: ???\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      socket.shutdownOutput();
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
    }
  }

  @Test
  void connections_areListed_andClosed() throws IOException, InterruptedException {
    try (SecuredServer secured = SecuredServer.start(folder);
        Socket silent = new Socket()) {
      secured.create("c", SecuredServer.LOCAL, "alias");
      silent.connect(secured.server().address());
      silent
          .getOutputStream()
          .write("HEAD /health/live HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
      String own = "\"remote-address\":\"/127.0.0.1:" + silent.getLocalPort() + "\"";
      RestCaller admin = secured.rest("admin");
      Await.until(
          "the connection is listed",
          () -> admin.send("GET", "/rest/v2/server/connections", "").body().contains(own));
      String list = admin.send("GET", "/rest/v2/server/connections", "").body();
      assertTrue(list.contains("\"principal\":\"admin\""), list);
      assertTrue(list.contains("\"protocol-version\":\"REST\""), list);
      Matcher id = Pattern.compile("\\{\"id\":(\\d+)[^{]*" + Pattern.quote(own)).matcher(list);
      assertTrue(id.find(), list);
      String path = "/rest/v2/server/connections/" + id.group(1);
      assertEquals(403, secured.rest("monitor").send("DELETE", path, "").statusCode());
      assertEquals(204, admin.send("DELETE", path, "").statusCode());
      assertEquals(-1, silent.getInputStream().read());
      Await.until("it is gone", () -> admin.send("DELETE", path, "").statusCode() == 404);
      assertEquals(404, admin.send("DELETE", "/rest/v2/server/connections/x", "").statusCode());
    }
  }
}
