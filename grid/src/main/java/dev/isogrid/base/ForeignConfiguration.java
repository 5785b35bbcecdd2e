package dev.isogrid.base;

import dev.isogrid.api.InvalidConfigurationException;
import dev.isogrid.api.InvalidRequestException;
import java.util.function.Supplier;

/** Configuration from documents, requests and command lines: wrong values are their fault. */
public final class ForeignConfiguration {
  private ForeignConfiguration() {}

  /**
   * What a builder makes of values from outside.
   *
   * @throws InvalidRequestException in place of {@link InvalidConfigurationException}
   */
  public static <T> T of(Supplier<T> building) {
    try {
      return building.get();
    } catch (InvalidConfigurationException wrong) {
      throw new InvalidRequestException(String.valueOf(wrong.getMessage()), wrong);
    }
  }
}
