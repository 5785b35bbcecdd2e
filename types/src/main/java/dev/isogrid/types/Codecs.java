package dev.isogrid.types;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.types.FieldType.Element;
import dev.isogrid.types.FieldType.Kind;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.infinispan.protostream.BaseMarshaller;
import org.infinispan.protostream.EnumMarshaller;
import org.infinispan.protostream.ImmutableSerializationContext;
import org.infinispan.protostream.descriptors.GenericDescriptor;
import org.jspecify.annotations.Nullable;

/** The codecs of all types of one marshaller, each made at its first use. Thread-safe. */
final class Codecs {
  /*
   * Making a codec can call the registry, which can block. No lock is held meanwhile: two threads
   * can make the same codec, which do the same; each thread finishes all that it refers to. Codecs
   * are kept with their classes, so that a class loader can be dropped while the marshaller lives.
   */

  /** The codec kept with a class. Fields are written by any thread, once. */
  private static final class Slot {
    volatile @Nullable WrappedForm form;
    volatile @Nullable Codec codec;
  }

  private final ClassValue<Slot> slots =
      new ClassValue<>() {
        @Override
        protected Slot computeValue(Class<?> type) {
          return new Slot();
        }
      };

  private final ImmutableSerializationContext context;
  private final SchemaPublisher publisher;
  private final FieldTypes types;
  private final ClassNames names;
  private final WrappedCodec wrapped;
  private final MapForms maps;

  /** Whether the schema of the JDK's classes is in the registry. Written by any thread. */
  private volatile boolean hasOwnTypes;

  Codecs(
      ImmutableSerializationContext context,
      SchemaPublisher publisher,
      @Nullable ClassLoader loader) {
    this.context = context;
    this.publisher = publisher;
    this.types = new FieldTypes(context);
    this.wrapped = new WrappedCodec(this);
    this.maps = new MapForms(wrapped);
    this.names = new ClassNames(loader, this::isMessage);
  }

  WrappedCodec wrapped() {
    return wrapped;
  }

  FieldTypes types() {
    return types;
  }

  /** Whether the codec of a class is derived from it. */
  private boolean isMessage(Class<?> type) {
    boolean isKind = type.isRecord() || type.isEnum() || !types.leaves(type).isEmpty();
    return isKind && types.element(type).isOwn();
  }

  /** The wrapped message of a class that is no scalar. */
  WrappedForm form(Class<?> type) {
    Slot slot = slots.get(type);
    WrappedForm form = slot.form;
    if (form == null) {
      form = newForm(type);
      slot.form = form;
    }
    return form;
  }

  private WrappedForm newForm(Class<?> type) {
    if (type == java.time.Instant.class) {
      return INSTANT;
    }
    JavaTypes.JavaType java = JavaTypes.of(type);
    if (java != null) {
      ensureOwnTypes(java.typeName());
      return new WrappedForm.Named(java.typeName(), java.typeId(), java.codec());
    }
    WrappedForm container = Containers.form(type, wrapped);
    if (container != null) {
      return container;
    }
    WrappedForm map = maps.form(type);
    if (map != null) {
      ensureOwnTypes(JavaTypes.OWN_PACKAGE);
      return map;
    }
    return namedForm(Enum.class.isAssignableFrom(type) && !type.isEnum() ? superclass(type) : type);
  }

  /** The enum of a constant with a body of its own. */
  private static Class<?> superclass(Class<?> type) {
    Class<?> parent = type.getSuperclass();
    return parent == null ? type : parent;
  }

  private WrappedForm namedForm(Class<?> type) {
    Element element = types.element(type);
    if (element.kind() == Kind.WRAPPED || element.kind() == Kind.SCALAR) {
      throw Refusals.unknown(type);
    }
    if (element.isOwn()) {
      names.add(type);
    }
    Integer id =
        element.isOwn() ? null : context.getDescriptorByName(element.schemaName()).getTypeId();
    return new WrappedForm.Named(
        element.schemaName(), id == null ? JavaTypes.NO_ID : id, codec(element));
  }

  private void ensureOwnTypes(String typeName) {
    if (!hasOwnTypes && typeName.startsWith(JavaTypes.OWN_PACKAGE)) {
      publisher.publishOwnTypes();
      hasOwnTypes = true;
    }
  }

  /** The name of a type that bytes name by a number. */
  String nameOfId(long id) {
    JavaTypes.JavaType java = JavaTypes.withId((int) id);
    if (java != null) {
      return java.typeName();
    }
    GenericDescriptor type = context.getDescriptorByTypeId((int) id);
    if (type == null) {
      throw new InvalidRequestException(
          "unknown type: id=%d; pass the ProtoStream initializer that has it".formatted(id));
    }
    return type.getFullName();
  }

  /**
   * The codec of a type that bytes name.
   *
   * @throws InvalidRequestException if there is no class for it here
   */
  Codec named(String name) {
    JavaTypes.JavaType java = JavaTypes.named(name);
    if (java != null) {
      return java.codec();
    }
    Class<?> type = names.find(name);
    if (type != null) {
      return own(type);
    }
    Codec map = maps.named(name);
    if (map != null) {
      return map;
    }
    if (context.canMarshall(name) && !name.equals(FieldTypes.WRAPPED_NAME)) {
      return userCodec(context.getMarshaller(name));
    }
    throw new InvalidRequestException(
        ("unknown type: name=%s; there is no record or enum of this name on the class path: add"
                + " it, or pass the ProtoStream initializer that has it")
            .formatted(name));
  }

