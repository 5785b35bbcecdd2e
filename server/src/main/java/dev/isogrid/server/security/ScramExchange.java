package dev.isogrid.server.security;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * SCRAM (RFC 5802, 7677) without channel binding. An unknown user must send a proof as well, and is
 * only refused after it. So clients can't find out which users exist.
 *
 * <pre>
 * client  n,,n=user,r=nonce
 * server  r=nonce+more,s=salt,i=iterations
 * client  c=biws,r=nonce+more,p=proof
 * server  v=signature
 * </pre>
 */
final class ScramExchange implements SaslExchange {
  private static final int LENGTH_MAX = 4096;

  private final Mechanism mechanism;
  private final LoginDesk desk;
  private String name = "";
  private String header = "";
  private String firstBare = "";
  private String serverFirst = "";
  private String nonce = "";
  private @Nullable Candidate candidate;
  private @Nullable ScramKeys keys;
  private @Nullable Identity identity;

  ScramExchange(Mechanism mechanism, LoginDesk desk) {
    this.mechanism = mechanism;
    this.desk = desk;
  }

  @Override
  public byte[] step(byte[] response) {
    if (response.length > LENGTH_MAX) {
      throw malformed("message too long");
    }
    String message = new String(response, StandardCharsets.UTF_8);
    ScramKeys expected = keys;
    String reply = expected == null ? first(message) : last(message, expected);
    return reply.getBytes(StandardCharsets.UTF_8);
  }

  private AccessRefused malformed(String why) {
    return AccessRefused.malformed("%s: %s".formatted(mechanism.title(), why));
  }

  private String first(String message) {
    String[] parts = message.split(",", 3);
    if (parts.length < 3 || !(parts[0].equals("n") || parts[0].equals("y"))) {
      throw malformed("first message is not n,,n=name,r=nonce; channel binding is not supported");
    }
    header = parts[0] + "," + parts[1] + ",";
    firstBare = parts[2];
    String[] fields = firstBare.split(",", -1);
    if (fields.length < 2 || !fields[0].startsWith("n=") || !fields[1].startsWith("r=")) {
      throw malformed("first message lacks n=name,r=nonce");
    }
    name = unescaped(fields[0].substring(2));
    String authorization = parts[1];
    if (!authorization.isEmpty()
        && !(authorization.startsWith("a=")
            && unescaped(authorization.substring(2)).equals(name))) {
      throw malformed("to act as another user is not supported");
    }
    if (fields[1].length() < 10) {
      throw malformed("nonce too short");
    }
    desk.checkThrottle(name);
    nonce = fields[1].substring(2) + desk.newNonce();
    Candidate claimed = desk.candidate(name);
    ScramKeys found = claimed.scramKeys(mechanism.hash());
    candidate = claimed;
    keys = found;
    serverFirst = "r=%s,s=%s,i=%d".formatted(nonce, found.saltText(), found.iterations);
    return serverFirst;
  }

  private String unescaped(String text) {
    if (text.isEmpty() || text.replace("=2C", "").replace("=3D", "").indexOf('=') >= 0) {
      throw malformed("name can't be read");
    }
    return text.replace("=2C", ",").replace("=3D", "=");
  }

  private String last(String message, ScramKeys expected) {
    int proofAt = message.lastIndexOf(",p=");
    if (identity != null || proofAt < 0) {
      throw malformed("last message lacks a proof");
    }
    String withoutProof = message.substring(0, proofAt);
    String binding = Base64.getEncoder().encodeToString(header.getBytes(StandardCharsets.UTF_8));
    String begin = "c=" + binding + ",r=" + nonce;
    if (!withoutProof.equals(begin) && !withoutProof.startsWith(begin + ",")) {
      throw malformed("last message does not fit to the first");
    }
    byte[] exchanged =
        (firstBare + "," + serverFirst + "," + withoutProof).getBytes(StandardCharsets.UTF_8);
    byte[] proof = decoded(message.substring(proofAt + 3));
    Candidate claimed = Objects.requireNonNull(candidate);
    identity =
        desk.attempt(
            name,
            () -> {
              if (!expected.proves(proof, exchanged)) {
                throw desk.wrongCredentials();
              }
              return claimed.identity(mechanism.title());
            });
    return "v=" + Base64.getEncoder().encodeToString(expected.serverSignature(exchanged));
  }

  private byte[] decoded(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException _) {
      throw malformed("proof can't be read");
    }
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
