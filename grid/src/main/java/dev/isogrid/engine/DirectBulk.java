package dev.isogrid.engine;

import dev.isogrid.codec.ByteString;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Does everything at once, since all entries are on this node. Not thread-safe. */
final class DirectBulk<K, V> implements Bulk<K, V> {
  private final CacheEngine<K, V> engine;
  private final EntryView<K, V> view;

  DirectBulk(CacheEngine<K, V> engine) {
    this.engine = engine;
    this.view = engine.newView();
  }

  @Override
  public void write(K key, int hash, KeyWrite<K, V> write) {
    engine.write(key, hash, write);
  }

  @Override
  public void read(K key, int hash, EntryReader<K, V> reader) {
    engine.read(key, hash, view, reader);
  }

  @Override
  public void process(
      K key,
      int hash,
      ByteString processor,
      Mutation<K, V> near,
      Consumer<@Nullable ByteString> taking) {
    engine.write(key, hash, near);
    taking.accept(null);
  }

  @Override
  public void await() {}
}
