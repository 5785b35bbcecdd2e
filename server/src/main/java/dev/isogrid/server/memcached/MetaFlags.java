package dev.isogrid.server.memcached;

import dev.isogrid.api.Expiry;
import dev.isogrid.codec.Decimal;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The flags of a meta command: letters, some with a token right behind them. Reusable; for one
 * thread.
 *
 * <pre>
 * b     the key is in Base64       v c f s t  return value, cas, client flags, size, time to live
 * h l   return whether it was read, and the seconds since its last use
 * k     return the key             O token    return the token
 * q     leave out usual replies    u          leave the order of eviction alone
 * T n   set the time to live       N n        make a missing entry, with a time to live
 * R n   renew if less is left      C n        compare cas
 * F n   client flags               I          make stale
 * D n   difference                 J n        first number
 * M x   mode                     L P        for proxies; without effect here
 * </pre>
 */
final class MetaFlags {
  private static final byte[] INVALID = Reply.line("CLIENT_ERROR invalid flag");
  private static final byte[] DUPLICATE = Reply.line("CLIENT_ERROR duplicate flag");
  private static final byte[] BAD_TOKEN =
      Reply.line("CLIENT_ERROR bad token in command line format");
  private static final byte[] BAD_DELTA = Reply.line("CLIENT_ERROR invalid numeric delta value");
  private static final byte[] BAD_INITIAL =
      Reply.line("CLIENT_ERROR invalid numeric initial value");
  private static final byte[] BAD_KEY = Reply.line("CLIENT_ERROR error decoding key");
  private static final byte[] OPAQUE_LENGTH = Reply.line("CLIENT_ERROR opaque token too long");
  private static final byte[] MODE_LENGTH = Reply.line("CLIENT_ERROR incorrect length for M token");

  /** The longest token with its letter. */
  private static final int OPAQUE_LENGTH_MAX = 32;

  private static final long KNOWN = bits("bcfhklqstuvCDFIJLMNOPRT");
  private static final long ABOUT_USE = bits("hl");

  private final Decimal decimal = new Decimal();
  private final int[] starts = new int[Long.bitCount(KNOWN)];
  private final int[] lengths = new int[Long.bitCount(KNOWN)];
  private final byte[] letters = new byte[Long.bitCount(KNOWN)];
  private int count;
  private long seen;
  private int timeToLive;
  private int timeToLiveIfMade;
  private int renewalSeconds;
  private long cas;
  private int clientFlags;
  private long delta;
  private long initial;
  private byte mode;
  private boolean isOpaqueTooLong;

  // The results of the flags about time.
  private long leftMillis;
  private long leftShownMillis;
  private boolean isDue;

  private static long bits(String letters) {
    long bits = 0;
    for (int i = 0; i < letters.length(); i++) {
      bits |= bit((byte) letters.charAt(i));
    }
    return bits;
  }

  private static long bit(byte letter) {
    return letter < 'A' || letter > 'z' ? 0 : 1L << (letter - 'A');
  }

  /**
   * Takes all words of a line behind its current one. An unknown or repeated letter is an error
   * before all others; of several bad tokens the last one is.
   *
   * @param keyDecoder decodes the key at {@code b}, and returns whether it could
   * @return null, or the error for the reply
   */
  byte @Nullable [] take(CommandLine line, BooleanSupplier keyDecoder) {
    byte[] error = null;
    count = 0;
    seen = 0;
    isOpaqueTooLong = false;
    cas = 0;
    clientFlags = 0;
    delta = 1;
    initial = 0;
    while (line.next()) {
      byte letter = line.bytes()[line.start()];
      long bit = bit(letter);
      if ((KNOWN & bit) == 0) {
        return INVALID;
      }
      if ((seen & bit) != 0) {
        return DUPLICATE;
      }
      seen |= bit;
      letters[count] = letter;
      starts[count] = line.start();
      lengths[count++] = line.length();
      byte[] badToken =
          letter == 'b' ? errorUnless(keyDecoder.getAsBoolean(), BAD_KEY) : takeToken(letter, line);
      boolean isTold = badToken != null && (error == null || letter != 'F');
      error = isTold ? badToken : error;
    }
    return error;
  }

  /** The error for a token that is too long for a reply, or null; after those of {@link #take}. */
  byte @Nullable [] opaqueError() {
    return isOpaqueTooLong ? OPAQUE_LENGTH : null;
  }

