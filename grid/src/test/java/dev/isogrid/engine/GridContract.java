package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheStats;
import dev.isogrid.api.Compression;
import dev.isogrid.engine.ChangeRecorder.Told;
import dev.isogrid.node.CacheSetting;
import dev.isogrid.store.TextKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The contract of engines over every kind of container, and in a cluster on every node. If a cache
 * promises less than another, the test shows its behaviour.
 *
 * @param <K> the stored form of keys
 * @param <V> the stored form of values
 */
@Timeout(120)
@ParameterizedClass
@MethodSource("dev.isogrid.node.CacheSetting#all")
abstract class GridContract<K, V> {
  static final long REAPER_INTERVAL = 10_000;

  final TextKind<K, V> kind;
  final CacheSetting setting;
  private final List<GridFixture<K, V>> fixtures = new ArrayList<>();

  @SuppressWarnings("unchecked") // which kind it is does not matter to the tests
  GridContract(CacheSetting setting) {
    this.setting = setting;
    boolean isCompressed = setting.compression() == Compression.DICTIONARY;
    this.kind =
        (TextKind<K, V>)
            switch (setting.storage()) {
              case HEAP_OBJECT -> TextKind.OBJECTS;
              case HEAP_BINARY -> isCompressed ? TextKind.COMPRESSED_BINARY : TextKind.BINARY;
              case OFF_HEAP -> isCompressed ? TextKind.COMPRESSED_OFF_HEAP : TextKind.OFF_HEAP;
            };
  }

  final GridFixture<K, V> fixture(CacheConfig.Builder config) throws Exception {
    GridFixture<K, V> fixture = new GridFixture<>(kind, setting, config);
    fixtures.add(fixture);
    return fixture;
  }

  final GridFixture<K, V> fixture() throws Exception {
    return fixture(
        CacheConfig.builder()
            .statistics(true)
            .reaperInterval(REAPER_INTERVAL, TimeUnit.MILLISECONDS));
  }

  @AfterEach
  final void close() {
    fixtures.forEach(GridFixture::close);
  }

  static CacheStats stats(CacheEngine<?, ?> engine) {
    return Objects.requireNonNull(engine.stats());
  }

  /** Lets expired entries be removed by who does that without being asked. */
  static void reap(GridFixture<?, ?> fixture) {
    fixture.grids.time.pass(REAPER_INTERVAL);
    fixture.settle();
  }

  /** That something was told, in any order. */
  static void assertTold(Set<Told> expected, List<Told> told) {
    assertEquals(expected, new HashSet<>(told));
    assertEquals(expected.size(), told.size());
  }
}
