package dev.isogrid.bench.run;

import dev.isogrid.api.InvalidRequestException;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values of a benchmark's options. Immutable. */
public final class Arguments {
  /** The option that asks for a rough result. */
  public static final String QUICK = "--quick";

  private final Map<String, String> values;
  private final Set<String> flags;

  Arguments(Map<String, String> values, Collection<String> flags) {
    this.values = new LinkedHashMap<>(values);
    this.flags = Set.copyOf(flags);
  }

  /** All options with their values, in the order of their declaration. */
  public Map<String, String> values() {
    return new LinkedHashMap<>(values);
  }

  /** Whether the user asked for a rough result. */
  public boolean isQuick() {
    return has(QUICK);
  }

  /** Whether an option without a value was given. */
  public boolean has(String flag) {
    return flags.contains(flag);
  }

  /** The value of an option. */
  public String text(String name) {
    @Nullable String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("not declared: option=" + name);
    }
    return value;
  }

  /** The value as a list, separated by commas. */
  public List<String> words(String name) {
    return Arrays.asList(text(name).split(",", -1));
  }

  /**
   * The value as a number.
   *
   * @throws InvalidRequestException if it is not a number from 1 to {@code max}
   */
  public int number(String name, int max) {
    return number(name, text(name), max);
  }

  /** As {@link #number}, for a list separated by commas. */
  public List<Integer> numbers(String name, int max) {
    return words(name).stream().map(word -> number(name, word, max)).toList();
  }

  private static int number(String name, String word, int max) {
    try {
      int number = Integer.parseInt(word);
      if (number >= 1 && number <= max) {
        return number;
      }
    } catch (NumberFormatException failure) {
      throw outOfRange(name, word, max, failure);
    }
    throw outOfRange(name, word, max, null);
  }

  private static InvalidRequestException outOfRange(
      String name, String word, int max, @Nullable Throwable cause) {
    return new InvalidRequestException(
        "%s %s is not allowed; give whole numbers from 1 to %d".formatted(name, word, max), cause);
  }
}
