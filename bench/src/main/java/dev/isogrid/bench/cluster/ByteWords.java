package dev.isogrid.bench.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Map;

/**
 * Counts of words that are looked up by their bytes, without an object per occurrence, as a plain
 * loop over bytes does. Not thread-safe.
 */
final class ByteWords {
  private static final int HASH_FACTOR = 31;
  private static final int SLOTS = 1 << 10;

  /** Words by their hashes, in open addressing; an empty array where there is none. */
  private byte[][] words = slots(SLOTS);

  private long[] counts = new long[SLOTS];
  private int size;

  private static byte[][] slots(int count) {
    byte[][] slots = new byte[count][];
    Arrays.fill(slots, new byte[0]);
    return slots;
  }

  /** Counts the words of a text, each of which ends with a space. */
  void add(byte[] text) {
    int begin = 0;
    int hash = 0;
    for (int at = 0; at < text.length; at++) {
      if (text[at] == ' ') {
        add(text, begin, at, hash);
        begin = at + 1;
        hash = 0;
      } else {
        hash = HASH_FACTOR * hash + text[at];
      }
    }
  }

  private void add(byte[] text, int begin, int end, int hash) {
    int at = slot(hash);
    while (words[at].length > 0) {
      if (Arrays.equals(words[at], 0, words[at].length, text, begin, end)) {
        counts[at]++;
        return;
      }
      at = (at + 1) & (words.length - 1);
    }
    words[at] = Arrays.copyOfRange(text, begin, end);
    counts[at] = 1;
    if (++size * 2 > words.length) {
      grow();
    }
  }

  private int slot(int hash) {
    return (hash ^ (hash >>> Short.SIZE)) & (words.length - 1);
  }

  private static int hash(byte[] word) {
    int hash = 0;
    for (byte each : word) {
      hash = HASH_FACTOR * hash + each;
    }
    return hash;
  }

  private void grow() {
    byte[][] oldWords = words;
    long[] oldCounts = counts;
    words = slots(oldWords.length * 2);
    counts = new long[words.length];
    for (int i = 0; i < oldWords.length; i++) {
      if (oldWords[i].length > 0) {
        int at = slot(hash(oldWords[i]));
        while (words[at].length > 0) {
          at = (at + 1) & (words.length - 1);
        }
        words[at] = oldWords[i];
        counts[at] = oldCounts[i];
      }
    }
  }

  /** Adds the counts to others. */
  void addTo(Map<String, Long> all) {
    for (int i = 0; i < words.length; i++) {
      if (words[i].length > 0) {
        all.merge(new String(words[i], UTF_8), counts[i], Long::sum);
      }
    }
  }
}
