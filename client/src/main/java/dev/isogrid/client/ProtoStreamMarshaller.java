package dev.isogrid.client;

import dev.isogrid.wire.MediaTypes;
import java.io.IOException;
import java.util.Arrays;
import org.infinispan.protostream.ProtobufUtil;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.protostream.SerializationContextInitializer;
import org.infinispan.protostream.types.java.CommonContainerTypesSchema;
import org.infinispan.protostream.types.java.CommonTypesSchema;

/**
 * Protocol buffers as ProtoStream wraps them: the same bytes as Infinispan's clients write.
 * Strings, primitive types, byte arrays, dates and the usual collections need nothing; other types
 * need a generated {@link SerializationContextInitializer}.
 */
public final class ProtoStreamMarshaller implements Marshaller {
  private final SerializationContext context;

  /** Creates one that knows the types of the initializers besides the usual ones. */
  public ProtoStreamMarshaller(SerializationContextInitializer... initializers) {
    context = ProtobufUtil.newSerializationContext();
    register(new CommonTypesSchema());
    register(new CommonContainerTypesSchema());
    Arrays.stream(initializers).forEach(this::register);
  }

  private void register(SerializationContextInitializer initializer) {
    initializer.registerSchema(context);
    initializer.registerMarshallers(context);
  }

  @Override
  public String mediaType() {
    return MediaTypes.PROTOSTREAM;
  }

  @Override
  public byte[] toBytes(Object object) {
    try {
      return ProtobufUtil.toWrappedByteArray(context, object);
    } catch (IOException | RuntimeException cause) {
      throw new MarshallingException(
          "not a type that ProtoStream knows: class=%s; pass its SerializationContextInitializer"
              .formatted(object.getClass().getName()),
          cause);
    }
  }

  @Override
  public Object fromBytes(byte[] bytes) {
    try {
      return ProtobufUtil.fromWrappedByteArray(context, bytes);
    } catch (IOException | RuntimeException cause) {
      throw new MarshallingException(
          "not the bytes of an object that ProtoStream knows: size=" + bytes.length, cause);
    }
  }
}
