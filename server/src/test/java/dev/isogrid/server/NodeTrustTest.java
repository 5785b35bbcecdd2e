package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.ClusterTls;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.ReadContext;
import dev.isogrid.config.ServerDocument;
import dev.isogrid.server.security.ClientCertificates;
import dev.isogrid.server.security.TlsSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether certificates of clients could make them nodes. */
class NodeTrustTest {
  private static final String PASSWORD = "changeit";

  @TempDir private static Path folder;

  /** An authority, and one that it signed, each alone in a store and as PEM. */
  @BeforeAll
  static void makeStores() throws Exception {
    Path both = folder.resolve("both.p12");
    generate(both, "root");
    generate(both, "sub", "-signer", "root");
    generate(both, "other");
    KeyStore all = KeyStore.getInstance(both.toFile(), PASSWORD.toCharArray());
    for (String name : List.of("root", "sub", "other")) {
      KeyStore one = KeyStore.getInstance("PKCS12");
      one.load(null, null);
      one.setCertificateEntry(name, all.getCertificate(name));
      try (var out = Files.newOutputStream(folder.resolve(name + ".p12"))) {
        one.store(out, PASSWORD.toCharArray());
      }
      String text = Base64.getMimeEncoder().encodeToString(all.getCertificate(name).getEncoded());
      Files.writeString(
          folder.resolve(name + ".pem"),
          "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n".formatted(text),
          StandardCharsets.US_ASCII);
    }
  }

  private static void generate(Path store, String name, String... more) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    command.addAll(List.of("-genkeypair", "-alias", name, "-keyalg", "EC", "-ext", "bc:c"));
    command.addAll(List.of("-dname", "CN=" + name, "-storetype", "PKCS12"));
    command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
    command.addAll(List.of(more));
    Path output = folder.resolve("keytool.txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertEquals(0, process.waitFor(), () -> assertDoesNotThrow(() -> Files.readString(output)));
  }

  private static void check(String ofClients, String ofNodes, ClientCertificates asked) {
    String password = ofClients.endsWith("pem") ? null : PASSWORD;
    NodeTrust.check(endpoint(folder.resolve(ofClients), password, asked), cluster(ofNodes));
  }

  private static TlsSettings endpoint(
      Path trust, @Nullable String password, ClientCertificates asked) {
    return new TlsSettings(
        new TlsSettings.KeyStoreFile(folder.resolve("both.p12"), PASSWORD, null),
        new TlsSettings.Trust(trust, password),
        asked);
  }

  private static ClusterTls cluster(String trust) {
    return new ClusterTls(folder.resolve("both.p12"), PASSWORD, folder.resolve(trust), PASSWORD);
  }

  private static void assertRefused(String ofClients, String ofNodes, String shared) {
    InvalidRequestException refused =
        assertThrows(
            InvalidRequestException.class,
            () -> check(ofClients, ofNodes, ClientCertificates.WANTED));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("shared=" + shared), message);
    assertTrue(message.contains("--cluster-secret-file"), message);
  }

  @Test
  void check_ofOneStoreForBoth_isRefused() {
    assertRefused("root.p12", "root.p12", "the same file");
    assertRefused("missing.p12", "missing.p12", "the same file");
  }

  @Test
  void check_ofTheSameCertificateInAnotherFile_isRefused() {
    assertRefused("root.pem", "root.p12", "certificate=CN=root");
  }

  @Test
  void check_ofAClientsAuthorityThatNodesTrustBySignature_isRefused() {
    assertRefused("sub.p12", "root.p12", "certificate=CN=sub");
  }

  @Test
  void check_ofSeparateAuthorities_passes() {
    assertDoesNotThrow(() -> check("other.pem", "root.p12", ClientCertificates.NEEDED));
    assertDoesNotThrow(() -> check("root.pem", "other.p12", ClientCertificates.WANTED));
  }

  @Test
  void check_whereNoClientShowsACertificate_passes() {
    assertDoesNotThrow(() -> check("root.p12", "root.p12", ClientCertificates.NONE));
    assertDoesNotThrow(() -> NodeTrust.check(null, cluster("root.p12")));
    assertDoesNotThrow(() ->
        NodeTrust.check(
            endpoint(folder.resolve("root.p12"), PASSWORD, ClientCertificates.NEEDED), null));
  }

  @Test
  void settings_ofARealmForClientsAndNodes_areRefused() {
    InvalidRequestException refused =
        assertThrows(
            InvalidRequestException.class,
            () ->
                ServerSettings.of(
                    ServerOptions.NONE,
                    ServerDocument.read(
                        """
                        <infinispan>
                          <cache-container><transport security-realm='r'/></cache-container>
                          <server>
                            <security><security-realms><security-realm name='r'>
                              <server-identities><ssl>
                                <keystore path='%1$s/both.p12' password='changeit'/>
                                <truststore path='%1$s/root.p12' password='changeit'/>
                              </ssl></server-identities>
                              <truststore-realm/>
                            </security-realm></security-realms></security>
                            <endpoints security-realm='r'/>
                          </server>
                        </infinispan>
                        """
                            .formatted(folder),
                        DocumentFormat.XML,
                        ReadContext.empty())));
    assertTrue(String.valueOf(refused.getMessage()).contains("the same file"), refused::toString);
  }
}
