package dev.isogrid.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

/** Reads configurations of the documentation. */
public final class DocumentedConfiguration {
  private DocumentedConfiguration() {}

  /** Fails if a document is refused, or gives a warning. */
  public static void read(String document) {
    ServerDocument read = ServerDocument.read(document, null, ReadContext.empty());
    assertEquals(List.of(), read.warnings());
  }

  /** Fails if a document of one cache is refused, or gives a warning. */
  public static void readCache(String document) {
    NamedCacheConfig read = CacheDocument.read(document, null, ReadContext.empty());
    assertEquals(List.of(), read.warnings());
  }
}
