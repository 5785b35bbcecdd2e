package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.auth.AuthDescriptor;
import net.spy.memcached.auth.PlainCallbackHandler;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.client.hotrod.exceptions.HotRodClientException;
import org.infinispan.client.hotrod.exceptions.TransportException;
import org.infinispan.commons.configuration.StringConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that log in: the official Hot Rod client for Java, the one for JavaScript, curl. */
@Tag("interop")
@Tag("deep")
class SecurityTest {
  private static final Pattern RETRY_AFTER =
      Pattern.compile("too many failed logins: retryAfterMillis=(\\d+)");

  private static final long FAR_SECONDS = 4_000_000_000L;

  /** With TLS this client takes two seconds to close, because it waits for its own file watch. */
  private static final ExecutorService closing = Executors.newVirtualThreadPerTaskExecutor();

  @TempDir private static Path folder;
  private static SecureServer secure;
  private static ServerProcess clear;
  private static ServerProcess encrypted;

  /** Receives all wrong passwords, so that no other test has to wait because of them. */
  private static ServerProcess guessed;

  @BeforeAll
  static void start() throws Exception {
    secure = new SecureServer(folder);
    secure.user("create", "ada", "--password", SecureServer.PASSWORD, "--roles", "admin");
    secure.user("create", "obs", "--password", SecureServer.PASSWORD, "--roles", "observer");
    secure.user("create", "eve", "--password", SecureServer.PASSWORD, "--roles", "admin");
    secure.user("create", "cert", "--no-password", "--roles", "application");
    secure.key("server", "localhost");
    secure.key("client", "cert");
    clear = ServerProcess.start("--auth", "--conf", folder.toString());
    guessed = ServerProcess.start("--auth", "--conf", folder.toString());
    encrypted =
        ServerProcess.start(
            "--auth",
            "--conf",
            folder.toString(),
            "--tls-keystore",
            secure.file("server.p12"),
            "--tls-password",
            SecureServer.PASSWORD,
            "--tls-trust",
            secure.file("client.crt"),
            "--token-secret",
            secure.tokenSecret());
  }

  @AfterAll
  static void stop() {
    closing.close();
    clear.close();
    encrypted.close();
    guessed.close();
  }

  private static ConfigurationBuilder to(ServerProcess server) {
    ConfigurationBuilder builder = new ConfigurationBuilder();
    builder.addServer().host("127.0.0.1").port(server.port());
    builder.maxRetries(0);
    return builder;
  }

  private static ConfigurationBuilder as(
      ServerProcess server, String mechanism, String user, String password) {
    ConfigurationBuilder builder = to(server);
    builder
        .security()
        .authentication()
        .saslMechanism(mechanism)
        .username(user)
        .password(password)
        .realm("default");
    return builder;
  }

  private static ConfigurationBuilder tls(ConfigurationBuilder builder) {
    builder
        .security()
        .ssl()
        .sniHostName("localhost")
        .trustStoreFileName(secure.file("server-trust.p12"))
        .trustStorePassword(SecureServer.PASSWORD.toCharArray());
    return builder;
  }

  private static void assertWorks(ConfigurationBuilder builder) {
    RemoteCacheManager manager = new RemoteCacheManager(builder.build());
    try {
      RemoteCache<String, String> cache = manager.getCache("default");
      cache.put("key", "value");
      assertEquals("value", cache.get("key"));
      cache.remove("key");
      assertNull(cache.get("key"));
    } finally {
      closing.execute(manager::close);
    }
  }

