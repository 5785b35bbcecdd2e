package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.sasl.AuthorizeCallback;
import javax.security.sasl.RealmCallback;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslException;
import javax.security.sasl.SaslServer;
import org.junit.jupiter.api.Test;

/** DIGEST-MD5 against the JDK's server, and against servers that are not what they say. */
class DigestExchangeTest {
  private static SaslServer server(String password) throws SaslException {
    return Sasl.createSaslServer(
        "DIGEST-MD5",
        "hotrod",
        "infinispan",
        Map.of("com.sun.security.sasl.digest.realm", "default", Sasl.QOP, "auth"),
        callbacks -> {
          for (Callback callback : callbacks) {
            if (callback instanceof PasswordCallback asked) {
              asked.setPassword(password.toCharArray());
            } else if (callback instanceof AuthorizeCallback asked) {
              asked.setAuthorized(true);
              asked.setAuthorizedID(asked.getAuthenticationID());
            } else if (callback instanceof NameCallback asked) {
              assertEquals("a\"da", asked.getDefaultName());
              asked.setName(asked.getDefaultName());
            } else if (callback instanceof RealmCallback asked) {
              asked.setText(asked.getDefaultText());
            }
          }
        });
  }

  @Test
  void exchange_withTheJdksServer_succeeds() throws SaslException {
    SaslServer server = server("s\u00e9cret");
    DigestExchange client = new DigestExchange("DIGEST-MD5", "a\"da", "s\u00e9cret");
    assertEquals(0, client.first().length);
    byte[] response = client.next(server.evaluateResponse(client.first()));
    assertNotNull(response);
    assertFalse(client.isComplete());
    assertNull(client.next(server.evaluateResponse(response)));
    assertTrue(client.isComplete());
    assertEquals("a\"da", server.getAuthorizationID());
  }

  @Test
  void server_thatDoesNotKnowThePassword_isFoundOut() throws SaslException {
    SaslServer server = server("secret");
    DigestExchange client = new DigestExchange("DIGEST-MD5", "a\"da", "secret");
    assertNotNull(client.next(server.evaluateResponse(client.first())));
    byte[] wrong = "rspauth=00".getBytes(StandardCharsets.UTF_8);
    assertThrows(HotRodClientException.class, () -> client.next(wrong));
    DigestExchange other = new DigestExchange("DIGEST-MD5", "ada", "secret");
    for (String challenge :
        new String[] {"x", "nonce=\"", "qop=\"auth\"", "nonce=n,qop=auth-int"}) {
      assertThrows(
          HotRodClientException.class,
          () -> other.next(challenge.getBytes(StandardCharsets.UTF_8)),
          challenge);
    }
  }
}
