package dev.isogrid.server.net;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.GridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StorageType;
import dev.isogrid.config.CacheDocument;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.MutableAttributes;
import dev.isogrid.config.NamedCacheConfig;
import dev.isogrid.config.ReadContext;
import dev.isogrid.node.CacheWatcher;
import dev.isogrid.node.InternalCaches;
import dev.isogrid.node.Node;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Creates and removes the caches of a server on behalf of its clients. The configuration of a
 * <em>permanent</em> cache is stored in the server's data directory. The next start creates the
 * cache again, with the entries of its store. A <em>volatile</em> cache ends with the server. A
 * server without a data directory treats all caches as volatile.
 *
 * <p>Thread-safe. Methods may block for the disk, and for another change of the same name: call
 * them through {@code node.env().scheduler().execute(...)}, not on an event loop.
 */
public final class CacheCatalog {
  /*
   * A cache, its file, and the entry in the shared settings that makes it permanent in the whole
   * cluster change together: so creation, removal, attributes and aliases are in one class. The
   * order of the steps is the same everywhere. First come the steps that can be refused: limits,
   * names, the disk. Then the node's cache changes, and last the other servers are notified. A step
   * that fails undoes the steps before it, so nothing has changed after an error.
   *
   * Changes of one name take turns (NameTurns). Changes by other servers are applied in the same
   * turns, and retried later if this server's disk refuses them.
   */
  private static final System.Logger log = System.getLogger(CacheCatalog.class.getName());

  private final Node node;
  private final CacheLimits limits;
  private final @Nullable CacheFiles files;
  private final TemplateCatalog templates;
  private final SchemaCatalog schemas;
  private final SharedSettings settings;
  private final IgnoredCaches ignored;

  /** The stored configurations that were written since the start. */
  private final ConcurrentHashMap<String, CacheConfig> written = new ConcurrentHashMap<>();

  /** The names of the caches that each server has without a configuration. */
  private final Set<String> builtIn = ConcurrentHashMap.newKeySet();

  /** The names of ended caches whose files may have to be deleted. */
  private final Set<String> toForget = ConcurrentHashMap.newKeySet();

  private final NameTurns changing = new NameTurns();

  /**
   * Creates a catalog.
   *
   * @param node the node with the caches
   * @param files the stored configurations, or null to store none
   * @param templates configurations that clients may refer to by their names
   */
  public CacheCatalog(Node node, @Nullable CacheFiles files, Map<String, CacheConfig> templates) {
    this(node, files, templates, CacheLimits.ofProcess(node));
  }

  /** Creates a catalog with other limits of caches. */
  CacheCatalog(
      Node node,
      @Nullable CacheFiles files,
      Map<String, CacheConfig> templates,
      CacheLimits limits) {
    this.node = node;
    this.limits = limits;
    this.files = files;
    this.schemas = new SchemaCatalog(node, files == null ? null : files.map("schemas"));
    this.settings =
        new SharedSettings(
            node, files == null ? null : files.map("settings"), this::takeOverSettings);
    this.templates = new TemplateCatalog(settings, templates);
    this.ignored = new IgnoredCaches(settings);
  }

  /** Creates a catalog without templates. */
  public CacheCatalog(Node node, @Nullable CacheFiles files) {
    this(node, files, Map.of());
  }

  /** The templates of the server. */
  public TemplateCatalog templates() {
    return templates;
  }

  /** The caches that clients can't reach. */
  public IgnoredCaches ignored() {
    return ignored;
  }

  /** The context of clients' documents: {@link #templates}, and no absolute paths. */
  public ReadContext documentContext() {
    return ReadContext.empty().withTemplates(templates.all());
  }

  /** The schemas of the server. */
  public SchemaCatalog schemas() {
    return schemas;
  }

  /**
   * Loads the cluster's shared settings beside caches, or else the stored ones. Call this once, at
   * the start; may block for seconds.
   *
   * @throws InvalidRequestException if the stored settings can't be read; the message names them
   */
  public void begin() {
    schemas.begin();
    settings.begin();
    if (files != null) {
      node.keepCounters(files.counters());
    }
    node.watch(
        new CacheWatcher() {
          @Override
          public void begun(String name) {
            follow(name, () -> takeOver(name));
          }

          @Override
          public void ended(String name) {
            toForget.add(name);
            follow(name, () -> forget(name));
          }

          @Override
          public boolean isAsConfigured(String name) {
            SharedSettings.State state = settings.state(name);
            return state == null
                || state.id() != node.cacheId(name)
                || state.config().equals(config(name));
          }
        });
    takeOverSettings();
  }

  /**
   * Begins to enforce the limits: the configured caches exist now, and clients are refused new ones
   * if there are too many. The limits do not apply to the configured caches.
   */
  public void beginLimits() {
    limits.begin();
  }

