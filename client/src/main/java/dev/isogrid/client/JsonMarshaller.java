package dev.isogrid.client;

import dev.isogrid.wire.MediaTypes;
import java.nio.charset.StandardCharsets;

/**
 * Texts of JSON, of {@code application/json}: servers make them of what they keep in another form,
 * and the other way round. An object is the text; making objects of it is the user's.
 */
public final class JsonMarshaller implements Marshaller {
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
