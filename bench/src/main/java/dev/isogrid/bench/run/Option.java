package dev.isogrid.bench.run;

/**
 * An option of a benchmark, given as {@code --name value}.
 *
 * @param name with its leading dashes
 * @param usual the value without the option
 * @param quick the value without the option but with {@code --quick}
 * @param description a sentence for the help
 */
public record Option(String name, String usual, String quick, String description) {
  /** An option with one default. */
  public static Option of(String name, String usual, String description) {
    return new Option(name, usual, usual, description);
  }
}
