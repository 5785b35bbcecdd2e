package dev.isogrid.codec;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of one object after another, in an array that is used again. Writing small objects
 * allocates nothing. For one thread.
 */
public final class ReusedBytes {
  /** A longer array is given up after its use, since many of these are kept for a long time. */
  public static final int KEPT_MAX = 8 << 10;

  /** Longer text is left to {@code String}: its array would not be kept. */
  private static final int TEXT_MAX = KEPT_MAX / 4;

  private static final int SIZE_MIN = 128;

  /** The most bytes of a character of a string in UTF-8. */
  private static final int UTF8_BYTES_MAX = 3;

  /** Shorter text is written character by character; from here on that takes longer. */
  private static final int LOOP_MAX = 24;

  private static final int ASCII_LIMIT = 0x80;
  private static final int TWO_BYTES_LIMIT = 0x800;
  private static final long SIGNS = 0x8080_8080_8080_8080L;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private byte[] own = new byte[SIZE_MIN];
  private MemorySegment ownMemory = MemorySegment.ofArray(own);

  /** The own array, or one that was given. */
  private byte[] shown = own;

  private int length;

  /** Begins over no bytes. */
  public ReusedBytes() {}

  /** The array that begins with the bytes; valid until the next change. Not to be written to. */
  public byte[] array() {
    return shown;
  }

  /** How many bytes of the array count. */
  public int length() {
    return length;
  }

  /** Makes this show a whole array, which is borrowed until the next change. */
  public void show(byte[] whole) {
    shown = whole;
    length = whole.length;
  }

  /**
   * Makes room for bytes, which the caller writes; what was there is lost.
   *
   * @param bytes how many at least
   * @return an array of at least that length
   */
  @SuppressWarnings("ReferenceEquality") // storing what is there already is not free
  public byte[] room(int bytes) {
    if (own.length < bytes) {
      own = new byte[Math.max(bytes, (int) Math.min(2L * own.length, KEPT_MAX))];
      ownMemory = MemorySegment.ofArray(own);
    }
    if (shown != own) {
      shown = own;
    }
    return own;
  }

  /** Says how many bytes the caller wrote to the room. */
  public void written(int bytes) {
    length = bytes;
  }

  /**
   * Gives up what is too large to be kept.
   *
   * @return whether the array that was shown is another one now
   */
  @SuppressWarnings("ReferenceEquality") // whether an array was given
  public boolean end() {
    if (shown == own && own.length <= KEPT_MAX) {
      return false;
    }
    if (own.length > KEPT_MAX) {
      own = new byte[SIZE_MIN];
      ownMemory = MemorySegment.ofArray(own);
    }
    shown = own;
    length = 0;
    return true;
  }

  /**
   * Writes a text in UTF-8 behind a head of some bytes, whose content is arbitrary then. Takes what
   * is short, and longer text if it is ASCII.
   *
   * @param head bytes before the text
   * @return the offset behind the text, or -1 if it was not taken
   */
  int tryText(int head, String text) {
    int count = text.length();
    if (count > TEXT_MAX) {
      return -1;
    }
    byte[] target = room(head + UTF8_BYTES_MAX * count + 1);
    int looped = Math.min(count, LOOP_MAX);
    for (int i = 0; i < looped; i++) {
      char c = text.charAt(i);
      if (c >= ASCII_LIMIT) {
        return count > LOOP_MAX ? -1 : putWide(text, i, target, head + i);
      }
      target[head + i] = (byte) c;
    }
    if (count > looped) { // by the JDK's encoder, which copies ASCII and puts a zero behind it
      ownMemory.setString(head, text, StandardCharsets.UTF_8);
      return isAscii(target, head, head + count) ? head + count : -1;
    }
    return head + count;
  }

  /** Writes a text from a character on; returns the offset behind it. */
  private static int putWide(String text, int from, byte[] target, int offset) {
    int at = offset;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ASCII_LIMIT) {
        target[at++] = (byte) c;
      } else if (c < TWO_BYTES_LIMIT) {
        target[at++] = (byte) (0xC0 | c >>> 6);
        target[at++] = following(c);
      } else if (!Character.isSurrogate(c)) {
        target[at++] = (byte) (0xE0 | c >>> 12);
        target[at++] = following(c >>> 6);
        target[at++] = following(c);
      } else {
        int point = text.codePointAt(i);
        if (!Character.isSupplementaryCodePoint(point)) {
          target[at++] = '?'; // half of a pair, as String.getBytes writes it
          continue;
        }
        target[at++] = (byte) (0xF0 | point >>> 18);
        target[at++] = following(point >>> 12);
        target[at++] = following(point >>> 6);
        target[at++] = following(point);
        i++;
      }
    }
    return at;
  }

  /** A byte of a character behind its first one. */
  private static byte following(int bits) {
    return (byte) (ASCII_LIMIT | (bits & 0x3F));
  }

  private static boolean isAscii(byte[] array, int from, int to) {
    long bits = 0;
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      bits |= (long) LONG.get(array, at);
    }
    for (; at < to; at++) {
      bits |= array[at];
    }
    return (bits & SIGNS) == 0;
  }
}
