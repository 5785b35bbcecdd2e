package dev.isogrid.node;

import dev.isogrid.store.EntryView;
import org.jspecify.annotations.Nullable;

/** A call on a cache that keeps the user's objects. */
final class ObjectCall<K, V> extends EdgeCall<K, V, Object, Object> {
  private @Nullable Object previous;

  @Override
  Object key(K key) {
    return key;
  }

  @Override
  Object value(V value) {
    return value;
  }

  @Override
  public void read(EntryView<Object, Object> entry) {
    previous = entry.value();
  }

  @Override
  @SuppressWarnings("unchecked") // what the user put in is what comes out
  @Nullable V previous() {
    return (V) previous;
  }

  @Override
  public void close() {
    // Nothing is kept for the next call.
  }
}
