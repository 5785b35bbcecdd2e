package dev.isogrid.types;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The names of the fields that stand for what a sealed interface permits. */
final class SealedNames {
  private SealedNames() {}

  /**
   * The classes by the names of their fields: their simple names, unless two have the same.
   *
   * @param leaves records and enums that are permitted
   */
  static Map<String, Class<?>> of(List<Class<?>> leaves) {
    Map<String, Class<?>> names = new LinkedHashMap<>();
    for (Class<?> leaf : leaves) {
      String simple = field(leaf.getSimpleName());
      boolean isUnique =
          leaves.stream().filter(other -> field(other.getSimpleName()).equals(simple)).count() == 1;
      names.put(isUnique ? simple : TypeNames.of(leaf).replace('.', '_'), leaf);
    }
    return names;
  }

  private static String field(String simple) {
    return Character.toLowerCase(simple.charAt(0)) + simple.substring(1);
  }
}
