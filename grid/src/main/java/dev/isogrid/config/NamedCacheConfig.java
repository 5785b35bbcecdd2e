package dev.isogrid.config;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.InvalidRequestException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cache as a document describes it.
 *
 * @param name null if the document does not say
 * @param config the configuration
 * @param warnings what the document says without effect, a sentence each; for one line of a log
 */
public record NamedCacheConfig(@Nullable String name, CacheConfig config, List<String> warnings) {
  /** The longest name of a cache, in bytes of UTF-8: its length travels in one byte. */
  static final int NAME_LENGTH_MAX = 255;

  static final String NAME_FORM =
      "1 to " + NAME_LENGTH_MAX + " bytes of UTF-8, not only blanks, without control characters";

  /**
   * Checks the name.
   *
   * @throws InvalidRequestException if no cache can have that name
   */
  public NamedCacheConfig {
    if (name != null && !isName(name)) {
      throw new InvalidRequestException(
          "invalid cache name: name=%s; allowed is %s".formatted(Complaint.shown(name), NAME_FORM));
    }
    warnings = List.copyOf(warnings);
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
