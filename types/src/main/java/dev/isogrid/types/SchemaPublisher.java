package dev.isogrid.types;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.types.Declaration.Enumeration;
import dev.isogrid.types.Declaration.Message;
import dev.isogrid.types.Declaration.Unit;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes schema files of classes to a registry, and gives the numbers that names have there. */
final class SchemaPublisher {
  /*
   * Many nodes can do this at once, with different versions of the classes. Each change is written
   * only if the file still is what was read, and begins anew otherwise.
   *
   * A class that a sealed interface permits is in the interface's file, unless it had a file of its
   * own before. Its own file then only names the other one: nodes whose version does not know the
   * interface find the message by that.
   */

  /** Most changes of one file by others that are waited for: each one is another version's. */
  private static final int TRIES_MAX = 50;

  private static final Pattern ELSEWHERE =
      Pattern.compile("^// The message is in (\\S+\\.proto)$", Pattern.MULTILINE);

  private final SchemaRegistry registry;

  /** The files of ProtoStream's initializers, by name. */
  private final Map<String, String> userFiles;

  SchemaPublisher(SchemaRegistry registry, Map<String, String> userFiles) {
    this.registry = registry;
    this.userFiles = userFiles;
  }

  /**
   * Publishes a plan.
   *
   * @return the numbers by names, of each message and enum by its name
   */
  Map<String, Map<String, Integer>> publish(SchemaPlan plan) {
    Map<Class<?>, String> homes = new HashMap<>();
    Collection<Unit> units = plan.units(top -> homes.computeIfAbsent(top, this::home));
    Map<String, Map<String, Integer>> numbers = new HashMap<>();
    for (Unit unit : units) {
      publishImports(unit);
      SchemaMerge merged = change(unit.file(), text -> merge(unit, text));
      for (Declaration declaration : unit.declarations()) {
        numbers.put(declaration.name(), merged.numbers(declaration.name()));
      }
    }
    return numbers;
  }

  private void publishImports(Unit unit) {
    if (unit.usesAny(Set.of(JavaTypes.OWN_FILE))) {
      publishOwnTypes();
    }
    if (unit.usesAny(userFiles.keySet())) {
      userFiles.forEach((file, text) -> {
        if (registry.schema(file) == null) {
          registry.replace(file, null, text); // if another one was faster, it is there
        }
      });
    }
  }

  private SchemaMerge change(String file, Function<@Nullable String, SchemaMerge> merge) {
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      String text = registry.schema(file);
      SchemaMerge merged = merge.apply(text);
      if (merged.text().equals(text) || registry.replace(file, text, merged.text())) {
        return merged;
      }
    }
    throw new RetryableGridException(
        "schema changes all the time: file=%s, tries=%d; try again".formatted(file, TRIES_MAX));
  }

  private static SchemaMerge merge(Unit unit, @Nullable String text) {
    SchemaMerge merge = new SchemaMerge(unit.file(), unit.packageName(), text);
    for (Declaration declaration : unit.declarations()) {
      if (declaration instanceof Message message) {
        merge.add(message);
      } else if (declaration instanceof Enumeration enumeration) {
        merge.add(enumeration);
      }
    }
    return merge;
  }

  /** Publishes the file of the messages for classes of the JDK, unless it is there. */
  void publishOwnTypes() {
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      String text = registry.schema(JavaTypes.OWN_FILE);
      if ((text != null && hasOwnTypes(text))
          || registry.replace(JavaTypes.OWN_FILE, text, OwnTypes.SCHEMA)) {
        return;
      }
    }
    throw new RetryableGridException(
        "schema changes all the time: file=%s, tries=%d; try again"
            .formatted(JavaTypes.OWN_FILE, TRIES_MAX));
  }

  private static boolean hasOwnTypes(String text) {
    Set<String> present = SchemaText.parse(JavaTypes.OWN_FILE, text).bodies.keySet();
    return present.containsAll(
        SchemaText.parse(JavaTypes.OWN_FILE, OwnTypes.SCHEMA).bodies.keySet());
  }

  /** The file that has the messages of a top-level class. */
  private String home(Class<?> top) {
    String own = TypeNames.file(top);
    String preferred = TypeNames.file(sealedRoot(top));
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      String text = registry.schema(own);
      if (text != null) {
        Matcher elsewhere = ELSEWHERE.matcher(text);
        return elsewhere.find() ? elsewhere.group(1) : own;
      }
      if (preferred.equals(own)) {
        return own;
      }
      String pointer = "syntax = \"proto3\";\n// The message is in " + preferred + "\n";
      if (registry.replace(own, null, pointer)) {
        return preferred;
      }
    }
    throw new RetryableGridException(
        "schema changes all the time: file=%s, tries=%d; try again".formatted(own, TRIES_MAX));
  }

  /** The top-level class around the sealed interface that permits a class, or the class itself. */
  private static Class<?> sealedRoot(Class<?> top) {
    Map<String, Class<?>> roots = new HashMap<>();
    Set<Class<?>> seen = new HashSet<>();
    addRoots(top, roots, seen);
    roots.remove(top.getName());
    Class<?> root = roots.isEmpty() ? top : roots.get(new TreeSet<>(roots.keySet()).first());
    return root == null ? top : root;
  }

  private static void addRoots(Class<?> type, Map<String, Class<?>> roots, Set<Class<?>> seen) {
    boolean isRoot = true;
    for (Class<?> parent : type.getInterfaces()) {
      if (parent.isSealed()
          && parent.getPackageName().equals(type.getPackageName())
          && seen.add(parent)) {
        isRoot = false;
        addRoots(parent, roots, seen);
      }
    }
    if (isRoot) {
      Class<?> top = TypeNames.topLevel(type);
      roots.put(top.getName(), top);
    }
  }
}
