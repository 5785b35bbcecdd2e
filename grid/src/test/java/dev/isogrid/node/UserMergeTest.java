package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isogrid.api.CacheEntry;
import dev.isogrid.api.EntryMergePolicy;
import dev.isogrid.api.MergePolicy;
import dev.isogrid.api.StorageType;
import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.ScalarMarshaller;
import dev.isogrid.engine.EntryMerge;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.DetachedEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UserMergeTest {
  private static final int FLAGS = 7;
  private static final int OTHER_FLAGS = 9;

  /** Makes new entries: of both values, or of the other one alone if that is longer. */
  public static final class Longer implements EntryMergePolicy<String, String> {
    /** For the grid. */
    public Longer() {}

    @Override
    public @Nullable CacheEntry<String, String> merge(
        @Nullable CacheEntry<String, String> preferred, List<CacheEntry<String, String>> others) {
      CacheEntry<String, String> other = others.isEmpty() ? null : others.getFirst();
      String first = preferred == null ? "" : preferred.value();
      String second = other == null ? "" : other.value();
      String value = second.length() > first.length() ? second : first + second;
      return new CacheEntry<>("k", value, 1, -1, -1, -1, -1);
    }
  }

  private final CacheFixture fixture = new CacheFixture(StorageType.HEAP_BINARY);
  private final EmbeddedCache<?, ?, ?, ?> cache = (EmbeddedCache<?, ?, ?, ?>) fixture.cache;
  private final EntryMerge merge = UserMerge.of(MergePolicy.of(Longer.class), _ -> cache);

  @AfterEach
  void close() {
    fixture.close();
  }

  private static ByteString bytes(String value) {
    return ByteString.of(ScalarMarshaller.INSTANCE.toBytes(value));
  }

  private static DetachedEntry entry(String value, int flags, @Nullable String mediaType) {
    return new DetachedEntry(5, -1, -1, -1, -1, flags, mediaType, bytes(value));
  }

  private DetachedEntry merged(@Nullable DetachedEntry clusters, @Nullable DetachedEntry sides) {
    BinaryKey key = BinaryKey.of(ScalarMarshaller.INSTANCE.toBytes("k"));
    return requireNonNull(merge.merge("c", key, clusters, sides));
  }

  @Test
  void newValue_hasFlagsAndMediaTypeOfPreferredEntry() {
    DetachedEntry merged =
        merged(entry("abc", FLAGS, "text/css"), entry("d", OTHER_FLAGS, "text/html"));
    assertEquals(bytes("abcd"), merged.value());
    assertEquals(FLAGS, merged.clientFlags());
    assertEquals("text/css", merged.mediaType());
  }

  @Test
  void valueOfOtherEntry_hasItsFlagsAndMediaType() {
    DetachedEntry merged = merged(entry("a", FLAGS, "text/css"), entry("bcd", OTHER_FLAGS, null));
    assertEquals(bytes("bcd"), merged.value());
    assertEquals(OTHER_FLAGS, merged.clientFlags());
    assertNull(merged.mediaType());
  }

  @Test
  void newValue_withoutPreferredEntry_hasFlagsAndMediaTypeOfOther() {
    DetachedEntry merged = merged(null, entry("d", OTHER_FLAGS, "text/html"));
    assertEquals(OTHER_FLAGS, merged.clientFlags());
    assertEquals("text/html", merged.mediaType());
  }
}
