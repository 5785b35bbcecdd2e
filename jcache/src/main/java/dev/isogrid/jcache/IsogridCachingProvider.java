package dev.isogrid.jcache;

import dev.isogrid.api.Grid;
import dev.isogrid.client.RemoteCacheManager;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.OptionalFeature;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;

/**
 * Provides cache managers. The URI selects the home of the entries:
 *
 * <ul>
 *   <li>{@code isogrid:NAME}: in a grid of this process, one per URI and class loader. {@code
 *       isogrid:default} is the default. The manager starts the grid and closes it; or uses the
 *       {@link Grid} that the property {@link #GRID} holds, and leaves it open.
 *   <li>{@code hotrod://HOST:PORT,...} and {@code hotrods://...}: in servers, as {@link
 *       dev.isogrid.client.ClientConfig#of(String)} reads it. The properties of the manager are
 *       those of the client. With the property {@link #CLIENT}, any URI means that client, which
 *       the manager leaves open. A URI {@code isogrid:NAME} means servers, too, if the properties
 *       name some by the client's {@code server_list} or {@code uri}, for example {@code
 *       infinispan.client.hotrod.server_list}. The library {@code isogrid-client} must be on the
 *       class path.
 * </ul>
 *
 * Thread-safe.
 */
public final class IsogridCachingProvider implements CachingProvider {
  /** The property whose value is the {@link Grid}, itself, that keeps the caches. */
  public static final String GRID = "isogrid.grid";

  /** The property whose value is the client, itself, whose servers keep the caches. */
  public static final String CLIENT = "isogrid.client";

  /**
   * The system property with the URI of managers for which none is given; without it {@code
   * isogrid:default}. It is read whenever a manager is asked for.
   */
  public static final String DEFAULT_URI = "isogrid.jcache.uri";

  /**
   * The system property with the path of a file, in the form of {@link
   * Properties#load(java.io.Reader)} and in UTF-8: properties of managers of the default URI, as
   * far as a manager is not given others. Managers of other URIs do not get them, since they may
   * have passwords.
   */
  public static final String DEFAULT_PROPERTIES = "isogrid.jcache.properties";

  private static final Set<String> OF_SERVERS = Set.of("hotrod", "hotrods");

  /** The properties of the client that name servers. */
  private static final Set<String> NAMING_SERVERS =
      Set.of(
          "infinispan.client.hotrod.server_list",
          "infinispan.client.hotrod.uri",
          "isogrid.client.server_list",
          "isogrid.client.uri");

  private static final URI DEFAULT = URI.create("isogrid:default");

  private record Place(URI uri, ClassLoader loader) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Place, CacheRegistry> managers = new HashMap<>(); // guarded by: lock

  /** Made by {@link java.util.ServiceLoader}. */
  public IsogridCachingProvider() {}

  @Override
  public CacheManager getCacheManager(
      @Nullable URI uri, @Nullable ClassLoader loader, @Nullable Properties properties) {
    Place place = place(uri, loader);
    Properties given = new Properties();
    if (place.uri.equals(getDefaultURI())) {
      given.putAll(getDefaultProperties());
    }
    if (properties != null) {
      given.putAll(properties);
    }
    lock.lock();
    try {
      return managers.computeIfAbsent(
          place,
          same ->
              new CacheRegistry(this, place.uri, place.loader, given, backend(place.uri, given)));
    } finally {
      lock.unlock();
    }
  }

  private Place place(@Nullable URI uri, @Nullable ClassLoader loader) {
    return new Place(
        uri == null ? getDefaultURI() : uri, loader == null ? getDefaultClassLoader() : loader);
  }

  private static Backend backend(URI uri, Properties properties) {
    Object client = properties.get(CLIENT);
    if (client != null) {
      return ClientBackend.of((RemoteCacheManager) client);
    }
    if (isOfServers(uri)) {
      return ClientBackend.of(uri, properties);
    }
    if (Objects.equals(uri.getScheme(), DEFAULT.getScheme())) {
      Grid grid = (Grid) properties.get(GRID);
      return grid == null && namesServers(properties)
          ? ClientBackend.of(properties)
          : new EmbeddedBackend(grid);
    }
    throw new CacheException(
        "no cache manager for this URI: uri="
            + UriText.withoutSecrets(uri)
            + "; use "
            + DEFAULT
            + " or hotrod://HOST:PORT");
  }

  private static boolean isOfServers(URI uri) {
    String scheme = uri.getScheme();
    return scheme != null && OF_SERVERS.contains(scheme);
  }

  private static boolean namesServers(Properties properties) {
    return properties.keySet().stream().anyMatch(NAMING_SERVERS::contains);
  }

  @Override
  public ClassLoader getDefaultClassLoader() {
    return IsogridCachingProvider.class.getClassLoader();
  }

  @Override
  public URI getDefaultURI() {
    String named = System.getProperty(DEFAULT_URI);
    return named == null ? DEFAULT : URI.create(named);
  }

  @Override
  public Properties getDefaultProperties() {
    Properties properties = new Properties();
    String file = System.getProperty(DEFAULT_PROPERTIES);
    if (file != null) {
      try (Reader in = Files.newBufferedReader(Path.of(file))) {
        properties.load(in);
      } catch (IOException | IllegalArgumentException e) {
        throw new CacheException(
            "cannot read properties: system property=" + DEFAULT_PROPERTIES + ", file=" + file, e);
      }
    }
    return properties;
  }

  @Override
  public CacheManager getCacheManager(@Nullable URI uri, @Nullable ClassLoader loader) {
    return getCacheManager(uri, loader, null);
  }

  @Override
  public CacheManager getCacheManager() {
    return getCacheManager(null, null, null);
  }

  /** A manager is closed. */
  void forget(CacheRegistry manager) {
    lock.lock();
    try {
      managers.remove(new Place(manager.getURI(), manager.getClassLoader()), manager);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    managers().forEach(CacheRegistry::close);
  }

  @Override
  public void close(ClassLoader loader) {
    for (CacheRegistry manager : managers()) {
      if (manager.getClassLoader().equals(loader)) {
        manager.close();
      }
    }
  }

  @Override
  public void close(@Nullable URI uri, @Nullable ClassLoader loader) {
    Place place = place(uri, loader);
    for (CacheRegistry manager : managers()) {
      if (place.equals(new Place(manager.getURI(), manager.getClassLoader()))) {
        manager.close();
      }
    }
  }

  private List<CacheRegistry> managers() {
    lock.lock();
    try {
      return List.copyOf(managers.values());
    } finally {
      lock.unlock();
    }
  }

  /** The answer for managers of the default URI: servers cannot store by reference. */
  @Override
  public boolean isSupported(OptionalFeature feature) {
    return feature == OptionalFeature.STORE_BY_REFERENCE
        && !isOfServers(getDefaultURI())
        && !namesServers(getDefaultProperties());
  }
}
