package dev.isogrid.types;

import dev.isogrid.api.InvalidRequestException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parts of a schema file that a class can add to, with their places in the text. */
final class SchemaText {
  /*
   * Only what is needed to find numbers by names, and to insert text without touching the rest:
   * comments, options and hand-made parts of a file stay as they are. Statements that do not define
   * fields or constants are skipped.
   */

  /** Longest file that is read: others are not schemas of classes. */
  private static final int LENGTH_MAX = 1_000_000;

  /** Deepest nesting of messages, as for classes in each other. */
  private static final int NESTING_MAX = 100;

  private static final Set<String> LABELS = Set.of("optional", "repeated", "required");

  /**
   * A field.
   *
   * @param type as in the text, without spaces
   * @param typeStart where the type begins in the text
   * @param typeEnd where it ends
   */
  record Field(String label, String type, int number, int typeStart, int typeEnd) {
    boolean isRepeated() {
      return label.equals("repeated");
    }
  }

  /** A message or an enum. */
  static final class Body {
    final String name;
    final boolean isEnum;
    final int depth;
    final Map<String, Field> fields = new LinkedHashMap<>();
    final Set<String> reservedNames = new HashSet<>();
    int numberMax = -1;

    /** Where its closing brace is. */
    int end;

    Body(String name, boolean isEnum, int depth) {
      this.name = name;
      this.isEnum = isEnum;
      this.depth = depth;
    }
  }

  final String text;

  /** Messages and enums by full names. */
  final Map<String, Body> bodies = new LinkedHashMap<>();

  /** Where the statement of each import begins and ends, by file. */
  final Map<String, int[]> imports = new LinkedHashMap<>();

  /** Where another import can be inserted. */
  int headEnd;

  private final SchemaTokens tokens;
  private final Deque<@Nullable Body> open = new ArrayDeque<>();
  private String packagePrefix = "";

  private SchemaText(String text) {
    this.text = text;
    this.tokens = new SchemaTokens(text);
  }

  /**
   * Parses a file.
   *
   * @param file name of it, for errors
   * @throws InvalidRequestException if it is none
   */
  static SchemaText parse(String file, String text) {
    if (text.length() > LENGTH_MAX) {
      throw new InvalidRequestException(
          "schema too long: file=%s, length=%d, limit=%d; remove unused parts"
              .formatted(file, text.length(), LENGTH_MAX));
    }
    SchemaText parsed = new SchemaText(text);
    try {
      parsed.statements();
    } catch (SchemaTokens.Unexpected e) {
      throw new InvalidRequestException(
          "schema can't be read: file=%s, line=%d, %s; correct or remove the file"
              .formatted(file, e.line, e.getMessage()),
          e);
    }
    return parsed;
  }

  String packageName() {
    return packagePrefix.isEmpty() ? "" : packagePrefix.substring(0, packagePrefix.length() - 1);
  }

  private void statements() {
    while (tokens.hasNext()) {
      String word = tokens.next();
      switch (word) {
        case ";" -> {}
        case "syntax", "edition", "option" -> {
          tokens.skipStatement();
          headEnd = tokens.position();
        }
        case "package" -> {
          packagePrefix = tokens.name() + ".";
          tokens.skipStatement();
          headEnd = tokens.position();
        }
        case "import" -> readImport();
        case "message" -> body(packagePrefix, false);
        case "enum" -> body(packagePrefix, true);
        default -> tokens.skipBlock(); // service, extend
      }
    }
  }

  private void readImport() {
    int start = tokens.start();
    String file = tokens.next();
    if (file.equals("public") || file.equals("weak")) {
      file = tokens.next();
    }
    file = SchemaTokens.unquoted(file);
    tokens.skipStatement();
    imports.put(file, new int[] {start, tokens.position()});
    headEnd = tokens.position();
  }

  /** Reads a message or enum with all that is nested in it. */
  private void body(String prefix, boolean isEnum) {
    enter(prefix, isEnum);
    int outermost = 1;
    while (open.size() >= outermost) {
      Body body = innermost();
      String word = tokens.next();
      switch (word) {
        case ";" -> {}
        case "}" -> {
          Body closed = open.pop();
          if (closed == body) {
            body.end = tokens.start();
          }
        }
        case "option", "extensions" -> tokens.skipStatement();
        case "reserved" -> reserved(body);
        default -> member(body, word);
      }
    }
  }

  private void member(Body body, String word) {
    if (body.isEnum) {
      constant(body, word);
    } else if (tokens.peekAfterName().equals("{")) {
      switch (word) {
        case "message" -> enter(body.name + ".", false);
        case "enum" -> enter(body.name + ".", true);
        case "oneof" -> {
          tokens.name();
          tokens.expect("{");
          push(body); // its fields are the message's
        }
        default -> tokens.skipBlock(); // extend
      }
    } else {
      field(body, word);
    }
  }

  private Body innermost() {
    Body body = open.peek();
    if (body == null) {
      throw tokens.unexpected("}");
    }
    return body;
  }

  private void enter(String prefix, boolean isEnum) {
    Body body = new Body(prefix + tokens.name(), isEnum, open.size());
    tokens.expect("{");
    push(body);
    bodies.put(body.name, body);
  }

  private void push(Body body) {
    if (open.size() >= NESTING_MAX) {
      throw tokens.unexpected("nested too deeply");
    }
    open.push(body);
  }

  private void field(Body body, String word) {
    String label = "";
    String type = word;
    if (LABELS.contains(word)) {
      label = word;
      type = tokens.next();
    }
    int start = tokens.start();
    if (type.equals("map")) {
      type = mapType();
    }
    int end = tokens.position();
    String name = tokens.name();
    add(body, name, new Field(label, type, number(), start, end));
  }

  private String mapType() {
    tokens.expect("<");
    String key = tokens.name();
    tokens.expect(",");
    String value = tokens.name();
    tokens.expect(">");
    return "map<" + key + ", " + value + ">";
  }

  private void constant(Body body, String name) {
    add(body, name, new Field("", "", number(), tokens.start(), tokens.start()));
  }

  private void add(Body body, String name, Field field) {
    tokens.skipStatement();
    body.fields.put(name, field);
    if (body.isEnum || field.number() < Declaration.EMPTIES_NUMBER) {
      body.numberMax = Math.max(body.numberMax, field.number());
    }
  }

  private int number() {
    tokens.expect("=");
    return tokens.number();
  }

  private void reserved(Body body) {
    for (String word = tokens.next(); !word.equals(";"); word = tokens.next()) {
      if (SchemaTokens.isQuoted(word)) {
        body.reservedNames.add(SchemaTokens.unquoted(word));
      } else if (Character.isDigit(word.charAt(0))) {
        body.numberMax = Math.max(body.numberMax, tokens.lastAsNumber());
      } else if (word.equals("max")) {
        body.numberMax = Integer.MAX_VALUE;
      }
    }
  }
}
