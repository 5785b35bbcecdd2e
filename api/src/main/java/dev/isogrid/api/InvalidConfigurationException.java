package dev.isogrid.api;

/** Values of a configuration that are not allowed: a mistake in the program. */
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
