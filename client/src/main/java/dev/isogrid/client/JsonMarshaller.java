package dev.isogrid.client;

import dev.isogrid.api.Marshaller;
import dev.isogrid.wire.MediaTypes;
import java.nio.charset.StandardCharsets;

/**
 * Texts in JSON, {@code application/json}: servers convert between it and the form in which they
 * keep entries. The object of this marshaller is the text itself.
 */
public final class JsonMarshaller implements Marshaller<Object> {
  /** Makes a marshaller; all are the same. */
  public JsonMarshaller() {}

  @Override
  public String mediaType() {
    return MediaTypes.JSON;
  }

  @Override
  public byte[] toBytes(Object object) {
    if (object instanceof String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    throw new MarshallingException(
        "not a text of JSON: class=" + object.getClass().getName(), null);
  }

  @Override
  public Object fromBytes(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
