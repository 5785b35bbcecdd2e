package dev.isogrid.journal;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The cache that a journal belongs to.
 *
 * @param cache its name
 * @param content how its keys and values became bytes; what was written under another content can't
 *     be read
 * @param segments its number of segments, 1 or more
 */
public record JournalScope(String cache, String content, int segments) {
  private static final int TEXT_BYTES_MAX = 0xFFFF;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if one is out of its range, naming it
   */
  public JournalScope {
    Objects.requireNonNull(cache, "cache");
    Objects.requireNonNull(content, "content");
    if (segments < 1
        || cache.getBytes(StandardCharsets.UTF_8).length > TEXT_BYTES_MAX
        || content.getBytes(StandardCharsets.UTF_8).length > TEXT_BYTES_MAX) {
      throw new IllegalArgumentException(
          "invalid scope: cache=%s, content=%s, segments=%d; texts have at most %d bytes"
              .formatted(cache, content, segments, TEXT_BYTES_MAX));
    }
  }
}
