package dev.isogrid.bench.run;

import dev.isogrid.api.InvalidRequestException;

/**
 * An option of a benchmark, given as {@code --name value}.
 *
 * @param name with its leading dashes
 * @param kind the form of its values, with their unit
 * @param usual the value without the option
 * @param quick the value without the option but with {@code --quick}
 * @param description a sentence for the help
 */
public record Option(String name, Kind kind, String usual, String quick, String description) {
  /** An option with one default. */
  public static Option of(String name, Kind kind, String usual, String description) {
    return new Option(name, kind, usual, usual, description);
  }

  /** The sentences of the help: the description and the defaults. */
  String help() {
    String usually = usual.equals(quick) ? usual : usual + "; quick " + quick;
    return "%s Default %s.".formatted(description, usually);
  }

  /** The form of an option's values. */
  public enum Kind {
    COUNT("N", Form.NUMBER),
    /** Several counts. */
    COUNTS("N,...", Form.NUMBERS),
    MILLIS("MILLIS", Form.NUMBER),
    SECONDS("SECONDS", Form.NUMBER),
    BYTES("BYTES", Form.NUMBER),
    /** Several sizes in units of 1,000 bytes. */
    KILOBYTES("KB,...", Form.NUMBERS),
    MEGABYTES("MB", Form.NUMBER),
    /** Several parts of a hundred. */
    PERCENTS("PERCENT,...", Form.NUMBERS),
    /** A size as the JVM's {@code -Xmx} takes it. */
    HEAP("SIZE", Form.SIZE),
    FOLDER("DIR", Form.TEXT),
    WORD("WORD", Form.TEXT),
    WORDS("WORD,...", Form.TEXT);

    private final String label;
    private final Form form;

    Kind(String label, Form form) {
      this.label = label;
      this.form = form;
    }

    /** The word for a value in the help. */
    public String label() {
      return label;
    }

    /**
     * Refuses a value of another form.
     *
     * @throws InvalidRequestException if it has one
     */
    void check(String name, String value) {
      if (!value.matches(form.pattern)) {
        throw new InvalidRequestException(
            "%s %s is not allowed; give %s".formatted(name, value, form.words));
      }
    }
  }

  private enum Form {
    NUMBER("[1-9][0-9]{0,9}", "a whole number from 1"),
    NUMBERS("[1-9][0-9]{0,9}(,[1-9][0-9]{0,9})*", "whole numbers from 1, with commas between them"),
    SIZE("[1-9][0-9]*[kmgKMG]?", "a size such as 512m or 2g"),
    TEXT("\\S.*", "a text");

    private final String pattern;
    private final String words;

    Form(String pattern, String words) {
      this.pattern = pattern;
      this.words = words;
    }
  }
}
