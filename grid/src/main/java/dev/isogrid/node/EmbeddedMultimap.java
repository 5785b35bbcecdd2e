package dev.isogrid.node;

import dev.isogrid.api.MultimapCache;
import dev.isogrid.base.Scheduler;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.structure.Multimap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A multimap for users in this process. Thread-safe.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class EmbeddedMultimap<K, V> implements MultimapCache<K, V> {
  private final String name;
  private final Multimap multimap;
  private final boolean supportsDuplicates;
  private final BinaryEdge<K, V> edge;
  private final Futures futures;

  EmbeddedMultimap(
      CacheEngine<BinaryKey, Bytes> engine,
      BinaryEdge<K, V> edge,
      boolean supportsDuplicates,
      Scheduler scheduler) {
    this.name = engine.name();
    this.multimap = new Multimap(engine, supportsDuplicates);
    this.supportsDuplicates = supportsDuplicates;
    this.edge = edge;
    this.futures = new Futures(scheduler, engine.mayWait());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean supportsDuplicates() {
    return supportsDuplicates;
  }

  private BinaryKey key(K key) {
    return edge.storedKey(Objects.requireNonNull(key, "key"));
  }

  private byte[] value(V value) {
    return edge.storedValue(Objects.requireNonNull(value, "value")).toByteArray();
  }

  @Override
  public void put(K key, V value) {
    multimap.put(key(key), value(value));
  }

  @Override
  public Collection<V> get(K key) {
    List<V> values = new ArrayList<>();
    for (ByteString value : multimap.get(key(key)).values()) {
      values.add(edge.value(Bytes.of(value)));
    }
    return values;
  }

  @Override
  public boolean remove(K key) {
    return multimap.remove(key(key));
  }

  @Override
  public boolean remove(K key, V value) {
    return multimap.remove(key(key), value(value));
  }

  @Override
  public boolean containsKey(K key) {
    return !multimap.get(key(key)).isEmpty();
  }

  @Override
  public boolean containsEntry(K key, V value) {
    return multimap.containsEntry(key(key), value(value));
  }

  @Override
  public boolean containsValue(V value) {
    return multimap.containsValue(value(value));
  }

  @Override
  public long size() {
    return multimap.size();
  }

  @Override
  public CompletableFuture<@Nullable Void> putAsync(K key, V value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return futures.ofVoid(() -> put(key, value));
  }

  @Override
  public CompletableFuture<Collection<V>> getAsync(K key) {
    Objects.requireNonNull(key, "key");
    return futures.of(() -> get(key));
  }

  @Override
  public CompletableFuture<Boolean> removeAsync(K key) {
    Objects.requireNonNull(key, "key");
    return futures.of(() -> remove(key));
  }

  @Override
  public CompletableFuture<Boolean> removeAsync(K key, V value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return futures.of(() -> remove(key, value));
  }

  @Override
  public CompletableFuture<Boolean> containsKeyAsync(K key) {
    Objects.requireNonNull(key, "key");
    return futures.of(() -> containsKey(key));
  }

  @Override
  public CompletableFuture<Boolean> containsEntryAsync(K key, V value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return futures.of(() -> containsEntry(key, value));
  }

  @Override
  public CompletableFuture<Boolean> containsValueAsync(V value) {
    Objects.requireNonNull(value, "value");
    return futures.of(() -> containsValue(value));
  }

  @Override
  public CompletableFuture<Long> sizeAsync() {
    return futures.of(this::size);
  }

  @Override
  public String toString() {
    return "MultimapCache[name=" + name + "]";
  }
}
