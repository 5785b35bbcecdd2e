package dev.isogrid.engine;

import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.BackingStore.Wanted;
import dev.isogrid.engine.SegmentPuts.Put;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Operations on many keys of a cache with a store: puts reach the store in batches, and what is not
 * in memory is loaded in batches. Not thread-safe.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
final class BackedBulk<K, V> implements Bulk<K, V> {
  /** Keys that a store gets together: what one statement of a database takes well. */
  static final int BATCH_MAX = 1000;

  private final LocalEngine<K, V> engine;
  private final BackingStore<K, V> backing;
  private final EntryView<K, V> view;
  private final Map<Object, Put<K, V>> puts = new LinkedHashMap<>();
  private final List<Wanted<K, V>> reads = new ArrayList<>();

  BackedBulk(LocalEngine<K, V> engine, BackingStore<K, V> backing) {
    this.engine = engine;
    this.backing = backing;
    this.view = engine.newView();
  }

  @Override
  public void write(K key, int hash, KeyWrite<K, V> write) {
    flushReads();
    V value = write.value();
    if (value == null || !write.isPlain()) {
      await();
      engine.write(key, hash, write);
      return;
    }
    K ownKey = SegmentPuts.own(key);
    puts.put(
        Flights.identity(ownKey), new Put<>(ownKey, hash, write.withValue(SegmentPuts.own(value))));
    if (puts.size() == BATCH_MAX) {
      flushPuts();
    }
  }

  @Override
  public void read(K key, int hash, EntryReader<K, V> reader) {
    flushPuts();
    if (engine.peekMemory(key, hash, view, reader)) {
      engine.countRead(true);
      return;
    }
    reads.add(new Wanted<>(key, hash, reader));
    if (reads.size() == BATCH_MAX) {
      flushReads();
    }
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
    flushReads();
    flushPuts();
  }

  private void flushPuts() {
    if (!puts.isEmpty()) {
      List<Put<K, V>> batch = List.copyOf(puts.values());
      puts.clear();
      engine.checkOpen();
      backing.putAll(batch);
    }
  }

  private void flushReads() {
    if (!reads.isEmpty()) {
      List<Wanted<K, V>> batch = List.copyOf(reads);
      reads.clear();
      engine.checkOpen();
      backing.readAll(batch);
    }
  }
}
