package dev.isogrid.types;

import dev.isogrid.api.InvalidRequestException;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collections and arrays as wrapped messages, in ProtoStream's form. */
final class Containers {
  private static final Map<String, Class<?>> BY_NAME = new HashMap<>();
  private static final Map<Class<?>, String> NAMES = new HashMap<>();

  static {
    for (Class<?> type :
        List.of(
            ArrayList.class, LinkedList.class, HashSet.class, LinkedHashSet.class, TreeSet.class)) {
      add(type.getSimpleName(), type);
    }
    for (Class<?> type :
        List.of(
            boolean[].class,
            short[].class,
            int[].class,
            long[].class,
            float[].class,
            double[].class)) {
      String name = type.getComponentType().getName();
      add(Character.toUpperCase(name.charAt(0)) + name.substring(1) + "Array", type);
    }
    for (Class<?> type :
        List.of(
            Boolean[].class,
            Byte[].class,
            Short[].class,
            Integer[].class,
            Long[].class,
            Float[].class,
            Double[].class)) {
      add("Boxed" + type.getComponentType().getSimpleName() + "Array", type);
    }
    add("StringArray", String[].class);
    add("ObjectArray", Object[].class);
  }

  private Containers() {}

  private static void add(String name, Class<?> type) {
    String full = JavaTypes.COMMON_PACKAGE + name;
    BY_NAME.put(full, type);
    NAMES.put(type, full);
  }

  /** The form of a collection or array; null if it is none, or one that can't be restored. */
  static @Nullable WrappedForm form(Class<?> type, WrappedCodec elements) {
    Class<?> written = writtenAs(type);
    return written == null ? null : new Form(written, elements);
  }

  private static @Nullable Class<?> writtenAs(Class<?> type) {
    if (NAMES.containsKey(type)) {
      return type;
    }
    if (Set.class.isAssignableFrom(type)) {
      return CollectionTypes.isUnordered(type) ? HashSet.class : LinkedHashSet.class;
    }
    boolean isList =
        Collection.class.isAssignableFrom(type)
            && (List.class.isAssignableFrom(type) || !Queue.class.isAssignableFrom(type));
    return isList ? ArrayList.class : null;
  }

  private static byte[] nameOf(Class<?> type) {
    return String.valueOf(NAMES.get(type)).getBytes(StandardCharsets.UTF_8);
  }

  private static final class Form extends WrappedForm {
    private static final byte[] LINKED = nameOf(LinkedHashSet.class);

    private final Class<?> type;
    private final WrappedCodec elements;
    private final byte[] head;

    Form(Class<?> type, WrappedCodec elements) {
      this.type = type;
      this.elements = elements;
      head = nameOf(type);
    }

    @Override
    void write(MessageWriter out, Object value) {
      boolean isOrdered = value instanceof TreeSet<?> sorted && sorted.comparator() != null;
      out.tag(WrappedTags.CONTAINER_NAME);
      out.bytes(isOrdered ? LINKED : head); // a set that loses its comparator keeps its order
      Collection<?> content = CollectionTypes.elements(value);
      out.tag(WrappedTags.SIZE);
      int size = content.size();
      out.varint(size);
      out.tag(WrappedTags.CONTAINER_MESSAGE);
      out.tag(0);
      out.descend();
      if (type == HashSet.class && size > 1) {
        UnorderedBytes.write(out, content, elements::writeElement);
      } else {
        int written = 0;
        for (Object element : content) {
          elements.writeElement(out, element);
          written++;
        }
        checkSize(size, written);
      }
      out.ascend();
    }

    private static void checkSize(int expected, int written) {
      if (written != expected) {
        throw new InvalidRequestException(
            "collection changed while it was written: size=%d, elements=%d; give a copy"
                .formatted(expected, written));
      }
    }
  }

  /**
   * Reads a collection or an array.
   *
   * @param size number of its elements
   * @param next reads one of them
   */
  static Object read(String typeName, int size, Supplier<@Nullable Object> next) {
    Class<?> type = BY_NAME.get(typeName);
    if (type == null) {
      throw new InvalidRequestException(
          "unknown type of a collection: type=%s; read it with the client that wrote it"
              .formatted(typeName));
    }
    ArrayList<@Nullable Object> elements = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      elements.add(next.get());
    }
    try {
      return type.isArray() ? array(type, elements) : CollectionTypes.fill(type, elements);
    } catch (ClassCastException | NullPointerException | IllegalArgumentException e) {
      throw MessageReader.malformed("an element does not fit: type=" + typeName);
    }
  }

  private static Object array(Class<?> type, List<@Nullable Object> elements) {
    Object array = Array.newInstance(type.getComponentType(), elements.size());
    for (int i = 0; i < elements.size(); i++) {
      Array.set(array, i, elements.get(i));
    }
    return array;
  }
}
