package dev.isogrid.bench.run;

import dev.isogrid.api.InvalidRequestException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values of a benchmark's options. Immutable. */
public final class Arguments {
  private static final String QUICK = "--quick";

  private final Map<String, String> values;
  private final boolean quick;

  private Arguments(Map<String, String> values, boolean quick) {
    this.values = values;
    this.quick = quick;
  }

  /**
   * Reads a command line.
   *
   * @throws InvalidRequestException if an option is unknown, occurs twice or lacks its value
   */
  public static Arguments parse(List<Option> options, List<String> words) {
    Map<String, String> given = new LinkedHashMap<>();
    boolean quick = false;
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.equals(QUICK)) {
        quick = true;
        continue;
      }
      if (options.stream().noneMatch(option -> option.name().equals(word))) {
        throw new InvalidRequestException("unknown option: " + word + "; --help lists them");
      }
      if (++i == words.size()) {
        throw new InvalidRequestException(word + " needs a value");
      }
      if (given.put(word, words.get(i)) != null) {
        throw new InvalidRequestException(word + " is given twice");
      }
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (Option option : options) {
      String usual = quick ? option.quick() : option.usual();
      values.put(option.name(), given.getOrDefault(option.name(), usual));
    }
    return new Arguments(values, quick);
  }

  /** All options with their values, in the order of their declaration. */
  public Map<String, String> values() {
    return new LinkedHashMap<>(values);
  }

  /** Whether the user asked for a rough result. */
  public boolean isQuick() {
    return quick;
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
