package dev.isogrid.store;

import dev.isogrid.api.Expiry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A segment of objects with the operations of the stress tests. */
final class StressedObjects {
  static final Object KEY = new Key(-1);
  static final Object NEIGHBOR = new Key(-2);

  /** The number of entries after which the table grows. */
  static final int FULL_TABLE = 6;

  private final Container<Object, Object> container =
      Container.ofObjects(1, 1, () -> 0, new Occupancy(false));
  private final Segment<Object, Object> segment = container.segmentAt(0);
  private final ObjectTables tables = Objects.requireNonNull(container.objects());

  static Object other(int number) {
    return new Key(number);
  }

  /** A key with the same hash as all others. */
  private record Key(int number) {
    @Override
    public int hashCode() {
      return 0;
    }
  }

  /** A value that contains its key. */
  private record Value(Object key, String state) {}

  void put(Object key, String state) {
    int hash = ObjectTables.hash(key);
    segment.lock();
    try {
      EntryView<Object, Object> view = segment.writeView();
      Effect<Object> effect = segment.writeEffect();
      effect.store(
          new Value(key, state),
          Expiry.NEVER.lifespanMillis(),
          Expiry.NEVER.maxIdleMillis(),
          0,
          null);
      segment.locate(key, hash, view);
      segment.applyLocated(key, hash, view, effect, segment.nextVersion());
      segment.endWrite();
    } finally {
      segment.unlock();
    }
  }

  void remove(Object key) {
    segment.lock();
    try {
      EntryView<Object, Object> view = segment.writeView();
      segment.locate(key, ObjectTables.hash(key), view);
      segment.removeLocated();
      segment.endWrite();
    } finally {
      segment.unlock();
    }
  }

  /** Reads in the way of the embedded cache. */
  String read(Object key) {
    return describe(key, tables.get(key, ObjectTables.hash(key)));
  }

  String readByWindow(Object key) {
    String[] seen = {StressedSegment.ABSENT};
    segment.read(
        key,
        ObjectTables.hash(key),
        segment.newView(),
        view -> seen[0] = describe(key, view.value()));
    return seen[0];
  }

  /** The final state, if the segment is sound. */
  String end(Object key) {
    segment.lock();
    try {
      segment.checkInvariants(segment.newView());
    } finally {
      segment.unlock();
    }
    return readByWindow(key);
  }

  private static String describe(Object key, @Nullable Object stored) {
    if (stored == null) {
      return StressedSegment.ABSENT;
    }
    return stored instanceof Value value && value.key().equals(key) ? value.state() : "foreign";
  }
}
