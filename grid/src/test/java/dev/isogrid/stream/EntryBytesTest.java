package dev.isogrid.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheStream;
import dev.isogrid.api.EntryBytes;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StorageType;
import dev.isogrid.codec.ScalarMarshaller;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams over the bytes of entries. */
class EntryBytesTest {
  private final Grid grid = Grid.start(GridConfig.builder().nodeName("n").build());

  @AfterEach
  void close() {
    grid.close();
  }

  private <K, V> Cache<K, V> cache(StorageType storage) {
    return grid.createCache("c", CacheConfig.builder().storage(storage).segments(4).build());
  }

  private static byte[] array(ByteBuffer buffer) {
    byte[] array = new byte[buffer.remaining()];
    buffer.get(array);
    return array;
  }

  @ParameterizedTest
  @EnumSource(names = {"HEAP_BINARY", "OFF_HEAP"})
  void bytes_ofEntriesOfAllSizes_areThoseThatTheCacheKeeps(StorageType storage) {
    Cache<String, byte[]> cache = cache(storage);
    Map<String, byte[]> model = new HashMap<>();
    for (int size : new int[] {0, 1, 100, 127, 128, 4095, 5000, 20_000}) {
      model.put("k".repeat(1 + size % 300), new byte[size]);
      cache.put("k".repeat(1 + size % 300), new byte[size]);
    }
    Map<String, Integer> sizes = new HashMap<>();
    cache
        .entryBytes()
        .forEach((EntryBytes entry) -> {
          String key = (String) ScalarMarshaller.INSTANCE.fromBytes(array(entry.key()));
          byte[] value = (byte[]) ScalarMarshaller.INSTANCE.fromBytes(array(entry.value()));
          assertEquals(entry.value().remaining(), entry.valueSize());
          assertEquals(entry.key().remaining(), entry.keySize());
          sizes.put(key, value.length);
        });
    assertEquals(model.size(), sizes.size());
    model.forEach((key, value) -> assertEquals(value.length, sizes.get(key)));
    String key = "k".repeat(1 + 20_000 % 300);
    assertTrue(
        cache.entryBytes().filterKeys(Set.of(key)).mapToInt(EntryBytes::valueSize).sum() > 20_000);
  }

  @ParameterizedTest
  @EnumSource(names = {"HEAP_BINARY", "OFF_HEAP"})
  void bytesOfAKeyThatIsRemovedMeanwhile_areThoseThatItHad(StorageType storage) {
    Cache<String, byte[]> cache = cache(storage);
    cache.put("key", new byte[20_000]);
    byte[] ones = new byte[20_000];
    Arrays.fill(ones, (byte) 1);
    int sum =
        cache
            .entryBytes()
            .filterKeys(Set.of("key"))
            .peek((EntryBytes entry) -> {
              cache.remove("key");
              IntStream.range(0, 5).forEach(i -> cache.put("other" + i, ones));
            })
            .mapToInt(entry -> entry.value().get(1000))
            .sum();
    assertEquals(0, sum);
  }

  @ParameterizedTest
  @EnumSource(names = {"HEAP_BINARY", "OFF_HEAP"})
  void numbers_areReadWithoutObjects(StorageType storage) {
    Cache<Long, Object> cache = cache(storage);
    long sum = 0;
    for (long i = -500; i < 500; i++) {
      cache.put(i, i % 2 == 0 ? (Object) (i << 32) : (Object) (int) i);
      sum += i % 2 == 0 ? i << 32 : i;
    }
    assertEquals(sum, cache.entryBytes().mapToLong(EntryBytes::valueAsLong).sum());
    assertEquals(
        List.of(-2L, -1L, 0L),
        cache
            .entryBytes()
            .parallel()
            .mapToLong(EntryBytes::keyAsLong)
            .filter(key -> key >= -2 && key <= 0)
            .sorted()
            .boxed()
            .toList());
    cache.clear();
    cache.put(1L, 1.5);
    cache.put(2L, 2.25f);
    assertEquals(3.75, cache.entryBytes().mapToDouble(EntryBytes::valueAsDouble).sum());
    assertThrows(
        InvalidRequestException.class,
        () -> cache.entryBytes().mapToLong(EntryBytes::valueAsLong).sum());
  }

  @ParameterizedTest
  @EnumSource(names = {"HEAP_BINARY", "OFF_HEAP"})
  void versionAndTimes_areThoseOfTheEntry(StorageType storage) {
    Cache<String, Integer> cache = cache(storage);
    cache.put("a", 1);
    cache.put("b", 2, new Expiry(60_000, TimeUnit.HOURS.toMillis(3)));
    long version = Objects.requireNonNull(cache.getEntry("b")).version();
    assertEquals(1, cache.entryBytes().filter(each -> each.lifespanMillis() < 0).count());
    List<List<Long>> seen =
        cache
            .entryBytes()
            .filter(each -> each.lifespanMillis() == 60_000)
            .filter(each -> each.createdMillis() > 0 && each.lastUsedMillis() > 0)
            .map(each -> List.of(each.version(), each.maxIdleMillis()))
            .toList();
    assertEquals(List.of(List.of(version, TimeUnit.HOURS.toMillis(3))), seen);
  }

  @Test
  void operations_thatKeepElements_areRefused() {
    Cache<String, Integer> cache = cache(StorageType.OFF_HEAP);
    cache.put("a", 1);
    List<Function<CacheStream<EntryBytes>, Object>> keeping =
        List.of(
            CacheStream::iterator,
            CacheStream::toList,
            CacheStream::distinct,
            stream -> stream.limit(1),
            stream -> stream.filter(_ -> true).skip(1),
            stream -> stream.findAny(),
            stream -> stream.min((a, b) -> Long.compare(a.version(), b.version())));
    for (Function<CacheStream<EntryBytes>, Object> each : keeping) {
      InvalidRequestException refusal =
          assertThrows(InvalidRequestException.class, () -> each.apply(cache.entryBytes()));
      assertTrue(String.valueOf(refusal.getMessage()).contains("map them"), refusal.toString());
    }
    assertEquals(1, cache.entryBytes().map(EntryBytes::valueSize).limit(1).count());
    assertTrue(cache.entryBytes().anyMatch(each -> each.valueAsLong() == 1));
  }

  @Test
  void cacheOfObjects_isRefused() {
    Cache<String, Integer> cache = cache(StorageType.HEAP_OBJECT);
    assertThrows(InvalidRequestException.class, cache::entryBytes);
  }
}
