package dev.isogrid.bench.run;

import dev.isogrid.api.InvalidRequestException;
import java.util.regex.Pattern;

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
    COUNT("N", Forms.NUMBER),
    /** Several counts. */
    COUNTS("N,...", Forms.NUMBERS),
    MILLIS("MILLIS", Forms.NUMBER),
    SECONDS("SECONDS", Forms.NUMBER),
    BYTES("BYTES", Forms.NUMBER),
    /** Several sizes in units of 1,000 bytes. */
    KILOBYTES("KB,...", Forms.NUMBERS),
    MEGABYTES("MB", Forms.NUMBER),
    /** Several parts of a hundred. */
    PERCENTS("PERCENT,...", Forms.NUMBERS),
    /** A size as the JVM's {@code -Xmx} takes it. */
    HEAP("SIZE", new Form("[1-9][0-9]*[kmgKMG]?", "give a size such as 512m or 2g")),
    FOLDER("DIR", Forms.TEXT),
    WORD("WORD", Forms.TEXT),
    WORDS("WORD,...", Forms.TEXT);

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
      if (!form.pattern.matcher(value).matches()) {
        throw new InvalidRequestException(
            "%s %s is not allowed; %s".formatted(name, value, form.advice));
      }
    }
  }

  private record Form(Pattern pattern, String advice) {
    Form(String pattern, String advice) {
      this(Pattern.compile(pattern), advice);
    }
  }

  private static final class Forms {
    static final Form NUMBER = new Form("[1-9][0-9]{0,9}", "give a whole number from 1");
    static final Form NUMBERS =
        new Form(
            "[1-9][0-9]{0,9}(,[1-9][0-9]{0,9})*",
            "give whole numbers from 1, with commas between them");
    static final Form TEXT = new Form("\\S.*", "give a text");
  }
}
