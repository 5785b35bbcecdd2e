package dev.isogrid.node;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Marshaller;
import dev.isogrid.codec.ScalarMarshaller;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.BytesWindow;
import org.jspecify.annotations.Nullable;

/** Turns the user's objects into bytes by marshallers. */
final class BinaryEdge<K, V> implements Edge<K, V, BinaryKey, Bytes> {
  private final Marshaller<K> keys;
  private final Marshaller<V> values;
  private final boolean keysAreScalars;
  private final boolean valuesAreScalars;

  private BinaryEdge(Marshaller<K> keys, Marshaller<V> values) {
    this.keys = keys;
    this.values = values;
    this.keysAreScalars = keys instanceof ScalarMarshaller;
    this.valuesAreScalars = values instanceof ScalarMarshaller;
  }

  /** The marshallers that a cache is configured with, or the built-in one. */
  @SuppressWarnings("unchecked") // the types are the user's promise, as the API says
  static <K, V> BinaryEdge<K, V> of(CacheConfig config) {
    Marshaller<?> keys = config.keyMarshaller();
    Marshaller<?> values = config.valueMarshaller();
    return new BinaryEdge<>(
        (Marshaller<K>) (keys == null ? ScalarMarshaller.INSTANCE : keys),
        (Marshaller<V>) (values == null ? ScalarMarshaller.INSTANCE : values));
  }

  @Override
  public BinaryKey storedKey(K key) {
    return BinaryKey.of(keys.toBytes(key));
  }

  @Override
  public int hash(BinaryKey key) {
    return key.hash();
  }

  @Override
  public Bytes storedValue(V value) {
    return Bytes.of(values.toBytes(value));
  }

  @Override
  @SuppressWarnings("unchecked") // the marshaller's objects are the user's
  public K key(BinaryKey stored) {
    if (!keysAreScalars) {
      return keys.fromBytes(stored.toByteArray());
    }
    BytesWindow window = new BytesWindow();
    window.point(stored);
    return (K) scalar(window);
  }

  @Override
  @SuppressWarnings("unchecked") // the marshaller's objects are the user's
  public V value(Bytes stored) {
    if (!valuesAreScalars) {
      return values.fromBytes(stored.toByteArray());
    }
    BytesWindow window = new BytesWindow();
    window.point(stored);
    return (V) scalar(window);
  }

  /** The built-in marshaller's object, read where the bytes are. */
  private static Object scalar(BytesWindow window) {
    return ScalarMarshaller.INSTANCE.fromBytes(window.array(), window.offset(), window.length());
  }

  @Override
  public @Nullable V get(CacheEngine<BinaryKey, Bytes> engine, BinaryKey key) {
    byte[] value = engine.readBytes(key, key.hash());
    return value == null ? null : values.fromBytes(value);
  }
}
