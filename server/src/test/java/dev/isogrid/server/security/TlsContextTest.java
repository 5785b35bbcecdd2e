package dev.isogrid.server.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.FatalGridException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsContextTest {
  private static final String PASSWORD = "secret";

  @TempDir private Path folder;
  private PlayedServer server;

  @BeforeEach
  void open() {
    server = new PlayedServer(folder.resolve("conf"), false, null);
  }

  @AfterEach
  void close() {
    server.close();
  }

  /** Makes a key store with a key of its own certificate. */
  private Path store(String name, String commonName) throws Exception {
    Path file = folder.resolve(name);
    Files.deleteIfExists(file);
    Process made =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "a",
                "-dname",
                "CN=" + commonName,
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, made.waitFor(), output);
    return file;
  }

  private TlsContext context(TlsSettings.Key key) {
    return new TlsContext(
        new TlsSettings(key, null, ClientCertificates.NONE), server.env().scheduler());
  }

  /** The name in the certificate that a client receives. */
  private static String shownName(TlsContext context) throws Exception {
    SslHandler clientHandler =
        SslContextBuilder.forClient()
            .sslProvider(SslProvider.JDK)
            .trustManager(InsecureTrustManagerFactory.INSTANCE)
            .build()
            .newHandler(UnpooledByteBufAllocator.DEFAULT);
    EmbeddedChannel serving =
        new EmbeddedChannel(context.newHandler(UnpooledByteBufAllocator.DEFAULT));
    EmbeddedChannel client = new EmbeddedChannel(clientHandler);
    while (!clientHandler.handshakeFuture().isDone()) {
      boolean toServer = move(client, serving);
      boolean toClient = move(serving, client);
      boolean moved = toServer || toClient;
      assertTrue(moved || clientHandler.handshakeFuture().isDone(), "the handshake stands still");
    }
    clientHandler.handshakeFuture().sync();
    var chain = clientHandler.engine().getSession().getPeerCertificates();
    client.finishAndReleaseAll();
    serving.finishAndReleaseAll();
    return ((X509Certificate) chain[0]).getSubjectX500Principal().getName();
  }

  private static boolean move(EmbeddedChannel from, EmbeddedChannel to) {
    boolean moved = false;
    from.runPendingTasks();
    for (ByteBuf part = from.readOutbound(); part != null; part = from.readOutbound()) {
      to.writeInbound(part);
      moved = true;
    }
    return moved;
  }

  @Test
  void files_thatChange_holdForNewConnections() throws Exception {
    Path file = store("server.p12", "first");
    try (TlsContext context = context(new TlsSettings.KeyStoreFile(file, PASSWORD, null))) {
      assertEquals("CN=first", shownName(context));
      store("server.p12", "second");
      Files.setLastModifiedTime(file, FileTime.fromMillis(1));
      assertEquals("CN=first", shownName(context));
      server.tick();
      assertEquals("CN=second", shownName(context));
      Files.writeString(file, "broken");
      server.tick();
      assertEquals("CN=second", shownName(context));
    }
  }

  @Test
  void pemFiles_inPlaceOfAKeyStore_work() throws Exception {
    java.security.KeyStore store =
        java.security.KeyStore.getInstance(
            store("pem.p12", "pem").toFile(), PASSWORD.toCharArray());
    Path certificate = pem("CERTIFICATE", store.getCertificate("a").getEncoded());
    Path key = pem("PRIVATE KEY", store.getKey("a", PASSWORD.toCharArray()).getEncoded());
    try (TlsContext context = context(new TlsSettings.PemFiles(certificate, key, null))) {
      assertEquals("CN=pem", shownName(context));
    }
  }

  private Path pem(String kind, byte[] encoded) throws Exception {
    String text =
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(kind, Base64.getMimeEncoder().encodeToString(encoded), kind);
    return Files.writeString(folder.resolve(kind.replace(' ', '-')), text);
  }

  private void assertUnusable(Path file, String password, @Nullable String alias) {
    FatalGridException failure =
        assertThrows(
            FatalGridException.class,
            () -> context(new TlsSettings.KeyStoreFile(file, password, alias)));
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains(file.toString()), message);
    assertTrue(List.of("secret", "wrong").stream().noneMatch(message::contains), message);
  }

  @Test
  void files_thatCannotBeUsed_areNamedWithoutTheirPassword() throws Exception {
    Path file = store("x.p12", "x");
    assertUnusable(file, "wrong", null);
    assertUnusable(file, PASSWORD, "other");
    assertUnusable(folder.resolve("missing.p12"), PASSWORD, null);
  }

  @Test
  void password_thatDoesNotFit_isSaidInWords() throws Exception {
    Path file = store("x.p12", "x");
    FatalGridException failure =
        assertThrows(
            FatalGridException.class,
            () -> context(new TlsSettings.KeyStoreFile(file, "wrong", null)));
    assertEquals(
        "TLS files can't be used: key store=%s, reason=the password does not fit; correct file or"
                .formatted(file)
            + " password",
        failure.getMessage());
  }

  private void assertNamed(Path trust, @Nullable String password) throws Exception {
    TlsSettings.Key key = new TlsSettings.KeyStoreFile(store("k.p12", "k"), PASSWORD, null);
    TlsSettings settings =
        new TlsSettings(key, new TlsSettings.Trust(trust, password), ClientCertificates.WANTED);
    FatalGridException failure =
        assertThrows(
            FatalGridException.class, () -> new TlsContext(settings, server.env().scheduler()));
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains(trust.toString()) && !message.contains("k.p12"), message);
    assertTrue(List.of("reason=null", "wrong").stream().noneMatch(message::contains), message);
  }

  @Test
  void trustedCertificates_thatCannotBeUsed_areNamed() throws Exception {
    assertNamed(Files.writeString(folder.resolve("empty.pem"), ""), null);
    assertNamed(
        Files.writeString(folder.resolve("broken.pem"), "-----BEGIN CERTIFICATE-----"), null);
    assertNamed(Files.writeString(folder.resolve("empty.p12"), ""), PASSWORD);
    assertNamed(store("trust.p12", "x"), "wrong");
    assertNamed(folder.resolve("missing.p12"), PASSWORD);
  }
}
