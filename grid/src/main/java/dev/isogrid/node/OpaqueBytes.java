package dev.isogrid.node;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Marshaller;

/** Leaves bytes as they are. Thread-safe. */
final class OpaqueBytes implements Marshaller<byte[]> {
  static final OpaqueBytes INSTANCE = new OpaqueBytes();

  private OpaqueBytes() {}

  @Override
  public byte[] toBytes(byte[] object) {
    return object.clone();
  }

  @Override
  public byte[] fromBytes(byte[] bytes) {
    return bytes.clone();
  }

  @Override
  public String mediaType() {
    return CacheConfig.UNKNOWN_MEDIA_TYPE;
  }
}
