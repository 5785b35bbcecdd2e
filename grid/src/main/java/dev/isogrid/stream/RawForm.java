package dev.isogrid.stream;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;

/** Form for callers that work on bytes only: keys and values stay as they are stored. */
final class RawForm implements EntryForm<BinaryKey, Bytes, BinaryKey, Bytes> {
  static final RawForm INSTANCE = new RawForm();

  private RawForm() {}

  @Override
  public BinaryKey storedKey(BinaryKey key) {
    return key;
  }

  @Override
  public int hash(BinaryKey key) {
    return key.hash();
  }

  @Override
  public Bytes storedValue(Bytes value) {
    return value;
  }

  @Override
  public BinaryKey key(BinaryKey stored) {
    return stored;
  }

  @Override
  public Bytes value(Bytes stored) {
    return stored;
  }
}
