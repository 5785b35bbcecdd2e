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
    return fromBytes(bytes, 0, bytes.length);
  }

  /**
   * The object that a part of an array is; nothing of the array is kept.
   *
   * @throws InvalidRequestException if it is none
   */
  public Object fromBytes(byte[] array, int offset, int length) {
    Object object = WrappedScalar.toObject(array, offset, length);
    if (object == null) {
      throw new InvalidRequestException(
          ("not a ProtoStream string, byte[] or primitive: bytes=%d; configure the cache with a"
                  + " marshaller for what is in it")
              .formatted(length));
    }
    return object;
  }

  /**
   * The {@code Long}, {@code Integer}, {@code Short} or {@code Byte} that a part of an array is,
   * without an object.
   *
   * @throws InvalidRequestException if it is none
   */
  public static long toLong(byte[] array, int offset, int length) {
    if (!WrappedScalar.isWhole(array, offset, length)) {
      throw new InvalidRequestException(
          "not a whole number of the built-in marshaller: bytes=%d; read the bytes themselves"
              .formatted(length));
    }
    return WrappedScalar.toWhole(array, offset, length);
  }

  /**
   * The {@code Double} or {@code Float} that a part of an array is, without an object.
   *
   * @throws InvalidRequestException if it is none
   */
  public static double toDouble(byte[] array, int offset, int length) {
    if (!WrappedScalar.isFloating(array, offset, length)) {
      throw new InvalidRequestException(
          "not a double or float of the built-in marshaller: bytes=%d; read the bytes themselves"
              .formatted(length));
    }
    return WrappedScalar.toFloating(array, offset);
  }

  @Override
  public String mediaType() {
    return MediaTypes.PROTOSTREAM;
  }
}
