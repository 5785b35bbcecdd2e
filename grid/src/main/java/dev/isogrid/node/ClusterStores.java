package dev.isogrid.node;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.GridException;
import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import dev.isogrid.cluster.MembershipMessage.Recollection;
import dev.isogrid.cluster.Memory;
import dev.isogrid.engine.ClusterCaches;
import dev.isogrid.engine.EntryJournal;
import dev.isogrid.engine.EntryMerge;
import dev.isogrid.engine.ReplicatedEngine;
import dev.isogrid.journal.FolderDisk;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheGroup;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The stores of the clustered caches of a node, and what the node remembers of its cluster.
 * Thread-safe.
 */
final class ClusterStores {
  private static final System.Logger log = System.getLogger(ClusterStores.class.getName());

  /** How often the opening of a store is tried again that failed. */
  private static final long RETRY_MILLIS = 1000;

  /** Makes the container of a cache. */
  @FunctionalInterface
  interface Containers {
    Container<BinaryKey, Bytes> make(CacheConfig config, int epoch);
  }

  /** A cache that was loaded, and is not taken up yet. */
  private record Loaded(
      CacheDefinition definition,
      CacheConfig config,
      Container<BinaryKey, Bytes> container,
      EntryJournal<BinaryKey, Bytes> kept) {}

  private final CacheStores stores;
  private final Containers containers;
  private final BiConsumer<String, Runnable> turns;
  private final Env env;
  private final @Nullable PeerFile peers;
  private final @Nullable MemoryFile memory;
  private final @Nullable Recollection recollection;
  private final Map<Integer, Loaded> loaded = new ConcurrentHashMap<>();

  /** Those whose store could not be opened. */
  private final Map<Integer, Loaded> unopened = new ConcurrentHashMap<>();

  private final Scheduler.@Nullable Task retries;

  /**
   * Reads what the node remembers, and loads the caches that its cluster had. Blocks.
   *
   * @param dataFolder null if the node keeps nothing
   * @param turns runs a task that concerns a cache of a name, one at a time
   * @throws GridException if something can't be read
   */
  // tidy: the parts of one node
  ClusterStores(
      @Nullable Path dataFolder,
      CacheStores stores,
      Containers containers,
      BiConsumer<String, Runnable> turns,
      Env env) {
    this.stores = stores;
    this.containers = containers;
    this.turns = turns;
    this.env = env;
    this.peers = dataFolder == null ? null : new PeerFile(dataFolder, env.scheduler());
    Path folder = dataFolder == null ? null : dataFolder.toAbsolutePath().resolve("cluster");
    if (folder == null) {
      this.memory = null;
      this.recollection = null;
      this.retries = null;
      return;
    }
    MemoryFile file = new MemoryFile(() -> FolderDisk.open(folder), env.scheduler());
    Memory read = Files.isDirectory(folder) ? file.read() : null;
    this.memory = file;
    this.recollection = read == null ? null : loadAll(file, read);
    this.retries = env.scheduler().every(RETRY_MILLIS, this::retry);
  }

  private Recollection loadAll(MemoryFile file, Memory read) {
    boolean isLoaded = false;
    try {
      Recollection all = load(file, read);
      isLoaded = true;
      return all;
    } finally {
      if (!isLoaded) {
        loaded.values().forEach(each -> each.kept().close());
        file.close();
      }
    }
  }

  private Recollection load(MemoryFile file, Memory read) {
    Map<Integer, List<Long>> places = new HashMap<>();
    for (CacheDefinition cache : read.topology().caches()) {
      if (file.isKept(cache)) {
        load(cache, read.topology().groups().get(cache.group()), places);
      }
    }
    return new Recollection(read, places);
  }

