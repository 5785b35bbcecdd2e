package dev.isogrid.engine;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.store.Container;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import dev.isogrid.store.TextKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An engine in a world that stands still, used by texts.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
final class EngineFixture<K, V> {
  static final int SEGMENTS = 4;
  static final int EPOCH = 3;

  final TextKind<K, V> kind;
  final FakeEnv env = new FakeEnv();
  final CacheEngine<K, V> engine;
  final Container<K, V> container;

  EngineFixture(TextKind<K, V> kind, CacheConfig.Builder config) {
    this.kind = kind;
    container = kind.container(SEGMENTS, EPOCH, env.env().epochClock());
    engine = new LocalEngine<>("c", config.segments(SEGMENTS).build(), container, env.env());
  }

  /** Begins to write down what changes. */
  ChangeRecorder<K, V> record() {
    ChangeRecorder<K, V> recorder = new ChangeRecorder<>(kind, container);
    engine.addListener(recorder);
    return recorder;
  }

  int segmentOf(String key) {
    return container.segmentOf(kind.hash(kind.key(key)));
  }

  /** A key that is in the same segment as another. */
  String neighbour(String key) {
    for (int i = 0; ; i++) {
      if (segmentOf("n" + i) == segmentOf(key)) {
        return "n" + i;
      }
    }
  }

  long write(String key, Mutation<K, V> mutation) {
    K stored = kind.key(key);
    return engine.write(stored, kind.hash(stored), mutation);
  }

  long put(String key, String value) {
    return write(key, putting(value));
  }

  KeyWrite<K, V> putting(String value) {
    return new KeyWrite<K, V>().put(kind.value(value));
  }

  boolean remove(String key) {
    KeyWrite<K, V> write = new KeyWrite<K, V>().remove();
    write(key, write);
    return write.outcome() == KeyWrite.Outcome.DONE;
  }

  void touch(String key, long lifespanMillis, long maxIdleMillis) {
    write(
        key, (EntryView<K, V> _, Effect<V> effect) -> effect.touch(lifespanMillis, maxIdleMillis));
  }

  /** The value, by a read that counts; or null. */
  @Nullable String get(String key) {
    return take(key, entry -> kind.text(entry.value()));
  }

  /** The version, by a read that counts; or null. */
  @Nullable Long version(String key) {
    return take(key, EntryView::version);
  }

  /** Lifespan and max idle, by a read that counts; or null. */
  @Nullable List<Long> times(String key) {
    return take(key, entry -> List.of(entry.lifespanMillis(), entry.maxIdleMillis()));
  }

  private <R> @Nullable R take(String key, Taking<K, V, R> taking) {
    List<R> taken = new ArrayList<>();
    boolean found = read(key, entry -> taken.add(taking.from(entry)));
    if (found != !taken.isEmpty()) {
      throw new AssertionError("found=" + found + ", but read " + taken);
    }
    return found ? taken.getFirst() : null;
  }

  /** Extracts a result from a window. */
  interface Taking<K, V, R> {
    R from(EntryView<K, V> entry);
  }

  boolean read(String key, Consumer<EntryView<K, V>> reader) {
    K stored = kind.key(key);
    return engine.read(stored, kind.hash(stored), engine.newView(), reader::accept);
  }

  boolean peek(String key) {
    K stored = kind.key(key);
    return engine.peek(stored, kind.hash(stored), engine.newView(), entry -> {});
  }
}
