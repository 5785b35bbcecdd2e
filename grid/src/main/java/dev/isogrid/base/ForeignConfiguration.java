package dev.isogrid.base;

import dev.isogrid.api.InvalidConfigurationException;
import dev.isogrid.api.InvalidRequestException;
import java.util.function.Supplier;

/**
 * Configuration from documents, requests and command lines: wrong values are errors of their
 * authors.
 */
public final class ForeignConfiguration {
  private ForeignConfiguration() {}

  /**
   * Builds a configuration from external values.
   *
   * @throws InvalidRequestException instead of {@link InvalidConfigurationException}
   */
  public static <T> T of(Supplier<T> building) {
    try {
      return building.get();
    } catch (InvalidConfigurationException wrong) {
      throw new InvalidRequestException(String.valueOf(wrong.getMessage()), wrong);
    }
  }
}
