package dev.isogrid.server.security;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HttpNoncesTest {
  private long nowNanos = 5;
  private final HttpNonces nonces = new HttpNonces(() -> nowNanos);

  @Test
  void use_ofEachNumberOnce_isAllowedInAnyOrderNearby() {
    String nonce = nonces.next();
    assertNotEquals(nonce, nonces.next());
    assertTrue(nonces.use(nonce, 1));
    assertFalse(nonces.use(nonce, 1));
    assertTrue(nonces.use(nonce, 3));
    assertTrue(nonces.use(nonce, 2));
    assertFalse(nonces.use(nonce, 2));
    assertFalse(nonces.use(nonce, 3));
    assertTrue(nonces.use(nonce, 1000));
    assertFalse(nonces.use(nonce, 900), "too far behind to know");
  }

  @Test
  void use_ofOldOrForeignNonce_isRefused() {
    String nonce = nonces.next();
    String other = new HttpNonces(() -> nowNanos).next();
    assertFalse(nonces.use(other, 1));
    assertFalse(nonces.use("", 1));
    assertFalse(nonces.use("no base64!", 1));
    nowNanos += HttpNonces.LIFE_NANOS + 1;
    assertFalse(nonces.use(nonce, 1));
  }

  @Test
  void use_afterPushedOut_asksForANewOne() {
    String nonce = nonces.next();
    assertTrue(nonces.use(nonce, 1));
    for (int i = 0; i < HttpNonces.KEPT_MAX; i++) {
      assertTrue(nonces.use(nonces.next(), 1));
    }
    assertFalse(nonces.use(nonce, 2));
  }
}
