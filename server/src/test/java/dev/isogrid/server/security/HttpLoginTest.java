package dev.isogrid.server.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpLoginTest {
  private static final String BASIC = SaslClient.basic("ada", "pass");

  @TempDir private Path folder;
  private PlayedServer server;
  private Caller caller;
  private HttpLogin login;

  @BeforeEach
  void open() {
    QuickUsers.in(folder, "default").create("ada", "pass", List.of("observer"));
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
    return SaslClient.httpNonce(login);
  }

  private static String digest(String nonce, int number, String password, String uri) {
    return SaslClient.httpDigest("ada", password, nonce, number, uri);
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
  void digest_ofAnOpenConnection_isCheckedInItsOwnThread() {
    String nonce = nonce();
    assertTrue(login.takesLong(digest(nonce, 1, "pass", "/")), "it may wait for other logins");
    login.check(digest(nonce, 1, "pass", "/"), "GET", "/");
    assertFalse(login.takesLong(digest(nonce, 2, "pass", "/")));
    assertTrue(login.takesLong(BASIC));
    assertFalse(login.takesLong(null));
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
  void digest_ofANameBeyondAscii_isReadAsUtf8() {
    QuickUsers.in(folder, "default").create("jörg", "pass", List.of("observer"));
    server.close();
    server = new PlayedServer(folder, true, null);
    caller = server.caller();
    login = new HttpLogin(caller);
    String sent = SaslClient.httpDigest("jörg", "pass", nonce(), 1, "/");
    String received =
        new String(sent.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    login.check(received, "GET", "/");
    assertEquals("jörg", caller.name());
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
