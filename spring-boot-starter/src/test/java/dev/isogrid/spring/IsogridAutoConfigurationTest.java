package dev.isogrid.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.client.RemoteCacheManager;
import dev.isogrid.micrometer.ClientMetrics;
import dev.isogrid.micrometer.GridMetrics;
import dev.isogrid.server.Protection;
import dev.isogrid.server.Server;
import dev.isogrid.server.ServerSettings;
import dev.isogrid.testkit.FreePorts;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Applications that are started as users start theirs. */
class IsogridAutoConfigurationTest {
  /** A value that an application caches. */
  record Price(String item, int cents) {}

  /** A slow service. */
  public static class Prices {
    private final List<String> calls = new ArrayList<>();

    /** The calls that were not answered by a cache. */
    public List<String> calls() {
      return calls;
    }

    /** One argument. */
    @Cacheable("prices")
    public Price price(String item) {
      calls.add(item);
      return new Price(item, item.length());
    }

    /** Two arguments. */
    @Cacheable("offers")
    public Price offer(String item, int percent) {
      calls.add(item + percent);
      return new Price(item, percent);
    }

    /** No result. */
    @Cacheable("names")
    public @Nullable String nobody(String item) {
      calls.add(item);
      return null;
    }

    /** Answers by a future. */
    @Cacheable("later")
    public CompletableFuture<Price> later(String item) {
      calls.add("later " + item);
      return CompletableFuture.completedFuture(new Price(item, 1));
    }

    /** Answers by a future without a result. */
    @Cacheable(cacheNames = "once", sync = true)
    public CompletableFuture<@Nullable String> nobodyLater(String item) {
      calls.add("once " + item);
      return CompletableFuture.completedFuture(null);
    }

    /** Fails. */
    @Cacheable(cacheNames = "failures", sync = true)
    public String fail(String item) {
      throw new IllegalStateException(item);
    }

    /** Forgets an offer. */
    @CacheEvict("offers")
    public void forget(String item, int percent) {
      calls.add("forget");
    }
  }

  /** The application. */
  @Configuration
  @EnableCaching
  @EnableAutoConfiguration
  static class Shop {
    @Bean
    Prices prices() {
      return new Prices();
    }
  }

  private static Server server() {
    return Server.start(ServerSettings.local(0, GridConfig.builder().build(), Protection.NONE));
  }

  private static ConfigurableApplicationContext start(String... arguments) {
    SpringApplication application = new SpringApplication(Shop.class);
    application.setRegisterShutdownHook(false);
    return application.run(arguments);
  }

  /** Calls that are answered by caches, but for the first of each. */
  private static void checkCaches(ConfigurableApplicationContext context) {
    Prices prices = context.getBean(Prices.class);
    for (int i = 0; i < 2; i++) {
      assertEquals(new Price("pear", 4), prices.price("pear"));
      assertEquals(new Price("pear", 10), prices.offer("pear", 10));
      assertEquals(new Price("pear", 20), prices.offer("pear", 20));
      assertNull(prices.nobody("x"));
      assertEquals(new Price("fig", 1), prices.later("fig").join());
      assertNull(prices.nobodyLater("y").join());
    }
    prices.forget("pear", 10);
    prices.offer("pear", 10);
    prices.offer("pear", 20);
    IllegalStateException e = assertThrows(IllegalStateException.class, () -> prices.fail("meant"));

    assertEquals("meant", e.getMessage());
    assertEquals(
        List.of("pear", "pear10", "pear20", "x", "later fig", "once y", "forget", "pear10"),
        prices.calls());
  }

  @Test
  void start_withoutProperties_cachesInAGridOfItsOwn() {
    Grid grid;
    try (ConfigurableApplicationContext context = start("--isogrid.cache.lifespan=1h")) {
      checkCaches(context);
      grid = context.getBean(Grid.class);
      assertTrue(grid.cacheNames().containsAll(List.of("prices", "offers", "names")));
      long lifespan =
          Objects.requireNonNull(grid.cache("prices").getEntry("pear")).lifespanMillis();
      assertEquals(3_600_000, lifespan);

      SimpleMeterRegistry registry = new SimpleMeterRegistry();
      context.getBean(GridMetrics.class).bindTo(registry);
      assertNotNull(registry.find("isogrid.cache.hits").tag("cache", "prices").functionCounter());
      assertEquals(Status.UP, status(context));
    }
    assertThrows(FatalGridException.class, () -> grid.cache("prices"));
  }

  private static Status status(ConfigurableApplicationContext context) {
    return Objects.requireNonNull(
            context.getBean("isogridHealthIndicator", HealthIndicator.class).health())
        .getStatus();
  }

  @Test
  void start_inACluster_cachesInDistributedCaches() {
    try (ConfigurableApplicationContext context =
        start(
            "--isogrid.cluster.enabled=true",
            "--isogrid.cluster.bind-address=127.0.0.1",
            "--isogrid.cluster.bind-port=" + FreePorts.one())) {
      checkCaches(context);

      assertEquals("DIST_SYNC", context.getBean(Grid.class).cache("offers").config().mode().name());
    }
  }

  @Test
  void start_ofAClient_cachesInServers() {
    try (Server server = server()) {
      try (ConfigurableApplicationContext context =
          start(
              "--isogrid.mode=remote",
              "--isogrid.uri=hotrod://127.0.0.1:%d?max_retries=0"
                  .formatted(server.address().getPort()))) {
        checkCaches(context);

        assertTrue(context.getBean(RemoteCacheManager.class).getCacheNames().contains("offers"));
        assertNotNull(context.getBean(ClientMetrics.class));
        assertEquals(Status.UP, status(context));
      }
    }
  }

  @Test
  void health_whenNoServerAnswers_isDown() {
    String uri = "hotrod://127.0.0.1:%d?max_retries=0".formatted(FreePorts.one());
    try (ConfigurableApplicationContext context =
        start("--isogrid.mode=remote", "--isogrid.uri=" + uri)) {
      assertEquals(Status.DOWN, status(context));
    }
  }

  /** An application with a grid of its own making. */
  @Configuration
  static class OwnGrid extends Shop {
    @Bean
    Grid ownGrid() {
      return Grid.start();
    }
  }

  @Test
  void start_withAGridOfTheApplication_usesIt() {
    try (ConfigurableApplicationContext context = SpringApplication.run(OwnGrid.class)) {
      CacheManager caches = context.getBean(CacheManager.class);
      Grid grid = context.getBean("ownGrid", Grid.class);

      assertSame(
          grid.cache("mine"), Objects.requireNonNull(caches.getCache("mine")).getNativeCache());
    }
  }
}
