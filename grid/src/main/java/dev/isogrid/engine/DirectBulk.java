package dev.isogrid.engine;

import dev.isogrid.codec.ByteString;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Does what it is asked for by the caller's thread, one thing after the other. */
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
      // On a side of a split nobody has the segment alone, so there it is entry by entry.
      if (together.size() == 1 || !engine.tryPutTogether(index, together)) {
        together.forEach(put -> engine.write(put.key(), put.hash(), put.write()));
      }
    });
    engine.awaitKept();
  }
}
