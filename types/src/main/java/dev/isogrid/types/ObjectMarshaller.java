package dev.isogrid.types;

import dev.isogrid.api.GridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.Marshaller;
import dev.isogrid.wire.MediaTypes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.infinispan.protostream.GeneratedSchema;
import org.infinispan.protostream.ProtobufUtil;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.protostream.SerializationContextInitializer;
import org.infinispan.protostream.types.java.CommonContainerTypesSchema;
import org.infinispan.protostream.types.java.CommonTypesSchema;
import org.jspecify.annotations.Nullable;

/**
 * Objects as ProtoStream's wrapped messages: the same bytes as Infinispan's clients write.
 * Thread-safe.
 *
 * <p>Without any preparation it takes boxed primitives, {@code String}, {@code byte[]}, arrays of
 * primitives and strings, enums, records, sealed interfaces of records, lists, sets, maps, {@code
 * Optional}, {@code UUID}, {@code BigInteger}, {@code BigDecimal}, {@code URI} and the classes of
 * {@code java.time}, and these within each other. It takes the types of ProtoStream initializers
 * that it is given, by themselves and in records.
 *
 * <p>The schema of a record or enum follows from its components. At the first use of a class its
 * schema is read from the {@link SchemaRegistry}, extended by what the class has more, and written
 * back; that can block. A component goes by its name: it keeps its number for ever. A component
 * that a message lacks is null, zero or empty, or has the value of the record that a static method
 * {@code defaults()} without parameters returns.
 *
 * <p>Bytes name the class that they are of. It is looked for by the loader that was given, else by
 * the context class loader of the calling thread, else among the classes that this marshaller wrote
 * before. Only records, enums and sealed interfaces are taken, so nothing but their constructors
 * runs. Damaged bytes give an {@link InvalidRequestException}, never another failure; messages can
 * be nested 100 deep.
 *
 * <p>Equal objects give equal bytes, with these exceptions: a sorted or linked set or map equals
 * one of another class with the same elements, but has other bytes; a {@code LinkedList} equals an
 * {@code ArrayList}, but has other bytes; and a record of a version with more components has more
 * bytes. Keys should not have such components.
 */
public final class ObjectMarshaller implements Marshaller<Object> {
  /** Bytes that most objects have room in. */
  private static final int SIZE_EXPECTED = 128;

  private final List<SerializationContextInitializer> initializers;
  private final SchemaRegistry registry;
  private final @Nullable ClassLoader loader;
  private final SerializationContext context;
  private final Map<String, String> userFiles = new LinkedHashMap<>();
  private final Codecs codecs;
  private final WrappedCodec wrapped;

  /**
   * One that keeps the schemas of types in this process, until {@link #withRegistry} gives it
   * another place.
   *
   * @param initializers of the caller's own types, as ProtoStream's annotation processor makes them
   */
  public ObjectMarshaller(SerializationContextInitializer... initializers) {
    this(List.of(initializers), new SchemasInMemory(), null);
  }

  /**
   * One that finds the classes of bytes by a loader.
   *
   * @param loader of the records and enums
   * @param initializers of the caller's own types
   */
  public ObjectMarshaller(ClassLoader loader, SerializationContextInitializer... initializers) {
    this(List.of(initializers), new SchemasInMemory(), Objects.requireNonNull(loader, "loader"));
  }

  private ObjectMarshaller(
      List<SerializationContextInitializer> initializers,
      SchemaRegistry registry,
      @Nullable ClassLoader loader) {
    this.initializers = initializers;
    this.registry = registry;
    this.loader = loader;
    context = ProtobufUtil.newSerializationContext();
    register(new CommonTypesSchema());
    register(new CommonContainerTypesSchema());
    initializers.forEach(this::registerUser);
    codecs = new Codecs(context, new SchemaPublisher(registry, userFiles), loader);
    wrapped = codecs.wrapped();
  }

  private void register(SerializationContextInitializer initializer) {
    initializer.registerSchema(context);
    initializer.registerMarshallers(context);
  }

  private void registerUser(SerializationContextInitializer initializer) {
    register(initializer);
    if (initializer instanceof GeneratedSchema schema) {
      userFiles.put(schema.getProtoFileName(), schema.getProtoFile());
    }
  }

  /** The same for the types of a cluster or server: with its schemas. */
  public ObjectMarshaller withRegistry(SchemaRegistry other) {
    return new ObjectMarshaller(initializers, Objects.requireNonNull(other, "registry"), loader);
  }

  /**
   * The schema files of a class and all that its values contain, by name, as they would be in the
   * registry after the class's first use. Writes nothing. For an administrator who uploads schemas
   * for programs that may not write them.
   *
   * @param type a record, an enum or a sealed interface of records
   * @return the files in an order in which they can be uploaded
   * @throws InvalidRequestException if the class has no schema, or one that does not fit what the
   *     registry has
   */
  public Map<String, String> schemas(Class<?> type) {
    if (!codecs.types().element(type).isOwn()) {
      throw new InvalidRequestException(
          "class without a schema of its own: class=%s; give a record, enum or sealed interface"
              .formatted(type.getName()));
    }
    SchemasTried tried = new SchemasTried(registry);
    new SchemaPublisher(tried, userFiles).publish(new SchemaPlan(codecs.types(), type));
    return tried.written();
  }

  /**
   * The text of the schema file that defines a class; see {@link #schemas} for those that it
   * imports.
   *
   * @param type a record, an enum or a sealed interface of records
   * @throws InvalidRequestException as for {@link #schemas}
   */
  public String schemaOf(Class<?> type) {
    String name = TypeNames.of(type);
    for (Map.Entry<String, String> file : schemas(type).entrySet()) {
      if (SchemaText.parse(file.getKey(), file.getValue()).bodies.containsKey(name)) {
        return file.getValue();
      }
    }
    throw new IllegalStateException("schema without the class: " + name);
  }

  /**
   * The bytes of an object. The caller owns the array.
   *
   * @throws InvalidRequestException if the object or a part of it is of a class that has no
   *     message; the error names the class and the ways out
   * @throws GridException if the registry fails
   */
  @Override
  public byte[] toBytes(Object object) {
    Objects.requireNonNull(object, "object");
    MessageWriter out = new MessageWriter(SIZE_EXPECTED);
    try {
      wrapped.writeBody(out, object);
    } catch (GridException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new InvalidRequestException(
          "object can't be written: type=%s; a part of it fails: %s"
              .formatted(object.getClass().getName(), e),
          e);
    }
    return out.toBytes();
  }

  @Override
  public Object fromBytes(byte[] bytes) {
    return fromBytes(bytes, 0, bytes.length);
  }

  /**
   * The object that a part of an array stands for; nothing of the array is kept.
   *
   * @throws InvalidRequestException if it is none
   * @throws GridException if the registry fails
   */
  public Object fromBytes(byte[] array, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, array.length);
    Object object;
    try {
      object = wrapped.readBody(new MessageReader(array, offset, length));
    } catch (GridException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new InvalidRequestException(
          "not the bytes of a known type: bytes=%d; %s".formatted(length, e), e);
    }
    if (object == null) {
      throw MessageReader.malformed("no value, bytes=" + length);
    }
    return object;
  }

  @Override
  public String mediaType() {
    return MediaTypes.PROTOSTREAM;
  }
}
