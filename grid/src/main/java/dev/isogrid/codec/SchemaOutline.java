package dev.isogrid.codec;

import dev.isogrid.api.InvalidRequestException;
import java.util.ArrayList;
import java.util.List;

/**
 * A look at a schema file before it is parsed: the files that it imports, and how much the parser
 * will make of it.
 *
 * @param imports names of files, as often as they are written
 * @param publicImports those of them whose types the file hands on to whoever imports it
 * @param expansion a bound on the characters of full names, and on the reserved numbers, that the
 *     parser writes out
 * @param lookups a bound on the names that the parser looks for among the types
 */
record SchemaOutline(
    List<String> imports, List<String> publicImports, long expansion, long lookups) {
  /** Longest file that is parsed: parsing takes up to a second then. Usual ones have some KiB. */
  static final int LENGTH_MAX = 512 * 1024;

  /** The parser calls itself for each level; it has room for more than 1000. */
  static final int NESTING_MAX = 64;

  /** Longest name of a type or package: every name within it repeats it. */
  static final int NAME_LENGTH_MAX = 1024;

  /** The parser keeps the full name of each field and value, and visits each reserved number. */
  static final long EXPANSION_MAX = 4_000_000;

  /**
   * Reads a file without parsing it.
   *
   * @throws InvalidRequestException if the file is longer, deeper or expands to more than what is
   *     parsed; the message says where
   */
  static SchemaOutline of(String text) {
    if (text.length() > LENGTH_MAX) {
      throw new InvalidRequestException(
          "schema too long: length=%d, limit=%d; split it".formatted(text.length(), LENGTH_MAX));
    }
    return new Scan(text).outline();
  }

  /** One pass over a file, with the tokens that the parser knows. */
  private static final class Scan {
    private static final int LONG_DIGITS = 19;

    private final String text;
    private final List<String> imports = new ArrayList<>();
    private final List<String> publicImports = new ArrayList<>();

    /** By depth: the length of the full name that the names there begin with. */
    private final long[] prefixes = new long[NESTING_MAX + 1];

    private int at;
    private int depth;
    private int depthInComments;
    private long expansion;
    private long lookups;

    /** First and last word of the statement. */
    private String first = "";

    private String last = "";

    /** The number before this place, if it is the last token or has {@code to} behind it. */
    private long from;

    private boolean hasFrom;
    private boolean isRange;

    Scan(String text) {
      this.text = text;
    }

    SchemaOutline outline() {
      while (at < text.length()) {
        char c = text.charAt(at);
        if (Character.isWhitespace(c)) {
          at++;
        } else if (text.startsWith("//", at)) {
          comment(endOfLine());
        } else if (text.startsWith("/*", at)) {
          comment(after("*/", at + 2));
        } else {
          depthInComments = 0;
          token(c);
        }
      }
      return new SchemaOutline(
          List.copyOf(imports), List.copyOf(publicImports), expansion, lookups);
    }

    private int endOfLine() {
      int end = at;
      while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
        end++;
      }
      return end;
    }

    private int after(String end, int from) {
      int found = text.indexOf(end, from);
      return found < 0 ? text.length() : found + end.length();
    }

    /** Comments in a row are one documentation, whose annotations are nested like messages. */
    private void comment(int end) {
      for (; at < end; at++) {
        switch (text.charAt(at)) {
          case '(', '{', '[' -> depthInComments = deeper(depthInComments);
          case ')', '}', ']' -> depthInComments = Math.max(0, depthInComments - 1);
          default -> {}
        }
      }
    }

    private int deeper(int depth) {
      if (depth == NESTING_MAX) {
        throw refused("schema nested too deeply", "limit=" + NESTING_MAX, "make it flatter");
      }
      return depth + 1;
    }

    private void token(char c) {
      if (c == '"') {
        string();
      } else if (isWordPart(c) && !isDigit(c)) {
        word();
      } else if (isDigit(c)) {
        number();
      } else {
        sign(c);
        hasFrom = false;
        isRange = false;
        at++;
      }
    }

    private static boolean isDigit(char c) {
      return c >= '0' && c <= '9';
    }

    private static boolean isWordPart(char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || isDigit(c);
    }

    /** Strings have no escapes and end at the next quote, be it in another line. */
    private void string() {
      int end = after("\"", at + 1);
      if (depth == 0 && first.equals("import") && end - at >= 2) {
        String file = text.substring(at + 1, end - 1);
        imports.add(file);
        if (last.equals("public")) {
          publicImports.add(file);
        }
      }
      at = end;
    }

    private void word() {
      int start = at;
      while (at < text.length() && (isWordPart(text.charAt(at)) || text.charAt(at) == '.')) {
        at++;
      }
      if (at - start > NAME_LENGTH_MAX) {
        throw refused(
            "name too long",
            "length=%d, limit=%d".formatted(at - start, NAME_LENGTH_MAX),
            "use a shorter one");
      }
      last = text.substring(start, at);
      if (depth == 0 && first.equals("package")) {
        prefixes[0] = Math.max(prefixes[0], last.length() + 1L);
      }
      if (first.isEmpty()) {
        first = last;
      }
      isRange = hasFrom && last.equals("to");
      hasFrom = false;
    }

    private void number() {
      int start = at;
      while (at < text.length() && isDigit(text.charAt(at))) {
        at++;
      }
      boolean isInRange = at - start < LONG_DIGITS; // else it is no number for the parser either
      long digits = isInRange ? Long.parseLong(text, start, at, 10) : Long.MAX_VALUE / 4;
      long number = start > 0 && text.charAt(start - 1) == '-' ? -digits : digits;
      if (isRange) {
        expand(Math.max(0, number - from + 1));
      }
      from = number;
      hasFrom = true;
      isRange = false;
    }

    private void sign(char c) {
      switch (c) {
        case '{' -> {
          expand(prefixes[depth]);
          long prefix = prefixes[depth] + last.length() + 1L;
          depth = deeper(depth);
          prefixes[depth] = prefix;
          endStatement();
        }
        case '(', '[', '<' -> {
          long prefix = prefixes[depth];
          depth = deeper(depth);
          prefixes[depth] = prefix;
        }
        case ')', ']', '>' -> depth = Math.max(0, depth - 1);
        case '}' -> {
          depth = Math.max(0, depth - 1);
          endStatement();
        }
        case ';' -> {
          expand(prefixes[depth]);
          endStatement();
        }
        default -> {}
      }
    }

    /** Counts a name that was declared, or a field's type: it is looked for in each scope. */
    private void endStatement() {
      lookups += 2L + depth;
      first = "";
      last = "";
    }

    private void expand(long by) {
      expansion += by;
      if (expansion > EXPANSION_MAX) {
        throw refused(
            "schema expands to too much",
            "limit=" + EXPANSION_MAX,
            "reserve fewer numbers (or up to max), use shorter names, or split it");
      }
    }

    private InvalidRequestException refused(String what, String values, String advice) {
      long line = text.substring(0, at).chars().filter(c -> c == '\n').count() + 1;
      return new InvalidRequestException(
          "%s: line=%d, %s; %s".formatted(what, line, values, advice));
    }
  }
}
