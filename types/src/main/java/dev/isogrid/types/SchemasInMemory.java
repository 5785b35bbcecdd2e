package dev.isogrid.types;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** Schemas of this process only. Thread-safe; never blocks. */
public final class SchemasInMemory implements SchemaRegistry {
  private final ConcurrentMap<String, String> texts = new ConcurrentHashMap<>();

  /** Without any schema. */
  public SchemasInMemory() {}

  @Override
  public @Nullable String schema(String file) {
    return texts.get(file);
  }

  @Override
  public boolean replace(String file, @Nullable String expected, String text) {
    return expected == null
        ? texts.putIfAbsent(file, text) == null
        : texts.replace(file, expected, text);
  }
}
