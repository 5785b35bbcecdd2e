package dev.isogrid.client;

import dev.isogrid.api.Marshaller;
import dev.isogrid.wire.MediaTypes;

/** Arrays of bytes as they are. */
public final class BytesMarshaller implements Marshaller<Object> {
  /** Makes a marshaller; all are the same. */
  public BytesMarshaller() {}

  @Override
  public String mediaType() {
    return MediaTypes.OCTET_STREAM;
  }

  @Override
  public byte[] toBytes(Object object) {
    if (object instanceof byte[] bytes) {
      return bytes;
    }
    throw new MarshallingException("not a byte[]: class=" + object.getClass().getName(), null);
  }

  @Override
  public Object fromBytes(byte[] bytes) {
    return bytes;
  }
}