  private byte @Nullable [] takeToken(byte letter, CommandLine line) {
    int start = line.start() + 1;
    int end = line.start() + line.length();
    return switch (letter) {
      case 'T', 'N', 'R' -> takeTime(letter, decimal.reset().accept(line.bytes(), start, end));
      case 'C', 'D', 'J' -> takeNumber(letter, decimal.reset().accept(line.bytes(), start, end));
      case 'F' -> {
        boolean isNumber = decimal.reset().accept(line.bytes(), start, end).isUnsigned();
        clientFlags = (int) decimal.number();
        yield errorUnless(isNumber, Reply.BAD_FORMAT);
      }
      case 'M' -> {
        mode = end == start + 1 ? line.bytes()[start] : 0;
        yield errorUnless(end == start + 1, MODE_LENGTH);
      }
      case 'O' -> {
        isOpaqueTooLong = line.length() > OPAQUE_LENGTH_MAX;
        yield null;
      }
      default -> null;
    };
  }

  private static byte @Nullable [] errorUnless(boolean holds, byte[] error) {
    return holds ? null : error;
  }

  private byte @Nullable [] takeTime(byte letter, Decimal number) {
    if (!number.isSigned()) {
      return BAD_TOKEN;
    }
    int seconds = (int) number.number();
    switch (letter) {
      case 'T' -> timeToLive = seconds;
      case 'N' -> timeToLiveIfMade = seconds;
      default -> renewalSeconds = seconds;
    }
    return null;
  }

  private byte @Nullable [] takeNumber(byte letter, Decimal number) {
    if (!number.isUnsigned()) {
      return switch (letter) {
        case 'D' -> BAD_DELTA;
        case 'J' -> BAD_INITIAL;
        default -> BAD_TOKEN;
      };
    }
    switch (letter) {
      case 'C' -> cas = number.number();
      case 'D' -> delta = number.number();
      default -> initial = number.number();
    }
    return null;
  }

  /** Whether {@code h} or {@code l} is present. */
  boolean asksForUse() {
    return (seen & ABOUT_USE) != 0;
  }

  /** Whether a flag is present. */
  boolean has(char letter) {
    return (seen & bit((byte) letter)) != 0;
  }

  /** The number of flags. */
  int count() {
    return count;
  }

  /** The beginning of a flag in the line; flags are numbered in their order. */
  int start(int flag) {
    return starts[flag];
  }

  /** The length of a flag with its token. */
  int length(int flag) {
    return lengths[flag];
  }

  /** The lifespan of {@code T}, in milliseconds, or unlimited without the flag. */
  long lifespanMillis(long nowMillis) {
    return has('T') ? Exptime.lifespanMillis(timeToLive, nowMillis) : Expiry.UNLIMITED;
  }

  /** The lifespan of {@code N}, in milliseconds. */
  long lifespanIfMadeMillis(long nowMillis) {
    return Exptime.lifespanMillis(timeToLiveIfMade, nowMillis);
  }

  /**
   * Applies the flags about the time to live in their order: {@code t} and {@code R} use the
   * results of the flags before them.
   *
   * @param beforeMillis the remaining lifespan of the entry, negative for unlimited
   * @param isMade whether {@code N} has created the entry
   */
  void applyTimes(long beforeMillis, boolean isMade, long nowMillis) {
    leftMillis = beforeMillis;
    isDue = false;
    for (int i = 0; i < count; i++) {
      switch (letters[i]) {
        case 'T' -> leftMillis = lifespanMillis(nowMillis);
        case 'N' -> leftMillis = isMade ? lifespanIfMadeMillis(nowMillis) : leftMillis;
        case 'R' -> isDue = leftMillis >= 0 && leftMillis < renewalSeconds * 1000L;
        case 't' -> leftShownMillis = leftMillis;
        default -> {}
      }
    }
  }

  /** The remaining lifespan after {@link #applyTimes}, in milliseconds; negative for unlimited. */
  long leftMillis() {
    return leftMillis;
  }

  /**
   * The lifespan that {@code t} shows after {@link #applyTimes}, in milliseconds; negative for
   * unlimited.
   */
  long leftShownMillis() {
    return leftShownMillis;
  }

  /** Whether the entry of {@link #applyTimes} is due for renewal by {@code R}. */
  boolean isDue() {
    return isDue;
  }

  /** The version that {@code C} expects; 0 for any. */
  long cas() {
    return cas;
  }

  /** The number of {@code F}, or 0. */
  int clientFlags() {
    return clientFlags;
  }

  /** The number of {@code D}, or 1. */
  long delta() {
    return delta;
  }

  /** The number of {@code J}, or 0. */
  long initial() {
    return initial;
  }

  /** The letter after {@code M}, or a default one. */
  char mode(char usual) {
    return has('M') ? (char) mode : usual;
  }
}
