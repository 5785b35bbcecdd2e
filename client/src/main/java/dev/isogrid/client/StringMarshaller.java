package dev.isogrid.client;

import dev.isogrid.api.Marshaller;
import dev.isogrid.wire.MediaTypes;
import java.nio.charset.StandardCharsets;

/** Strings as UTF-8, of {@code text/plain}: the format of clients in other languages. */
public final class StringMarshaller implements Marshaller<Object> {
  /** Makes a marshaller; all are the same. */
  public StringMarshaller() {}

  @Override
  public String mediaType() {
    return MediaTypes.TEXT_PLAIN;
  }

  @Override
  public byte[] toBytes(Object object) {
    if (object instanceof String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    throw new MarshallingException("not a String: class=" + object.getClass().getName(), null);
  }

  @Override
  public Object fromBytes(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
