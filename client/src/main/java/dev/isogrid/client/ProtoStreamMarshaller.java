package dev.isogrid.client;

import dev.isogrid.api.GridException;
import dev.isogrid.api.Marshaller;
import dev.isogrid.types.ObjectMarshaller;
import dev.isogrid.types.SchemaRegistry;
import dev.isogrid.wire.MediaTypes;
import org.infinispan.protostream.SerializationContextInitializer;

/**
 * Protocol buffers as ProtoStream wraps them: the same bytes as Infinispan's clients write.
 * Supports the types of {@link ObjectMarshaller}: records, enums, strings, numbers, dates,
 * collections and so on need no registration; other types need a generated {@link
 * SerializationContextInitializer}. A client keeps the schemas of records and enums with those of
 * its servers.
 */
public final class ProtoStreamMarshaller implements Marshaller<Object> {
  private final ObjectMarshaller objects;

  /** Creates one that knows the types of the initializers besides the usual ones. */
  public ProtoStreamMarshaller(SerializationContextInitializer... initializers) {
    this(new ObjectMarshaller(initializers));
  }

  /** Creates one for the same types as another one. */
  public ProtoStreamMarshaller(ObjectMarshaller objects) {
    this.objects = objects;
  }

  /** The same with schemas of another place. */
  ProtoStreamMarshaller withRegistry(SchemaRegistry registry) {
    return new ProtoStreamMarshaller(objects.withRegistry(registry));
  }

  @Override
  public String mediaType() {
    return MediaTypes.PROTOSTREAM;
  }

  @Override
  public byte[] toBytes(Object object) {
    try {
      return objects.toBytes(object);
    } catch (GridException cause) {
      throw new MarshallingException(String.valueOf(cause.getMessage()), cause);
    }
  }

  @Override
  public Object fromBytes(byte[] bytes) {
    try {
      return objects.fromBytes(bytes);
    } catch (GridException cause) {
      throw new MarshallingException(String.valueOf(cause.getMessage()), cause);
    }
  }
}
