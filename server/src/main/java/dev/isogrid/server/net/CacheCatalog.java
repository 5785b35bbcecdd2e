package dev.isogrid.server.net;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.StorageType;
import dev.isogrid.config.ReadContext;
import dev.isogrid.node.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates and removes the caches of a server on behalf of its clients. The configuration of a
 * <em>permanent</em> cache is kept in the server's data directory and the cache is created again at
 * the next start, without its entries; a <em>volatile</em> one is gone when the server ends. A
 * server without a data directory treats all caches as volatile.
 *
 * <p>Thread-safe. Methods may block for the disk, and for another change of the same name: call
 * them through {@code node.env().scheduler().execute(...)}, not on an event loop.
 */
public final class CacheCatalog {
  /** A change takes some milliseconds; who waits longer is told to try again. */
  private static final long WAIT_SECONDS = 10;

  private final Node node;
  private final @Nullable CacheFiles files;
  private final ReadContext documentContext;
  private final SchemaCatalog schemas;

  /** The names that are being created or removed now; the latch opens when that is done. */
  private final ConcurrentHashMap<String, CountDownLatch> changing = new ConcurrentHashMap<>();

  /**
   * Creates a catalog.
   *
   * @param node where the caches are
   * @param files where configurations are kept, or null to keep none
   * @param templates configurations that clients may refer to by their names
   */
  public CacheCatalog(Node node, @Nullable CacheFiles files, Map<String, CacheConfig> templates) {
    this.node = node;
    this.files = files;
    this.schemas = new SchemaCatalog(node, files == null ? null : files.map("schemas"));
    this.documentContext = ReadContext.empty().withTemplates(templates);
  }

  /** Creates a catalog without templates. */
  public CacheCatalog(Node node, @Nullable CacheFiles files) {
    this(node, files, Map.of());
  }

  /** What the documents of clients may refer to: the templates of the server's configuration. */
  public ReadContext documentContext() {
    return documentContext;
  }

  /** The schemas of the server. */
  public SchemaCatalog schemas() {
    return schemas;
  }

  /**
   * Gets what the cluster has beside caches, or else what was kept of it. To be called once, at the
   * start; may block for seconds.
   *
   * @throws InvalidRequestException if what was kept can't be read; the message names it
   */
  public void begin() {
    schemas.begin();
  }

  /** Whether permanent caches outlive the server: whether it has a data directory. */
  public boolean isPersistent() {
    return files != null;
  }

  /**
   * Creates the caches whose configurations were kept. To be called once, at the start.
   *
   * @return the names of those that were not created because there is a cache of that name
   * @throws InvalidRequestException if a kept configuration can't be read; the message names it
   */
  public List<String> restore() {
    List<String> covered = new ArrayList<>();
    if (files != null) {
      files
          .readAll()
          .forEach((name, config) -> {
            if (!getOrCreateVolatile(name, config)) {
              covered.add(name);
            }
          });
    }
    return covered;
  }

  /**
   * Creates a cache that outlives the server. When this returns, its configuration is on the disk.
   *
   * @throws InvalidRequestException if there is a cache of this name, or the name or the
   *     configuration is not allowed
   * @throws FatalGridException if the configuration can't be written; there is no such cache then
   */
  public void createPermanent(String name, CacheConfig config) {
    if (!getOrCreatePermanent(name, config)) {
      throw exists(name);
    }
  }

  /**
   * Creates a cache that ends with the server.
   *
   * @throws InvalidRequestException if there is a cache of this name, or the name or the
   *     configuration is not allowed
   */
  public void createVolatile(String name, CacheConfig config) {
    if (!getOrCreateVolatile(name, config)) {
      throw exists(name);
    }
  }

  /**
   * As {@link #createPermanent}, but an existing cache is left as it is, volatile or not.
   *
   * @return whether the cache was created by this call
   */
  public boolean getOrCreatePermanent(String name, CacheConfig config) {
    return change(name, () -> createNew(name, config, files));
  }

  /**
   * As {@link #createVolatile}, but an existing cache is left as it is, permanent or not.
   *
   * @return whether the cache was created by this call
   */
  public boolean getOrCreateVolatile(String name, CacheConfig config) {
    return change(name, () -> createNew(name, config, null));
  }

  /**
   * Removes a cache with its entries and its kept configuration.
   *
   * @return whether there was such a cache
   * @throws FatalGridException if the kept configuration can't be deleted; the cache stays then
   */
  public boolean remove(String name) {
    return change(
        name,
        () -> {
          if (files != null && node.findCache(name) != null) {
            files.delete(name);
          }
          return node.removeCache(name);
        });
  }

  private boolean createNew(String name, CacheConfig config, @Nullable CacheFiles kept) {
    if (node.findCache(name) != null) {
      return false;
    }
    if (config.storage() == StorageType.HEAP_OBJECT) {
      throw new InvalidRequestException(
          "unusable cache configuration: cache=%s, storage=HEAP_OBJECT; use OFF_HEAP or HEAP_BINARY"
              .formatted(name));
    }
    if (kept == null) {
      return createOnNode(name, config);
    }
    try (CacheFiles.Draft draft = kept.draft(name, config)) {
      if (!createOnNode(name, config)) {
        return false;
      }
      try {
        draft.keep();
      } catch (FatalGridException failure) {
        node.removeCache(name);
        throw failure;
      }
    }
    return true;
  }

  /** False if another node was faster. */
  private boolean createOnNode(String name, CacheConfig config) {
    try {
      node.createCache(name, config);
      return true;
    } catch (InvalidRequestException refusal) {
      if (node.findCache(name) != null) {
        return false;
      }
      throw refusal;
    }
  }

  /** The configuration of a cache, or null if there is no such cache. */
  public @Nullable CacheConfig config(String name) {
    var cache = node.findCache(name);
    return cache == null ? null : cache.config();
  }

  /** Runs a change of the caches while no other of the same name runs. */
  private boolean change(String name, BooleanSupplier change) {
    CountDownLatch mine = new CountDownLatch(1);
    for (CountDownLatch other = changing.putIfAbsent(name, mine);
        other != null;
        other = changing.putIfAbsent(name, mine)) {
      await(name, other);
    }
    try {
      return change.getAsBoolean();
    } finally {
      changing.remove(name);
      mine.countDown();
    }
  }

  private static void await(String name, CountDownLatch latch) {
    try {
      if (latch.await(WAIT_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
    }
    throw new RetryableGridException(
        "cache is being created or removed: cache=%s; try again".formatted(name));
  }

  private static InvalidRequestException exists(String name) {
    return new InvalidRequestException(
        "cache already exists: cache=%s; choose another name or remove it first".formatted(name));
  }
}
