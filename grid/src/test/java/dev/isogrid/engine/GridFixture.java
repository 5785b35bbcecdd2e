package dev.isogrid.engine;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.node.CacheSetting;
import dev.isogrid.node.CacheSetting.Promise;
import dev.isogrid.node.Node;
import dev.isogrid.node.SteppedGrids;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import dev.isogrid.store.TextKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A cache in a world that stands still, used by texts. Operations on a key are asked of the node
 * that the setting's viewpoint is for that key.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
final class GridFixture<K, V> implements AutoCloseable {
  static final int SEGMENTS = 4;
  static final String NAME = "c";

  final TextKind<K, V> kind;
  final CacheSetting setting;
  final SteppedGrids grids;

  /** The engines, by node; they stay the same when the cache or the node ends. */
  private final Map<Node, CacheEngine<K, V>> engines = new HashMap<>();

  GridFixture(TextKind<K, V> kind, CacheSetting setting, CacheConfig.Builder config)
      throws Exception {
    this.kind = kind;
    this.setting = setting;
    grids = setting.start();
    grids.create(NAME, setting.config(config.segments(SEGMENTS)));
    grids.nodes().forEach(node -> engines.put(node, found(node)));
  }

  @SuppressWarnings("unchecked") // the kind is that of the setting's storage
  private CacheEngine<K, V> found(Node node) {
    CacheEngine<K, V> engine = (CacheEngine<K, V>) SteppedGrids.engine(node, NAME);
    kind.prepare(engine.container);
    return engine;
  }

  boolean promises(Promise promise) {
    return setting.promises().contains(promise);
  }

  // ---- nodes

  CacheEngine<K, V> engineOf(Node node) {
    return Objects.requireNonNull(engines.get(node));
  }

  /** The engines of all nodes that are alive. */
  List<CacheEngine<K, V>> everywhere() {
    return grids.nodes().stream().map(this::engineOf).toList();
  }

  /** The engine that operations on a key are asked of. */
  CacheEngine<K, V> engine(String key) {
    return engineOf(grids.node(setting.viewpoint(), NAME, segmentOf(key)));
  }

  /** The engine that operations on the whole cache are asked of. */
  CacheEngine<K, V> home() {
    return engine("a");
  }

  /** The engine of the node that answers for a segment. */
  CacheEngine<K, V> answering(int index) {
    return setting.hasOwners()
        ? engineOf(grids.node(CacheSetting.Viewpoint.PRIMARY, NAME, index))
        : home();
  }

  /** The engines of the nodes that keep an entry. */
  List<CacheEngine<K, V>> keepers(String key) {
    if (!setting.hasOwners()) {
      return List.of(home());
    }
    return grids.owners(NAME, segmentOf(key)).isr().stream()
        .map(id -> engineOf(grids.node(id)))
        .toList();
  }

  /**
   * Kills the host of a key's primary, and waits until another node serves its segments.
   *
   * @return the engine of the new primary
   */
  CacheEngine<K, V> killPrimary(String key) throws Exception {
    grids.kill(grids.node(CacheSetting.Viewpoint.PRIMARY, NAME, segmentOf(key)));
    return answering(segmentOf(key));
  }

  // ---- time

  long nowMillis() {
    return grids.time.nowMillis();
  }

  void moveClock(long millis) {
    grids.time.moveClock(millis);
  }

  void settle() {
    grids.time.settle();
  }

  // ---- listeners

  /** Begins to write down what a node hears of. */
  ChangeRecorder<K, V> record(CacheEngine<K, V> engine) throws Exception {
    settle(); // a backup may hear of what it learns to be committed, though it was answered before
    ChangeRecorder<K, V> recorder =
        new ChangeRecorder<>(kind, engine.container, setting.hasOwners());
    grids.time.call(() -> recorder.by(engine.addListener(recorder)));
    return recorder;
  }

  ChangeRecorder<K, V> record() throws Exception {
    return record(home());
  }

