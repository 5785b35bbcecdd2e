package dev.isogrid.server.security;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** EXTERNAL (RFC 4422): the certificate of the client names the user. */
final class ExternalExchange implements SaslExchange {
  private static final byte[] NOTHING = {};

  private final LoginDesk desk;
  private final String certificateName;
  private @Nullable Identity identity;

  ExternalExchange(LoginDesk desk, String certificateName) {
    this.desk = desk;
    this.certificateName = certificateName;
  }

  @Override
  public byte[] step(byte[] response) {
    String wanted = new String(response, StandardCharsets.UTF_8);
    if (!wanted.isEmpty() && !wanted.equals(certificateName)) {
      throw AccessRefused.malformed("EXTERNAL: to act as another user is not supported");
    }
    identity = desk.identityOfCertificate(certificateName);
    return NOTHING;
  }

  @Override
  public @Nullable Identity identity() {
    return identity;
  }

  @Override
  public String claimedName() {
    return certificateName;
  }
}