  /** Whether permanent caches survive the server, which needs a data directory. */
  public boolean isPersistent() {
    return files != null;
  }

  /** Returns the folder of the archives of backups, or null if there is no data directory. */
  public @Nullable Path backupFolder() {
    return files == null ? null : files.backups();
  }

  /**
   * Creates the caches with stored configurations. Call this once, at the start.
   *
   * @return the names of those that were not created because there is another cache of that name
   * @throws InvalidRequestException if a stored configuration can't be read; the message names it
   */
  public List<String> restore() {
    List<String> covered = new ArrayList<>();
    if (files != null) {
      files
          .readAll()
          .forEach((name, config) -> {
            written.put(name, config);
            if (settings.wasRemoved(name)) {
              forget(name);
            } else if (getOrCreateVolatile(name, config)) {
              publish(name, true);
            } else if (!isAsDocument(name, config)) {
              covered.add(name);
            }
          });
    }
    return covered;
  }

  /**
   * Whether a cache matches a stored configuration, which may leave out attributes without effect.
   */
  private boolean isAsDocument(String name, CacheConfig kept) {
    CacheConfig present = config(name);
    return present != null && document(name, present).equals(document(name, kept));
  }

  private static String document(String name, CacheConfig config) {
    return CacheDocument.write(name, config, DocumentFormat.JSON);
  }

  /**
   * Creates a cache that survives the server. After the return, its configuration is on the disk.
   *
   * @throws InvalidRequestException if there is a cache of this name, or the name or the
   *     configuration is not allowed
   * @throws FatalGridException if the configuration can't be written; then the cache does not exist
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
   * As {@link #createPermanent}, but an existing cache stays unchanged, volatile or not.
   *
   * @return whether the cache was created by this call
   */
  public boolean getOrCreatePermanent(String name, CacheConfig config) {
    return changing.take(name, () -> createNew(name, config, files));
  }

  /**
   * As {@link #createVolatile}, but an existing cache stays unchanged, permanent or not.
   *
   * @return whether the cache was created by this call
   */
  public boolean getOrCreateVolatile(String name, CacheConfig config) {
    return changing.take(name, () -> createNew(name, config, null));
  }

  /**
   * Creates a cache that each server has without a configuration, unless a client has removed it
   * from the cluster or from this data directory.
   */
  public void getOrCreateBuiltIn(String name, CacheConfig config) {
    builtIn.add(name);
    if (node.configOf(name) == null && settings.wasDropped(name)) {
      log.log(
          Level.INFO,
          () ->
              "not made, since a client removed it: cache=%s; create it to use it".formatted(name));
      return;
    }
    getOrCreateVolatile(name, config);
  }

  /** Applies the caches of the server's configuration file. */
  public ConfiguredCaches configured() {
    return new ConfiguredCaches(this, settings);
  }

  /**
   * Removes a cache with its entries and its stored configuration.
   *
   * @return whether there was such a cache
   * @throws FatalGridException if the stored configuration can't be deleted; then the cache stays
   */
  public boolean remove(String name) {
    return changing.take(
        name,
        () -> {
          if (node.configOf(name) == null) {
            node.checkServed(name);
            return false;
          }
          if (files != null) {
            deleteFile(files, name);
          }
          boolean removed = removeOnNode(name);
          if (removed && settings.isBegun()) {
            settings.removed(name);
            if (builtIn.contains(name)) {
              settings.drop(name);
            }
          }
          return removed;
        });
  }

  /** Removes a cache whose file is deleted; if the cluster refuses that, the file returns. */
  private boolean removeOnNode(String name) {
    boolean isDecided = false;
    try {
      boolean removed = node.removeCache(name);
      isDecided = true;
      return removed;
    } finally {
      if (!isDecided) {
        settings.followLater();
      }
    }
  }

  /**
   * Creates a cache, or changes an existing one to a configuration.
   *
   * @param isVolatile whether a new one ends with the server
   * @throws InvalidRequestException if an immutable attribute differs; the message names it
   */
  public void createOrUpdate(String name, CacheConfig config, boolean isVolatile) {
    boolean created =
        isVolatile ? getOrCreateVolatile(name, config) : getOrCreatePermanent(name, config);
    if (!created) {
      updateTo(name, config);
    }
  }

  /**
   * Changes an existing cache to a configuration.
   *
   * @throws InvalidRequestException if there is no such cache, or an immutable attribute differs;
   *     the message names it
   */
  void updateTo(String name, CacheConfig config) {
    changing.take(name, () -> update(name, config));
  }

  /**
   * Changes an attribute of a cache, in a cluster on all servers.
   *
   * @param attribute one of {@link MutableAttributes}
   * @throws InvalidRequestException if there is no such cache, or the attribute can't be changed
   */
  public void updateAttribute(String name, String attribute, String value) {
    changing.take(
        name, () -> update(name, MutableAttributes.with(existing(name), attribute, value)));
  }

