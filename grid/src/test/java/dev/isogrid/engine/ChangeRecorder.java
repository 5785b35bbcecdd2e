package dev.isogrid.engine;

import dev.isogrid.api.CacheEvent;
import dev.isogrid.store.Container;
import dev.isogrid.store.TextKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what changes; fails if it is told out of order or with or without the lock where it
 * should not be.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
final class ChangeRecorder<K, V> implements ChangeListener<K, V> {
  private final TextKind<K, V> kind;
  private final Container<K, V> container;
  private final List<Told> told = new ArrayList<>();
  private final List<Integer> after = new ArrayList<>();
  private final long[] lastVersions;

  ChangeRecorder(TextKind<K, V> kind, Container<K, V> container) {
    this.kind = kind;
    this.container = container;
    this.lastVersions = new long[container.segmentCount()];
  }

  /** What was told of a change. */
  record Told(CacheEvent.Kind kind, String key, @Nullable String before, @Nullable String value) {}

  @Override
  public void onChange(Change<K, V> change) {
    int segment = change.segment();
    if (segment != container.segmentOf(kind.hash(change.key()))) {
      throw new AssertionError("wrong segment: " + change);
    }
    if (!container.segmentAt(segment).isLockedByMe()) {
      throw new AssertionError("told without the lock: " + change);
    }
    if (change.version() <= lastVersions[segment]) {
      throw new AssertionError("not in the order of versions: " + change);
    }
    lastVersions[segment] = change.version();
    V value = change.value();
    told.add(
        new Told(
            change.kind(),
            kind.keyText(change.key()),
            change.before().isPresent() ? kind.text(change.before().value()) : null,
            value == null ? null : kind.text(value)));
  }

  @Override
  public void afterChange(int segment) {
    if (container.segmentAt(segment).isLockedByMe()) {
      throw new AssertionError("told of the end under the lock: segment=" + segment);
    }
    after.add(segment);
  }

  /** What was told since the last call. */
  List<Told> take() {
    List<Told> taken = List.copyOf(told);
    told.clear();
    return taken;
  }

  /** The segments whose changes were over, one a call. */
  List<Integer> after() {
    return after;
  }
}
