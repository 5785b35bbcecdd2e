package dev.isogrid.node;

import dev.isogrid.engine.StoreForm;

/**
 * The form of stores that take the objects of users. Thread-safe.
 *
 * @param <S> the container's kind of key
 * @param <T> the container's kind of value
 */
final class EdgeStoreForm<S, T> implements StoreForm<S, T> {
  private final Edge<Object, Object, S, T> edge;

  EdgeStoreForm(Edge<Object, Object, S, T> edge) {
    this.edge = edge;
  }

  @Override
  public Object outerKey(S key) {
    return edge.key(key);
  }

  @Override
  public Object outerValue(T value) {
    return edge.value(value);
  }

  @Override
  public S key(Object outer) {
    return edge.storedKey(outer);
  }

  @Override
  public T value(Object outer) {
    return edge.storedValue(outer);
  }

  @Override
  public int hash(S key) {
    return edge.hash(key);
  }
}
