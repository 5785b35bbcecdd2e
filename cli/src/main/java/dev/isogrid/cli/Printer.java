package dev.isogrid.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Prints what commands found, for readers or as JSON: one value on one line per command. A list is
 * printed while it comes, so that it may be of any length. For one thread.
 */
final class Printer {
  /** How results are printed. */
  enum Format {
    /** For readers: texts as they are, lists line by line, tables with aligned columns. */
    TEXT,
    /** For programs. */
    JSON
  }

  private static final String GAP = "  ";

  /** A number, maybe with a unit, or none. */
  private static final Pattern NUMBER = Pattern.compile("-|[\\d,.]+( (%|B|[KMGT]iB))?");

  private final PrintStream out;
  private final Format format;
  private final boolean isTerminal;
  private boolean isFirst;

  /**
   * Prints to {@code out}, which is borrowed.
   *
   * @param isTerminal whether that is a terminal, which obeys control characters
   */
  Printer(PrintStream out, Format format, boolean isTerminal) {
    this.out = out;
    this.format = format;
    this.isTerminal = isTerminal;
  }

  boolean isJson() {
    return format == Format.JSON;
  }

  /** Where the results go, for what has a form of its own. */
  PrintStream out() {
    return out;
  }

  /** Prints a text, as it is or quoted. */
  void text(String text) {
    line(isJson() ? JsonText.line(text) : text);
  }

  /** Prints a line that is complete. */
  void line(String line) {
    out.println(shown(line));
  }

  /**
   * A text as it can be shown. A terminal gets no control characters but line ends and tabs, since
   * those in keys and values, which anyone may have written, would command it.
   */
  String shown(String text) {
    if (!isTerminal || text.chars().noneMatch(Character::isISOControl)) {
      return text;
    }
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isLineEnd = c == '\n' || text.startsWith("\r\n", i);
      boolean isCommand = Character.isISOControl(c) && c != '\t' && !isLineEnd;
      shown.append(isCommand ? "\\u%04x".formatted((int) c) : String.valueOf(c));
    }
    return shown.toString();
  }

  /** Prints a value of JSON, in lines for readers or in one line. */
  void value(@Nullable Object json) {
    if (isJson()) {
      line(JsonText.line(json));
    } else if (json instanceof Map<?, ?> || json instanceof List<?>) {
      line(JsonText.pretty(json));
    } else {
      line(JsonText.text(json));
    }
  }

  /** Begins a list of any length. */
  void beginList() {
    isFirst = true;
    if (isJson()) {
      out.print('[');
    }
  }

  /** Prints the next element of the list that was begun. */
  void element(@Nullable Object element) {
    if (isJson()) {
      out.print(isFirst ? "" : ",");
      out.print(shown(JsonText.line(element)));
    } else {
      line(
          element instanceof Map<?, ?> || element instanceof List<?>
              ? JsonText.line(element)
              : JsonText.text(element));
    }
    isFirst = false;
  }

  /** Ends the list. */
  void endList() {
    if (isJson()) {
      out.println(']');
    }
    out.flush();
  }

  /** Prints a list that is known. */
  void list(List<?> elements) {
    beginList();
    elements.forEach(this::element);
    endList();
  }

  /** Prints rows under the names of their columns; as JSON an array of objects. */
  void table(List<String> columns, List<? extends List<?>> rows) {
    if (!isJson()) {
      align(columns, rows).forEach(this::line);
      return;
    }
    List<Map<String, @Nullable Object>> objects = new ArrayList<>();
    for (List<?> row : rows) {
      Map<String, @Nullable Object> object = new LinkedHashMap<>();
      for (int i = 0; i < columns.size(); i++) {
        object.put(columns.get(i), row.get(i));
      }
      objects.add(object);
    }
    value(objects);
  }

  /** The lines of a table: numbers on the right of their columns, all else on the left. */
  static List<String> align(List<String> columns, List<? extends List<?>> rows) {
    int[] widths = new int[columns.size()];
    List<List<?>> all = new ArrayList<>();
    all.add(columns);
    all.addAll(rows);
    for (List<?> row : all) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], JsonText.text(row.get(i)).length());
      }
    }
    boolean[] isRight = new boolean[widths.length];
    for (int i = 0; i < widths.length; i++) {
      int column = i;
      isRight[i] = !rows.isEmpty() && rows.stream().allMatch(row -> isNumber(row.get(column)));
    }
    List<String> lines = new ArrayList<>();
    for (List<?> row : all) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String cell = JsonText.text(row.get(i));
        String space = " ".repeat(widths[i] - cell.length());
        line.append(isRight[i] ? space + cell : cell + space).append(GAP);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private static boolean isNumber(@Nullable Object cell) {
    return cell instanceof Number || NUMBER.matcher(JsonText.text(cell)).matches();
  }
}
