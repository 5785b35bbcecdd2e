package dev.isogrid.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Comma-separated values; the first row names the columns, which may come in any order. Only {@code
 * key} and {@code value} are needed. The columns of encodings say {@code base64} where the bytes
 * are no text.
 */
final class CsvRows implements EntryFile {
  private static final String BASE64 = "base64";

  /** A row without anything: a blank line. */
  private static final List<String> BLANK = List.of("");

  private static final List<String> COLUMNS =
      List.of(
          "key", "value", "keyEncoding", "valueEncoding", "keyType", "valueType", "ttl", "maxIdle");

  @Override
  public String head() {
    return Csv.line(COLUMNS) + "\n";
  }

  @Override
  public String text(EntryLine entry) {
    String key = Utf8.textOrNull(entry.key());
    String value = Utf8.textOrNull(entry.value());
    List<String> row = new ArrayList<>();
    row.add(key == null ? Base64.getEncoder().encodeToString(entry.key()) : key);
    row.add(value == null ? Base64.getEncoder().encodeToString(entry.value()) : value);
    row.add(key == null ? BASE64 : "");
    row.add(value == null ? BASE64 : "");
    row.add(JsonText.text(entry.keyType()));
    row.add(JsonText.text(entry.valueType()));
    row.add(JsonText.text(entry.ttl()));
    row.add(JsonText.text(entry.maxIdle()));
    return Csv.line(row) + "\n";
  }

  @Override
  public Source source(Reader in) {
    return new Rows(new Csv(new BufferedReader(in)));
  }

  private static final class Rows implements Source {
    private final Csv csv;
    private @Nullable List<String> columns;
    private long number;

    Rows(Csv csv) {
      this.csv = csv;
    }

    @Override
    public @Nullable EntryLine next() throws IOException {
      List<String> names = columns;
      if (names == null) {
        names = readColumns();
        columns = names;
      }
      List<String> row;
      do {
        row = csv.next();
        number++;
      } while (row != null && row.equals(BLANK));
      if (row == null) {
        return null;
      }
      if (row.size() != names.size()) {
        throw new CommandFailure(
            "malformed row: values=%d, columns=%d; put values with commas into quotes"
                .formatted(row.size(), names.size()));
      }
      Map<String, String> values = new HashMap<>();
      for (int i = 0; i < names.size(); i++) {
        values.put(names.get(i), row.get(i));
      }
      return entry(values);
    }

    private List<String> readColumns() throws IOException {
      List<String> row = csv.next();
      number++;
      if (row == null || !row.contains("key") || !row.contains("value")) {
        throw new CommandFailure(
            "the first row does not name the columns: there are key, value and %s"
                .formatted(COLUMNS.subList(2, COLUMNS.size())));
      }
      return row;
    }

    private static EntryLine entry(Map<String, String> values) {
      return new EntryLine(
          bytes(values.getOrDefault("key", ""), values.get("keyEncoding")),
          bytes(values.getOrDefault("value", ""), values.get("valueEncoding")),
          textOrNull(values.get("keyType")),
          textOrNull(values.get("valueType")),
          numberOrNull("ttl", values.get("ttl")),
          numberOrNull("maxIdle", values.get("maxIdle")));
    }

    private static byte[] bytes(String text, @Nullable String encoding) {
      return BASE64.equals(encoding)
          ? Base64Text.decode(text)
          : text.getBytes(StandardCharsets.UTF_8);
    }

    private static @Nullable String textOrNull(@Nullable String text) {
      return text == null || text.isEmpty() ? null : text;
    }

    private static @Nullable Long numberOrNull(String name, @Nullable String text) {
      return text == null || text.isEmpty() ? null : Long.valueOf(Call.number(name, text));
    }

    @Override
    public long line() {
      return number;
    }
  }
}
