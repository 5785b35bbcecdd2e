package dev.isogrid.node;

import dev.isogrid.engine.StoredForm;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.ObjectTables;

/** The form of caches that keep objects: what marshallers make of them. Thread-safe. */
final class ObjectStoredForm implements StoredForm<Object, Object> {
  private final BinaryEdge<Object, Object> edge;

  ObjectStoredForm(BinaryEdge<Object, Object> edge) {
    this.edge = edge;
  }

  @Override
  public BinaryKey stored(Object key) {
    return edge.storedKey(key);
  }

  @Override
  public Bytes storedValue(Object value) {
    return edge.storedValue(value);
  }

  @Override
  public Object key(byte[] stored) {
    return edge.key(BinaryKey.of(stored));
  }

  @Override
  public Object value(byte[] stored) {
    return edge.value(Bytes.of(stored));
  }

  @Override
  public int hash(Object key) {
    return ObjectTables.hash(key);
  }

  @Override
  public boolean hasLastingHash() {
    return false;
  }
}
