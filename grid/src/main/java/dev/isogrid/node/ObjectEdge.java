package dev.isogrid.node;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.ObjectTables;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Keeps the user's objects as they are. */
@SuppressWarnings("unchecked") // what the user put in is what comes out
final class ObjectEdge<K, V> implements Edge<K, V, Object, Object> {
  @Override
  public Object storedKey(K key) {
    return key;
  }

  @Override
  public int hash(Object key) {
    return ObjectTables.hash(key);
  }

  @Override
  public Object storedValue(V value) {
    return value;
  }

  @Override
  public K key(Object stored) {
    return (K) stored;
  }

  @Override
  public V value(Object stored) {
    return (V) stored;
  }

  @Override
  public @Nullable V get(CacheEngine<Object, Object> engine, K key) {
    return (V) engine.readObject(key, hash(key));
  }

  @Override
  public @Nullable Object tryPut(CacheEngine<Object, Object> engine, K key, V value) {
    return engine.putObject(key, hash(key), value);
  }

  @Override
  public boolean isEqual(Object expected, Object stored) {
    return Objects.deepEquals(expected, stored);
  }

  @Override
  public EdgeCall<K, V, Object, Object> call() {
    return new ObjectCall<>();
  }

  @Override
  public CacheConfig shown(CacheConfig config) {
    return config;
  }
}
