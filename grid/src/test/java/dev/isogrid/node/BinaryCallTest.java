package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEntry;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.Marshaller;
import dev.isogrid.api.StorageType;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that work with arrays which later calls use again. */
class BinaryCallTest {
  private static CacheConfig.Builder config(StorageType storage) {
    return CacheConfig.builder().storage(storage).segments(4);
  }

  /** Texts as bytes, by way of another call on a cache; refuses "bad". */
  private static final class Nesting implements Marshaller<String> {
    @Nullable Cache<String, String> other;

    private void callOther() {
      if (other != null) {
        other.put("nested", "x".repeat(300));
        assertEquals("x".repeat(300), other.get("nested"));
      }
    }

    @Override
    public byte[] toBytes(String text) {
      callOther();
      if (text.equals("bad")) {
        throw new InvalidRequestException("refused: " + text);
      }
      return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String fromBytes(byte[] bytes) {
      callOther();
      return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public String mediaType() {
      return "application/octet-stream";
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HEAP_BINARY", "OFF_HEAP"})
  void call_whoseMarshallerCallsAnotherCache_keepsItsBytes(StorageType storage) {
    Nesting nesting = new Nesting();
    try (CacheFixture fixture = new CacheFixture(config(storage))) {
      Cache<String, String> cache =
          fixture.node.createCache("nesting", config(storage).valueMarshaller(nesting).build());
      nesting.other = fixture.cache;

      assertNull(cache.put("key", "value"));
      assertEquals("value", cache.put("key", "other"));
      assertEquals("other", cache.get("key"));
      assertThrows(InvalidRequestException.class, () -> cache.put("key", "bad"));
      assertEquals("other", cache.remove("key"));
      assertNull(cache.get("key"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HEAP_BINARY", "OFF_HEAP"})
  void calls_ofSmallAndLargeValues_giveWhatWasThere(StorageType storage) {
    try (CacheFixture fixture = new CacheFixture(config(storage))) {
      Cache<String, String> cache = fixture.cache;
      String before = null;
      for (int length : new int[] {0, 10_000, 5, 4096, 4000, 100_000, 1, 8192, 8190, 3}) {
        String value = "ž".repeat(length) + length;
        assertEquals(before, cache.put("key", value));
        assertEquals(value, cache.get("key"));
        before = value;
      }
      assertNull(cache.put("k".repeat(10_000), "long key"));
      assertEquals("long key", cache.get("k".repeat(10_000)));
      assertNull(cache.get("k".repeat(9_999)));
      assertEquals(before, cache.remove("key"));
    }
  }

  @ParameterizedTest
  @EnumSource(StorageType.class)
  void writes_oneAfterAnother_haveNothingOfTheOneBefore(StorageType storage) {
    try (CacheFixture fixture = new CacheFixture(config(storage))) {
      Cache<String, String> cache = fixture.cache;
      assertNull(cache.put("a", "1", new Expiry(50, 20)));
      assertNull(cache.put("b", "2", Expiry.NEVER));
      assertEquals(Expiry.UNLIMITED, fixture.entry("b").lifespanMillis());
      assertEquals("2", cache.putIfAbsent("b", "3"));
      assertNull(cache.replace("c", "3"));
      assertNull(cache.remove("c"));
      CacheEntry<String, String> entry = Objects.requireNonNull(cache.getEntry("b"));
      assertFalse(cache.replaceIfVersion("b", "4", entry.version() + 1, Expiry.NEVER));
      assertTrue(cache.replaceIfVersion("b", "4", entry.version(), Expiry.NEVER));
      assertEquals("4", cache.put("b", "5"));
      assertFalse(cache.removeIfVersion("b", entry.version()));
      assertEquals("5", cache.remove("b"));
      assertNull(cache.put("b", "6"));
    }
  }
}
