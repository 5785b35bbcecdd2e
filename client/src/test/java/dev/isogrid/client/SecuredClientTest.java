package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.Protection;
import dev.isogrid.server.security.ClientCertificates;
import dev.isogrid.server.security.Roles;
import dev.isogrid.server.security.SecuritySettings;
import dev.isogrid.server.security.TlsSettings;
import dev.isogrid.server.security.Users;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logins and TLS, against real servers. */
class SecuredClientTest {
  private static final String PASSWORD = "secret";

  @TempDir private static Path folder;
  private static TestServer clear;
  private static TestServer encrypted;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    Users users = new Users(folder, SecuritySettings.REALM);
    users.create("ada", PASSWORD, List.of("admin"));
    users.create("cert", null, List.of("application"));
    users.create("app", PASSWORD, List.of("application"));
    key("server", "CN=server", "SAN=dns:grid.test");
    key("client", "CN=cert", "SAN=dns:cert");
    clear = new TestServer(0, new Protection(security(false), null));
    TlsSettings tls =
        new TlsSettings(
            new TlsSettings.KeyStoreFile(folder.resolve("server.p12"), PASSWORD, null),
            new TlsSettings.Trust(folder.resolve("client.crt"), null),
            ClientCertificates.WANTED);
    encrypted = new TestServer(0, new Protection(security(true), tls));
  }

  @AfterAll
  static void stop() {
    clear.close();
    encrypted.close();
  }

  private static SecuritySettings security(boolean certificates) {
    SecuritySettings.Login login =
        new SecuritySettings.Login(
            SecuritySettings.REALM,
            SecuritySettings.SERVER_NAME,
            true,
            true,
            null,
            null,
            certificates);
    return new SecuritySettings(login, Roles.PREDEFINED, false, folder);
  }

  /** Makes a key of its own certificate: {@code name.p12} and {@code name.crt}. */
  private static void key(String name, String subject, String extension)
      throws IOException, InterruptedException {
    String store = folder.resolve(name + ".p12").toString();
    String certificate = folder.resolve(name + ".crt").toString();
    keytool(store, "-genkeypair", "-keyalg", "EC", "-dname", subject, "-ext", extension);
    keytool(store, "-exportcert", "-rfc", "-file", certificate);
  }

  private static void keytool(String store, String... args)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(args));
    command.addAll(List.of("-alias", "a", "-storepass", PASSWORD, "-keystore", store));
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
  }

  private static void assertWorks(ClientConfig config) {
    try (RemoteCacheManager manager = new RemoteCacheManager(config)) {
      RemoteCache<String, String> cache = Objects.requireNonNull(manager.getCache("default"));
      cache.put("k", "v");
      assertEquals("v", cache.get("k"));
    }
  }

  private static void assertRefused(ClientConfig.Builder config) {
    try (RemoteCacheManager manager = new RemoteCacheManager(config.retriesMax(0).build())) {
      assertThrows(TransportException.class, () -> manager.getCache("default"));
    }
  }

  private static TlsConfig tls() {
    return TlsConfig.DEFAULT
        .withTrustStore(folder.resolve("server.crt"), null)
        .withServerName("grid.test");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SCRAM-SHA-256",
        "SCRAM-SHA-384",
        "SCRAM-SHA-512",
        "DIGEST-SHA-256",
        "DIGEST-SHA-384",
        "DIGEST-SHA-512",
        "PLAIN"
      })
  void login_byPassword_works(String mechanism) {
    assertWorks(clear.client().sasl(SaslConfig.password(mechanism, "ada", PASSWORD)).build());
  }

  @Test
  void login_wrongOrNone_isRefused() {
    assertRefused(clear.client().sasl(SaslConfig.password("ada", "wrong")));
    assertRefused(clear.client().sasl(SaslConfig.password("DIGEST-SHA-256", "ada", "wrong")));
    assertThrows(
        ServerErrorException.class,
        () -> {
          try (RemoteCacheManager manager = new RemoteCacheManager(clear.client().build())) {
            Objects.requireNonNull(manager.getCache("default")).get("k");
          }
        });
  }

  @Test
  void tls_withNameChecked_works() {
    assertWorks(encrypted.client().tls(tls()).sasl(SaslConfig.password("ada", PASSWORD)).build());
    assertWorks(
        encrypted
            .client()
            .tls(tls().withKeyStore(folder.resolve("client.p12"), PASSWORD))
            .sasl(SaslConfig.external())
            .build());
  }

  @Test
  void tls_ofAnotherNameOrUntrusted_isRefused() {
    ClientConfig.Builder client = encrypted.client().sasl(SaslConfig.password("ada", PASSWORD));
    assertRefused(client.tls(tls().withServerName("other.test")));
    assertRefused(client.tls(TlsConfig.DEFAULT.withServerName("grid.test")));
    assertWorks(client.tls(tls().withServerName("other.test").withCheckServerName(false)).build());
  }

  @Test
  void uriAndProperties_sayTheSame() {
    String trust = folder.resolve("server.crt").toString();
    assertWorks(
        ClientConfig.of(
            "hotrods://ada:secret@127.0.0.1:%d?sni_host_name=grid.test&trust_store_file_name=%s"
                .formatted(encrypted.port(), trust)));
    Properties properties = new Properties();
    properties.setProperty("infinispan.client.hotrod.server_list", "127.0.0.1:" + encrypted.port());
    properties.setProperty("infinispan.client.hotrod.use_ssl", "true");
    properties.setProperty("infinispan.client.hotrod.trust_store_file_name", trust);
    properties.setProperty("infinispan.client.hotrod.sni_host_name", "grid.test");
    properties.setProperty("infinispan.client.hotrod.auth_username", "ada");
    properties.setProperty("isogrid.client.auth_password", PASSWORD);
    properties.setProperty("isogrid.client.max_retries", "1");
    ClientConfig config = ClientConfig.builder().withProperties(properties).build();
    assertEquals(1, config.retriesMax());
    assertWorks(config);
    properties.setProperty("isogrid.client.max_retires", "1");
    assertThrows(
        IllegalArgumentException.class, () -> ClientConfig.builder().withProperties(properties));
  }

  record Seat(String row, int number) {}

  private static ClientConfig as(String user) {
    return clear.client().sasl(SaslConfig.password("SCRAM-SHA-256", user, PASSWORD)).build();
  }

  @Test
  void record_ofUserWhoMayNotWriteSchemas_needsAnotherUserFirst() {
    Seat seat = new Seat("c", 7);
    try (RemoteCacheManager admin = new RemoteCacheManager(as("ada"));
        RemoteCacheManager app = new RemoteCacheManager(as("app"))) {
      RemoteCache<String, Seat> ofApp = Objects.requireNonNull(app.getCache("default"));
      MarshallingException refused =
          assertThrows(MarshallingException.class, () -> ofApp.put("k", seat));
      String text = String.valueOf(refused.getMessage());
      assertTrue(text.contains("schema can't be written: file="), text);
      assertTrue(text.contains("ObjectMarshaller.schemas("), text);
      assertTrue(text.contains("string row = 1;"), text);

      RemoteCache<String, Seat> ofAdmin = Objects.requireNonNull(admin.getCache("default"));
      ofAdmin.put("k", seat);
      assertEquals(seat, ofApp.get("k"));
      ofApp.put("k", new Seat("d", 8));
      assertEquals(new Seat("d", 8), ofAdmin.get("k"));
    }
  }
}
