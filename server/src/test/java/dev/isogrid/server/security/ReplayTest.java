package dev.isogrid.server.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isogrid.server.security.AccessRefused.Reason;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses of the recorded messages of a login: none succeeds. */
class ReplayTest {
  @TempDir private Path folder;
  private PlayedServer server;

  @BeforeEach
  void open() {
    QuickUsers.in(folder, "default").create("ada", "pass", List.of("observer"));
    server = new PlayedServer(folder, true, null);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static void assertRefused(Caller caller, String mechanism, String message) {
    AccessRefused refusal =
        assertThrows(AccessRefused.class, () -> SaslClient.step(caller, mechanism, message));
    assertEquals(Reason.LOGIN_MALFORMED, refusal.reason());
    assertEquals("-", caller.name());
  }

  @Test
  void digest_ofARecordedLogin_isRefusedByAnotherExchange() {
    Caller recorded = server.caller();
    String nonce = SaslClient.digestNonce(SaslClient.step(recorded, "DIGEST-SHA-256", ""));
    String answer = SaslClient.digestAnswer("ada", "pass", nonce);
    SaslClient.step(recorded, "DIGEST-SHA-256", answer);
    assertEquals("ada", recorded.name());
    Caller thief = server.caller();
    SaslClient.step(thief, "DIGEST-SHA-256", "");
    assertRefused(thief, "DIGEST-SHA-256", answer);
  }

  @Test
  void digest_ofARecordedLogin_isRefusedWhereItComesFirst() {
    Caller recorded = server.caller();
    String nonce = SaslClient.digestNonce(SaslClient.step(recorded, "DIGEST-SHA-256", ""));
    String answer = SaslClient.digestAnswer("ada", "pass", nonce);
    Caller thief = server.caller();
    SaslClient.step(thief, "DIGEST-SHA-256", answer); // which begins, as an empty message does
    assertEquals("-", thief.name());
    assertRefused(thief, "DIGEST-SHA-256", answer);
  }

  @Test
  void digest_withAnotherNumberOrUri_isRefused() {
    for (String changed : List.of("nc=00000002", "digest-uri=\"other/infinispan\"")) {
      Caller caller = server.caller();
      String nonce = SaslClient.digestNonce(SaslClient.step(caller, "DIGEST-SHA-256", ""));
      String name = changed.substring(0, changed.indexOf('='));
      String answer =
          SaslClient.digestAnswer("ada", "pass", nonce)
              .replaceAll("(^|,)" + name + "=[^,]*", "$1" + changed);
      assertRefused(caller, "DIGEST-SHA-256", answer);
    }
  }

  @Test
  void httpDigest_ofARecordedRequest_isRefusedOnEachConnection() {
    HttpLogin recorded = new HttpLogin(server.caller());
    String nonce = SaslClient.httpNonce(recorded);
    String second = SaslClient.httpDigest("ada", "pass", nonce, 2, "/");
    recorded.check(SaslClient.httpDigest("ada", "pass", nonce, 1, "/"), "GET", "/");
    recorded.check(second, "GET", "/");
    Caller thief = server.caller();
    assertThrows(AccessRefused.class, () -> new HttpLogin(thief).check(second, "GET", "/"));
    assertEquals("-", thief.name());
  }

  @Test
  void httpDigest_withANonceOfAnotherServer_isRefused() {
    try (PlayedServer other = new PlayedServer(folder, true, null)) {
      String nonce = SaslClient.httpNonce(new HttpLogin(other.caller()));
      Caller caller = server.caller();
      String header = SaslClient.httpDigest("ada", "pass", nonce, 1, "/");
      HttpLogin login = new HttpLogin(caller);
      assertThrows(AccessRefused.class, () -> login.check(header, "GET", "/"));
      assertFalse(caller.server().allows(Permission.LOGGED_IN));
    }
  }
}
