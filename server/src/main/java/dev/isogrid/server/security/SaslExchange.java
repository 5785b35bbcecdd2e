package dev.isogrid.server.security;

import org.jspecify.annotations.Nullable;

/**
 * The server's side of one login by SASL. For one thread at a time; steps may take milliseconds.
 */
sealed interface SaslExchange
    permits ScramExchange, DigestExchange, PlainExchange, ExternalExchange, BearerExchange {
  /**
   * Handles a message of the client.
   *
   * @return the answer, which may be empty
   * @throws AccessRefused if the login failed, or the message is malformed
   */
  byte[] step(byte[] response);

  /** The user that the client has proved to be, or null before that. */
  @Nullable Identity identity();

  /** The name that the client claims so far, proved or not; empty before it sent one. */
  String claimedName();
}
