package dev.isogrid.api;

/** A configuration that was built with values that can't be: the program is wrong. */
public final class InvalidConfigurationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates a failure.
   *
   * @param message the setting, its value, and what is allowed
   */
  public InvalidConfigurationException(String message) {
    super(message);
  }
}
