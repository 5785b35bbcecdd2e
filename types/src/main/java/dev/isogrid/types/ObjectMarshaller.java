package dev.isogrid.types;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.Marshaller;
import dev.isogrid.wire.MediaTypes;
import java.io.IOException;
import java.util.List;
import org.infinispan.protostream.ProtobufUtil;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.protostream.SerializationContextInitializer;
import org.infinispan.protostream.types.java.CommonContainerTypesSchema;
import org.infinispan.protostream.types.java.CommonTypesSchema;

/**
 * Objects as ProtoStream's wrapped messages: the same bytes as Infinispan's clients write.
 * Thread-safe.
 */
public final class ObjectMarshaller implements Marshaller<Object> {
  private final List<SerializationContextInitializer> initializers;
  private final SchemaRegistry registry;
  private final SerializationContext context;

  /**
   * One that keeps the schemas of types in this process, until {@link #withRegistry} gives it
   * another place.
   *
   * @param initializers of the caller's own types, as ProtoStream's annotation processor makes them
   */
  public ObjectMarshaller(SerializationContextInitializer... initializers) {
    this(List.of(initializers), new SchemasInMemory());
  }

  private ObjectMarshaller(
      List<SerializationContextInitializer> initializers, SchemaRegistry registry) {
    this.initializers = initializers;
    this.registry = registry;
    context = ProtobufUtil.newSerializationContext();
    register(new CommonTypesSchema());
    register(new CommonContainerTypesSchema());
    initializers.forEach(this::register);
  }

  private void register(SerializationContextInitializer initializer) {
    initializer.registerSchema(context);
    initializer.registerMarshallers(context);
  }

  /** The same for the types of a cluster or server: with its schemas. */
  public ObjectMarshaller withRegistry(SchemaRegistry other) {
    return new ObjectMarshaller(initializers, other);
  }

  @Override
  public byte[] toBytes(Object object) {
    try {
      return ProtobufUtil.toWrappedByteArray(context, object);
    } catch (IOException | RuntimeException cause) {
      throw new InvalidRequestException(
          "no marshaller: type=" + object.getClass().getName(), cause);
    }
  }

  @Override
  public Object fromBytes(byte[] bytes) {
    return fromBytes(bytes, 0, bytes.length);
  }

  /**
   * The object that a part of an array stands for; nothing of the array is kept.
   *
   * @throws InvalidRequestException if it is none
   */
  public Object fromBytes(byte[] array, int offset, int length) {
    try {
      return ProtobufUtil.fromWrappedByteArray(context, array, offset, length);
    } catch (IOException | RuntimeException cause) {
      throw new InvalidRequestException("not the bytes of a known type: bytes=" + length, cause);
    }
  }

  @Override
  public String mediaType() {
    return MediaTypes.PROTOSTREAM;
  }
}
