package dev.isogrid.server.security;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** PLAIN (RFC 4616): authorization identity, name and password, with a zero byte between them. */
final class PlainExchange implements SaslExchange {
  private static final byte[] NOTHING = {};
  private static final int LENGTH_MAX = 4096;

  private final LoginDesk desk;
  private String name = "";
  private @Nullable Identity identity;

  PlainExchange(LoginDesk desk) {
    this.desk = desk;
  }

  @Override
  public byte[] step(byte[] response) {
    if (response.length == 0) {
      return NOTHING; // the client did not send its message with its choice of the mechanism
    }
    String[] parts =
        response.length > LENGTH_MAX
            ? new String[0]
            : new String(response, StandardCharsets.UTF_8).split("\0", -1);
    if (parts.length != 3 || !(parts[0].isEmpty() || parts[0].equals(parts[1]))) {
      throw AccessRefused.malformed("PLAIN: message is not name and password of one user");
    }
    name = parts[1];
    identity = desk.login(name, parts[2], "PLAIN");
    return NOTHING;
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
