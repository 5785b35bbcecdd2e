package dev.isogrid.engine;

import dev.isogrid.codec.ByteString;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Does what it is asked for by the caller's thread, since all entries are on this node. */
final class DirectBulk<K, V> implements Bulk<K, V> {
  private final LocalEngine<K, V> engine;
  private final EntryView<K, V> view;
  private final SegmentPuts<K, V> puts = new SegmentPuts<>();

  DirectBulk(LocalEngine<K, V> engine) {
    this.engine = engine;
    this.view = engine.newView();
  }

  @Override
  public void write(K key, int hash, KeyWrite<K, V> write) {
    if (!puts.tryAdd(key, hash, engine.segmentOf(hash), write)) {
      await();
      engine.write(key, hash, write);
    }
  }

  @Override
  public void read(K key, int hash, EntryReader<K, V> reader) {
    await();
    engine.read(key, hash, view, reader);
  }

  @Override
  public void process(
      K key,
      int hash,
      ByteString processor,
      Mutation<K, V> near,
      Consumer<@Nullable ByteString> taking) {
    await();
    engine.write(key, hash, near);
    taking.accept(null);
  }

  @Override
  public void await() {
    puts.flush((index, together) -> {
      if (together.size() == 1) {
        SegmentPuts.Put<K, V> only = together.getFirst();
        engine.write(only.key(), only.hash(), only.write());
      } else {
        engine.tryPutTogether(index, together);
      }
    });
  }
}
