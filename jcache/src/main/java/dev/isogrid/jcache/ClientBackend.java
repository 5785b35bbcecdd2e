package dev.isogrid.jcache;

import dev.isogrid.client.ClientConfig;
import dev.isogrid.client.RemoteCache;
import dev.isogrid.client.RemoteCacheManager;
import dev.isogrid.client.StringConfiguration;
import java.net.URI;
import java.util.Properties;
import java.util.concurrent.locks.ReentrantLock;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** Servers behind a client: one that the user gave, or one that connects with the first cache. */
final class ClientBackend implements Backend {
  private final @Nullable URI uri;
  private final Properties properties;
  private final boolean isOwner;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable RemoteCacheManager client; // guarded by: lock

  private ClientBackend(
      @Nullable URI uri, Properties properties, @Nullable RemoteCacheManager client) {
    this.uri = uri;
    this.properties = properties;
    this.client = client;
    isOwner = client == null;
  }

  /**
   * Connects to the servers of a URI.
   *
   * @param uri {@code hotrod://...} or {@code hotrods://...}
   * @param properties of the client
   */
  static ClientBackend of(URI uri, Properties properties) {
    return new ClientBackend(uri, properties, null);
  }

  /** Connects to the servers that properties of the client name. */
  static ClientBackend of(Properties properties) {
    return new ClientBackend(null, properties, null);
  }

  /** Uses a client, which stays open when this is closed. */
  static ClientBackend of(RemoteCacheManager client) {
    return new ClientBackend(null, new Properties(), client);
  }

  private RemoteCacheManager client() {
    lock.lock();
    try {
      if (client == null) {
        ClientConfig.Builder config = ClientConfig.builder();
        if (uri != null) {
          config.uri(uri.toString());
        }
        client = new RemoteCacheManager(config.withProperties(properties).build());
      }
      return client;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public <K, V> EntryStore<K, V> open(
      String name, IsogridConfiguration<K, V> configuration, ClassLoader loader) {
    if (!configuration.isStoreByValue()) {
      throw new UnsupportedOperationException(
          "cannot store by reference in servers: cache=" + name + "; store by value");
    }
    if (configuration.getCacheConfig() != null) {
      throw new CacheException(
          "a CacheConfig has no effect on servers: cache="
              + name
              + "; use setServerConfiguration of IsogridConfiguration");
    }
    RemoteCache<K, V> known = client().getCache(name);
    if (known != null) {
      return new RemoteStore<>(known);
    }
    String given = configuration.getServerConfiguration();
    String document = given == null ? defaultConfiguration() : given;
    return new RemoteStore<>(
        client().administration().getOrCreateCache(name, new StringConfiguration(document)));
  }

  /** The configuration of a cache that the servers do not have: of what the client writes. */
  private String defaultConfiguration() {
    return """
    {"distributed-cache":{"mode":"SYNC","encoding":{"media-type":"%s"}}}\
    """
        .formatted(client().config().marshaller().mediaType());
  }

  @Override
  public void remove(String name) {
    client().administration().removeCache(name);
  }

  @Override
  public <T> @Nullable T unwrap(Class<T> type) {
    return type.isAssignableFrom(RemoteCacheManager.class) ? type.cast(client()) : null;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (isOwner && client != null) {
        client.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
