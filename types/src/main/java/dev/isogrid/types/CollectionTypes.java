package dev.isogrid.types;

import dev.isogrid.api.InvalidRequestException;
import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The collections that components can be, and the order in which their elements are written. */
final class CollectionTypes {
  /*
   * Equal keys must have equal bytes, so sets and maps without an order of their own are written in
   * the order of their elements' bytes. HashSet.iterator and Set.of differ between processes.
   */

  private static final Set<Class<?>> COLLECTIONS =
      Set.of(
          Iterable.class,
          Collection.class,
          List.class,
          ArrayList.class,
          LinkedList.class,
          Set.class,
          HashSet.class,
          LinkedHashSet.class,
          SortedSet.class,
          NavigableSet.class,
          TreeSet.class,
          Queue.class,
          Deque.class,
          ArrayDeque.class);

  private static final Set<Class<?>> MAPS =
      Set.of(
          Map.class,
          HashMap.class,
          LinkedHashMap.class,
          SortedMap.class,
          NavigableMap.class,
          TreeMap.class,
          ConcurrentMap.class,
          ConcurrentHashMap.class);

  private static final Set<Class<?>> UNORDERED =
      Set.of(
          HashSet.class,
          HashMap.class,
          ConcurrentHashMap.class,
          Set.of().getClass(),
          Set.of(1).getClass(),
          Map.of().getClass(),
          Map.of(1, 1).getClass());

  private CollectionTypes() {}

  static void checkCollection(Class<?> type) {
    check(type, COLLECTIONS, "use List, Set, SortedSet or Deque");
  }

  static void checkMap(Class<?> type) {
    check(type, MAPS, "use Map, SortedMap or ConcurrentMap");
  }

  private static void check(Class<?> type, Set<Class<?>> known, String remedy) {
    if (!known.contains(type)) {
      throw new InvalidRequestException(
          "component of an unknown collection: type=%s; %s".formatted(type.getName(), remedy));
    }
  }

  /** Whether the order of a set or map means nothing. */
  static boolean isUnordered(Object container) {
    return isUnordered(container.getClass());
  }

  /** Whether the order of the sets or maps of a class means nothing. */
  static boolean isUnordered(Class<?> type) {
    return UNORDERED.contains(type);
  }

  /** An empty map for a component. */
  static Map<@Nullable Object, @Nullable Object> newMap(Class<?> declared) {
    if (declared == HashMap.class) {
      return new HashMap<>();
    }
    if (SortedMap.class.isAssignableFrom(declared)) {
      return new TreeMap<>();
    }
    return ConcurrentMap.class.isAssignableFrom(declared)
        ? new ConcurrentHashMap<>()
        : new LinkedHashMap<>();
  }

  /**
   * The value of a component with these elements.
   *
   * @param elements taken: it may become the value
   */
  @SuppressWarnings("JdkObsolete") // a queue can hold nulls only if it is a linked list
  static Object fill(Class<?> declared, List<@Nullable Object> elements) {
    if (declared.isArray()) {
      return toArray(declared.getComponentType(), elements);
    }
    if (declared.isAssignableFrom(ArrayList.class)) {
      return elements;
    }
    if (SortedSet.class.isAssignableFrom(declared)) {
      return new TreeSet<>(elements);
    }
    if (declared == HashSet.class) {
      return new HashSet<>(elements);
    }
    if (Set.class.isAssignableFrom(declared)) {
      return new LinkedHashSet<>(elements);
    }
    return declared == ArrayDeque.class ? new ArrayDeque<>(elements) : new LinkedList<>(elements);
  }

  private static Object toArray(Class<?> component, List<@Nullable Object> elements) {
    Object array = Array.newInstance(component, elements.size());
    for (int i = 0; i < elements.size(); i++) {
      Array.set(array, i, elements.get(i));
    }
    return array;
  }

  /** The elements of a component, to be read only. */
  static Collection<?> elements(Object container) {
    if (container instanceof Collection<?> collection) {
      return collection;
    }
    if (container instanceof Object[] array) {
      return Arrays.asList(array);
    }
    int length = Array.getLength(container);
    List<Object> boxed = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      boxed.add(Array.get(container, i));
    }
    return boxed;
  }
}
