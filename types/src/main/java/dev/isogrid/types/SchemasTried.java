package dev.isogrid.types;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes what would be written to a registry, and leaves the registry alone. For one thread. */
final class SchemasTried implements SchemaRegistry {
  private final SchemaRegistry registry;
  private final Map<String, String> texts = new LinkedHashMap<>();

  SchemasTried(SchemaRegistry registry) {
    this.registry = registry;
  }

  @Override
  public @Nullable String schema(String file) {
    String text = texts.get(file);
    if (text == null) {
      text = registry.schema(file);
      if (text != null) {
        texts.put(file, text);
      }
    }
    return text;
  }

  @Override
  public boolean replace(String file, @Nullable String expected, String text) {
    texts.put(file, text);
    return true;
  }

  /** All files that were read or written. */
  Map<String, String> written() {
    return Collections.unmodifiableMap(texts);
  }
}
