package dev.isogrid.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints entries of a listing row by row, so that there may be any number. For one thread. */
final class EntryRows {
  /** How rows are printed. */
  enum Layout {
    /** Columns for readers. */
    TABLE,
    /** Comma-separated values. */
    CSV,
    /** An array of objects. */
    JSON
  }

  private static final List<String> SHORT = List.of("key", "value");
  private static final List<String> FULL =
      List.of(
          "key",
          "value",
          "timeToLiveSeconds",
          "maxIdleTimeSeconds",
          "created",
          "lastUsed",
          "expireTime");

  /** Rows after which the widths of a table's columns are fixed. */
  private static final int TABLE_ROWS = 100;

  private final Printer printer;
  private final Layout layout;
  private final List<String> columns;
  private final List<List<@Nullable Object>> rows = new ArrayList<>();
  private boolean hasHead;

  EntryRows(Printer printer, Layout layout, boolean isFull) {
    this.printer = printer;
    this.layout = layout;
    this.columns = isFull ? FULL : SHORT;
  }

  void begin() {
    switch (layout) {
      case TABLE -> hasHead = false;
      case CSV -> printer.line(Csv.line(columns));
      case JSON -> printer.out().print("[");
    }
  }

  /** Prints an entry, or keeps it until the width of a table is known. */
  void add(Map<?, ?> entry) {
    List<@Nullable Object> row = new ArrayList<>();
    for (String column : columns) {
      Object value = entry.get(column);
      row.add(value instanceof Map<?, ?> || value instanceof List<?> ? shown(value) : value);
    }
    switch (layout) {
      case TABLE -> {
        rows.add(row);
        if (rows.size() == TABLE_ROWS) {
          flush();
        }
      }
      case CSV -> printer.line(Csv.line(row.stream().map(JsonText::text).toList()));
      case JSON -> {
        printer.out().print(hasHead ? "," : "");
        printer.out().print(printer.shown(JsonText.line(entry)));
        hasHead = true;
      }
    }
  }

  /** A wrapped scalar as its value, all else as JSON. */
  private static String shown(Object value) {
    Map<?, ?> object = JsonText.object(value);
    return object.size() == 2 && object.containsKey("_type") && object.containsKey("_value")
        ? JsonText.text(object.get("_value"))
        : JsonText.line(value);
  }

  private void flush() {
    List<String> lines = Printer.align(columns, rows);
    lines.subList(hasHead ? 1 : 0, lines.size()).forEach(printer::line);
    hasHead = true;
    rows.clear();
  }

  void end() {
    switch (layout) {
      case TABLE -> flush();
      case CSV -> printer.out().flush();
      case JSON -> printer.out().println("]");
    }
  }
}
