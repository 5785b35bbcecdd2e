package dev.isogrid.node;

import dev.isogrid.engine.StoreForm;
import dev.isogrid.engine.StoredForm;

/**
 * The form of stores that take bytes. Thread-safe.
 *
 * @param <S> the container's kind of key
 * @param <T> the container's kind of value
 */
final class BytesStoreForm<S, T> implements StoreForm<S, T> {
  private final StoredForm<S, T> form;

  BytesStoreForm(StoredForm<S, T> form) {
    this.form = form;
  }

  @Override
  public Object outerKey(S key) {
    return form.stored(key).toByteArray();
  }

  @Override
  public Object outerValue(T value) {
    return form.storedValue(value).toByteArray();
  }

  @Override
  public S key(Object outer) {
    return form.key((byte[]) outer);
  }

  @Override
  public T value(Object outer) {
    return form.value((byte[]) outer);
  }

  @Override
  public int hash(S key) {
    return form.hash(key);
  }
}
