package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.codec.ByteString;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Values that {@code equals} does not compare by content, in conditions and in the view. */
@ParameterizedClass
@EnumSource(StorageType.class)
class EqualValuesTest {
  private final CacheFixture fixture = new CacheFixture(StorageType.HEAP_OBJECT);
  private final Cache<String, Object> cache;

  EqualValuesTest(StorageType storage) {
    cache = fixture.node.cache("values", CacheConfig.builder().storage(storage).build());
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @SuppressWarnings("ArrayRecordComponent") // its equals is what is tested
  private record Document(String title, byte[] text) {}

  private void checkConditions(Object value, Object equal, Object other) {
    cache.put("k", value);

    assertFalse(cache.replace("k", other, "x"));
    assertFalse(cache.remove("k", other));
    assertFalse(cache.containsValue(other));
    assertTrue(cache.containsValue(equal));
    assertTrue(cache.replace("k", equal, value));
    assertTrue(cache.remove("k", equal));
    assertFalse(cache.containsKey("k"));
  }

  @Test
  void conditions_onArrays_compareElements() {
    checkConditions(new byte[] {1}, new byte[] {1}, new byte[] {2});
    checkConditions(new int[] {1, 2}, new int[] {1, 2}, new int[] {1});
    checkConditions(new long[] {1}, new long[] {1}, new int[] {1});
    checkConditions(new String[] {"a"}, new String[] {"a"}, new String[] {"b"});
    checkConditions(new Object[] {1, "a"}, new Object[] {1, "a"}, List.of(1, "a"));
  }

  @Test
  void replace_ofWhatWasRead_succeedsForRecordsWithArrays() {
    cache.put("k", new Document("a", new byte[] {1}));

    assertTrue(cache.replace("k", read(), new Document("a", new byte[] {2})));
    assertArrayEquals(new byte[] {2}, ((Document) read()).text());
    assertFalse(cache.replace("k", new Document("a", new byte[] {3}), "x"));
    assertFalse(cache.remove("k", "x"));
    assertTrue(cache.values().remove(read()) || cache.remove("k", read()));
    assertEquals(0, cache.size());
  }

  @Test
  void remove_ofAnObjectThatNoMarshallerTakes_findsNothing() {
    cache.put("k", "a");

    assertFalse(cache.remove("k", new ByteString[0]));
    assertTrue(cache.containsKey("k"));
  }

  private Object read() {
    return Objects.requireNonNull(cache.get("k"));
  }
}
