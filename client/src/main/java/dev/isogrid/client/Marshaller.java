package dev.isogrid.client;

/** Turns keys and values into bytes and back. Thread-safe. */
public interface Marshaller {
  /** The media type of the bytes, such as {@code application/x-protostream}. */
  String mediaType();

  /**
   * The bytes of an object; equal keys must have equal bytes.
   *
   * @throws MarshallingException if it is of a type that is not known
   */
  byte[] toBytes(Object object);

  /**
   * The object of some bytes.
   *
   * @throws MarshallingException if they are not the bytes of an object
   */
  Object fromBytes(byte[] bytes);
}
