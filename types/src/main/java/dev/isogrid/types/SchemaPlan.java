package dev.isogrid.types;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.types.Declaration.Unit;
import dev.isogrid.types.FieldType.Element;
import java.lang.reflect.RecordComponent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** The schema files of a class and of all that it contains. For one thread. */
final class SchemaPlan {
  /*
   * A file holds a top-level class with those nested in it, and the top-level classes that a sealed
   * interface permits, since these refer to each other as a rule. Other files can still need each
   * other: of such a circle, only imports of files that come later in the alphabet are kept. A
   * field whose type can't be imported then stands as bytes, which is the same on the wire.
   */

  private final FieldTypes types;
  private final Map<Class<?>, Set<Element>> uses = new LinkedHashMap<>();

  /** Plans for a class and all classes that its values contain for certain. */
  SchemaPlan(FieldTypes types, Class<?> root) {
    this.types = types;
    Deque<Class<?>> open = new ArrayDeque<>();
    open.add(root);
    while (!open.isEmpty()) {
      Class<?> type = open.remove();
      if (!uses.containsKey(type)) {
        Set<Element> used = uses(type);
        uses.put(type, used);
        used.stream().filter(Element::isOwn).map(Element::type).forEach(open::add);
      }
    }
  }

  /** The classes, the root first. */
  Set<Class<?>> classes() {
    return uses.keySet();
  }

  private Set<Element> uses(Class<?> type) {
    Set<Element> used = new LinkedHashSet<>();
    if (type.isRecord()) {
      for (RecordComponent component : type.getRecordComponents()) {
        FieldType field = fieldType(type, component);
        used.add(field.element());
        if (field.key() != null) {
          used.add(field.key());
        }
      }
    } else {
      types.leaves(type).forEach(leaf -> used.add(types.element(leaf)));
    }
    return used;
  }

  /** The form of a component; errors name it. */
  private FieldType fieldType(Class<?> type, RecordComponent component) {
    if (!TypeNames.isIdentifier(component.getName())
        || component.getName().equals(Declaration.NULLS_NAME)
        || component.getName().equals(Declaration.EMPTIES_NAME)) {
      throw new InvalidRequestException(
          "name that a schema can't have: record=%s, component=%s; use letters A to Z, digits and _"
              .formatted(type.getName(), component.getName()));
    }
    try {
      return types.of(component.getGenericType());
    } catch (InvalidRequestException e) {
      throw new InvalidRequestException(
          "record=%s, component=%s: %s"
              .formatted(type.getName(), component.getName(), e.getMessage()),
          e);
    }
  }

  /**
   * The files, each after those that it imports.
   *
   * @param homes gives the file of a top-level class
   */
  Collection<Unit> units(Function<Class<?>, String> homes) {
    Map<Class<?>, String> files = new HashMap<>();
    uses.keySet().forEach(type -> files.put(type, homes.apply(TypeNames.topLevel(type))));
    Map<String, Set<String>> imports = imports(files);
    Map<String, List<Class<?>>> contents = new TreeMap<>();
    uses.keySet()
        .forEach(type ->
            contents
                .computeIfAbsent(String.valueOf(files.get(type)), f -> new ArrayList<>())
                .add(type));
    Map<String, Unit> units = new LinkedHashMap<>();
    for (String file : inOrder(contents.keySet(), imports)) {
      List<Class<?>> content = contents.getOrDefault(file, List.of());
      if (!content.isEmpty()) {
        Set<String> imported = imports.getOrDefault(file, Set.of());
        units.put(file, new Declarations(types, file, files, imported).unit(content));
      }
    }
    return units.values();
  }

  /** Which files of the plan a file imports: all that it needs, without circles. */
  private Map<String, Set<String>> imports(Map<Class<?>, String> files) {
    Map<String, Set<String>> needed = new TreeMap<>();
    uses.forEach((type, used) -> {
      String file = String.valueOf(files.get(type));
      Set<String> others = needed.computeIfAbsent(file, f -> new TreeSet<>());
      used.stream()
          .filter(Element::isOwn)
          .map(element -> String.valueOf(files.get(element.type())))
          .filter(other -> !other.equals(file))
          .forEach(others::add);
    });
    Map<String, Set<String>> kept = new TreeMap<>();
    needed.forEach((file, others) -> {
      Set<String> imported = new TreeSet<>(others);
      imported.removeIf(other -> other.compareTo(file) < 0 && reaches(other, file, needed));
      kept.put(file, imported);
    });
    return kept;
  }

  private static boolean reaches(String from, String to, Map<String, Set<String>> needed) {
    Set<String> seen = new HashSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(from));
    while (!open.isEmpty()) {
      String file = open.remove();
      if (file.equals(to)) {
        return true;
      }
      if (seen.add(file)) {
        open.addAll(needed.getOrDefault(file, Set.of()));
      }
    }
    return false;
  }

  private static Set<String> inOrder(Set<String> files, Map<String, Set<String>> imports) {
    Set<String> done = new LinkedHashSet<>();
    while (done.size() < files.size()) {
      for (String file : files) { // no circles, so each round adds one at least
        if (done.containsAll(imports.getOrDefault(file, Set.of()))) {
          done.add(file);
        }
      }
    }
    return done;
  }
}
