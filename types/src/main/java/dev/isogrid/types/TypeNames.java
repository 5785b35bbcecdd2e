package dev.isogrid.types;

import dev.isogrid.api.InvalidRequestException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The names of classes in schemas, and back. */
final class TypeNames {
  /*
   * A class has its canonical name: a record Item nested in com.acme.Order is the message
   * com.acme.Order.Item. So it is nested in the message of Order, as ProtoStream's generator has it
   * if Order is a message, and two classes never share a name.
   */

  /** Longest name that is looked for among the classes: names come from the network too. */
  private static final int LENGTH_MAX = 500;

  /** Deepest nesting of classes that is looked for. */
  private static final int NESTING_MAX = 10;

  private static final String IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]*";
  private static final Pattern PART = Pattern.compile(IDENTIFIER);
  private static final Pattern NAME = Pattern.compile(IDENTIFIER + "(\\." + IDENTIFIER + ")*");

  private TypeNames() {}

  /**
   * The full name of a class's message or enum.
   *
   * @throws InvalidRequestException if a schema can't have that name
   */
  static String of(Class<?> type) {
    String name = type.getCanonicalName();
    if (name == null || !NAME.matcher(name).matches()) {
      throw new InvalidRequestException(
          ("class without a name that a schema can have: class=%s; declare it as a member of a"
                  + " class, or in a file of its own, with a name of letters A to Z, digits and _")
              .formatted(type.getName()));
    }
    return name;
  }

  static boolean isIdentifier(String name) {
    return PART.matcher(name).matches();
  }

  /** The class, itself or around it, that is in no other one. */
  static Class<?> topLevel(Class<?> type) {
    Class<?> top = type;
    for (Class<?> outer = top; outer != null; outer = outer.getEnclosingClass()) {
      top = outer;
    }
    return top;
  }

  /** The schema file of a top-level class. */
  static String file(Class<?> topLevel) {
    return of(topLevel) + ".proto";
  }

  /** The binary names of classes that can have a name, in the order of their likelihood. */
  static List<String> candidates(String name) {
    List<String> candidates = new ArrayList<>();
    if (name.length() <= LENGTH_MAX && NAME.matcher(name).matches()) {
      StringBuilder binary = new StringBuilder(name);
      candidates.add(name);
      for (int dot = name.lastIndexOf('.');
          dot > 0 && candidates.size() <= NESTING_MAX;
          dot = name.lastIndexOf('.', dot - 1)) {
        binary.setCharAt(dot, '$');
        candidates.add(binary.toString());
      }
    }
    return candidates;
  }

  /** The prefix of the names of an enum's constants: they must differ from those of others. */
  static String constantPrefix(Class<?> type) {
    return type.getSimpleName()
            .replaceAll("([a-z0-9])([A-Z])", "$1_$2")
            .replaceAll("([A-Z])([A-Z][a-z])", "$1_$2")
            .toUpperCase(Locale.ROOT)
        + "_";
  }
}
