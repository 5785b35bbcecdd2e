package dev.isogrid.store;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.isogrid.wire.KeyHash;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Keys that get in each other's way in every kind of table, in the order of their tags. */
final class StressKeys {
  static final int COUNT = 40;

  private static final int TAG_SHIFT = SlotBlock.TAG_BITS - 6;
  private static final int PLACE_MASK = 15;

  /** The key of the writes. */
  static final byte[] KEY;

  /** A key behind it in the same run. */
  static final byte[] NEIGHBOR;

  private static final List<byte[]> KEYS = colliding();

  static {
    KEY = KEYS.get(0);
    NEIGHBOR = KEYS.get(1);
  }

  private StressKeys() {}

  /** A key that is neither {@link #KEY} nor {@link #NEIGHBOR}. */
  static byte[] other(int number) {
    return KEYS.get(2 + number);
  }

  private static List<byte[]> colliding() {
    List<byte[]> found = new ArrayList<>();
    for (int i = 0; found.size() < COUNT + 2; i++) {
      byte[] key = "k%09d".formatted(i).getBytes(US_ASCII);
      int hash = KeyHash.hash(key);
      if (Segment.tag(hash) >>> TAG_SHIFT == 0 && (hash & PLACE_MASK) == 0) {
        found.add(key);
      }
    }
    found.sort(Comparator.comparingInt(key -> Segment.tag(KeyHash.hash(key))));
    return found;
  }
}
