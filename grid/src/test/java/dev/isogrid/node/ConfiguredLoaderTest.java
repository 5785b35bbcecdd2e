package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheLoader;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidConfigurationException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.LoadingConfig;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.StoreConfig;
import dev.isogrid.base.FakeEnv;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A cache of one node whose configuration has a loader; its time stands still. */
@ParameterizedClass
@EnumSource(StorageType.class)
class ConfiguredLoaderTest {
  private static final Duration AGE = Duration.ofMinutes(1);

  private final StorageType storage;
  private final FakeEnv env = new FakeEnv();
  private final Node node = Node.start(GridConfig.builder().nodeName("n").build(), env.env());
  private final List<String> loads = new ArrayList<>();
  private final Map<String, String> source = new HashMap<>(Map.of("a", "1", "b", "2", "c", "3"));

  ConfiguredLoaderTest(StorageType storage) {
    this.storage = storage;
  }

  @AfterEach
  void close() {
    node.close();
  }

  /** Loads what the source has, many keys together. */
  private final class Source implements CacheLoader<String, String> {
    @Override
    public @Nullable String load(String key) throws IOException {
      loads.add(key);
      if (key.equals("bad")) {
        throw new IOException("on purpose");
      }
      return source.get(key);
    }

    @Override
    public Map<String, String> loadAll(Set<? extends String> keys) {
      loads.add(new TreeSet<>(keys).toString());
      return source;
    }

    @Override
    public @Nullable String reload(String key, String oldValue) {
      loads.add("re" + key);
      String value = source.get(key);
      return value == null ? null : oldValue + value;
    }
  }

  private Cache<String, String> cache(LoadingConfig loading) {
    return node.createCache(
        "c",
        CacheConfig.builder().storage(storage).segments(8).loader(new Source(), loading).build());
  }

  private List<String> loads() {
    List<String> taken = List.copyOf(loads);
    loads.clear();
    return taken;
  }

  @Test
  void get_loadsWhatIsMissing_once() {
    Cache<String, String> cache = cache(LoadingConfig.DEFAULT);
    assertEquals("1", cache.get("a"));
    assertEquals("1", cache.get("a"));
    assertNull(cache.get("x"));
    assertNull(cache.get("x"));
    assertEquals(List.of("a", "x", "x"), loads());
    assertEquals(Set.of("a"), cache.keySet());
    assertEquals("1", cache.computeIfAbsent("a", _ -> "never"));
    assertEquals(-1, Objects.requireNonNull(cache.getEntry("a")).lifespanMillis());
  }

  @Test
  void getAll_loadsWhatIsMissing_together() {
    Cache<String, String> cache = cache(LoadingConfig.DEFAULT);
    cache.putAll(Map.of("b", "there"));
    assertEquals(Map.of("a", "1", "b", "there"), cache.getAll(Set.of("a", "b", "x")));
    assertEquals(List.of("[a, x]"), loads());
    assertEquals(Set.of("a", "b"), cache.keySet());
  }

  @Test
  void writes_changeMemoryOnly() {
    Cache<String, String> cache = cache(LoadingConfig.DEFAULT);
    assertEquals("1", cache.put("a", "mine"));
    assertEquals("mine", cache.get("a"));
    assertEquals("mine", cache.remove("a"));
    assertEquals("1", cache.get("a"));
    cache.clear();
    assertEquals("1", cache.get("a"));
    assertEquals(Map.of("a", "1", "b", "2", "c", "3"), source);
  }

  @Test
  void absence_isRememberedForItsLifespan() {
    Cache<String, String> cache = cache(LoadingConfig.DEFAULT.absentLifespan(AGE));
    assertNull(cache.get("x"));
    assertNull(cache.get("x"));
    assertEquals(Map.of(), cache.getAll(Set.of("x", "y")));
    assertNull(cache.get("y"));
    assertEquals(List.of("x", "[y]"), loads());
    cache.put("y", "8");
    assertEquals("8", cache.get("y"));
    source.put("x", "9");
    env.advance(AGE.toMillis());
    assertEquals("9", cache.get("x"));
  }

  @Test
  void oldEntry_isRefreshedInTheBackground() {
    Cache<String, String> cache = cache(LoadingConfig.DEFAULT.refreshAfterWrite(AGE));
    assertEquals("1", cache.get("a"));
    env.advance(AGE.toMillis() - 1);
    assertEquals("1", cache.get("a"));
    assertEquals(0, env.runTasks());
    env.advance(1);
    source.put("a", "2");
    assertEquals("1", cache.get("a"));
    assertEquals("1", cache.get("a"));
    assertEquals(1, env.runTasks());
    assertEquals("12", cache.get("a"));
    assertEquals(List.of("a", "rea"), loads());

    env.advance(AGE.toMillis());
    source.remove("a");
    assertEquals("12", cache.get("a"));
    assertEquals(1, env.runTasks());
    assertNull(cache.get("a"));
  }

  @Test
  void loaderThatFails_isHeardOf() {
    Cache<String, String> cache = cache(LoadingConfig.DEFAULT);
    RetryableGridException thrown =
        assertThrows(RetryableGridException.class, () -> cache.get("bad"));
    assertInstanceOf(IOException.class, thrown.getCause());
    assertTrue(String.valueOf(thrown.getMessage()).contains("on purpose"), thrown::getMessage);
    assertTrue(String.valueOf(thrown.getMessage()).contains("Source"), thrown::getMessage);
  }

  @Test
  void loaderThatIsNamed_mustBeReadOnly() {
    CacheConfig config =
        CacheConfig.builder()
            .storage(storage)
            .store(StoreConfig.named(CountedLoader.class.getName()).build())
            .build();
    InvalidRequestException refusal =
        assertThrows(InvalidRequestException.class, () -> node.createCache("n", config));
    assertTrue(
        String.valueOf(refusal.getMessage()).contains("read-only=true"), refusal::getMessage);
    InvalidRequestException other =
        assertThrows(
            InvalidRequestException.class,
            () ->
                node.createCache(
                    "o",
                    CacheConfig.builder()
                        .loader(ConfiguredLoaderTest.class.getName(), LoadingConfig.DEFAULT)
                        .build()));
    assertTrue(String.valueOf(other.getMessage()).contains("lacks the store"), other::getMessage);
  }

  @Test
  void timeThatIsNone_isRefused() {
    StoreConfig config =
        StoreConfig.loading(new Source(), LoadingConfig.DEFAULT)
            .property(StoreConfig.REFRESH_AFTER_WRITE, "soon")
            .build();
    InvalidConfigurationException refusal =
        assertThrows(InvalidConfigurationException.class, config::loading);
    assertTrue(String.valueOf(refusal.getMessage()).contains("soon"), refusal::getMessage);
  }
}
