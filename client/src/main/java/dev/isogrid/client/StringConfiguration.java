package dev.isogrid.client;

import java.util.Objects;

/**
 * The configuration of a cache as a document.
 *
 * @param text XML, JSON or YAML, such as {@code <local-cache/>}
 */
public record StringConfiguration(String text) {
  /** Checks that there is one. */
  public StringConfiguration {
    Objects.requireNonNull(text, "text");
  }
}
