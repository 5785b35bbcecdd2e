package dev.isogrid.engine;

import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.Subscription;
import dev.isogrid.store.Container;
import dev.isogrid.store.TextKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what changes; fails if it is told out of order or with or without the lock where it
 * should not be. Thread-safe.
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
  private final boolean mayShareVersions;
  private @Nullable Subscription subscription;
  private @Nullable AssertionError failure;

  ChangeRecorder(TextKind<K, V> kind, Container<K, V> container) {
    this(kind, container, false);
  }

  /**
   * Begins.
   *
   * @param mayShareVersions whether changes may be of one version, as where one write of the order
   *     is several changes
   */
  ChangeRecorder(TextKind<K, V> kind, Container<K, V> container, boolean mayShareVersions) {
    this.mayShareVersions = mayShareVersions;
    this.kind = kind;
    this.container = container;
    this.lastVersions = new long[container.segmentCount()];
  }

  /** The notification of a change. */
  record Told(CacheEvent.Kind kind, String key, @Nullable String before, @Nullable String value) {}

  /** Says what ends it. */
  synchronized ChangeRecorder<K, V> by(Subscription told) {
    subscription = told;
    return this;
  }

  synchronized Subscription subscription() {
    return Objects.requireNonNull(subscription);
  }

  @Override
  public synchronized void onChange(Change<K, V> change) {
    int segment = change.segment();
    if (segment != container.segmentOf(kind.hash(change.key()))) {
      failed("wrong segment: " + change);
    }
    if (!container.segmentAt(segment).isLockedByMe()) {
      failed("told without the lock: " + change);
    }
    long least = lastVersions[segment] + (mayShareVersions ? 0 : 1);
    if (change.version() < least) {
      failed("not in the order of versions: " + change);
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
  public synchronized void onGap(int segment) {
    failed("reported a gap: segment=" + segment);
  }

  @Override
  public synchronized void afterChange(int segment) {
    if (container.segmentAt(segment).isLockedByMe()) {
      failed("reported the end under the lock: segment=" + segment);
    }
    after.add(segment);
  }

  /** Kept for the test's thread: others would only log it. */
  private void failed(String what) {
    failure = new AssertionError(what);
  }

  /** The notifications since the last call. */
  synchronized List<Told> take() {
    if (failure != null) {
      throw failure;
    }
    List<Told> taken = List.copyOf(told);
    told.clear();
    return taken;
  }

  /** The segments whose changes were over, one per call. */
  synchronized List<Integer> after() {
    return List.copyOf(after);
  }
}
