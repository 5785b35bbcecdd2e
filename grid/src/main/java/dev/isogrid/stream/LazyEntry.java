package dev.isogrid.stream;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.io.Serial;
import java.io.Serializable;
import java.util.AbstractMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An entry of a stream as bytes, which become objects on demand. Immutable to its users. */
final class LazyEntry<K, V> implements Map.Entry<K, V>, Serializable {
  private static final long serialVersionUID = 1;

  private final transient EntryForm<K, V, BinaryKey, Bytes> form;
  final transient byte[] keyBytes;
  final transient byte[] valueBytes;
  private transient @Nullable K key;
  private transient @Nullable V value;

  /** Takes the arrays. */
  LazyEntry(EntryForm<K, V, BinaryKey, Bytes> form, byte[] keyBytes, byte[] valueBytes) {
    this.form = form;
    this.keyBytes = keyBytes;
    this.valueBytes = valueBytes;
  }

  @Override
  public K getKey() {
    K known = key;
    if (known == null) {
      known = form.key(BinaryKey.of(keyBytes));
      key = known;
    }
    return known;
  }

  @Override
  public V getValue() {
    V known = value;
    if (known == null) {
      known = form.value(Bytes.of(valueBytes));
      value = known;
    }
    return known;
  }

  /** Always fails: a stream shows entries as they were. */
  @Override
  public V setValue(V changed) {
    throw new UnsupportedOperationException("entries of streams can't be changed; use the cache");
  }

  /** Replaces this in messages by an entry of objects. */
  @Serial
  private Object writeReplace() {
    return new AbstractMap.SimpleImmutableEntry<>(getKey(), getValue());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Map.Entry<?, ?> entry
        && getKey().equals(entry.getKey())
        && getValue().equals(entry.getValue());
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(getKey()) ^ Objects.hashCode(getValue());
  }

  @Override
  public String toString() {
    return getKey() + "=" + getValue();
  }
}
