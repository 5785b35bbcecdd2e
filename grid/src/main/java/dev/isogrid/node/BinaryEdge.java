package dev.isogrid.node;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Marshaller;
import dev.isogrid.base.KeptCalls;
import dev.isogrid.codec.BuiltInMarshaller;
import dev.isogrid.codec.ReusedBytes;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.BytesWindow;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns the user's objects into bytes by marshallers. */
final class BinaryEdge<K, V> implements Edge<K, V, BinaryKey, Bytes> {
  private final Marshaller<K> keys;
  private final Marshaller<V> values;

  /** The marshallers that read objects where the bytes are; null for others. */
  private final @Nullable BuiltInMarshaller builtInOfKeys;

  private final @Nullable BuiltInMarshaller builtInOfValues;

  private final KeptCalls<BinaryCall<K, V>> calls =
      new KeptCalls<>(place -> new BinaryCall<>(this, place));

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
    return (K) builtIn.fromBytes(window.array(), window.offset(), window.length());
  }

  @Override
  public V value(Bytes stored) {
    BytesWindow window = new BytesWindow();
    window.point(stored);
    return value(window.array(), window.offset(), window.length());
  }

  /** The user's form of the value in a part of an array. */
  @SuppressWarnings("unchecked") // the marshaller's objects are the user's
  V value(byte[] array, int offset, int length) {
    BuiltInMarshaller builtIn = builtInOfValues;
    return builtIn == null
        ? values.fromBytes(Arrays.copyOfRange(array, offset, offset + length))
        : (V) builtIn.fromBytes(array, offset, length);
  }

  /** Writes a key to an array that is used again, or shows the marshaller's own there. */
  void writeKey(K key, ReusedBytes target) {
    write(keys, builtInOfKeys, key, target);
  }

  /** As {@link #writeKey}, for a value. */
  void writeValue(V value, ReusedBytes target) {
    write(values, builtInOfValues, value, target);
  }

  private static <O> void write(
      Marshaller<O> any, @Nullable BuiltInMarshaller builtIn, O object, ReusedBytes target) {
    if (builtIn == null) {
      target.show(any.toBytes(object));
    } else {
      builtIn.write(object, target);
    }
  }

  @Override
  public @Nullable V get(CacheEngine<BinaryKey, Bytes> engine, K key) {
    BinaryCall<K, V> call = calls.take();
    try {
      BinaryKey stored = call.key(key);
      return engine.readValue(stored, stored.hash(), call.reader());
    } finally {
      call.close();
    }
  }

  /*
   * A record with an array, or a list of arrays, does not equal what is read of it: each read makes
   * new arrays. Its bytes are the same, so a caller can replace what it has read.
   */
  @Override
  @SuppressWarnings("unchecked") // of the same class as a value
  public boolean isEqual(Object expected, Bytes stored) {
    V value = value(stored);
    if (Objects.deepEquals(expected, value)) {
      return true;
    }
    return value != null
        && value.getClass().equals(expected.getClass())
        && Arrays.equals(values.toBytes((V) expected), stored.toByteArray());
  }

  @Override
  public EdgeCall<K, V, BinaryKey, Bytes> call() {
    return calls.take();
  }

  /** Ends a call, which may be given to another caller then. */
  void giveBack(int place) {
    calls.giveBack(place);
  }
}