  private CacheConfig existing(String name) {
    CacheConfig config = config(name);
    if (config == null) {
      throw new InvalidRequestException("no such cache: cache=" + name);
    }
    return config;
  }

  private boolean update(String name, CacheConfig wanted) {
    CacheConfig now = existing(name);
    if (wanted.equals(now)) {
      return false;
    }
    List<String> others = MutableAttributes.immutableDifferences(now, wanted);
    if (!others.isEmpty()) {
      throw new InvalidRequestException(
          ("cache can't be changed so: cache=%s, attributes=%s; what can be changed while it exists"
                  + " are the values of %s, but a bound is neither added nor taken away; remove the"
                  + " cache first for all else")
              .formatted(name, others, MutableAttributes.of(now).keySet()));
    }
    reconfigure(name, now, wanted);
    int id = node.cacheId(name);
    if (id != 0) {
      SharedSettings.State state = settings.state(name);
      boolean isPermanent = state != null && state.id() == id && state.isPermanent();
      settings.state(name, new SharedSettings.State(id, isPermanent, wanted));
    }
    return true;
  }

  /** Changes the cache and its file, or neither. */
  private void reconfigure(String name, CacheConfig now, CacheConfig wanted) {
    if (files == null || !files.contains(name)) {
      node.reconfigure(name, wanted);
      return;
    }
    try (CacheFiles.Draft draft = files.draft(name, wanted)) {
      node.reconfigure(name, wanted);
      try {
        draft.keep();
      } catch (FatalGridException failure) {
        node.reconfigure(name, now);
        throw failure;
      }
    }
    written.put(name, wanted);
  }

  private void write(CacheFiles files, String name, CacheConfig config) {
    try (CacheFiles.Draft draft = files.draft(name, config)) {
      draft.keep();
    }
    written.put(name, config);
  }

  /** Publishes a new cache of the cluster to the other servers. */
  private void publish(String name, boolean isPermanent) {
    int id = node.cacheId(name);
    CacheConfig config = config(name);
    if (id != 0 && config != null && settings.isBegun()) {
      settings.state(name, new SharedSettings.State(id, isPermanent, config));
    }
  }

  /** Deletes a file. After a failure it may be gone all the same, so it is no longer relied on. */
  private void deleteFile(CacheFiles files, String name) {
    boolean isDone = false;
    try {
      files.delete(name);
      isDone = true;
    } finally {
      written.remove(name);
      if (!isDone) {
        settings.followLater();
      }
    }
  }

  /** Applies a change of the cluster; retries a failed one later, since no caller waits for it. */
  private void follow(String name, Runnable step) {
    try {
      step.run();
    } catch (GridException failure) {
      log.log(Level.WARNING, "cache not followed: cache=" + name, failure);
      settings.followLater();
    }
  }

