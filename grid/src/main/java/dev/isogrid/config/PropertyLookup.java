package dev.isogrid.config;

import org.jspecify.annotations.Nullable;

/** Finds the values of the properties in a document, which have the form <code>${name}</code>. */
@FunctionalInterface
public interface PropertyLookup {
  /**
   * The value of a property, or null if it is not defined.
   *
   * @param name not empty; {@code env.NAME} means the environment variable {@code NAME}
   */
  @Nullable String value(String name);

  /**
   * A look-up without properties: for foreign documents, whose authors must not learn the
   * properties of this process.
   */
  static PropertyLookup none() {
    return name -> null;
  }

  /**
   * A look-up of the system properties of this Java virtual machine and its environment variables.
   */
  static PropertyLookup process() {
    return name ->
        name.startsWith("env.") ? System.getenv(name.substring(4)) : System.getProperty(name);
  }
}
