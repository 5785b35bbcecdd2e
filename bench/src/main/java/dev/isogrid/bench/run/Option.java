package dev.isogrid.bench.run;

/**
 * An option of a benchmark, given as {@code --name value}.
 *
 * @param name with its leading dashes
 * @param usual the value if it is not given
 * @param quick the value if it is not given but {@code --quick} is
 * @param description a sentence for the help
 */
public record Option(String name, String usual, String quick, String description) {
  /** An option with one default. */
  public static Option of(String name, String usual, String description) {
    return new Option(name, usual, usual, description);
  }
}
