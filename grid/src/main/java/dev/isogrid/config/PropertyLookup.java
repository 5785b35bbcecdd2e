package dev.isogrid.config;

import org.jspecify.annotations.Nullable;

/** Knows the values of the properties that a document refers to as <code>${name}</code>. */
@FunctionalInterface
public interface PropertyLookup {
  /**
   * The value of a property, or null if it is not defined.
   *
   * @param name not empty; {@code env.NAME} stands for the environment variable {@code NAME}
   */
  @Nullable String value(String name);

  /** Knows no property. For documents of strangers, who must not learn what is defined here. */
  static PropertyLookup none() {
    return name -> null;
  }

  /** Knows the system properties of this Java virtual machine and its environment variables. */
  static PropertyLookup process() {
    return name ->
        name.startsWith("env.") ? System.getenv(name.substring(4)) : System.getProperty(name);
  }
}
