package dev.isogrid.config;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.InvalidRequestException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a cache from a document.
 *
 * @param name null if the document has none
 * @param config the configuration
 * @param warnings a sentence for each part without effect; for one line of a log
 * @param aliases other names of the cache
 */
public record NamedCacheConfig(
    @Nullable String name, CacheConfig config, List<String> warnings, List<String> aliases) {
  /** The longest name of a cache, in bytes of UTF-8: messages have its length in one byte. */
  static final int NAME_LENGTH_MAX = 255;

  static final String NAME_FORM =
      "1 to " + NAME_LENGTH_MAX + " bytes of UTF-8, not only blanks, without control characters";

  /**
   * Checks the name and copies the lists.
   *
   * @throws InvalidRequestException if the name is not allowed
   */
  public NamedCacheConfig {
    if (name != null && !isName(name)) {
      throw new InvalidRequestException(
          "invalid cache name: name=%s; allowed is %s".formatted(Complaint.shown(name), NAME_FORM));
    }
    warnings = List.copyOf(warnings);
    aliases = List.copyOf(aliases);
  }

  /** A cache without other names. */
  public NamedCacheConfig(@Nullable String name, CacheConfig config, List<String> warnings) {
    this(name, config, warnings, List.of());
  }

  /** Whether a cache can have this name. */
  static boolean isName(String text) {
    return !text.isBlank()
        && text.length() <= NAME_LENGTH_MAX
        && text.codePoints().noneMatch(NamedCacheConfig::isForbidden)
        && text.getBytes(StandardCharsets.UTF_8).length <= NAME_LENGTH_MAX;
  }

  private static boolean isForbidden(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.SURROGATE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
