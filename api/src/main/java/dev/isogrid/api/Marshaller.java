package dev.isogrid.api;

/**
 * Turns objects into bytes and back, for caches that keep bytes. Must be thread-safe, and must give
 * equal bytes for equal keys: a key is found by its bytes.
 *
 * @param <T> the type that it handles
 */
public interface Marshaller<T> {
  /**
   * The bytes of an object. The caller owns the array.
   *
   * @throws InvalidRequestException if the object is of a kind that this marshaller can't handle
   */
  byte[] toBytes(T object);

  /**
   * The object that these bytes stand for.
   *
   * @param bytes borrowed: valid during the call only, not to be changed
   * @throws InvalidRequestException if the bytes are not such an object
   */
  T fromBytes(byte[] bytes);

  /** The media type of the bytes, such as {@code application/json}. */
  String mediaType();
}