  /** Updates the caches of this node, and their files, to the cluster's settings. */
  private void takeOverSettings() {
    GridException failure = null;
    for (String name : settings.states().keySet()) {
      failure = tried(name, () -> takeOver(name), failure);
    }
    for (String name : toForget) {
      failure = tried(name, () -> forget(name), failure);
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static @Nullable GridException tried(
      String name, Runnable step, @Nullable GridException failure) {
    try {
      step.run();
      return failure;
    } catch (GridException next) {
      if (failure != null) {
        log.log(Level.WARNING, "cache not followed: cache=" + name, next);
        return failure;
      }
      return next;
    }
  }

  /** Updates a cache of this node, and its file, to the cluster's settings. */
  private void takeOver(String name) {
    SharedSettings.State state = settings.state(name);
    if (state == null || state.id() != node.cacheId(name)) {
      return;
    }
    changing.take(
        name,
        () -> {
          CacheConfig now = config(name);
          if (now == null) {
            return false;
          }
          if (!now.equals(state.config())) {
            node.reconfigure(name, state.config());
          }
          if (files != null && state.isPermanent() && !state.config().equals(written.get(name))) {
            write(files, name, state.config());
          }
          return true;
        });
  }

  /** Deletes the file of a cache that the cluster has removed. */
  private void forget(String name) {
    changing.take(
        name,
        () -> {
          boolean isGone = files != null && node.configOf(name) == null;
          if (isGone && files != null) {
            deleteFile(files, name);
          }
          toForget.remove(name);
          return isGone;
        });
  }

  // ---- aliases

  /**
   * Makes an alias stand for a cache, whatever it stood for before.
   *
   * @throws InvalidRequestException if there is no such cache, or the alias is the name of one
   */
  public void assignAlias(String alias, String name) {
    checkNewAlias(alias, name);
    settings.alias(alias, name);
  }

  /**
   * Assigns an alias to a cache unless it belongs to another one.
   *
   * @return whether it belongs to this cache now
   * @throws InvalidRequestException if there is no such cache, or the alias is the name of a cache
   */
  boolean tryAlias(String alias, String name) {
    checkNewAlias(alias, name);
    return settings.tryAlias(alias, name) || name.equals(settings.aliased(alias));
  }

  private void checkNewAlias(String alias, String name) {
    NamedCacheConfig checked = new NamedCacheConfig(alias, existing(name), List.of());
    checkAlias(String.valueOf(checked.name()));
  }

  /**
   * Refuses an alias that is the name of a cache.
   *
   * @throws InvalidRequestException if it is the name of a cache
   */
  public void checkAlias(String alias) {
    if (node.configOf(alias) != null || InternalCaches.isReserved(alias)) {
      throw new InvalidRequestException(
          "alias is the name of a cache: alias=%s; choose another one".formatted(alias));
    }
  }

  /** The name of the cache of an alias, or null. Does not block. */
  public @Nullable String aliased(String alias) {
    return settings.aliased(alias);
  }

  /** The own name of a user's cache with this alias; all other names unchanged. */
  public String ownName(String name) {
    String aliased = node.configOf(name) == null ? settings.aliased(name) : null;
    return aliased == null ? name : aliased;
  }

  /** The aliases of a cache, sorted. */
  public List<String> aliasesOf(String name) {
    return settings.aliases().entrySet().stream()
        .filter(alias -> alias.getValue().equals(name))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** A number that changes when an alias is assigned. Does not block. */
  public long aliasVersion() {
    return settings.version();
  }

  private boolean createNew(String name, CacheConfig config, @Nullable CacheFiles kept) {
    if (node.configOf(name) != null) {
      return false;
    }
    if (config.storage() == StorageType.HEAP_OBJECT) {
      throw new InvalidRequestException(
          "unusable cache configuration: cache=%s, storage=HEAP_OBJECT; use OFF_HEAP or HEAP_BINARY"
              .formatted(name));
    }
    if (settings.aliased(name) != null) {
      throw new InvalidRequestException(
          "cache name is an alias: cache=%s; choose another name".formatted(name));
    }
    if (kept == null) {
      boolean isCreated = createOnNode(name, config);
      if (isCreated) {
        settings.undrop(name);
      }
      return isCreated;
    }
    try (CacheFiles.Draft draft = kept.draft(name, config)) {
      if (!createOnNode(name, config)) {
        return false;
      }
      try {
        draft.keep();
      } catch (FatalGridException failure) {
        node.discardCache(name);
        throw failure;
      }
    }
    written.put(name, config);
    settings.undrop(name);
    publish(name, true);
    return true;
  }

  /** Creates a cache; returns false if another node was faster. */
  private boolean createOnNode(String name, CacheConfig config) {
    int segments = config.segments();
    limits.reserve(name, segments);
    try {
      boolean isCreated = tryCreateOnNode(name, config);
      if (isCreated && limits.isEnforced()) {
        warnOfOwners(name, config);
      }
      return isCreated;
    } finally {
      limits.endReserving(segments);
    }
  }

  private void warnOfOwners(String name, CacheConfig config) {
    String note = new OwnersNote(node.topology()).of(config);
    if (note != null) {
      log.log(
          Level.WARNING, "cache with fewer copies than wanted: cache=%s, %s".formatted(name, note));
    }
  }

  private boolean tryCreateOnNode(String name, CacheConfig config) {
    try {
      node.createForServer(name, config);
      return true;
    } catch (InvalidRequestException refusal) {
      if (node.configOf(name) != null) {
        return false;
      }
      throw refusal;
    }
  }

  /**
   * Waits until the other servers of the cluster have a cache that this one has made, or have it no
   * more if this one has removed it, as {@link Node#awaitEverywhere}: before a client hears of it,
   * since its next request may go to another server.
   */
  public void awaitEverywhere(String name) {
    node.awaitEverywhere(name);
  }

  /**
   * Waits until the other servers of the cluster have a cache with the configuration that this one
   * gave it, as {@link #awaitEverywhere}.
   *
   * @throws dev.isogrid.api.IndeterminateGridException if a server does not hear of it in time
   */
  public void awaitChangedEverywhere(String name) {
    if (node.cacheId(name) != 0) {
      settings.awaitHeard();
      node.awaitEverywhere(name);
    }
  }

  /** The configuration of a cache, or null if there is no such cache. */
  public @Nullable CacheConfig config(String name) {
    return node.configOf(name);
  }

  /** The refusal of a request to create an existing cache. */
  public static InvalidRequestException exists(String name) {
    return new InvalidRequestException(
        "cache already exists: cache=%s; choose another name or remove it first".formatted(name));
  }
}
