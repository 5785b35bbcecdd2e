package dev.isogrid.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CacheConfigTest {
  private static CacheConfig.Builder builder() {
    return CacheConfig.builder();
  }

  private static void assertRefused(CacheConfig.Builder builder, String message) {
    IllegalArgumentException refusal =
        assertThrows(InvalidConfigurationException.class, builder::build);
    assertEquals("invalid cache configuration: " + message, refusal.getMessage());
  }

  @Test
  void build_ofNothing_isALocalCacheOfObjects() {
    CacheConfig config = builder().build();

    assertEquals(CacheMode.LOCAL, config.mode());
    assertEquals(StorageType.HEAP_OBJECT, config.storage());
    assertEquals(256, config.segments());
    assertEquals(2, config.owners());
    assertEquals(Expiry.UNLIMITED, config.lifespanMillis());
    assertEquals(Expiry.UNLIMITED, config.maxIdleMillis());
    assertEquals(60_000, config.reaperIntervalMillis());
    assertEquals(CacheConfig.UNBOUNDED, config.maxCount());
    assertEquals(CacheConfig.UNBOUNDED, config.maxSizeBytes());
    assertEquals(WhenFull.REMOVE, config.whenFull());
    assertFalse(config.isBounded());
    assertFalse(config.statistics());
    assertEquals(CacheConfig.UNKNOWN_MEDIA_TYPE, config.keyMediaType());
    assertNull(config.keyMarshaller());
    assertNull(config.valueMarshaller());
  }

  @Test
  @SuppressWarnings("NullAway") // what callers without the checker do
  void build_withoutAMode_namesIt() {
    CacheConfig.Builder builder = builder().mode(null);
    assertEquals("mode", assertThrows(NullPointerException.class, builder::build).getMessage());
  }

  @Test
  void times_areAMillisecondAtLeast_andZeroIsRefused() {
    assertEquals(1, builder().lifespan(Duration.ofNanos(1)).build().lifespanMillis());
    assertEquals(1, builder().maxIdle(999, TimeUnit.MICROSECONDS).build().maxIdleMillis());
    assertEquals(-1, builder().lifespan(Duration.ofNanos(-1)).build().lifespanMillis());
    String allowed = "; allowed is 1 ms or more, or -1 for no limit";
    assertRefused(builder().lifespan(Duration.ZERO), "lifespan=0" + allowed);
    assertRefused(builder().maxIdle(0, TimeUnit.SECONDS), "max-idle=0" + allowed);
  }

  @Test
  void build_ofNumbersAtTheLimits_isDoneOrRefused() {
    assertEquals(1, builder().segments(1).owners(1).build().segments());
    assertEquals(65_536, builder().segments(65_536).owners(255).build().segments());
    assertRefused(builder().segments(0), "segments=0; allowed is 1 to 65536");
    assertRefused(builder().segments(65_537), "segments=65537; allowed is 1 to 65536");
    assertRefused(builder().owners(0), "owners=0; allowed is 1 to 255");
    assertRefused(builder().owners(256), "owners=256; allowed is 1 to 255");
  }

  @Test
  void build_ofMaxIdleNotBelowTheLifespan_isRefused() {
    CacheConfig.Builder builder = builder().lifespan(10, TimeUnit.SECONDS);

    assertEquals(9_999, builder.maxIdle(9_999, TimeUnit.MILLISECONDS).build().maxIdleMillis());
    assertRefused(
        builder.maxIdle(10, TimeUnit.SECONDS),
        "max-idle=10000; allowed is less than the lifespan of 10000 ms");
    assertEquals(-1, builder.maxIdle(-5, TimeUnit.SECONDS).build().maxIdleMillis());
  }

  @Test
  void build_ofBoundsAtTheLimits_isDoneOrRefused() {
    assertEquals(1, builder().maxCount(1).build().maxCount());
    assertEquals(65_536, builder().maxSize(65_536).build().maxSizeBytes());
    assertTrue(builder().maxCount(1).build().isBounded());
    assertTrue(builder().maxSize(Long.MAX_VALUE).build().isBounded());
    assertRefused(builder().maxCount(0), "max-count=0; allowed is 1 or more, or -1 for no bound");
    assertRefused(
        builder().maxSize(65_535),
        "max-size=65535; allowed is 65536 bytes or more, or -1 for no bound");
    assertRefused(
        builder().maxSize(0), "max-size=0; allowed is 65536 bytes or more, or -1 for no bound");
  }

  @Test
  void build_ofBothBounds_isRefused() {
    assertRefused(
        builder().maxCount(5).maxSize(1_000_000),
        "max-size=1000000; allowed is -1 if max-count is bounded");
  }

  @Test
  void build_ofNegativeBounds_isUnbounded() {
    CacheConfig config = builder().maxCount(-7).maxSize(Long.MIN_VALUE).build();

    assertEquals(CacheConfig.UNBOUNDED, config.maxCount());
    assertEquals(CacheConfig.UNBOUNDED, config.maxSizeBytes());
    assertFalse(config.isBounded());
  }

  @Test
  void build_ofNegativeTimes_isUnlimited() {
    CacheConfig config =
        builder().lifespan(-2, TimeUnit.MILLISECONDS).maxIdle(-9, TimeUnit.DAYS).build();

    assertEquals(Expiry.UNLIMITED, config.lifespanMillis());
    assertEquals(Expiry.UNLIMITED, config.maxIdleMillis());
  }

  @Test
  void toBuilder_ofConfiguration_keepsEverything() {
    CacheConfig config =
        builder()
            .mode(CacheMode.DIST_SYNC)
            .owners(3)
            .segments(7)
            .storage(StorageType.OFF_HEAP)
            .maxSize(5_000_000)
            .whenFull(WhenFull.EXCEPTION)
            .lifespan(9, TimeUnit.SECONDS)
            .maxIdle(3, TimeUnit.SECONDS)
            .reaperInterval(-1, TimeUnit.SECONDS)
            .statistics(true)
            .encoding("text/plain", "application/json")
            .build();

    assertEquals(config, config.toBuilder().build());
    assertTrue(config.statistics());
    assertEquals("application/json", config.valueMediaType());
    assertEquals(-1000, config.reaperIntervalMillis());
    assertEquals(5_000_000, config.maxSizeBytes());
    assertEquals(WhenFull.EXCEPTION, config.whenFull());
  }

  @Test
  void durations_areAsTimesWithUnits() {
    CacheConfig config =
        CacheConfig.builder()
            .lifespan(Duration.ofMinutes(2))
            .maxIdle(Duration.ofSeconds(-1))
            .reaperInterval(Duration.ofMillis(1500))
            .build();
    assertEquals(120_000, config.lifespanMillis());
    assertEquals(Expiry.UNLIMITED, config.maxIdleMillis());
    assertEquals(1500, config.reaperIntervalMillis());
    ClusterConfig cluster =
        ClusterConfig.builder()
            .operationTimeout(Duration.ofSeconds(3))
            .joinTimeout(Duration.ofSeconds(4))
            .leaveTimeout(Duration.ofSeconds(5))
            .rebalanceLatency(Duration.ofMillis(6))
            .build();
    assertEquals(3_000, cluster.operationTimeoutMillis());
    assertEquals(4_000, cluster.joinTimeoutMillis());
    assertEquals(5_000, cluster.leaveTimeoutMillis());
    assertEquals(6, cluster.rebalanceLatencyMaxMillis());
  }

  @Test
  void build_ofCompressedObjects_isRefused() {
    CacheConfig.Builder builder = builder().compression(Compression.DICTIONARY);

    IllegalArgumentException refusal =
        assertThrows(InvalidConfigurationException.class, builder::build);

    assertEquals(
        "a cache of objects can't be compressed: storage=HEAP_OBJECT, compression=DICTIONARY;"
            + " use OFF_HEAP or HEAP_BINARY",
        refusal.getMessage());
  }

  @Test
  void build_ofCompressedBytes_keepsTheCompression() {
    CacheConfig config =
        builder().storage(StorageType.OFF_HEAP).compression(Compression.DICTIONARY).build();

    assertEquals(Compression.DICTIONARY, config.compression());
    assertEquals(config, config.toBuilder().build());
    assertEquals(Compression.NONE, builder().build().compression());
  }
}
