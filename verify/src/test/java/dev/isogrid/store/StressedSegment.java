package dev.isogrid.store;

import dev.isogrid.api.Expiry;
import dev.isogrid.api.PageUse;
import dev.isogrid.wire.KeyHash;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A segment of bytes with the operations of the stress tests. Values contain their key, their
 * length and whether they are old or new, so that every mixture of two is detected.
 */
final class StressedSegment {
  static final String OLD = "old";
  static final String NEW = "new";
  static final String ABSENT = "absent";

  /** A value begins with the end of its key; its length follows, two bytes. */
  private static final int KEY_BYTES = 5;

  private static final int HEADER_BYTES = KEY_BYTES + 2;

  /** One pool for all, so that a segment gets pages that another one freed. */
  private static final PagePool POOL = new PagePool(1L << 30);

  private final Segment<BinaryKey, Bytes> segment;

  private StressedSegment(Segment<BinaryKey, Bytes> segment) {
    this.segment = segment;
  }

  static StressedSegment offHeap() {
    return offHeap(POOL);
  }

  static StressedSegment offHeap(PagePool pool) {
    return new StressedSegment(new OffHeapSegment(1, () -> 0, new Occupancy(false), pool, null));
  }

  static StressedSegment onHeap() {
    return new StressedSegment(new BinarySegment(1, () -> 0, new Occupancy(false), null));
  }

  /** Stores a value of a length that is {@link #OLD} or {@link #NEW}. */
  void put(byte[] key, String state, int length) {
    byte[] value = value(key, state, length);
    int hash = KeyHash.hash(key);
    segment.lock();
    try {
      EntryView<BinaryKey, Bytes> view = segment.writeView();
      Effect<Bytes> effect = segment.writeEffect();
      effect.store(
          Bytes.of(value), Expiry.NEVER.lifespanMillis(), Expiry.NEVER.maxIdleMillis(), 0, null);
      segment.locate(BinaryKey.of(key), hash, view);
      segment.applyLocated(BinaryKey.of(key), hash, view, effect, segment.nextVersion());
      segment.endWrite();
    } finally {
      segment.unlock();
    }
  }

  void remove(byte[] key) {
    segment.lock();
    try {
      EntryView<BinaryKey, Bytes> view = segment.writeView();
      segment.locate(BinaryKey.of(key), KeyHash.hash(key), view);
      if (view.isPresent()) {
        segment.removeLocated();
      }
      segment.endWrite();
    } finally {
      segment.unlock();
    }
  }

  void clear() {
    segment.lock();
    try {
      segment.clear();
    } finally {
      segment.unlock();
    }
  }

  /** Reads by the short way, or by the window if the short way fails. */
  String read(byte[] key) {
    Object value = segment.readValue(BinaryKey.of(key), KeyHash.hash(key), ValueReader.copying());
    return Segment.isUnclear(value) ? readByWindow(key) : describe(key, (byte[]) value);
  }

  String readByWindow(byte[] key) {
    String[] seen = {ABSENT};
    segment.read(
        BinaryKey.of(key),
        KeyHash.hash(key),
        segment.newView(),
        view -> seen[0] = describe(key, view.value().toByteArray()));
    return seen[0];
  }

  /** The final state, if the segment is sound; empties it. */
  String end(byte[] key) {
    segment.lock();
    try {
      segment.checkInvariants(segment.newView());
    } finally {
      segment.unlock();
    }
    String seen = readByWindow(key);
    clear();
    return seen;
  }

  /** The pages, to detect that a write moved entries. */
  List<PageUse> pages() {
    segment.lock();
    try {
      return segment.pages();
    } finally {
      segment.unlock();
    }
  }

  private static byte[] value(byte[] key, String state, int length) {
    byte[] value = new byte[length];
    Arrays.fill(value, (byte) state.charAt(0));
    System.arraycopy(key, key.length - KEY_BYTES, value, 0, KEY_BYTES);
    value[KEY_BYTES] = (byte) length;
    value[KEY_BYTES + 1] = (byte) (length >>> Byte.SIZE);
    return value;
  }

  private static String describe(byte[] key, byte @Nullable [] value) {
    if (value == null) {
      return ABSENT;
    }
    for (String state : new String[] {OLD, NEW}) {
      if (value.length > HEADER_BYTES && Arrays.equals(value, value(key, state, value.length))) {
        return state;
      }
    }
    return "torn";
  }
}
