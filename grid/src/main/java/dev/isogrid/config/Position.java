package dev.isogrid.config;

/**
 * A position in a document.
 *
 * @param line counted from 1
 * @param column counted from 1
 * @param file the file that the document includes; empty for the document itself
 */
record Position(int line, int column, String file) {
  static final Position START = new Position(1, 1);

  /** A place in the document itself. */
  Position(int line, int column) {
    this(line, column, "");
  }

  /** The form that messages use. */
  @Override
  public String toString() {
    return (file.isEmpty() ? "" : "file=" + file + ", ") + "line=" + line + ", column=" + column;
  }
}
