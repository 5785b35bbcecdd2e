package dev.isogrid.server.security;

import org.jspecify.annotations.Nullable;

/**
 * The server's side of one login by SASL. For one thread at a time; steps may take milliseconds.
 */
sealed interface SaslExchange
    permits ScramExchange, DigestExchange, PlainExchange, ExternalExchange, BearerExchange {
  /**
   * Takes what the client sent.
   *
   * @return what to send back, which may be empty
   * @throws AccessRefused if the login failed, or what was sent is malformed
   */
  byte[] step(byte[] response);

  /** Who the client has proved to be, or null as long as that is open. */
  @Nullable Identity identity();

  /** The name that the client goes by so far, proved or not; empty if it did not say. */
  String claimedName();
}
