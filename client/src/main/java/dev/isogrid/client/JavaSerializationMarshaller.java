package dev.isogrid.client;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.Marshaller;
import java.util.List;

/** Java serialisation; only classes on an allow list are read. */
public final class JavaSerializationMarshaller implements Marshaller<Object> {
  private final dev.isogrid.types.JavaSerializationMarshaller objects;

  /**
   * Creates one.
   *
   * @param allowed names of classes, or packages as in {@code com.acme.*} and {@code com.acme.**};
   *     strings, boxed numbers and arrays of primitives need not be named
   */
  public JavaSerializationMarshaller(List<String> allowed) {
    objects = new dev.isogrid.types.JavaSerializationMarshaller(allowed);
  }

  @Override
  public String mediaType() {
    return objects.mediaType();
  }

  @Override
  public byte[] toBytes(Object object) {
    try {
      return objects.toBytes(object);
    } catch (InvalidRequestException cause) {
      throw new MarshallingException(String.valueOf(cause.getMessage()), cause);
    }
  }

  @Override
  public Object fromBytes(byte[] bytes) {
    try {
      return objects.fromBytes(bytes);
    } catch (InvalidRequestException cause) {
      throw new MarshallingException(String.valueOf(cause.getMessage()), cause);
    }
  }
}
