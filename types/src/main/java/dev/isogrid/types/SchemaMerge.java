package dev.isogrid.types;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.types.Declaration.Enumeration;
import dev.isogrid.types.Declaration.Field;
import dev.isogrid.types.Declaration.Message;
import dev.isogrid.types.SchemaText.Body;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Adds declarations to the text of a schema file: names that it has keep their numbers. */
final class SchemaMerge {
  /*
   * Nothing is ever taken out of a file: a component that a class has lost stays, since nodes with
   * an older version write it still, and its number must not be used again. New names get numbers
   * above all that are used or reserved. A type only changes to a wider one.
   *
   * A message of another file can stand as bytes: it has the same form, and files that would import
   * each other in a circle are not allowed. Once it stands so, it stays so.
   */

  private static final String INDENT = "  ";
  private static final String BYTES = "bytes";

  private static final Set<String> SCALARS =
      Set.of("int32", "int64", "float", "double", "bool", "string", BYTES);

  /** Types and those that can take their place, since old values can be read as values of them. */
  private static final Map<String, String> WIDER = Map.of("int32", "int64", "float", "double");

  private final String file;
  private SchemaText schema;

  /**
   * Begins.
   *
   * @param text of the file so far; null if there is none
   */
  SchemaMerge(String file, String packageName, @Nullable String text) {
    this.file = file;
    String head =
        packageName.isEmpty()
            ? "syntax = \"proto3\";\n"
            : "syntax = \"proto3\";\npackage " + packageName + ";\n";
    schema = SchemaText.parse(file, text == null ? head : text);
  }

  String text() {
    return schema.text;
  }

  /** The numbers of a message's fields or an enum's constants by their names in the schema. */
  Map<String, Integer> numbers(String name) {
    Map<String, Integer> numbers = new HashMap<>();
    Body body = schema.bodies.get(name);
    if (body != null) {
      body.fields.forEach((field, declared) -> numbers.put(field, declared.number()));
    }
    return numbers;
  }

  private void replace(int start, int end, String replacement) {
    String text = schema.text;
    schema = SchemaText.parse(file, text.substring(0, start) + replacement + text.substring(end));
  }

  private void addImport(String imported) {
    if (!schema.imports.containsKey(imported) && !imported.equals(file)) {
      replace(schema.headEnd, schema.headEnd, "\nimport \"" + imported + "\";");
    }
  }

  /**
   * Adds a message, or what it has more than the file.
   *
   * @throws InvalidRequestException if a type has changed to one that can't take its place
   */
  void add(Message message) {
    add(message.name(), false, message.comment());
    Map<String, String> lines = new LinkedHashMap<>();
    int next = Math.max(0, body(message.name()).numberMax) + 1;
    for (Field field : message.fields()) {
      SchemaText.Field former = body(message.name()).fields.get(field.name());
      if (former == null) {
        checkNew(message, field, next);
        lines.put(field.name(), line(field, next++));
        changeImport(field, field.type());
      } else {
        changeImport(field, change(message, field, former));
      }
    }
    if (message.hasEmpties()) {
      addMarks(message, Declaration.EMPTIES_NAME, Declaration.EMPTIES_NUMBER, lines);
    }
    if (message.hasNulls()) {
      addMarks(message, Declaration.NULLS_NAME, Declaration.NULLS_NUMBER, lines);
    }
    insert(body(message.name()), lines);
  }

  private void addMarks(Message message, String name, int number, Map<String, String> lines) {
    if (!body(message.name()).fields.containsKey(name)) {
      lines.put(name, "repeated uint32 %s = %d [packed = false];".formatted(name, number));
    }
  }

  private void changeImport(Field field, String type) {
    String imported = field.file();
    if (imported != null && field.isCut()) {
      int[] range = schema.imports.get(imported);
      if (range != null) {
        replace(range[0], range[1], "");
      }
    } else if (imported != null && !type.equals(BYTES)) {
      addImport(imported);
    }
  }

  /** Adds an enum, or what it has more than the file. */
  void add(Enumeration enumeration) {
    add(enumeration.name(), true, "");
    Map<String, String> lines = new LinkedHashMap<>();
    Body body = body(enumeration.name());
    int next = body.numberMax + 1;
    for (String constant : enumeration.constants()) {
      String name = enumeration.prefix() + constant;
      if (!body.fields.containsKey(name) && !body.fields.containsKey(constant)) {
        if (body.reservedNames.contains(name)) {
          throw reserved("enum", enumeration.name(), "constant", name);
        }
        lines.put(name, name + " = " + next++ + ";");
      }
    }
    if (lines.isEmpty() && body.fields.isEmpty()) {
      lines.put("", enumeration.prefix() + "UNSPECIFIED = 0;"); // an enum must have one
    }
    insert(body, lines);
  }

  private Body body(String name) {
    Body body = schema.bodies.get(name);
    if (body == null) {
      throw new IllegalStateException("message missing after its insertion: name=" + name);
    }
    return body;
  }

