package dev.isogrid.bench.report;

import java.util.ArrayList;
import java.util.List;

/** A table whose Markdown is also readable as plain text. Not thread-safe. */
public final class Table {
  private final String heading;
  private final int textColumns;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * Makes a table without rows.
   *
   * @param heading the heading above the table
   * @param textColumns the number of text columns on the left; the others are numbers
   * @param header the names of the columns
   */
  public Table(String heading, int textColumns, List<String> header) {
    this.heading = heading;
    this.textColumns = textColumns;
    rows.add(List.copyOf(header));
  }

  /** Adds a row with as many cells as the header has. */
  public void add(List<String> cells) {
    if (cells.size() != rows.getFirst().size()) {
      throw new IllegalArgumentException(
          "row does not fit: cells=%d, columns=%d".formatted(cells.size(), rows.getFirst().size()));
    }
    rows.add(List.copyOf(cells));
  }

  /** The table in Markdown, its heading first. */
  public String markdown() {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int column = 0; column < columns; column++) {
        widths[column] = Math.max(Math.max(widths[column], 3), row.get(column).length());
      }
    }
    StringBuilder text = new StringBuilder("### ").append(heading).append("\n\n");
    for (int row = 0; row < rows.size(); row++) {
      appendRow(text, rows.get(row), widths);
      if (row == 0) {
        appendRule(text, widths);
      }
    }
    return text.toString();
  }

  private void appendRow(StringBuilder text, List<String> cells, int[] widths) {
    text.append('|');
    for (int column = 0; column < widths.length; column++) {
      String cell = cells.get(column);
      String blanks = " ".repeat(widths[column] - cell.length());
      text.append(' ').append(isText(column) ? cell + blanks : blanks + cell).append(" |");
    }
    text.append('\n');
  }

  private void appendRule(StringBuilder text, int[] widths) {
    text.append('|');
    for (int column = 0; column < widths.length; column++) {
      text.append(' ').append("-".repeat(widths[column])).append(isText(column) ? ' ' : ':');
      text.append('|');
    }
    text.append('\n');
  }

  private boolean isText(int column) {
    return column < textColumns;
  }
}
