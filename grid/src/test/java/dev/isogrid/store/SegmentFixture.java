package dev.isogrid.store;

import dev.isogrid.api.Expiry;
import dev.isogrid.base.FakeEnv;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A container of one segment under a clock that stands still, used by texts.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
final class SegmentFixture<K, V> {
  static final int EPOCH = 7;

  final TextKind<K, V> kind;
  final FakeEnv env = new FakeEnv();
  final Container<K, V> container;
  final Segment<K, V> segment;
  final EntryView<K, V> view;

  SegmentFixture(TextKind<K, V> kind) {
    this.kind = kind;
    this.container = kind.container(1, EPOCH, env.env().epochClock());
    this.segment = container.segmentAt(0);
    this.view = container.newView();
  }

  /** All that a window shows of an entry. */
  record Shown(
      String value,
      long version,
      long createdMillis,
      long lifespanMillis,
      long lastUsedMillis,
      long maxIdleMillis,
      int clientFlags,
      @Nullable String mediaType) {}

  Shown shown(EntryView<K, V> entry) {
    return new Shown(
        kind.text(entry.value()),
        entry.version(),
        entry.createdMillis(),
        entry.lifespanMillis(),
        entry.lastUsedMillis(),
        entry.maxIdleMillis(),
        entry.clientFlags(),
        entry.mediaType());
  }

  long store(String key, String value) {
    return store(key, value, Expiry.NEVER);
  }

  long store(String key, String value, Expiry expiry) {
    return store(key, value, expiry, 0, null);
  }

  /** Stores as the engine does, and gives the version. */
  long store(String key, String value, Expiry expiry, int clientFlags, @Nullable String mediaType) {
    Effect<V> effect = new Effect<>();
    effect.store(
        kind.value(value), expiry.lifespanMillis(), expiry.maxIdleMillis(), clientFlags, mediaType);
    segment.lock();
    try {
      return apply(key, effect, segment.nextVersion());
    } finally {
      segment.unlock();
    }
  }

  /** Stores with times that are not this node's. */
  long storeAt(String key, String value, Expiry expiry, long createdMillis, long lastUsedMillis) {
    Effect<V> effect = new Effect<>();
    effect.store(kind.value(value), expiry.lifespanMillis(), expiry.maxIdleMillis());
    effect.times(createdMillis, lastUsedMillis);
    segment.lock();
    try {
      return apply(key, effect, segment.nextVersion());
    } finally {
      segment.unlock();
    }
  }

  void touch(String key, Expiry expiry) {
    Effect<V> effect = new Effect<>();
    effect.touch(expiry.lifespanMillis(), expiry.maxIdleMillis());
    touch(key, effect);
  }

  /** Gives an entry other times that are not this node's. */
  void touchAt(String key, Expiry expiry, long createdMillis, long lastUsedMillis) {
    Effect<V> effect = new Effect<>();
    effect.touch(expiry.lifespanMillis(), expiry.maxIdleMillis());
    effect.times(createdMillis, lastUsedMillis);
    touch(key, effect);
  }

  void touchIdle() {
    segment.lock();
    try {
      segment.touchIdle(env.nowMillis());
    } finally {
      segment.unlock();
    }
  }

  private void touch(String key, Effect<V> effect) {
    segment.lock();
    try {
      apply(key, effect, 0);
    } finally {
      segment.unlock();
    }
  }

  private long apply(String key, Effect<V> effect, long version) {
    K stored = kind.key(key);
    int hash = kind.hash(stored);
    EntryView<K, V> current = container.newView();
    segment.locate(stored, hash, current);
    segment.applyLocated(stored, hash, current, effect, version);
    return version;
  }

  /** Removes an entry, whether it is expired or not; tells whether there was one. */
  boolean remove(String key) {
    K stored = kind.key(key);
    segment.lock();
    try {
      segment.locate(stored, kind.hash(stored), view);
      boolean present = view.isPresent();
      if (present) {
        segment.removeLocated();
      }
      return present;
    } finally {
      segment.unlock();
    }
  }

  /** A live entry, or null. Touches it. */
  @Nullable Shown read(String key) {
    K stored = kind.key(key);
    Shown[] taken = new Shown[1];
    segment.read(stored, kind.hash(stored), view, entry -> taken[0] = shown(entry));
    return taken[0];
  }

  Segment.Found find(String key) {
    K stored = kind.key(key);
    return segment.read(stored, kind.hash(stored), view, entry -> {});
  }

  /** An entry as a write would see it, so an expired one as well; or null. Touches nothing. */
  @Nullable Shown locate(String key) {
    K stored = kind.key(key);
    segment.lock();
    try {
      segment.locate(stored, kind.hash(stored), view);
      return view.isPresent() ? shown(view) : null;
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

  SegmentSnapshot<K, V> snapshot() {
    segment.lock();
    try {
      return segment.snapshot();
    } finally {
      segment.unlock();
    }
  }

  /** The rest of a snapshot. */
  Map<String, Shown> drain(SegmentSnapshot<K, V> snapshot) {
    Map<String, Shown> entries = new HashMap<>();
    EntryView<K, V> each = container.newView();
    while (snapshot.next(each)) {
      Shown twice = entries.put(kind.keyText(each.key()), shown(each));
      if (twice != null) {
        throw new AssertionError("twice in a snapshot: " + twice);
      }
    }
    return entries;
  }

  Map<String, Shown> entries() {
    return drain(snapshot());
  }

  /** The keys that are shown as expired, each once. */
  Set<String> expired() {
    Set<String> keys = new HashSet<>();
    segment.lock();
    try {
      int place = 0;
      while (place >= 0) {
        place =
            segment.visitExpired(
                place,
                100,
                env.nowMillis(),
                container.newView(),
                entry -> {
                  if (!keys.add(kind.keyText(entry.key()))) {
                    throw new AssertionError("twice: " + kind.keyText(entry.key()));
                  }
                });
      }
      return keys;
    } finally {
      segment.unlock();
    }
  }

  /** Removes what is expired among some places; gives the place to go on with, or -1. */
  int removeExpired(int from, int placesMax, EntryReader<K, V> reader) {
    segment.lock();
    try {
      return segment.removeExpired(from, placesMax, env.nowMillis(), container.newView(), reader);
    } finally {
      segment.unlock();
    }
  }

  void checkInvariants() {
    segment.lock();
    try {
      segment.checkInvariants(view);
    } finally {
      segment.unlock();
    }
  }
}
