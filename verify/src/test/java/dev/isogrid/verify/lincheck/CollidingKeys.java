package dev.isogrid.verify.lincheck;

import dev.isogrid.api.StorageType;
import dev.isogrid.codec.ScalarMarshaller;
import dev.isogrid.store.ObjectTables;
import dev.isogrid.wire.KeyHash;
import dev.isogrid.wire.Segments;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Colliding keys for a cache of two segments. */
final class CollidingKeys {
  static final int SEGMENTS = 2;

  /** Tables of arrays begin with 4 places and grow to 8; those of objects have 8. */
  private static final int PLACES = 8;

  /** Computed once: Lincheck makes thousands of caches. */
  private static final Map<StorageType, List<Integer>> ALL = new EnumMap<>(StorageType.class);

  static {
    for (StorageType storage : StorageType.values()) {
      ALL.put(storage, find(storage));
    }
  }

  private CollidingKeys() {}

  /**
   * Numbers as keys: two of segment 0, one of segment 1, and a fourth one of segment 0, in this
   * order; all of segment 0 belong to one place of its table.
   */
  static List<Integer> of(StorageType storage) {
    return Objects.requireNonNull(ALL.get(storage));
  }

  private static List<Integer> find(StorageType storage) {
    int place = place(first(storage, 0, -1, 0), storage);
    int left = first(storage, 0, place, 0);
    int right = first(storage, 0, place, left + 1);
    int filler = first(storage, 0, place, right + 1);
    return List.of(left, right, first(storage, 1, -1, 0), filler);
  }

  private static int first(StorageType storage, int segment, int place, int from) {
    int key = from;
    while (new Segments(SEGMENTS).of(hash(key, storage)) != segment
        || (place >= 0 && place(key, storage) != place)) {
      key++;
    }
    return key;
  }

  private static int place(int key, StorageType storage) {
    int hash = hash(key, storage);
    return storage == StorageType.HEAP_OBJECT ? ObjectTables.home(hash, PLACES) : hash & PLACES - 1;
  }

  private static int hash(int key, StorageType storage) {
    return switch (storage) {
      case HEAP_OBJECT -> ObjectTables.hash(key);
      case HEAP_BINARY, OFF_HEAP -> KeyHash.hash(ScalarMarshaller.INSTANCE.toBytes(key));
    };
  }
}
