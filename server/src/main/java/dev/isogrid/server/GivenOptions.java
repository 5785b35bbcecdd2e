package dev.isogrid.server;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of a command line.
 *
 * @param values by name; empty for a flag
 */
record GivenOptions(Map<String, List<String>> values) {
  /** Copies the values. */
  GivenOptions {
    values = Map.copyOf(values);
  }

  /**
   * Reads a command line in the plain form of most: each option once, as {@code --name value} or
   * {@code --name=value}, without lists. That is done here since Picocli, which knows every form
   * and explains what is wrong, takes a tenth of a second in the start of a server: the start-up
   * cache can't keep its classes, which are in an old format.
   *
   * @return null if the line has another form, or is wrong
   */
  static @Nullable GivenOptions ofPlain(String[] args, OptionList known) {
    Map<String, List<String>> values = new HashMap<>();
    for (int i = 0; i < args.length; i++) {
      int equals = args[i].indexOf('=');
      String name = equals < 0 ? args[i] : args[i].substring(0, equals);
      OptionList.Option option = known.named(name);
      if (option == null || values.containsKey(name)) {
        return null;
      }
      switch (option.kind()) {
        case FLAG -> {
          if (equals >= 0) {
            return null;
          }
          values.put(name, List.of());
        }
        case TEXT -> {
          boolean isApart = equals < 0;
          i += isApart ? 1 : 0;
          if (i == args.length) {
            return null;
          }
          String value = isApart ? args[i] : args[i].substring(equals + 1);
          if (!isPlain(value)) {
            return null;
          }
          values.put(name, List.of(value));
        }
        case LIST -> {
          return null;
        }
      }
    }
    return new GivenOptions(values);
  }

  /** Whether a value means nothing else to Picocli: an option, or a file with arguments. */
  private static boolean isPlain(String value) {
    return !value.isBlank() && "-@=\"'".indexOf(value.charAt(0)) < 0;
  }

  /** Whether an option is there. */
  boolean has(String name) {
    return values.containsKey(name);
  }

  /** The value of an option, or null if it is not there. */
  @Nullable String value(String name) {
    List<String> given = values.get(name);
    return given == null || given.isEmpty() ? null : given.getFirst();
  }

  /** The values of an option, none if it is not there. */
  List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }
}
