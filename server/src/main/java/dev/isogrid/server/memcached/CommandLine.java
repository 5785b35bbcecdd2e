package dev.isogrid.server.memcached;

import dev.isogrid.codec.Decimal;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The line of a command, cut into words at its blanks. A zero byte ends the line, as it ends a
 * string in C. The bytes stay until the next {@link #read}, so a key can be used in place.
 * Reusable; not thread-safe.
 */
final class CommandLine {
  /** The longest line of every command but a get of many keys; also the size of the kept array. */
  static final int LENGTH_USUAL = 2048;

  /** One more than the most words that a command other than a get has. */
  private static final int WORDS_MAX = 8;

  private static final byte[] NOREPLY = Reply.ascii("noreply");

  private static final byte[] NONE = {};

  /** Created with the first line: a connection with the binary protocol has none. */
  private byte[] usual = NONE;

  private final int[] starts = new int[WORDS_MAX];
  private final int[] ends = new int[WORDS_MAX];
  private byte[] bytes = NONE;
  private int end;
  private int cursor;
  private int wordStart;
  private int count;

  /** Takes a line without its end. */
  void read(ByteBuf in, int length) {
    if (usual.length == 0) {
      usual = new byte[LENGTH_USUAL];
    }
    bytes = length <= LENGTH_USUAL ? usual : new byte[length];
    in.readBytes(bytes, 0, length);
    end = length;
    cursor = 0;
    count = 0;
  }

  /** Releases the memory of an unusually long line. */
  void forget() {
    bytes = usual;
    end = 0;
    cursor = 0;
  }

  /** Whether the line is longer than usual. */
  boolean isLong() {
    return bytes.length > LENGTH_USUAL;
  }

  /** The array with the words. */
  byte[] bytes() {
    return bytes;
  }

  /** Moves on to the next word; returns false at the end of the line. */
  boolean next() {
    byte[] text = bytes;
    int at = cursor;
    while (at < end && text[at] == ' ') {
      at++;
    }
    wordStart = at;
    while (at < end && text[at] != ' ' && text[at] != 0) {
      at++;
    }
    if (at < end && text[at] == 0) {
      end = at;
    }
    cursor = at;
    return at > wordStart;
  }

  /** The beginning of the current word. */
  int start() {
    return wordStart;
  }

  /** The length of the current word. */
  int length() {
    return cursor - wordStart;
  }

  /** Whether only blanks follow the current word. */
  boolean isLastWord() {
    int at = cursor;
    while (at < end && bytes[at] == ' ') {
      at++;
    }
    return at == end || bytes[at] == 0;
  }

  /** Whether the words after the current one are at most this long; stays at the current one. */
  boolean restFits(int lengthMax) {
    if (end - cursor <= lengthMax) {
      return true;
    }
    int startBefore = wordStart;
    int cursorBefore = cursor;
    boolean fits = true;
    while (fits && next()) {
      fits = length() <= lengthMax;
    }
    wordStart = startBefore;
    cursor = cursorBefore;
    return fits;
  }

  /**
   * Numbers the words from the current one on.
   *
   * @return their number, where 8 stands for 8 or more
   */
  int split() {
    count = 0;
    do {
      starts[count] = wordStart;
      ends[count++] = cursor;
    } while (count < WORDS_MAX && next());
    return count;
  }

  /** The number of numbered words. */
  int count() {
    return count;
  }

  /** The beginning of a numbered word. */
  int start(int word) {
    return starts[word];
  }

  /** The length of a numbered word. */
  int length(int word) {
    return ends[word] - starts[word];
  }

  /** Whether a numbered word is this text. */
  boolean is(int word, byte[] text) {
    return Arrays.equals(bytes, starts[word], ends[word], text, 0, text.length);
  }

  /** A numbered word, one character per byte. */
  String text(int word) {
    return new String(bytes, starts[word], length(word), StandardCharsets.ISO_8859_1);
  }

  /** Whether the last numbered word is {@code noreply}. */
  boolean endsWithNoreply() {
    return is(count - 1, NOREPLY);
  }

  /** Parses the current word as a number. */
  Decimal number(Decimal decimal) {
    return decimal.reset().accept(bytes, wordStart, cursor);
  }

  /** Parses a numbered word as a number. */
  Decimal number(int word, Decimal decimal) {
    return decimal.reset().accept(bytes, starts[word], ends[word]);
  }

  /** Whether the last word of the line, which may be the current one, has a prefix. */
  boolean lastBeginsWith(byte[] prefix) {
    int start;
    do {
      start = wordStart;
    } while (next());
    int until = start + prefix.length;
    return until <= end && Arrays.equals(bytes, start, until, prefix, 0, prefix.length);
  }
}