  private void load(CacheDefinition cache, CacheGroup group, Map<Integer, List<Long>> places) {
    CacheConfig config = AgreedConfig.of(cache.config(), group).config();
    if (config.fileStore() == null) {
      return; // of another version, and not of its group
    }
    Container<BinaryKey, Bytes> container = containers.make(config, cache.versionEpoch());
    EntryJournal<BinaryKey, Bytes> kept =
        stores.tryLoad(cache.name(), config, container, cache.versionEpoch());
    if (kept == null) {
      log.log(
          Level.WARNING,
          "no store of a clustered cache that this node remembers: cache=" + cache.name());
      return;
    }
    loaded.put(cache.id(), new Loaded(cache, config, container, kept));
    places.put(cache.id(), LongStream.of(kept.loadedPlaces()).boxed().toList());
  }

  /** The file of the node's memory, or null if it keeps nothing. */
  @Nullable MemoryFile memory() {
    return memory;
  }

  /** Where the addresses of other members are kept, or null if the node keeps nothing. */
  @Nullable PeerFile peers() {
    return peers;
  }

  /** The node's memory from before, or null. */
  @Nullable Recollection recollection() {
    return recollection;
  }

  /** Makes room for a cache with a store. Does not wait: called by the node's driver. */
  ClusterCaches.Room make(CacheDefinition definition, CacheConfig config, EntryMerge merge) {
    Loaded before = loaded.get(definition.id());
    if (before != null && before.definition().equals(definition)) {
      loaded.remove(definition.id());
      return new ClusterCaches.Room(config, before.container(), merge, before.kept());
    }
    int epoch = definition.versionEpoch();
    Container<BinaryKey, Bytes> container = containers.make(config, epoch);
    EntryJournal<BinaryKey, Bytes> kept =
        stores.clustered(definition.name(), config, container, epoch);
    if (memory == null) {
      kept.tellTrouble("this node has no data folder; start it with --data");
      log.log(
          Level.ERROR,
          ("cache with a store is in memory only on this node, and its writes are refused:"
                  + " cache=%s; start all servers with --data")
              .formatted(definition.name()));
    } else {
      Loaded begun = new Loaded(definition, config, container, kept);
      memory.whenKept(definition.id(), () -> turns.accept(definition.name(), () -> open(begun)));
    }
    return new ClusterCaches.Room(config, container, merge, kept);
  }

  private void open(Loaded cache) {
    if (cache.kept().isClosed()) {
      return;
    }
    String name = cache.definition().name();
    try {
      discard(name, cache.definition().id());
      stores.begin(name, cache.config(), cache.kept(), cache.definition().versionEpoch());
    } catch (GridException failure) {
      cache.kept().tellTrouble(String.valueOf(failure.getMessage()));
      log.log(
          Level.ERROR,
          "writes to a cache are refused, since its store can't be opened: cache=%s, reason=%s"
              .formatted(name, failure.getMessage()));
      unopened.put(cache.definition().id(), cache);
    }
  }

  private void retry() {
    for (Loaded each : List.copyOf(unopened.values())) {
      if (unopened.remove(each.definition().id()) != null) {
        env.scheduler().execute(() -> turns.accept(each.definition().name(), () -> open(each)));
      }
    }
  }

  /** Sets the loaded stores aside of caches that the cluster has no more. Blocks. */
  void joined() {
    for (Loaded each : loaded.values()) {
      turns.accept(each.definition().name(), () -> discard(each.definition().name(), 0));
    }
  }

  /** Sets a loaded store of a name aside that is not of a cache. */
  private void discard(String name, int cache) {
    for (Loaded each : List.copyOf(loaded.values())) {
      int id = each.definition().id();
      if (each.definition().name().equals(name) && id != cache && loaded.remove(id) != null) {
        each.kept().close();
        stores.setAside(name, each.config());
      }
    }
  }

  /** The cluster has a cache no more: closes its store and sets it aside. Blocks. */
  void ended(ReplicatedEngine gone) {
    turns.accept(
        gone.name(),
        () -> {
          gone.close();
          stores.setAside(gone.name(), gone.config());
        });
  }

  /** Closes the stores that no cache has taken up, and the memory. Blocks. */
  void close() {
    if (retries != null) {
      retries.close();
    }
    loaded.values().forEach(each -> each.kept().close());
    if (memory != null) {
      memory.close();
    }
  }
}
