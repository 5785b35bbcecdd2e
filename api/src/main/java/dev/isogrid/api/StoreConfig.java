package dev.isogrid.api;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The {@link CacheStore} of a cache, and how the cache uses it. An immutable value, made by {@link
 * #of(CacheStore)} or {@link #named}.
 *
 * <p>An entry that is not in memory is loaded when it is read, or written by an operation that
 * depends on it; operations on the whole cache, such as {@code size()} and streams, see what is in
 * memory. A write goes to the store first: if the store fails, the write fails and memory stays as
 * it was. An entry that expires or is evicted leaves memory only.
 *
 * @param store the store itself; null if it is named. Only for caches of one node
 * @param type the class of the store, or the name of a {@link CacheStoreProvider}; empty if the
 *     store itself is given
 * @param properties what the store is configured with
 * @param isPreloaded whether all entries are loaded when the cache is created, as far as its bound
 *     allows
 * @param isPurged whether the store is cleared when the cache is created
 * @param isShared whether all nodes of a cluster use the same entries of the store; clustered
 *     caches need that
 * @param isReadOnly whether the store is read and never written
 * @param writeBehind how writes wait; null for a cache that writes through
 */
public record StoreConfig(
    @Nullable CacheStore<?, ?> store,
    String type,
    Map<String, String> properties,
    boolean isPreloaded,
    boolean isPurged,
    boolean isShared,
    boolean isReadOnly,
    @Nullable WriteBehind writeBehind) {
  /** Property of a loader: {@link LoadingConfig#refreshAfterWriteMillis}. */
  public static final String REFRESH_AFTER_WRITE = "refresh-after-write";

  /** Property of a loader: {@link LoadingConfig#absentLifespanMillis}. */
  public static final String ABSENT_LIFESPAN = "absent-lifespan";

  /**
   * Checks the values and copies the properties.
   *
   * @throws InvalidConfigurationException if they don't fit each other
   */
  public StoreConfig {
    Objects.requireNonNull(type, "type");
    properties = Map.copyOf(properties);
    if (store == null == type.isEmpty()) {
      throw new InvalidConfigurationException(
          "invalid store: type=%s, store=%s; give one of them".formatted(type, store));
    }
    if (isReadOnly && (isPurged || writeBehind != null)) {
      throw new InvalidConfigurationException(
          "invalid store: read-only with purge or write-behind; leave out one of them");
    }
  }

  /** A builder for a store that its user made. */
  public static Builder of(CacheStore<?, ?> store) {
    return new Builder(Objects.requireNonNull(store, "store"), "");
  }

  /**
   * A builder for a store that each node makes.
   *
   * @param type the name of a public class with a public constructor without parameters, a {@link
   *     CacheStore} or {@link CacheLoader}, or that of a {@link CacheStoreProvider}, such as {@code
   *     jdbc}
   */
  public static Builder named(String type) {
    return new Builder(null, Objects.requireNonNull(type, "type"));
  }

  /**
   * A builder for a loader that its user made: the cache loads what is missing when it is read, and
   * writes nothing back.
   *
   * @param config when loaded entries are refreshed, and how long absences are remembered
   */
  public static Builder loading(CacheLoader<?, ?> loader, LoadingConfig config) {
    Objects.requireNonNull(loader, "loader");
    Objects.requireNonNull(config, "config");
    return of(new LoaderStore<>(loader)).loading(config);
  }

  /**
   * As {@link #loading(CacheLoader, LoadingConfig)}, for a loader that each node makes.
   *
   * @param type the name of a public class with a public constructor without parameters
   */
  public static Builder loading(String type, LoadingConfig config) {
    return named(type).loading(Objects.requireNonNull(config, "config"));
  }

  /**
   * Returns how a store that is only read loads: what its properties {@value #REFRESH_AFTER_WRITE}
   * and {@value #ABSENT_LIFESPAN} say.
   *
   * @throws InvalidConfigurationException if one is not a number of milliseconds
   */
  public LoadingConfig loading() {
    return isReadOnly
        ? new LoadingConfig(millis(REFRESH_AFTER_WRITE), millis(ABSENT_LIFESPAN))
        : LoadingConfig.DEFAULT;
  }

  private long millis(String property) {
    String text = properties.getOrDefault(property, "-1");
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException cause) {
      throw new InvalidConfigurationException(
          "invalid store: %s=%s; give a number of milliseconds, or -1 for none"
              .formatted(property, text));
    }
  }

  /** A builder that starts from this configuration. */
  public Builder toBuilder() {
    Builder builder = new Builder(store, type);
    builder.properties.putAll(properties);
    builder.isPreloaded = isPreloaded;
    builder.isPurged = isPurged;
    builder.isShared = isShared;
    builder.isReadOnly = isReadOnly;
    builder.writeBehind = writeBehind;
    return builder;
  }

  /** The attributes, and the names of the properties only: their values may be passwords. */
  @Override
  public String toString() {
    return ("StoreConfig[type=%s, properties=%s, preload=%s, purge=%s, shared=%s, readOnly=%s,"
            + " writeBehind=%s]")
        .formatted(
            store == null ? type : store.getClass().getName(),
            new TreeSet<>(properties.keySet()),
            isPreloaded,
            isPurged,
            isShared,
            isReadOnly,
            writeBehind);
  }

  /** Collects the attributes of a {@link StoreConfig}. Not thread-safe. */
  public static final class Builder {
    private final @Nullable CacheStore<?, ?> store;
    private final String type;
    private final Map<String, String> properties = new HashMap<>();
    private boolean isPreloaded;
    private boolean isPurged;
    private boolean isShared;
    private boolean isReadOnly;
    private @Nullable WriteBehind writeBehind;

    private Builder(@Nullable CacheStore<?, ?> store, String type) {
      this.store = store;
      this.type = type;
    }

    /** Sets a property of the store. */
    public Builder property(String name, String value) {
      properties.put(name, value);
      return this;
    }

    private Builder loading(LoadingConfig config) {
      isReadOnly = true;
      isShared = true;
      setMillis(REFRESH_AFTER_WRITE, config.refreshAfterWriteMillis());
      setMillis(ABSENT_LIFESPAN, config.absentLifespanMillis());
      return this;
    }

    private void setMillis(String name, long millis) {
      if (millis >= 0) {
        properties.put(name, Long.toString(millis));
      }
    }

    /** Sets whether all entries are loaded when the cache is created; default no. */
    public Builder preload(boolean preload) {
      this.isPreloaded = preload;
      return this;
    }

    /** Sets whether the store is cleared when the cache is created; default no. */
    public Builder purge(boolean purge) {
      this.isPurged = purge;
      return this;
    }

    /** Sets whether all nodes use the same entries of the store; default no. */
    public Builder shared(boolean shared) {
      this.isShared = shared;
      return this;
    }

    /** Sets whether the store is never written; default no. */
    public Builder readOnly(boolean readOnly) {
      this.isReadOnly = readOnly;
      return this;
    }

    /** Sets that writes wait for memory only; default null, for a cache that writes through. */
    public Builder writeBehind(@Nullable WriteBehind writeBehind) {
      this.writeBehind = writeBehind;
      return this;
    }

    /**
     * The configuration.
     *
     * @throws InvalidConfigurationException if the values don't fit each other
     */
    public StoreConfig build() {
      return new StoreConfig(
          store, type, properties, isPreloaded, isPurged, isShared, isReadOnly, writeBehind);
    }
  }
}
