package dev.isogrid.server;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options that a command line may have, in the order of its help. Not thread-safe. */
final class OptionList {
  /** The values that an option takes. */
  enum Kind {
    /** None. */
    FLAG,
    /** One. */
    TEXT,
    /** Any number, with commas between them; the option may be repeated. */
    LIST
  }

  /**
   * An option.
   *
   * @param label the name of its value in the help; "" for a flag
   */
  record Option(String name, Kind kind, String label, String description) {}

  private final Map<String, Option> byName = new LinkedHashMap<>();

  /** Adds an option without a value. */
  void flag(String name, String description) {
    byName.put(name, new Option(name, Kind.FLAG, "", description));
  }

  /** Adds an option with one value. */
  void text(String name, String label, String description) {
    byName.put(name, new Option(name, Kind.TEXT, label, description));
  }

  /** Adds an option with any number of values. */
  void list(String name, String label, String description) {
    byName.put(name, new Option(name, Kind.LIST, label, description));
  }

  /** All of them in the order in which they were added. */
  Collection<Option> all() {
    return Collections.unmodifiableCollection(byName.values());
  }

  /** The option of a name, or null. */
  @Nullable Option named(String name) {
    return byName.get(name);
  }
}