  /** For a value of a type that is known, which only a newer version of it has. */
  InvalidRequestException unknownValue(String type) {
    return new InvalidRequestException(
        "value of a newer version: type=%s; upgrade this process".formatted(type));
  }

  private Codec userCodec(BaseMarshaller<?> marshaller) {
    return marshaller instanceof EnumMarshaller<?> enumeration
        ? enumCodec(enumeration)
        : new UserMessageCodec(context, marshaller.getJavaClass());
  }

  private static <E extends Enum<E>> Codec enumCodec(EnumMarshaller<E> marshaller) {
    return new UserEnumCodec<>(marshaller);
  }

  /** The codec of an element of a message. */
  private Codec codec(Element element) {
    return switch (element.kind()) {
      case WRAPPED -> wrapped;
      case SCALAR -> java.util.Objects.requireNonNull(Scalars.of(element.type()));
      case JAVA -> java.util.Objects.requireNonNull(JavaTypes.of(element.type())).codec();
      case USER_ENUM, USER_MESSAGE -> userCodec(context.getMarshaller((Class<?>) element.type()));
      case ENUM, RECORD, SEALED -> own(element.type());
    };
  }

  private Codec own(Class<?> type) {
    Slot slot = slots.get(type);
    Codec codec = slot.codec;
    if (codec == null) {
      make(type);
      codec = slot.codec;
    }
    if (codec == null) {
      throw new IllegalStateException("no codec was made: " + type);
    }
    return codec;
  }

  /** Makes the codecs of a class and of all that it contains. */
  private void make(Class<?> root) {
    SchemaPlan plan = new SchemaPlan(types, root);
    Map<String, Map<String, Integer>> numbers = publisher.publish(plan);
    Map<Class<?>, Codec> made = new HashMap<>(); // with those that were there before
    Map<Class<?>, Codec> unfinished = new LinkedHashMap<>();
    for (Class<?> type : plan.classes()) {
      Codec codec = slots.get(type).codec;
      if (codec == null) {
        codec = empty(type, numbersOf(type, numbers));
        unfinished.put(type, codec);
      }
      made.put(type, codec);
    }
    unfinished.forEach((type, codec) -> complete(type, codec, numbersOf(type, numbers), made));
    unfinished.forEach((type, codec) -> slots.get(type).codec = codec);
  }

  private static Map<String, Integer> numbersOf(
      Class<?> type, Map<String, Map<String, Integer>> numbers) {
    return numbers.getOrDefault(TypeNames.of(type), Map.of());
  }

  private static Codec empty(Class<?> type, Map<String, Integer> numbers) {
    if (type.isEnum()) {
      return new EnumCodec(type, numbers);
    }
    return type.isRecord() ? new RecordCodec(type) : new SealedCodec();
  }

  private void complete(
      Class<?> type, Codec codec, Map<String, Integer> numbers, Map<Class<?>, Codec> made) {
    if (codec instanceof RecordCodec record) {
      completeRecord(type, record, numbers, made);
    } else if (codec instanceof SealedCodec union) {
      SealedNames.of(types.leaves(type))
          .forEach((name, leaf) ->
              union.add(
                  new SealedCodec.Leaf(
                      leaf, number(numbers, type, name), codec(types.element(leaf), made))));
    }
  }

  private void completeRecord(
      Class<?> type, RecordCodec codec, Map<String, Integer> numbers, Map<Class<?>, Codec> made) {
    RecordShape shape = RecordShape.of(type);
    RecordComponent[] components = type.getRecordComponents();
    RecordField[] fields = new RecordField[components.length];
    for (int i = 0; i < fields.length; i++) {
      String name = components[i].getName();
      MethodHandle getter = shape.getters().get(i);
      var origin =
          new RecordField.Origin(type.getName(), name, number(numbers, type, name), getter);
      if (components[i].getType().isPrimitive()) {
        fields[i] = PrimitiveFields.of(components[i].getType(), origin);
      } else {
        FieldType field = types.of(components[i].getGenericType());
        Element key = field.key();
        fields[i] =
            ObjectFields.of(
                field, origin, codec(field.element(), made), key == null ? null : codec(key, made));
      }
    }
    codec.complete(shape, fields);
  }

  private static int number(Map<String, Integer> numbers, Class<?> type, String name) {
    Integer number = numbers.get(name);
    if (number == null || number <= 0 || number > Declaration.NULLS_NUMBER) {
      throw new InvalidRequestException(
          "field number out of range: record=%s, component=%s, number=%s, limit=%d; correct the"
                  .formatted(type.getName(), name, number, Declaration.NULLS_NUMBER)
              + " schema file");
    }
    return number;
  }

  private Codec codec(Element element, Map<Class<?>, Codec> made) {
    Codec codec = made.get(element.type());
    return codec == null || !element.isOwn() ? codec(element) : codec;
  }

  private static final WrappedForm INSTANT =
      new WrappedForm() {
        @Override
        void write(MessageWriter out, Object value) {
          java.time.Instant instant = (java.time.Instant) value;
          out.tag(WrappedTags.INSTANT_SECONDS);
          out.varint(instant.getEpochSecond());
          out.tag(WrappedTags.INSTANT_NANOS);
          out.varint(instant.getNano());
        }
      };
}
