package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheLoader;
import dev.isogrid.api.InvalidConfigurationException;
import dev.isogrid.api.LoadingCache;
import dev.isogrid.api.LoadingConfig;
import dev.isogrid.api.StorageType;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Loading in a cache of one node whose time stands still, and whose tasks run when told. */
@ParameterizedClass
@EnumSource(StorageType.class)
class LoadingCacheTest {
  private static final Duration AGE = Duration.ofMinutes(1);

  private final CacheFixture fixture;
  private final Cache<String, String> cache;
  private final List<String> loads = new ArrayList<>();
  private final Map<String, String> source = new HashMap<>(Map.of("a", "1", "b", "2", "c", "3"));

  LoadingCacheTest(StorageType storage) {
    fixture = new CacheFixture(storage);
    cache = fixture.cache;
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private @Nullable String load(String key) {
    loads.add(key);
    return source.get(key);
  }

  /** Loads what the source has, many keys together. */
  private final class Source implements CacheLoader<String, String> {
    @Override
    public @Nullable String load(String key) {
      return LoadingCacheTest.this.load(key);
    }

    @Override
    public Map<String, String> loadAll(Set<? extends String> keys) {
      loads.add(new TreeSet<>(keys).toString());
      return source;
    }

    @Override
    public @Nullable String reload(String key, String oldValue) {
      String value = LoadingCacheTest.this.load(key);
      return value == null ? null : oldValue + value;
    }
  }

  @Test
  void get_loadsWhatIsMissing_once() {
    LoadingCache<String, String> loading = cache.loading(this::load);
    assertNull(loading.getIfPresent("a"));
    assertEquals("1", loading.get("a"));
    assertEquals("1", loading.get("a"));
    assertEquals("1", cache.get("a"));
    assertEquals(List.of("a"), loads);
    assertSame(cache, loading.cache());
  }

  @Test
  void get_ofWhatIsNotThere_asksAgain() {
    LoadingCache<String, String> loading = cache.loading(this::load);
    assertNull(loading.get("x"));
    assertNull(loading.get("x"));
    assertEquals(List.of("x", "x"), loads);
  }

  @Test
  void absence_isRememberedForItsLifespan() {
    LoadingCache<String, String> loading =
        cache.loading(this::load, LoadingConfig.DEFAULT.absentLifespan(AGE));
    assertNull(loading.get("x"));
    assertNull(loading.get("x"));
    assertEquals(Map.of(), loading.getAll(Set.of("x")));
    assertEquals(List.of("x"), loads);
    source.put("x", "9");
    fixture.env.advance(AGE.toMillis());
    assertEquals("9", loading.get("x"));

    assertNull(loading.get("y"));
    source.put("y", "8");
    loading.invalidate("y");
    assertEquals("8", loading.get("y"));

    assertNull(loading.get("z"));
    loading.put("z", "7");
    assertEquals("7", loading.get("z"));
  }

  @Test
  void absence_isRememberedForEver_ifThatIsItsLifespan() {
    LoadingCache<String, String> loading =
        cache.loading(
            this::load, LoadingConfig.DEFAULT.absentLifespan(ChronoUnit.FOREVER.getDuration()));
    assertNull(loading.get("x"));
    assertNull(loading.get("x"));
    fixture.env.advance(AGE.toMillis());
    assertNull(loading.get("x"));
    assertEquals(List.of("x"), loads);
  }

  @Test
  void getAll_loadsWhatIsMissing_together() {
    LoadingCache<String, String> loading = cache.loading(new Source());
    cache.put("b", "there");
    assertEquals(Map.of("a", "1", "b", "there"), loading.getAll(Set.of("a", "b", "x")));
    assertEquals(List.of("[a, x]"), loads);
    assertEquals(Set.of("a", "b"), cache.keySet());
    assertEquals(Map.of("a", "1"), loading.getAll(Set.of("a")));
    assertEquals(1, loads.size());
    CompletableFuture<Map<String, String>> all = loading.getAllAsync(Set.of("a", "c"));
    assertFalse(all.isDone());
    fixture.env.runTasks();
    assertEquals(Map.of("a", "1", "c", "3"), all.join());
  }

  @Test
  void loader_thatWritesItsKey_isRefused() {
    LoadingCache<String, String> one =
        cache.loading(key -> {
          cache.put(key, "x");
          return "y";
        });
    assertThrows(IllegalStateException.class, () -> one.get("a"));
    assertThrows(IllegalStateException.class, () -> one.getAll(Set.of("a", "b")));
    assertEquals(0, cache.size());
    assertNull(cache.put("a", "free"));
  }

  @Test
  void loader_thatThrows_isHeardOf() {
    LoadingCache<String, String> checked =
        cache.loading(_ -> {
          throw new IOException("on purpose");
        });
    CompletionException thrown = assertThrows(CompletionException.class, () -> checked.get("a"));
    assertInstanceOf(IOException.class, thrown.getCause());
    LoadingCache<String, String> unchecked =
        cache.loading(_ -> {
          throw new ArithmeticException("on purpose");
        });
    assertThrows(ArithmeticException.class, () -> unchecked.get("a"));
    assertThrows(ArithmeticException.class, () -> unchecked.getAll(Set.of("a")));
  }

  @Test
  void oldEntry_isRefreshedInTheBackground() {
    LoadingCache<String, String> loading =
        cache.loading(new Source(), LoadingConfig.DEFAULT.refreshAfterWrite(AGE));
    assertEquals("1", loading.get("a"));
    fixture.env.advance(AGE.toMillis() - 1);
    assertEquals("1", loading.get("a"));
    assertEquals(0, fixture.env.runTasks());
    fixture.env.advance(1);
    source.put("a", "2");
    assertEquals("1", loading.get("a"));
    assertEquals("1", loading.get("a"));
    assertEquals(1, fixture.env.runTasks());
    assertEquals("12", loading.get("a"));
    assertEquals(List.of("a", "a"), loads);
  }

  @Test
  void refresh_isDropped_ifTheEntryIsWrittenMeanwhile() {
    LoadingCache<String, String> loading =
        cache.loading(key -> {
          cache.put(key, "newer");
          return "loaded";
        });
    cache.put("a", "old");
    CompletableFuture<@Nullable String> refresh = loading.refresh("a");
    CompletableFuture<@Nullable String> same = loading.refresh("a");
    assertEquals(1, fixture.env.runTasks());
    assertEquals("loaded", refresh.join());
    assertEquals("loaded", same.join());
    assertEquals("newer", cache.get("a"));
  }

  @Test
  void refresh_ofWhatIsGone_removesIt() {
    LoadingCache<String, String> loading = cache.loading(new Source());
    cache.put("x", "old");
    CompletableFuture<@Nullable String> refresh = loading.refresh("x");
    fixture.env.runTasks();
    assertNull(refresh.join());
    assertFalse(cache.containsKey("x"));
    CompletableFuture<@Nullable String> loaded = loading.refresh("b");
    fixture.env.runTasks();
    assertEquals("2", loaded.join());
    assertEquals("2", cache.get("b"));
  }

  @Test
  void refresh_thatFails_leavesTheOldValue() {
    LoadingCache<String, String> loading =
        cache.loading(_ -> {
          throw new ArithmeticException("on purpose");
        });
    cache.put("a", "old");
    CompletableFuture<@Nullable String> refresh = loading.refresh("a");
    fixture.env.runTasks();
    assertTrue(refresh.isCompletedExceptionally());
    assertEquals("old", loading.get("a"));
  }

  @Test
  void error_ofALoader_endsTheFuturesThatWaitForIt() {
    LoadingCache<String, String> loading =
        cache.loading(_ -> {
          throw new NoClassDefFoundError("on purpose");
        });
    cache.put("a", "old");
    CompletableFuture<@Nullable String> refresh = loading.refresh("a");
    CompletableFuture<@Nullable String> load = loading.getAsync("b");
    fixture.env.runTasks();
    assertInstanceOf(NoClassDefFoundError.class, refresh.exceptionNow());
    assertInstanceOf(NoClassDefFoundError.class, load.exceptionNow());
    CompletableFuture<@Nullable String> next = loading.refresh("a");
    assertEquals(1, fixture.env.runTasks());
    assertTrue(next.isCompletedExceptionally());
  }

  @Test
  void times_thatAreNone_areRefused() {
    assertThrows(
        InvalidConfigurationException.class,
        () -> LoadingConfig.DEFAULT.refreshAfterWrite(Duration.ZERO));
    assertThrows(
        InvalidConfigurationException.class,
        () -> LoadingConfig.DEFAULT.absentLifespan(Duration.ZERO));
  }
}
