package dev.isogrid.node;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Marshaller;
import dev.isogrid.codec.BuiltInMarshaller;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.BytesWindow;
import org.jspecify.annotations.Nullable;

/** Turns the user's objects into bytes by marshallers. */
final class BinaryEdge<K, V> implements Edge<K, V, BinaryKey, Bytes> {
  private final Marshaller<K> keys;
  private final Marshaller<V> values;

  /** The marshallers that read objects where the bytes are; null for others. */
  private final @Nullable BuiltInMarshaller builtInOfKeys;

  private final @Nullable BuiltInMarshaller builtInOfValues;

  private BinaryEdge(Marshaller<K> keys, Marshaller<V> values) {
    this.keys = keys;
    this.values = values;
    this.builtInOfKeys = keys instanceof BuiltInMarshaller builtIn ? builtIn : null;
    this.builtInOfValues = values instanceof BuiltInMarshaller builtIn ? builtIn : null;
  }

  /** An edge of these marshallers. */
  @SuppressWarnings("unchecked") // the types are the user's promise, as the API says
  static <K, V> BinaryEdge<K, V> of(Marshaller<?> keys, Marshaller<?> values) {
    return new BinaryEdge<>((Marshaller<K>) keys, (Marshaller<V>) values);
  }

  @Override
  public CacheConfig shown(CacheConfig config) {
    return config.toBuilder().keyMarshaller(keys).valueMarshaller(values).build();
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
    BuiltInMarshaller builtIn = builtInOfKeys;
    if (builtIn == null) {
      return keys.fromBytes(stored.toByteArray());
    }
    BytesWindow window = new BytesWindow();
    window.point(stored);
    return (K) object(builtIn, window);
  }

  @Override
  @SuppressWarnings("unchecked") // the marshaller's objects are the user's
  public V value(Bytes stored) {
    BuiltInMarshaller builtIn = builtInOfValues;
    if (builtIn == null) {
      return values.fromBytes(stored.toByteArray());
    }
    BytesWindow window = new BytesWindow();
    window.point(stored);
    return (V) object(builtIn, window);
  }

  private static Object object(BuiltInMarshaller builtIn, BytesWindow window) {
    return builtIn.fromBytes(window.array(), window.offset(), window.length());
  }

  @Override
  public @Nullable V get(CacheEngine<BinaryKey, Bytes> engine, BinaryKey key) {
    byte[] value = engine.readBytes(key, key.hash());
    return value == null ? null : values.fromBytes(value);
  }
}
