package dev.isogrid.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/** A key and a certificate that only it vouches for, in files of each kind. */
public final class TestKeys {
  public static final String PASSWORD = "a secret";
  private static final String ALIAS = "node";

  public final TlsKeys.StoreFile store;
  final TlsKeys.PemFiles pem;
  final TlsKeys.PemFiles certificate;

  /** Makes the files; takes a second. */
  public TestKeys(Path folder, String name, String algorithm) throws Exception {
    Path file = folder.resolve(name + ".p12");
    generate(file, name, algorithm);
    store = new TlsKeys.StoreFile(file, PASSWORD);
    KeyStore made = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
    Path certificateFile = folder.resolve(name + ".pem");
    write(certificateFile, "CERTIFICATE", made.getCertificate(ALIAS).getEncoded());
    Path keyFile = folder.resolve(name + ".key");
    write(keyFile, "PRIVATE KEY", made.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
    pem = new TlsKeys.PemFiles(certificateFile, keyFile);
    certificate = new TlsKeys.PemFiles(certificateFile, null);
  }

  private static void generate(Path file, String name, String algorithm) throws Exception {
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Process process =
        new ProcessBuilder(
                keytool,
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                algorithm,
                "-dname",
                "CN=" + name,
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(120, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException("keytool failed: file=" + file);
    }
  }

  private static void write(Path file, String what, byte[] content) throws IOException {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    Files.writeString(
        file,
        "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, lines, what),
        StandardCharsets.US_ASCII);
  }
}
