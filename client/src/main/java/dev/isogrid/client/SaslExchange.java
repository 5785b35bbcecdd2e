package dev.isogrid.client;

import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The client's side of one login. For one thread. */
interface SaslExchange {
  /** Returns the first message. */
  byte[] first();

  /**
   * The answer to a challenge of the server, or null if the login is complete.
   *
   * @throws HotRodClientException if the server is not the right one, or does not know the
   *     mechanism
   */
  byte @Nullable [] next(byte[] challenge);

  /** Whether nothing more is needed from the server. */
  boolean isComplete();

  /** Begins a login. */
  static SaslExchange of(SaslConfig config) {
    return switch (config.mechanism()) {
      case "PLAIN" -> new OneStep("\0" + config.username() + "\0" + text(config.password()));
      case "EXTERNAL" -> new OneStep("");
      case "OAUTHBEARER" ->
          new OneStep("n,,\u0001auth=Bearer " + text(config.token()) + "\u0001\u0001");
      case "DIGEST-MD5", "DIGEST-SHA-256", "DIGEST-SHA-384", "DIGEST-SHA-512" ->
          new DigestExchange(config.mechanism(), config.username(), text(config.password()));
      default -> new ScramExchange(config.mechanism(), config.username(), text(config.password()));
    };
  }

  private static String text(@Nullable Supplier<String> secret) {
    return secret == null ? "" : secret.get();
  }

  /** A mechanism of a single message. */
  final class OneStep implements SaslExchange {
    private final String message;

    OneStep(String message) {
      this.message = message;
    }

    @Override
    public byte[] first() {
      return message.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte @Nullable [] next(byte[] challenge) {
      throw new HotRodClientException(
          "the server asks for more: " + new String(challenge, StandardCharsets.UTF_8));
    }

    @Override
    public boolean isComplete() {
      return true;
    }
  }
}
