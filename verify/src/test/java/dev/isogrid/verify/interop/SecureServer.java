package dev.isogrid.verify.interop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Makes users, keys and tokens as an administrator would, in a folder of a test. */
final class SecureServer {
  static final String PASSWORD = "secret";
  private static final String TOKEN_SECRET = "0123456789abcdef0123456789abcdef";

  private final Path folder;

  SecureServer(Path folder) {
    this.folder = folder;
  }

  String file(String name) {
    return folder.resolve(name).toString();
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Programs.Result result = Programs.run(".", command);
    if (result.exitCode() != 0) {
      throw new IllegalStateException(command + ": " + result.output());
    }
    return result.output();
  }

  /** Runs {@code isogrid user}. */
  String user(String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("./isogrid", "user"));
    command.addAll(Arrays.asList(args));
    command.addAll(List.of("--conf", folder.toString()));
    return run(command);
  }

  /** Makes a key of its own certificate: {@code name.p12} and {@code name.crt}. */
  void key(String name, String commonName) throws IOException, InterruptedException {
    List<String> store =
        List.of("-alias", "a", "-storepass", PASSWORD, "-keystore", file(name + ".p12"));
    List<String> make = new ArrayList<>(List.of("keytool", "-genkeypair", "-keyalg", "EC"));
    make.addAll(List.of("-dname", "CN=" + commonName, "-ext", "SAN=dns:localhost,ip:127.0.0.1"));
    make.addAll(List.of("-storetype", "PKCS12", "-validity", "30"));
    make.addAll(store);
    run(make);
    List<String> export = new ArrayList<>(List.of("keytool", "-exportcert", "-rfc"));
    export.addAll(List.of("-file", file(name + ".crt")));
    export.addAll(store);
    run(export);
    List<String> trust = new ArrayList<>(List.of("keytool", "-importcert", "-noprompt"));
    trust.addAll(List.of("-alias", "a", "-file", file(name + ".crt"), "-storepass", PASSWORD));
    trust.addAll(List.of("-storetype", "PKCS12", "-keystore", file(name + "-trust.p12")));
    run(trust);
  }

  /** Writes the secret of tokens; returns the file. */
  String tokenSecret() throws IOException {
    return Files.writeString(folder.resolve("token"), TOKEN_SECRET).toString();
  }

  /** A token for a user that ends after some seconds. */
  static String token(String user, long expiresSeconds) throws Exception {
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    String claims =
        "{\"sub\":\"%s\",\"exp\":%d,\"roles\":[\"application\"]}".formatted(user, expiresSeconds);
    String head =
        base64.encodeToString("{\"alg\":\"HS256\"}".getBytes(StandardCharsets.US_ASCII))
            + "."
            + base64.encodeToString(claims.getBytes(StandardCharsets.UTF_8));
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(TOKEN_SECRET.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
    return head
        + "."
        + base64.encodeToString(mac.doFinal(head.getBytes(StandardCharsets.US_ASCII)));
  }
}
