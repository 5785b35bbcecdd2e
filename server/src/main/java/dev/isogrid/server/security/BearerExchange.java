package dev.isogrid.server.security;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * OAUTHBEARER (RFC 7628): {@code n,a=user,^Aauth=Bearer token^A^A}, where {@code ^A} is the byte 1.
 * A refusal ends the exchange at once, as Hot Rod clients expect, without another round.
 */
final class BearerExchange implements SaslExchange {
  private static final byte[] NOTHING = {};

  /**
   * The byte 1. Known clients send instead its notation in the standard's grammar, the one for
   * JavaScript with a comma after it.
   */
  private static final String SEPARATOR = "\u0001|%x01,?";

  private static final String PREFIX = "auth=Bearer ";

  private final LoginDesk desk;
  private String name = "";
  private @Nullable Identity identity;

  BearerExchange(LoginDesk desk) {
    this.desk = desk;
  }

  @Override
  public byte[] step(byte[] response) {
    if (response.length == 0) {
      return NOTHING;
    }
    if (response.length > 2 * TokenVerifier.LENGTH_MAX) {
      throw AccessRefused.malformed("OAUTHBEARER: message too long");
    }
    for (String field : new String(response, StandardCharsets.UTF_8).split(SEPARATOR, -1)) {
      if (field.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
        Identity found = desk.loginByToken(field.substring(PREFIX.length()).strip());
        name = found.name();
        identity = found;
        return NOTHING;
      }
    }
    throw AccessRefused.malformed("OAUTHBEARER: message without a token");
  }

  @Override
  public @Nullable Identity identity() {
    return identity;
  }

  @Override
  public String claimedName() {
    return name;
  }
}