  /** Adds an empty message or enum if it is missing, and those around it. */
  private void add(String name, boolean isEnum, String comment) {
    Body found = schema.bodies.get(name);
    if (found != null) {
      if (found.isEnum != isEnum) {
        throw new InvalidRequestException(
            "incompatible change: type=%s, file=%s, was=%s, is=%s; give the class another name"
                .formatted(name, file, kind(!isEnum), kind(isEnum)));
      }
      return;
    }
    int dot = name.lastIndexOf('.');
    String outer = dot < 0 ? "" : name.substring(0, dot);
    String simple = name.substring(dot + 1);
    String empty = kind(isEnum) + " " + simple + " {\n";
    if (!comment.isEmpty()) {
      empty = "// " + comment + "\n" + empty;
    }
    if (isInPackage(outer)) {
      replace(text().length(), text().length(), "\n" + empty + "}\n");
    } else {
      add(outer, false, "");
      Body around = body(outer);
      insertAt(around, indented(empty + "}", around.depth + 1));
    }
  }

  private static String kind(boolean isEnum) {
    return isEnum ? "enum" : "message";
  }

  private boolean isInPackage(String outer) {
    return outer.equals(schema.packageName());
  }

  private void insert(Body body, Map<String, String> lines) {
    if (!lines.isEmpty()) {
      insertAt(body, indented(String.join("\n", lines.values()), body.depth + 1));
    }
  }

  private static String indented(String lines, int depth) {
    return lines.lines().map(line -> INDENT.repeat(depth) + line + "\n").reduce("", String::concat);
  }

  private void insertAt(Body body, String lines) {
    int brace = body.end;
    int lineStart = text().lastIndexOf('\n', brace - 1) + 1;
    if (text().substring(lineStart, brace).isBlank()) {
      replace(lineStart, lineStart, lines);
    } else {
      replace(brace, brace, "\n" + lines + INDENT.repeat(body.depth));
    }
  }

  private static String line(Field field, int number) {
    boolean isMap = field.type().startsWith("map<");
    String label = isMap ? "" : field.isRepeated() ? "repeated " : "optional ";
    boolean canBePacked =
        field.isRepeated() && !field.isMessage() && !isMap && !isText(field.type());
    String options = canBePacked ? " [packed = false]" : "";
    return label + field.type() + " " + field.name() + " = " + number + options + ";";
  }

  private static boolean isText(String type) {
    return type.equals("string") || type.equals(BYTES);
  }

  private void checkNew(Message message, Field field, int number) {
    if (body(message.name()).reservedNames.contains(field.name())) {
      throw reserved("record", message.name(), "component", field.name());
    }
    if (number >= Declaration.EMPTIES_NUMBER) {
      throw new InvalidRequestException(
          "too many fields: record=%s, component=%s, number=%d, limit=%d; nest some in a record"
              .formatted(message.name(), field.name(), number, Declaration.EMPTIES_NUMBER - 1));
    }
  }

  private InvalidRequestException reserved(String kind, String type, String what, String name) {
    return new InvalidRequestException(
        "name reserved in the schema: %s=%s, %s=%s, file=%s; choose another name"
            .formatted(kind, type, what, name, file));
  }

  /** Widens the type of a field; returns the type that it has now. */
  private String change(Message message, Field field, SchemaText.Field former) {
    boolean isMap = field.type().startsWith("map<");
    String type = merged(former.type(), field.type(), field.isMessage());
    if (type == null || (!isMap && former.isRepeated() != field.isRepeated())) {
      throw new InvalidRequestException(
          ("incompatible change: record=%s, component=%s, was=%s, is=%s (%s), file=%s; give the"
                  + " component another name, or the former type")
              .formatted(
                  message.name(),
                  field.name(),
                  (former.isRepeated() ? "repeated " : "") + former.type(),
                  (field.isRepeated() && !isMap ? "repeated " : "") + field.type(),
                  field.javaType(),
                  file));
    }
    if (!type.equals(former.type())) {
      replace(former.typeStart(), former.typeEnd(), type);
    }
    return type;
  }

  /** The type that serves both; null if there is none. */
  private static @Nullable String merged(String former, String type, boolean isMessage) {
    if (former.equals(type) || type.equals(WIDER.get(former))) {
      return type;
    }
    if (former.equals(WIDER.get(type))) {
      return former;
    }
    if (isMessage) {
      boolean isSame = former.equals(BYTES) || ("." + type).endsWith("." + former);
      boolean isCut = type.equals(BYTES) && !SCALARS.contains(former);
      return isSame || ("." + type).equals(former) ? former : isCut ? type : null;
    }
    if (former.startsWith("map<") && type.startsWith("map<")) {
      return mergedMap(former, type);
    }
    if (type.equals("int32") && !SCALARS.contains(former)) {
      return type; // an enum of a file that can't be imported
    }
    boolean isSameEnum = type.contains(".") && ("." + type).endsWith("." + former);
    return isSameEnum ? former : null;
  }

  private static @Nullable String mergedMap(String former, String type) {
    String[] formers = former.substring(4, former.length() - 1).split(", ", 2);
    String[] types = type.substring(4, type.length() - 1).split(", ", 2);
    String key = merged(formers[0], types[0], false);
    String value = merged(formers[1], types[1], false);
    return key == null || value == null ? null : "map<" + key + ", " + value + ">";
  }
}
