package dev.isogrid.spring;

import dev.isogrid.client.ClientConfig;
import dev.isogrid.client.RemoteCacheManager;
import dev.isogrid.micrometer.ClientMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.cache.CacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A client of servers. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RemoteCacheManager.class)
@ConditionalOnProperty(name = "isogrid.mode", havingValue = "remote")
class RemoteGridConfiguration {
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  RemoteCacheManager isogridClient(IsogridProperties properties) {
    return new RemoteCacheManager(ClientConfig.of(properties.uri()));
  }

  @Bean
  @ConditionalOnMissingBean(CacheManager.class)
  CacheManager cacheManager(RemoteCacheManager client, IsogridProperties properties) {
    return new GridSpringCaches(
        name -> client.administration().getOrCreateCache(name, (String) null),
        IsogridAutoConfiguration.expiry(properties));
  }

  /** For applications with the Actuator's health. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(HealthIndicator.class)
  static class Health {
    @Bean
    @ConditionalOnMissingBean(name = "isogridHealthIndicator")
    @ConditionalOnEnabledHealthIndicator("isogrid")
    HealthIndicator isogridHealthIndicator(RemoteCacheManager client) {
      return new ClientHealth(client);
    }
  }

  /** For applications with Micrometer. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({MeterRegistry.class, ClientMetrics.class})
  static class Metrics {
    @Bean
    @ConditionalOnMissingBean
    ClientMetrics isogridMetrics(RemoteCacheManager client) {
      return new ClientMetrics(client);
    }
  }
}
