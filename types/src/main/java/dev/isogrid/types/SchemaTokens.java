package dev.isogrid.types;

/** The words of a schema file, without comments. */
final class SchemaTokens {
  /** A word that can't stand where it stands. */
  static final class Unexpected extends RuntimeException {
    private static final long serialVersionUID = 1L;

    final int line;

    Unexpected(String message, int line) {
      super(message);
      this.line = line;
    }
  }

  private final String text;
  private int start;
  private int position;

  SchemaTokens(String text) {
    this.text = text;
  }

  Unexpected unexpected(String what) {
    int line = 1 + (int) text.substring(0, start).chars().filter(c -> c == '\n').count();
    return new Unexpected("unexpected: " + what, line);
  }

  /** Where the last word begins. */
  int start() {
    return start;
  }

  /** Where the last word ends. */
  int position() {
    return position;
  }

  boolean hasNext() {
    skipSpace();
    return position < text.length();
  }

  private void skipSpace() {
    while (position < text.length()) {
      if (Character.isWhitespace(text.charAt(position))) {
        position++;
      } else if (text.startsWith("//", position)) {
        int end = text.indexOf('\n', position);
        position = end < 0 ? text.length() : end;
      } else if (text.startsWith("/*", position)) {
        int end = text.indexOf("*/", position + 2);
        position = end < 0 ? text.length() : end + 2;
      } else {
        return;
      }
    }
  }

  private static boolean isNamePart(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '.' || c == '-' || c == '+';
  }

  String next() {
    if (!hasNext()) {
      start = text.length();
      throw unexpected("end of the file");
    }
    start = position;
    char first = text.charAt(position++);
    if (first == '"' || first == '\'') {
      while (position < text.length() && text.charAt(position) != first) {
        position += text.charAt(position) == '\\' ? 2 : 1;
      }
      if (position >= text.length()) {
        position = text.length();
        throw unexpected("end of the file in a text");
      }
      position++;
    } else if (isNamePart(first)) {
      while (position < text.length() && isNamePart(text.charAt(position))) {
        position++;
      }
    }
    return text.substring(start, position);
  }

  /** The next word, which must be a name. */
  String name() {
    String word = next();
    if (!isNamePart(word.charAt(0)) || Character.isDigit(word.charAt(0))) {
      throw unexpected(word);
    }
    return word;
  }

  void expect(String word) {
    String actual = next();
    if (!actual.equals(word)) {
      throw unexpected("%s, expected %s".formatted(actual, word));
    }
  }

  /** The word after the next one. */
  String peekAfterName() {
    int lastStart = start;
    int lastPosition = position;
    next();
    String word = next();
    start = lastStart;
    position = lastPosition;
    return word;
  }

  /** The next word as a number. */
  int number() {
    next();
    return lastAsNumber();
  }

  /** The last word as a number. */
  int lastAsNumber() {
    try {
      return Integer.decode(text.substring(start, position));
    } catch (NumberFormatException e) {
      throw unexpected(text.substring(start, position));
    }
  }

  /** Goes past the next semicolon outside of braces. */
  void skipStatement() {
    int depth = 0;
    for (String word = next(); depth > 0 || !word.equals(";"); word = next()) {
      depth += word.equals("{") ? 1 : word.equals("}") ? -1 : 0;
    }
  }

  /** Goes past the next block in braces, or the next semicolon before it. */
  void skipBlock() {
    int depth = 0;
    for (String word = next(); ; word = next()) {
      depth += word.equals("{") ? 1 : word.equals("}") ? -1 : 0;
      if (depth <= 0 && (word.equals("}") || word.equals(";"))) {
        return;
      }
    }
  }

  static boolean isQuoted(String word) {
    return word.charAt(0) == '"' || word.charAt(0) == '\'';
  }

  static String unquoted(String word) {
    return isQuoted(word) ? word.substring(1, word.length() - 1) : word;
  }
}
