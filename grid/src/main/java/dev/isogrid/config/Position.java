package dev.isogrid.config;

/**
 * A place in a document.
 *
 * @param line counted from 1
 * @param column counted from 1
 */
record Position(int line, int column) {
  static final Position START = new Position(1, 1);

  /** The form that messages use. */
  @Override
  public String toString() {
    return "line=" + line + ", column=" + column;
  }
}
