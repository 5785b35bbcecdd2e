package dev.isogrid.codec;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.Marshaller;
import dev.isogrid.wire.MediaTypes;

/**
 * The built-in marshaller: {@code String}, {@code byte[]} and the boxed primitives, in the bytes
 * that Hot Rod clients in Java write by default.
 */
public final class ScalarMarshaller implements Marshaller<Object> {
  /** The one instance; it has no state. */
  public static final ScalarMarshaller INSTANCE = new ScalarMarshaller();

  private ScalarMarshaller() {}

  @Override
  public byte[] toBytes(Object object) {
    byte[] bytes = WrappedScalar.of(object);
    if (bytes == null) {
      throw new InvalidRequestException(
          ("no marshaller: type=%s; use a String, byte[] or boxed primitive, or configure the cache"
                  + " with a marshaller for this type")
              .formatted(object.getClass().getName()));
    }
    return bytes;
  }

  @Override
  public Object fromBytes(byte[] bytes) {
    Object object = WrappedScalar.toObject(bytes);
    if (object == null) {
      throw new InvalidRequestException(
          ("not a ProtoStream string, byte[] or primitive: bytes=%d; configure the cache with a"
                  + " marshaller for what is in it")
              .formatted(bytes.length));
    }
    return object;
  }

  @Override
  public String mediaType() {
    return MediaTypes.PROTOSTREAM;
  }
}
