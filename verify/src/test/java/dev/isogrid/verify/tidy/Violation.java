package dev.isogrid.verify.tidy;

/**
 * A violation of a rule.
 *
 * @param path the file, relative to the root of the project
 * @param line the line, counted from 1
 * @param message the problem and the remedy
 */
record Violation(String path, int line, String message) {
  @Override
  public String toString() {
    return path + ":" + line + ": " + message;
  }
}
