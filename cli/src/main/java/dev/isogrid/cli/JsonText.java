package dev.isogrid.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes JSON. A value is a {@link Map} in the order of the text, a {@link List}, a
 * {@link String}, a {@link Number}, a {@link Boolean} or null.
 */
final class JsonText {
  /** The longest text of a value: what a stored value of 64 MiB is in Base64. */
  private static final int STRING_LENGTH_MAX = 96 << 20;

  /** Objects within objects: more than any document of a server has. */
  private static final int NESTING_MAX = 200;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(STRING_LENGTH_MAX)
                  .maxNestingDepth(NESTING_MAX)
                  .build())
          .build();

  private JsonText() {}

  /** A parser of a stream, for what is too long to be kept. */
  static JsonParser parser(InputStream in) throws IOException {
    return FACTORY.createParser(in);
  }

  /** A parser of characters. */
  static JsonParser parser(Reader in) throws IOException {
    return FACTORY.createParser(in);
  }

  /**
   * Reads one value.
   *
   * @throws CommandFailure if the text is no JSON
   */
  static @Nullable Object parse(String text) {
    try (JsonParser parser = parser(new StringReader(text))) {
      parser.nextToken();
      Object value = read(parser);
      if (parser.nextToken() != null) {
        throw new CommandFailure("no JSON: there is text after the value; give one value");
      }
      return value;
    } catch (IOException e) {
      throw new CommandFailure("no JSON: " + firstLine(String.valueOf(e.getMessage())), e);
    }
  }

  private static String firstLine(String text) {
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }

  /** Reads the value at the current token, and stays at its last one. */
  static @Nullable Object read(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw new IOException("the text has no value");
    }
    return switch (token) {
      case START_OBJECT -> readObject(parser);
      case START_ARRAY -> readArray(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> parser.getNumberValue();
      case VALUE_NUMBER_FLOAT -> parser.getDecimalValue(); // with all its digits
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw new IOException("unexpected " + token);
    };
  }

  private static Map<String, @Nullable Object> readObject(JsonParser parser) throws IOException {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      object.put(name, read(parser));
    }
    return object;
  }

  private static List<@Nullable Object> readArray(JsonParser parser) throws IOException {
    List<@Nullable Object> array = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(read(parser));
    }
    return array;
  }

  /** A value on one line. */
  static String line(@Nullable Object value) {
    return text(value, false);
  }

  /** A value on lines of their own, for readers. */
  static String pretty(@Nullable Object value) {
    return text(value, true);
  }

  private static String text(@Nullable Object value, boolean isPretty) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = FACTORY.createGenerator(text)) {
      if (isPretty) {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        out.setPrettyPrinter(printer);
      }
      write(out, value);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.toString();
  }

  private static void write(JsonGenerator out, @Nullable Object value) throws IOException {
    switch (value) {
      case null -> out.writeNull();
      case Map<?, ?> object -> {
        out.writeStartObject();
        for (Map.Entry<?, ?> member : object.entrySet()) {
          out.writeFieldName(String.valueOf(member.getKey()));
          write(out, member.getValue());
        }
        out.writeEndObject();
      }
      case List<?> array -> {
        out.writeStartArray();
        for (Object element : array) {
          write(out, element);
        }
        out.writeEndArray();
      }
      case Boolean flag -> out.writeBoolean(flag);
      case Number number -> out.writeRawValue(number.toString());
      default -> out.writeString(value.toString());
    }
  }

  /** The member of an object, or an empty object if it is none. */
  static Map<?, ?> object(@Nullable Object value) {
    return value instanceof Map<?, ?> object ? object : Map.of();
  }

  /** The elements of an array; none if the value is none. */
  static List<?> array(@Nullable Object value) {
    return value instanceof List<?> array ? array : List.of();
  }

  /** A number, or what to use if the value is none. */
  static long number(@Nullable Object value, long otherwise) {
    return value instanceof Number number ? number.longValue() : otherwise;
  }

  /** The text of a member; empty if there is none. */
  static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }
}