  private static void assertRefused(ConfigurationBuilder builder) {
    assertThrows(
        HotRodClientException.class,
        () -> {
          RemoteCacheManager manager = new RemoteCacheManager(builder.build());
          try {
            manager.getCache("default").get("key");
          } finally {
            closing.execute(manager::close);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SCRAM-SHA-256",
        "SCRAM-SHA-384",
        "SCRAM-SHA-512",
        "DIGEST-SHA-256",
        "DIGEST-SHA-384",
        "DIGEST-SHA-512"
      })
  void mechanism_withRightPassword_logsIn(String mechanism) {
    assertWorks(as(clear, mechanism, "ada", SecureServer.PASSWORD));
    assertWorks(tls(as(encrypted, mechanism, "ada", SecureServer.PASSWORD)));
    assertRefused(as(guessed, mechanism, "ada", "wrong"));
    assertRefused(as(guessed, mechanism, "nobody", "wrong"));
  }

  @Test
  void plain_logsIn_overTlsOnly() {
    assertWorks(tls(as(encrypted, "PLAIN", "ada", SecureServer.PASSWORD)));
    assertRefused(tls(as(encrypted, "PLAIN", "ada", "wrong")));
    assertRefused(as(clear, "PLAIN", "ada", SecureServer.PASSWORD));
  }

  @Test
  void external_withTrustedCertificate_logsIn() {
    ConfigurationBuilder builder = tls(to(encrypted));
    builder
        .security()
        .ssl()
        .keyStoreFileName(secure.file("client.p12"))
        .keyStorePassword(SecureServer.PASSWORD.toCharArray());
    builder.security().authentication().saslMechanism("EXTERNAL");
    assertWorks(builder);
    ConfigurationBuilder without = tls(to(encrypted));
    without.security().authentication().saslMechanism("EXTERNAL");
    assertRefused(without);
  }

  @Test
  void oauthbearer_withToken_logsIn() throws Exception {
    ConfigurationBuilder builder = tls(to(encrypted));
    builder
        .security()
        .authentication()
        .saslMechanism("OAUTHBEARER")
        .token(SecureServer.token("someone", FAR_SECONDS));
    assertWorks(builder);
    ConfigurationBuilder expired = tls(to(encrypted));
    expired
        .security()
        .authentication()
        .saslMechanism("OAUTHBEARER")
        .token(SecureServer.token("someone", 1_000_000_000));
    assertRefused(expired);
  }

  @Test
  void connection_withoutLoginOrTls_isRefused() {
    assertRefused(to(clear));
    assertRefused(tls(to(encrypted)));
    assertThrows(
        TransportException.class,
        () -> assertWorks(as(encrypted, "SCRAM-SHA-256", "ada", SecureServer.PASSWORD)));
  }

  @Test
  void requests_withoutThePermission_failAndLeaveTheConnectionUsable() {
    try (RemoteCacheManager manager =
        new RemoteCacheManager(as(clear, "SCRAM-SHA-256", "obs", SecureServer.PASSWORD).build())) {
      RemoteCache<String, String> cache = manager.getCache("default");
      assertNull(cache.get("absent"));
      HotRodClientException refusal =
          assertThrows(HotRodClientException.class, () -> cache.put("k", "v"));
      assertTrue(String.valueOf(refusal.getMessage()).contains("SecurityException"));
      assertThrows(HotRodClientException.class, cache::clear);
      assertThrows(
          HotRodClientException.class,
          () -> manager.administration().createCache("new", "org.infinispan.LOCAL"));
      assertEquals(cache.size(), cache.keySet().size());
      assertNull(cache.get("absent"));
    }
  }

  @Test
  void cache_thatKnowsSomeRolesOnly_admitsThose() {
    try (RemoteCacheManager manager =
            new RemoteCacheManager(
                as(clear, "SCRAM-SHA-256", "ada", SecureServer.PASSWORD).build());
        RemoteCacheManager observer =
            new RemoteCacheManager(
                as(clear, "SCRAM-SHA-256", "obs", SecureServer.PASSWORD).build())) {
      manager
          .administration()
          .createCache(
              "observed",
              new StringConfiguration(
                  "<local-cache><security><authorization roles=\"observer\"/></security>"
                      + "</local-cache>"));
      RemoteCache<String, String> asAdmin = manager.getCache("observed");
      assertThrows(HotRodClientException.class, () -> asAdmin.put("k", "v"));
      assertThrows(HotRodClientException.class, () -> asAdmin.get("k"));
      assertNull(observer.getCache("observed").get("k"));
    }
  }

  @Test
  void login_afterManyFailures_hasToWait() {
    long waitMillis = 0;
    for (int i = 0; i < 2000 && waitMillis < 1500; i++) {
      String refusal = refusalOf(as(guessed, "SCRAM-SHA-256", "eve", "wrong"));
      Matcher wait = RETRY_AFTER.matcher(refusal);
      waitMillis = wait.find() ? Long.parseLong(wait.group(1)) : 0;
    }
    assertTrue(waitMillis >= 1500, "wait=" + waitMillis);
    String refusal = refusalOf(as(guessed, "SCRAM-SHA-256", "eve", SecureServer.PASSWORD));
    assertTrue(RETRY_AFTER.matcher(refusal).find(), refusal);
  }

  private static String refusalOf(ConfigurationBuilder builder) {
    StringBuilder causes = new StringBuilder();
    Throwable cause = assertThrows(HotRodClientException.class, () -> assertWorks(builder));
    for (; cause != null; cause = cause.getCause()) {
      causes.append(cause);
    }
    return causes.toString();
  }

  @Test
  void javaScript_infinispanPackage_logsIn() throws Exception {
    Programs.Result result =
        Programs.run(
            "verify/interop",
            List.of(
                "node",
                "hotrod-login.cjs",
                String.valueOf(clear.port()),
                String.valueOf(encrypted.port()),
                secure.file("server.crt")));
    assertEquals(0, result.exitCode(), result.output());
    assertTrue(result.output().contains("all good"), result.output());
  }

  @Test
  void shell_curlAndMemcached_logIn() throws Exception {
    Programs.Result result =
        Programs.run(
            "verify/interop",
            List.of(
                "sh",
                "login.sh",
                String.valueOf(clear.port()),
                String.valueOf(clear.memcachedPort()),
                String.valueOf(encrypted.port()),
                secure.file("server.crt"),
                SecureServer.token("someone", FAR_SECONDS)));
    assertEquals(0, result.exitCode(), result.output());
    assertTrue(result.output().contains("all good"), result.output());
  }

  private static MemcachedClient memcachedClient(int port, String password) throws IOException {
    AuthDescriptor login =
        new AuthDescriptor(new String[] {"PLAIN"}, new PlainCallbackHandler("ada", password));
    return new MemcachedClient(
        new ConnectionFactoryBuilder()
            .setProtocol(ConnectionFactoryBuilder.Protocol.BINARY)
            .setAuthDescriptor(login)
            .build(),
        List.of(new InetSocketAddress("127.0.0.1", port)));
  }

  @Test
  void spymemcached_bySasl_logsInOnBothPorts() throws Exception {
    for (int port : List.of(clear.memcachedPort(), clear.port())) {
      MemcachedClient client = memcachedClient(port, SecureServer.PASSWORD);
      try {
        assertTrue(client.set("spy", 0, "v" + port).get());
        assertEquals("v" + port, client.get("spy"));
        assertEquals(7, client.incr("n" + port, 1, 7));
      } finally {
        client.shutdown();
      }
    }
  }
}
