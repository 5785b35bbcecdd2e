package dev.isogrid.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** A command with its words, to be run in a session. */
final class Call {
  private final ParseResult parsed;
  private final Session session;

  Call(ParseResult parsed, Session session) {
    this.parsed = parsed;
    this.session = session;
  }

  Session session() {
    return session;
  }

  Printer printer() {
    return session.printer();
  }

  CommandSpec spec() {
    return parsed.commandSpec();
  }

  /** Sends a request to the server that the session is connected to. */
  RestReply send(RestRequest request) {
    RestConnection connection = session.connection(); // may ask for a password
    try (Waiting _ = Waiting.of(session)) {
      return connection.send(request);
    }
  }

  /** The value of an option, or null. */
  @Nullable String text(String option) {
    return parsed.matchedOptionValue(option, null);
  }

  /** The values of an option that may be given several times. */
  List<String> texts(String option) {
    return parsed.matchedOptionValue(option, List.of());
  }

  /** Whether an option without a value is given. */
  boolean flag(String option) {
    return parsed.matchedOptionValue(option, Boolean.FALSE);
  }

  /**
   * The number that an option has.
   *
   * @throws UsageFailure if it is none
   */
  long number(String option, long otherwise) {
    String text = text(option);
    return text == null ? otherwise : number(option, text);
  }

  /** The number that a word is. */
  static long number(String name, String text) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw new UsageFailure("not a number: %s=%s; give one".formatted(name, text), e);
    }
  }

  /** An operand that is needed. */
  String operand(int index) {
    String value = operandOrNull(index);
    if (value == null) {
      throw new UsageFailure("a word is missing; see help " + spec().qualifiedName(" "));
    }
    return value;
  }

  /** An operand, or null if it is left out. */
  @Nullable String operandOrNull(int index) {
    return parsed.matchedPositionalValue(index, null);
  }

  /** The operands from an index on. */
  List<String> operands(int index) {
    return parsed.matchedPositionalValue(index, List.of());
  }

  /** The cache of the option {@code --cache}, or the selected one. */
  String cache() {
    return cache(text("--cache"));
  }

  /**
   * The named cache, or the selected one.
   *
   * @throws UsageFailure if none is named or selected
   */
  String cache(@Nullable String named) {
    return member(TreePath.CACHES, named, "cache", "cache NAME, or -c NAME");
  }

  /** The named counter, or the selected one. */
  String counter(@Nullable String named) {
    return member(TreePath.COUNTERS, named, "counter", "counter NAME, or the name");
  }

  private String member(String folder, @Nullable String named, String kind, String advice) {
    if (named != null) {
      return named;
    }
    TreePath path = session.path();
    if (!path.isIn(folder) || path.names().size() < 2) {
      throw new UsageFailure("no %s is selected; give %s".formatted(kind, advice));
    }
    return path.names().get(1);
  }

  /** The path of the first operand, or the present one. */
  TreePath path() {
    String path = operandOrNull(0);
    return path == null ? session.path() : session.path().resolve(path);
  }
}
