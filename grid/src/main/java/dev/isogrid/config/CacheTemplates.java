package dev.isogrid.config;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StorageType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configurations that exist without being defined: one for each {@link CacheMode}, called
 * {@code org.infinispan.DIST_SYNC} or {@code dev.isogrid.DIST_SYNC} and so on. They count
 * statistics and keep bytes off the heap; everything else has its default.
 */
public final class CacheTemplates {
  private static final List<String> PREFIXES = List.of("org.infinispan.", "dev.isogrid.");

  private static final Map<String, CacheConfig> TEMPLATES = templates();

  private CacheTemplates() {}

  private static Map<String, CacheConfig> templates() {
    Map<String, CacheConfig> templates = new LinkedHashMap<>();
    for (String prefix : PREFIXES) {
      for (CacheMode mode : CacheMode.values()) {
        templates.put(
            prefix + mode,
            CacheConfig.builder()
                .mode(mode)
                .storage(StorageType.OFF_HEAP)
                .statistics(true)
                .build());
      }
    }
    return Collections.unmodifiableMap(templates);
  }

  /** The names, in the order of the modes, those beginning with {@code org.infinispan} first. */
  public static List<String> names() {
    return List.copyOf(TEMPLATES.keySet());
  }

  /**
   * The configuration with a name.
   *
   * @throws InvalidRequestException if there is none of that name
   */
  public static CacheConfig template(String name) {
    CacheConfig template = find(name);
    if (template == null) {
      throw new InvalidRequestException(
          "unknown cache template: name=%s; use one of %s"
              .formatted(Complaint.shown(name), String.join(", ", names())));
    }
    return template;
  }

  /** The configuration with a name, or null if there is none. */
  static @Nullable CacheConfig find(String name) {
    return TEMPLATES.get(name);
  }
}
