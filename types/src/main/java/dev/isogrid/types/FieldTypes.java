package dev.isogrid.types;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.types.FieldType.Element;
import dev.isogrid.types.FieldType.Kind;
import dev.isogrid.types.FieldType.Shape;
import java.lang.invoke.MethodType;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.infinispan.protostream.EnumMarshaller;
import org.infinispan.protostream.ImmutableSerializationContext;
import org.jspecify.annotations.Nullable;

/** Finds the form of components. Thread-safe. */
final class FieldTypes {
  /** ProtoStream's message for a value of any type. */
  static final String WRAPPED_NAME = "org.infinispan.protostream.WrappedMessage";

  /** ProtoStream's file that defines it; every server knows it. */
  static final String WRAPPED_FILE = "org/infinispan/protostream/message-wrapping.proto";

  private static final Element WRAPPED =
      new Element(Object.class, Kind.WRAPPED, WRAPPED_NAME, WRAPPED_FILE);

  private final ImmutableSerializationContext context;

  /**
   * Creates one.
   *
   * @param context has the user's types
   */
  FieldTypes(ImmutableSerializationContext context) {
    this.context = context;
  }

  /**
   * The form of a component.
   *
   * @throws InvalidRequestException if there is none
   */
  FieldType of(Type type) {
    Class<?> raw = raw(type);
    if (raw.isArray() && raw != byte[].class) {
      Type component =
          type instanceof GenericArrayType array
              ? array.getGenericComponentType()
              : raw.getComponentType();
      return new FieldType(Shape.REPEATED, raw, element(component), null);
    }
    if (Collection.class.isAssignableFrom(raw)) {
      CollectionTypes.checkCollection(raw);
      return new FieldType(Shape.REPEATED, raw, element(argument(type, 0)), null);
    }
    if (Map.class.isAssignableFrom(raw)) {
      CollectionTypes.checkMap(raw);
      Element key = element(argument(type, 0));
      return new FieldType(Shape.MAP, raw, element(argument(type, 1)), key);
    }
    if (raw == Optional.class) {
      return new FieldType(Shape.OPTIONAL, raw, element(argument(type, 0)), null);
    }
    return new FieldType(Shape.SINGLE, raw, element(type), null);
  }

  private static Type argument(Type type, int index) {
    return type instanceof ParameterizedType generic
        ? generic.getActualTypeArguments()[index]
        : Object.class;
  }

  private static Class<?> raw(Type type) {
    if (type instanceof Class<?> c) {
      return c;
    }
    if (type instanceof ParameterizedType generic) {
      return (Class<?>) generic.getRawType();
    }
    if (type instanceof GenericArrayType array) {
      return raw(array.getGenericComponentType()).arrayType();
    }
    if (type instanceof WildcardType wildcard) {
      return raw(wildcard.getUpperBounds()[0]);
    }
    return raw(((TypeVariable<?>) type).getBounds()[0]);
  }

  private Element element(Type type) {
    Class<?> raw = raw(type);
    boolean isContainer =
        (raw.isArray() && raw != byte[].class)
            || Collection.class.isAssignableFrom(raw)
            || Map.class.isAssignableFrom(raw)
            || raw == Optional.class;
    return isContainer ? WRAPPED : element(MethodType.methodType(raw).wrap().returnType());
  }

  /**
   * The form of a value of a class that contains no others, in a message or by itself.
   *
   * @throws InvalidRequestException if there is none
   */
  Element element(Class<?> type) {
    String scalar = Scalars.nameOf(type);
    if (scalar != null) {
      return new Element(type, Kind.SCALAR, scalar, null);
    }
    JavaTypes.JavaType java = JavaTypes.of(type);
    if (java != null) {
      return new Element(type, Kind.JAVA, java.typeName(), java.file());
    }
    Element user = userElement(type);
    if (user != null) {
      return user;
    }
    if (type.isEnum()) {
      return new Element(type, Kind.ENUM, TypeNames.of(type), null);
    }
    if (type.isRecord()) {
      return new Element(type, Kind.RECORD, TypeNames.of(type), null);
    }
    if (!leaves(type).isEmpty()) {
      return new Element(type, Kind.SEALED, TypeNames.of(type), null);
    }
    if (type.isInterface() || Modifier.isAbstract(type.getModifiers()) || type == Object.class) {
      return WRAPPED;
    }
    throw Refusals.unknown(type);
  }

  private @Nullable Element userElement(Class<?> type) {
    if (!context.canMarshall(type)) {
      return null;
    }
    var marshaller = context.getMarshaller(type);
    String name = marshaller.getTypeName();
    Kind kind = marshaller instanceof EnumMarshaller ? Kind.USER_ENUM : Kind.USER_MESSAGE;
    String file = context.getDescriptorByName(name).getFileDescriptor().getName();
    return new Element(type, kind, name, file);
  }

  /**
   * The records and enums that a sealed interface permits, directly or through others, in the order
   * of the source.
   *
   * @return empty if it is no sealed interface, or permits other classes too
   */
  List<Class<?>> leaves(Class<?> type) {
    List<Class<?>> leaves = new ArrayList<>();
    if (!type.isInterface() || !type.isSealed()) {
      return leaves;
    }
    List<Class<?>> open = new ArrayList<>(List.of(type));
    while (!open.isEmpty()) {
      Class<?> next = open.remove(0);
      if (next.isInterface() && next.isSealed()) {
        open.addAll(Arrays.asList(next.getPermittedSubclasses()));
      } else if ((next.isRecord() || next.isEnum()) && userElement(next) == null) {
        if (!leaves.contains(next)) {
          leaves.add(next);
        }
      } else {
        return new ArrayList<>();
      }
    }
    return leaves;
  }
}