  /** The notifications since the last call. */
  List<ChangeRecorder.Told> take(ChangeRecorder<K, V> recorder) {
    if (!promises(Promise.TELLS_BEFORE_IT_RETURNS)) {
      settle();
    }
    return recorder.take();
  }

  // ---- operations

  int segmentOf(String key) {
    K stored = kind.key(key);
    return engines.values().iterator().next().segmentOf(kind.hash(stored));
  }

  /** A key that is in the same segment as another. */
  String neighbour(String key) {
    for (int i = 0; ; i++) {
      if (segmentOf("n" + i) == segmentOf(key)) {
        return "n" + i;
      }
    }
  }

  long write(CacheEngine<K, V> engine, String key, Mutation<K, V> mutation) {
    K stored = kind.key(key);
    return engine.write(stored, kind.hash(stored), mutation);
  }

  long write(String key, Mutation<K, V> mutation) {
    return write(engine(key), key, mutation);
  }

  long put(String key, String value) {
    return write(key, putting(value));
  }

  KeyWrite<K, V> putting(String value) {
    return new KeyWrite<K, V>().put(kind.value(value));
  }

  KeyWrite<K, V> removing() {
    return new KeyWrite<K, V>().remove();
  }

  boolean remove(String key) {
    KeyWrite<K, V> write = removing();
    write(key, write);
    return write.outcome() == KeyWrite.Outcome.DONE;
  }

  void touch(String key, long lifespanMillis, long maxIdleMillis) {
    write(
        key, (EntryView<K, V> _, Effect<V> effect) -> effect.touch(lifespanMillis, maxIdleMillis));
  }

  /** Extracts the result of a read from a window. */
  interface Taking<K, V, R> {
    R from(EntryView<K, V> entry);
  }

  /** Something of an entry as a node sees it, by a read that counts; or null. */
  <R> @Nullable R read(CacheEngine<K, V> engine, String key, Taking<K, V, R> taking) {
    K stored = kind.key(key);
    List<R> taken = new ArrayList<>();
    boolean found =
        engine.read(
            stored, kind.hash(stored), engine.newView(), entry -> taken.add(taking.from(entry)));
    if (found != !taken.isEmpty()) {
      throw new AssertionError("found=" + found + ", but read " + taken);
    }
    return found ? taken.getFirst() : null;
  }

  /**
   * As the node of the viewpoint sees it at once, and when all nodes know what was done: both must
   * be the same. The first read is one that does not count.
   */
  private <R> @Nullable R take(String key, Taking<K, V, R> taking) {
    K stored = kind.key(key);
    CacheEngine<K, V> engine = engine(key);
    List<R> atOnce = new ArrayList<>();
    engine.peek(
        stored, kind.hash(stored), engine.newView(), entry -> atOnce.add(taking.from(entry)));
    settle();
    R settled = read(engine, key, taking);
    if (!atOnce.equals(settled == null ? List.of() : List.of(settled))) {
      throw new AssertionError("read " + atOnce + " at once, and then " + settled);
    }
    return settled;
  }

  /** The value, by a read that counts; or null. */
  @Nullable String get(String key) {
    return take(key, entry -> kind.text(entry.value()));
  }

  /** The value as a node sees it, by a read that counts; or null. */
  @Nullable String get(CacheEngine<K, V> engine, String key) {
    return read(engine, key, entry -> kind.text(entry.value()));
  }

  /** The version, by a read that counts; or null. */
  @Nullable Long version(String key) {
    return take(key, EntryView::version);
  }

  /** Lifespan and max idle, by a read that counts; or null. */
  @Nullable List<Long> times(String key) {
    return take(key, entry -> List.of(entry.lifespanMillis(), entry.maxIdleMillis()));
  }

  boolean peek(String key) {
    K stored = kind.key(key);
    CacheEngine<K, V> engine = engine(key);
    return engine.peek(stored, kind.hash(stored), engine.newView(), entry -> {});
  }

  @Override
  public void close() {
    grids.close();
  }
}
