package dev.isogrid.jcache;

import dev.isogrid.api.CacheConfig;
import java.util.Objects;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.MutableConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * A configuration of a JCache with the settings of the cache in the grid or the servers: nodes,
 * kind of memory, bounds. Without one the cache is as {@link dev.isogrid.api.Grid#cache(String)}
 * makes it.
 *
 * <p>Lifespan and max idle of the grid's configuration have no effect on entries that are written
 * through the JCache: its expiry policy decides.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public class IsogridConfiguration<K, V> extends MutableConfiguration<K, V> {
  private static final long serialVersionUID = 1;

  /** Null after serialization: the configuration of the grid's cache stays where it was made. */
  private transient @Nullable CacheConfig cacheConfig;

  private @Nullable String serverConfiguration;

  /** A cache as the grid makes it by default. */
  public IsogridConfiguration() {}

  /** A copy of another configuration. */
  public IsogridConfiguration(CompleteConfiguration<K, V> other) {
    super(other);
    if (other instanceof IsogridConfiguration<K, V> same) {
      cacheConfig = same.cacheConfig;
      serverConfiguration = same.serverConfiguration;
    }
  }

  /** How the grid keeps the entries, or null for its default. */
  public @Nullable CacheConfig getCacheConfig() {
    return cacheConfig;
  }

  /**
   * Sets how the grid keeps the entries.
   *
   * @return this
   */
  public IsogridConfiguration<K, V> setCacheConfig(@Nullable CacheConfig config) {
    cacheConfig = config;
    return this;
  }

  /** How servers keep the entries, as a document; null for their default. */
  public @Nullable String getServerConfiguration() {
    return serverConfiguration;
  }

  /**
   * Sets how servers keep the entries of a cache that they do not have yet.
   *
   * @param document in XML, JSON or YAML, such as {@code {"replicated-cache":{}}}
   * @return this
   */
  public IsogridConfiguration<K, V> setServerConfiguration(@Nullable String document) {
    serverConfiguration = document;
    return this;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return super.equals(other)
        && other instanceof IsogridConfiguration<?, ?> same
        && Objects.equals(cacheConfig, same.cacheConfig)
        && Objects.equals(serverConfiguration, same.serverConfiguration);
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }
}
