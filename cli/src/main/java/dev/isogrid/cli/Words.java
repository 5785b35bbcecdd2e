package dev.isogrid.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits a line into words, as a shell does: blanks separate words, single and double quotes keep
 * them together, a backslash takes the next character as it is, except in single quotes. A {@code
 * #} that begins a word begins a comment. A backslash before a character that needs none stays, so
 * that {@code C:\data} keeps its backslash.
 */
final class Words {
  private final String line;
  private final List<String> words = new ArrayList<>();
  private @Nullable StringBuilder word;
  private int at;

  private Words(String line) {
    this.line = line;
  }

  /**
   * The words of a line; none if it is blank or a comment.
   *
   * @throws UsageFailure if a quote is not closed
   */
  static List<String> of(String line) {
    return new Words(line).split();
  }

  /** A word as {@link #of} reads it back: in quotes if it needs them. */
  static String quoted(String word) {
    boolean isPlain = !word.isEmpty() && word.charAt(0) != '#';
    for (int i = 0; i < word.length() && isPlain; i++) {
      char c = word.charAt(i);
      isPlain = c > ' ' && "'\"\\".indexOf(c) < 0;
    }
    if (isPlain) {
      return word;
    }
    return word.indexOf('\'') < 0
        ? "'" + word + "'"
        : '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private List<String> split() {
    while (at < line.length()) {
      char c = line.charAt(at);
      if (c == '#' && word == null) {
        break;
      }
      at++;
      if (c == '\'' || c == '"') {
        readQuoted(c);
      } else if (c == '\\' && at < line.length()) {
        readEscaped(" \t'\"\\#");
      } else if (c == ' ' || c == '\t' || c == '\r') {
        endWord();
      } else {
        begun().append(c);
      }
    }
    endWord();
    return List.copyOf(words);
  }

  private StringBuilder begun() {
    StringBuilder current = word;
    if (current == null) {
      current = new StringBuilder();
      word = current;
    }
    return current;
  }

  private void endWord() {
    if (word != null) {
      words.add(word.toString());
      word = null;
    }
  }

  private void readEscaped(String special) {
    char next = line.charAt(at);
    if (special.indexOf(next) >= 0) {
      begun().append(next);
      at++;
    } else {
      begun().append('\\');
    }
  }

  private void readQuoted(char quote) {
    int start = at;
    begun();
    while (at < line.length()) {
      char c = line.charAt(at++);
      if (c == quote) {
        return;
      }
      if (c == '\\' && quote == '"' && at < line.length()) {
        readEscaped("\"\\");
      } else {
        begun().append(c);
      }
    }
    throw new UsageFailure(
        "quote not closed: column=%d; add a %s, or put a backslash before it"
            .formatted(start, quote));
  }
}
