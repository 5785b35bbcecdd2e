package dev.isogrid.client;

import org.jspecify.annotations.Nullable;

/** An operation on one key. Its body begins with the key. */
abstract class KeyOperation<T extends @Nullable Object> extends Operation<T> {
  private final byte[] key;

  KeyOperation(RequestFormat format, byte[] key) {
    super(format);
    this.key = key;
  }

  @Override
  void encode(RequestWriter out) {
    out.bytes(key);
  }

  @Override
  final byte[] routingKey() {
    return key;
  }

  @Override
  int size() {
    return key.length;
  }

  /** The key. */
  final byte[] key() {
    return key;
  }

  /** Reads a value of the cache. */
  final @Nullable Object value(ResponseReader in) {
    return in.object(format().values());
  }
}
