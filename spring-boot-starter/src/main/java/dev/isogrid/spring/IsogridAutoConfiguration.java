package dev.isogrid.spring;

import dev.isogrid.api.Expiry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;

/**
 * Makes a grid or a client as the properties {@code isogrid.*} say, the caches of Spring over it,
 * its health and its metrics. A bean that the application has already stays.
 */
@AutoConfiguration(before = CacheAutoConfiguration.class)
@EnableConfigurationProperties(IsogridProperties.class)
@Import({EmbeddedGridConfiguration.class, RemoteGridConfiguration.class})
public class IsogridAutoConfiguration {
  /** Made by Spring. */
  public IsogridAutoConfiguration() {}

  /** How long Spring's caches keep entries. */
  static Expiry expiry(IsogridProperties properties) {
    return properties.cache().lifespan() == null
        ? Expiry.DEFAULT
        : Expiry.lifespan(properties.cache().lifespan());
  }
}
