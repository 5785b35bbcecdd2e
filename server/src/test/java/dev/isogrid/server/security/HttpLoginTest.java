package dev.isogrid.server.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpLoginTest {
  private static final String BASIC =
      "Basic " + Base64.getEncoder().encodeToString("ada:pass".getBytes(StandardCharsets.UTF_8));

  @TempDir private Path folder;
  private PlayedServer server;
  private Caller caller;
  private HttpLogin login;

  @BeforeEach
  void open() {
    new Users(folder, "default").create("ada", "pass", List.of("observer"));
    server = new PlayedServer(folder, true, null);
    caller = server.caller();
    login = new HttpLogin(caller);
  }

  @AfterEach
  void close() {
    caller.close();
    server.close();
  }

  private String nonce() {
    String challenge = login.challenges().getFirst();
    return String.valueOf(Directives.parse(challenge.substring("Digest ".length())).get("nonce"));
  }

  private static String hash(String text) {
    return HexFormat.of().formatHex(Hash.SHA_256.digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String digest(String nonce, int number, String password, String uri) {
    String count = "%08x".formatted(number);
    String response =
        hash(
            "%s:%s:%s:cn:auth:%s"
                .formatted(hash("ada:default:" + password), nonce, count, hash("GET:" + uri)));
    return "Digest username=\"ada\", realm=\"default\", nonce=\"%s\", uri=\"%s\", qop=auth,"
            .formatted(nonce, uri)
        + " algorithm=SHA-256, nc=%s, cnonce=\"cn\", response=\"%s\"".formatted(count, response);
  }

  @Test
  void basic_isCheckedOnceAConnection() {
    assertTrue(login.takesLong(BASIC));
    login.check(BASIC, "GET", "/");
    assertEquals("ada", caller.name());
    assertFalse(login.takesLong(BASIC));
    login.check(BASIC, "GET", "/");
    login.check(null, "GET", "/");
    assertEquals("-", caller.name());
    assertTrue(login.takesLong(BASIC));
  }

  @Test
  void digest_ofEachRequest_isCheckedAnew() {
    String nonce = nonce();
    String first = digest(nonce, 1, "pass", "/a");
    login.check(first, "GET", "/a");
    assertEquals("ada", caller.name());
    assertThrows(AccessRefused.class, () -> login.check(first, "GET", "/a"), "replayed");
    assertEquals("-", caller.name());
    assertTrue(login.challenges().getFirst().contains("stale=true"));
    login.check(digest(nonce, 2, "pass", "/b?c=d"), "GET", "/b?c=d");
    assertThrows(
        AccessRefused.class, () -> login.check(digest(nonce, 3, "pass", "/b"), "GET", "/other"));
    assertThrows(
        AccessRefused.class, () -> login.check(digest(nonce, 4, "pass", "/b"), "PUT", "/b"));
    assertThrows(
        AccessRefused.class, () -> login.check(digest(nonce, 5, "wrong", "/b"), "GET", "/b"));
    assertFalse(login.challenges().getFirst().contains("stale"));
  }

  @Test
  void digest_withOldNonce_isAskedForAnother() {
    String nonce = nonce();
    server.nowMillis += HttpNonces.LIFE_NANOS / 1_000_000 + 1;
    String late = digest(nonce, 1, "pass", "/a");
    assertThrows(AccessRefused.class, () -> login.check(late, "GET", "/a"));
    assertTrue(login.challenges().getFirst().contains("stale=true"));
  }

  @Test
  void anythingElse_isRefused() {
    for (String header : List.of("", "Basic", "Basic !", "Basic YWRh", "Digest", "NTLM abc")) {
      assertThrows(AccessRefused.class, () -> login.check(header, "GET", "/"), header);
    }
  }
}
