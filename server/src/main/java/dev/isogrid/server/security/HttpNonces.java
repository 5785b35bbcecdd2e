package dev.isogrid.server.security;

import dev.isogrid.base.NanoClock;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The nonces of digests of HTTP (RFC 7616): each is valid for five minutes, and each number of a
 * request once. A nonce itself shows the time of its creation and that this server made it. Only
 * the used numbers of the most recent nonces are stored. Thread-safe.
 */
final class HttpNonces {
  static final long LIFE_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Nonces with stored numbers; a client whose nonce is dropped gets a new one. */
  static final int KEPT_MAX = 10_000;

  private static final int RANDOM_SIZE = 8;
  private static final int SEAL_SIZE = 16;
  private static final int SIZE = Long.BYTES + RANDOM_SIZE + SEAL_SIZE;

  /** The used numbers of a nonce: the highest one, and which of the 64 up to it. */
  private static final class Used {
    long highest;
    long window;
  }

  private static final class Table extends LinkedHashMap<String, Used> {
    private static final long serialVersionUID = 1L;

    Table() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Used> eldest) {
      return size() > KEPT_MAX;
    }
  }

  private final NanoClock clock;
  private final SecureRandom random = new SecureRandom();
  private final byte[] key = new byte[Hash.SHA_256.size];

  /** Guarded by itself. */
  private final Map<String, Used> used = new Table();

  HttpNonces(NanoClock clock) {
    this.clock = clock;
    random.nextBytes(key);
  }

  /** A new nonce. */
  String next() {
    byte[] unique = new byte[RANDOM_SIZE];
    random.nextBytes(unique);
    ByteBuffer nonce = ByteBuffer.allocate(SIZE).putLong(clock.nanoTime()).put(unique);
    nonce.put(seal(nonce.array()));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(nonce.array());
  }

  private byte[] seal(byte[] nonce) {
    byte[] sealed = Arrays.copyOf(nonce, Long.BYTES + RANDOM_SIZE);
    return Arrays.copyOf(Hash.SHA_256.hmac(key, sealed), SEAL_SIZE);
  }

  /**
   * Uses a number of a nonce.
   *
   * @return false if the nonce is unknown or too old, or the number was used before; then the
   *     client should begin anew with another nonce
   */
  boolean use(String nonce, long number) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(nonce);
    } catch (IllegalArgumentException _) {
      return false;
    }
    if (bytes.length != SIZE
        || !MessageDigest.isEqual(seal(bytes), Arrays.copyOfRange(bytes, SIZE - SEAL_SIZE, SIZE))) {
      return false;
    }
    long ageNanos = clock.nanoTime() - ByteBuffer.wrap(bytes).getLong();
    return ageNanos >= 0 && ageNanos <= LIFE_NANOS && useNumber(nonce, number);
  }

  private boolean useNumber(String nonce, long number) {
    synchronized (used) {
      Used numbers = used.get(nonce);
      if (numbers == null) {
        if (number != 1) {
          return false; // it was pushed out
        }
        numbers = new Used();
        used.put(nonce, numbers);
      }
      long ahead = number - numbers.highest;
      if (ahead > 0) {
        numbers.window = ahead >= Long.SIZE ? 1 : (numbers.window << ahead) | 1;
        numbers.highest = number;
        return true;
      }
      long bit = -ahead >= Long.SIZE ? 0 : 1L << -ahead;
      boolean isNew = bit != 0 && (numbers.window & bit) == 0;
      numbers.window |= bit;
      return isNew;
    }
  }
}
