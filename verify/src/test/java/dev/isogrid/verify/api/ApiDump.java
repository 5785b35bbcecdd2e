package dev.isogrid.verify.api;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the visible parts of some types: one line per member, in a stable order. Names are short
 * where they are unambiguous. Implied parts (the accessors of a record, {@code public abstract} in
 * an interface) are left out.
 */
final class ApiDump {
  private ApiDump() {}

  /** The dump of the visible ones of {@code types}. */
  static String of(Collection<Class<?>> types) {
    return types.stream()
        .filter(ApiDump::isVisible)
        .sorted(Comparator.comparing(Class::getName))
        .map(ApiDump::type)
        .collect(Collectors.joining("\n"));
  }

  private static boolean isVisible(Class<?> type) {
    Class<?> outer = type.getDeclaringClass();
    return isVisible(type.getModifiers())
        && !type.isAnonymousClass()
        && !type.isLocalClass()
        && (outer == null || isVisible(outer));
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static String type(Class<?> type) {
    List<String> lines = new ArrayList<>();
    visible(type.getDeclaredFields()).map(ApiDump::field).forEach(lines::add);
    visible(type.getDeclaredConstructors()).map(ApiDump::constructor).forEach(lines::add);
    visible(type.getDeclaredMethods())
        .filter(method -> !isImplied(method))
        .map(ApiDump::method)
        .forEach(lines::add);
    String body = lines.stream().map(line -> "  " + line + "\n").collect(Collectors.joining());
    return shorten(header(type) + " {\n" + body + "}\n", type.getPackageName());
  }

  private static <T extends Member> Stream<T> visible(T[] members) {
    return Arrays.stream(members)
        .filter(member -> isVisible(member.getModifiers()) && !member.isSynthetic())
        .sorted(Comparator.comparing(Member::getName).thenComparing(Object::toString));
  }

  private static boolean isImplied(Method method) {
    Class<?> type = method.getDeclaringClass();
    boolean ofObject = List.of("equals", "hashCode", "toString").contains(method.getName());
    boolean ofEnum = List.of("values", "valueOf").contains(method.getName());
    boolean ofRecord =
        type.isRecord()
            && Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getAccessor)
                .anyMatch(method::equals);
    return ofObject || ofRecord || (type.isEnum() && ofEnum);
  }

  private static String header(Class<?> type) {
    StringBuilder out = new StringBuilder();
    out.append(deprecated(type)).append(words(type.getModifiers(), impliedModifiers(type)));
    out.append(type.isSealed() ? "sealed " : "").append(kind(type)).append(' ');
    out.append(type.getName()).append(typeParameters(type.getTypeParameters()));
    if (type.isRecord()) {
      out.append(
          Arrays.stream(type.getRecordComponents())
              .map(part -> part.getAnnotatedType() + " " + part.getName())
              .collect(Collectors.joining(", ", "(", ")")));
    }
    if (kind(type).equals("class") && type.getSuperclass() != Object.class) {
      out.append(" extends ").append(type.getAnnotatedSuperclass());
    }
    out.append(
        list(type.isInterface() ? " extends " : " implements ", type.getAnnotatedInterfaces()));
    if (type.isSealed()) {
      out.append(
          Arrays.stream(type.getPermittedSubclasses())
              .map(Class::getName)
              .collect(Collectors.joining(", ", " permits ", "")));
    }
    return out.toString();
  }

  private static String kind(Class<?> type) {
    if (type.isInterface()) {
      return type.isAnnotation() ? "@interface" : "interface";
    }
    return type.isRecord() ? "record" : type.isEnum() ? "enum" : "class";
  }

  private static int impliedModifiers(Class<?> type) {
    return switch (kind(type)) {
      case "class" -> 0;
      case "record", "enum" -> Modifier.STATIC | Modifier.FINAL | Modifier.ABSTRACT;
      default -> Modifier.STATIC | Modifier.ABSTRACT | Modifier.INTERFACE;
    };
  }

  private static String field(Field field) {
    int implied = field.getDeclaringClass().isInterface() ? field.getModifiers() : 0;
    String words = field.isEnumConstant() ? "" : words(field.getModifiers(), implied);
    return deprecated(field) + words + field.getAnnotatedType() + " " + field.getName();
  }

  private static String constructor(Constructor<?> constructor) {
    return deprecated(constructor)
        + words(constructor.getModifiers(), 0)
        + typeParameters(constructor.getTypeParameters())
        + "<init>"
        + signature(constructor);
  }

  private static String method(Method method) {
    boolean inInterface = method.getDeclaringClass().isInterface();
    String parameters = typeParameters(method.getTypeParameters());
    // For a method, the bits of volatile and transient mean bridge and varargs.
    int implied = Modifier.VOLATILE | Modifier.TRANSIENT;
    return deprecated(method)
        + words(
            method.getModifiers(),
            implied | (inInterface ? Modifier.PUBLIC | Modifier.ABSTRACT : 0))
        + (method.isDefault() ? "default " : "")
        + (parameters.isEmpty() ? "" : parameters + " ")
        + method.getAnnotatedReturnType()
        + " "
        + method.getName()
        + signature(method);
  }

  private static String signature(Executable executable) {
    return Arrays.stream(executable.getAnnotatedParameterTypes())
            .map(AnnotatedType::toString)
            .collect(Collectors.joining(", ", "(", ")"))
        + list(" throws ", executable.getAnnotatedExceptionTypes());
  }

  private static String typeParameters(TypeVariable<?>[] variables) {
    return variables.length == 0
        ? ""
        : Arrays.stream(variables)
            .map(variable -> variable + list(" extends ", variable.getAnnotatedBounds()))
            .collect(Collectors.joining(", ", "<", ">"));
  }

  private static String list(String start, AnnotatedType[] types) {
    return types.length == 0
        ? ""
        : Arrays.stream(types)
            .map(AnnotatedType::toString)
            .collect(Collectors.joining(", ", start, ""));
  }

  private static String deprecated(AnnotatedElement element) {
    return element.isAnnotationPresent(Deprecated.class) ? "@Deprecated " : "";
  }

  private static String words(int modifiers, int implied) {
    int left = modifiers & ~implied & ~Modifier.SYNCHRONIZED & ~Modifier.NATIVE;
    String words = Modifier.toString(left);
    return words.isEmpty() ? "" : words + " ";
  }

  private static String shorten(String text, String ownPackage) {
    return text.replace(ownPackage + ".", "")
        .replace("@org.jspecify.annotations.Nullable()", "@Nullable")
        .replace(" extends java.lang.Object", "")
        .replaceAll("\\bjava\\.(lang|util|util\\.function|util\\.concurrent)\\.(?=[A-Z])", "");
  }
}
