package dev.isogrid.spring;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.micrometer.GridMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.cache.CacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A grid that is part of the application. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "isogrid.mode", havingValue = "embedded", matchIfMissing = true)
class EmbeddedGridConfiguration {
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Grid isogrid(IsogridProperties properties) {
    IsogridProperties.Cache cache = properties.cache();
    CacheMode usual = properties.cluster().enabled() ? CacheMode.DIST_SYNC : CacheMode.LOCAL;
    CacheConfig caches =
        CacheConfig.builder()
            .mode(cache.mode() == null ? usual : cache.mode())
            .maxCount(cache.maxCount())
            .statistics(true)
            .build();
    return Grid.start(
        GridConfig.builder()
            .nodeName(properties.nodeName())
            .clusterName(properties.cluster().name())
            .cluster(properties.cluster().enabled() ? cluster(properties.cluster()) : null)
            .defaultCache(caches)
            .build());
  }

  private static ClusterConfig cluster(IsogridProperties.Cluster properties) {
    ClusterConfig.Builder cluster =
        ClusterConfig.builder().bindPort(properties.bindPort()).seeds(properties.seeds());
    if (!properties.bindAddress().isEmpty()) {
      cluster.bindAddress(properties.bindAddress());
    }
    return cluster.build();
  }

  @Bean
  @ConditionalOnMissingBean(CacheManager.class)
  CacheManager cacheManager(Grid grid, IsogridProperties properties) {
    return new GridSpringCaches(grid::cache, IsogridAutoConfiguration.expiry(properties));
  }

  /** For applications with the Actuator's health. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(HealthIndicator.class)
  static class Health {
    @Bean
    @ConditionalOnMissingBean(name = "isogridHealthIndicator")
    @ConditionalOnEnabledHealthIndicator("isogrid")
    HealthIndicator isogridHealthIndicator(Grid grid) {
      return new GridHealth(grid);
    }
  }

  /** For applications with Micrometer. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({MeterRegistry.class, GridMetrics.class})
  static class Metrics {
    @Bean
    @ConditionalOnMissingBean
    GridMetrics isogridMetrics(Grid grid) {
      return new GridMetrics(grid);
    }
  }
}
