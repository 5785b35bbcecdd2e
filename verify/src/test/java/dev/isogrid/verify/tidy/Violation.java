package dev.isogrid.verify.tidy;

/**
 * A place that breaks a rule.
 *
 * @param path the file, relative to the root of the project
 * @param line the line, counted from 1
 * @param message what is wrong and what to do
 */
record Violation(String path, int line, String message) {
  @Override
  public String toString() {
    return path + ":" + line + ": " + message;
  }
}
