package dev.isogrid.node;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.Marshaller;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.codec.NamedMarshaller;
import dev.isogrid.engine.EntryJournal;
import dev.isogrid.engine.StoredForm;
import dev.isogrid.journal.DamagedJournalException;
import dev.isogrid.journal.FolderDisk;
import dev.isogrid.journal.JournalScope;
import dev.isogrid.journal.JournalSettings;
import dev.isogrid.journal.JournalThreads;
import dev.isogrid.journal.Recovery;
import dev.isogrid.journal.StoreFolder;
import dev.isogrid.store.Container;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Opens the stores of a node's caches, and deletes them. Thread-safe. Methods block. */
final class CacheStores {
  private static final System.Logger log = System.getLogger(CacheStores.class.getName());

  private final @Nullable Path dataFolder;
  private final Env env;

  CacheStores(@Nullable Path dataFolder, Env env) {
    this.dataFolder = dataFolder;
    this.env = env;
  }

  /** A store whose files were looked at, but not read. */
  final class Opened {
    private final String cache;
    private final CacheConfig config;
    private final FileStore store;
    private final Path folder;
    private final FolderDisk disk;
    private final Recovery recovery;

    private Opened(String cache, CacheConfig config, FileStore store) throws IOException {
      this.cache = cache;
      this.config = config;
      this.store = store;
      this.folder = folder(cache, store);
      this.disk = store.readOnly() ? FolderDisk.readOnly(folder) : FolderDisk.open(folder);
      this.recovery = recovery();
    }

    private Recovery recovery() throws IOException {
      JournalScope scope = new JournalScope(cache, content(config), config.segments());
      try {
        return Recovery.open(disk, scope, UUID.randomUUID(), store.readOnly());
      } catch (IOException failure) {
        closeAfter(failure);
        throw failure;
      }
    }

    private void closeAfter(Exception failure) {
      try {
        disk.close();
      } catch (IOException alsoFailed) {
        failure.addSuppressed(alsoFailed);
      }
    }

    /**
     * Returns the epoch of the cache's versions: that of the store, which stays, since containers
     * keep versions without it.
     *
     * @param fresh for a store that is new or purged, unless the former one was later
     */
    int epoch(int fresh) {
      int last = recovery.lastEpoch();
      return last == 0 ? fresh : store.purge() ? Math.max(fresh, last + 1) : last;
    }

    /**
     * Loads a container, and keeps it from now on.
     *
     * @param epoch of the container's versions, as {@link #epoch} returned it
     */
    <K, V> EntryJournal<K, V> load(Container<K, V> container, StoredForm<K, V> form, int epoch) {
      long begun = env.nanoClock().nanoTime();
      EntryJournal<K, V> entries =
          new EntryJournal<>(cache, container, form, env.epochClock().millis());
      try {
        if (store.purge()) {
          recovery.purge();
        }
        recovery.replay(entries);
        entries.skipVersions(recovery.lastVersion());
        if (!store.readOnly()) {
          entries.begin(
              recovery.start(epoch, settings(store), entries.liveBytes(), entries, threads()));
        }
      } catch (IOException failure) {
        closeAfter(failure);
        throw refusal(cache, folder, failure);
      } catch (RuntimeException failure) {
        closeAfter(failure);
        throw failure;
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(env.nanoClock().nanoTime() - begun);
      log.log(
          Level.INFO,
          "store loaded: cache=%s, folder=%s, entries=%d, bytes=%d, millis=%d"
              .formatted(cache, folder, count(container), entries.liveBytes(), millis));
      return entries;
    }
  }

  private static long count(Container<?, ?> container) {
    long count = 0;
    for (int index = 0; index < container.segmentCount(); index++) {
      count += container.segmentAt(index).count();
    }
    return count;
  }

  /**
   * Opens the store of a cache.
   *
   * @throws InvalidRequestException if it is in use, of another cache or damaged, or has no folder
   */
  Opened open(String cache, CacheConfig config, FileStore store) {
    try {
      return new Opened(cache, config, store);
    } catch (IOException failure) {
      throw refusal(cache, folder(cache, store), failure);
    }
  }

  private static InvalidRequestException refusal(String cache, Path folder, IOException failure) {
    String advice =
        failure instanceof DamagedJournalException
            ? "; `isogrid data repair " + folder + "` keeps what can be read"
            : "";
    return new InvalidRequestException(
        "store can't be opened: cache=%s, folder=%s, reason=%s%s"
            .formatted(cache, folder, failure.getMessage(), advice),
        failure);
  }

  private Path folder(String cache, FileStore store) {
    String path = store.path();
    if (path != null && Path.of(path).getRoot() != null) {
      return StoreFolder.of(Path.of(path).toAbsolutePath(), cache);
    }
    if (dataFolder == null) {
      throw new InvalidRequestException(
          ("store has no folder: cache=%s, path=%s; start the server with --data, set"
                  + " GridConfig.builder().dataFolder(folder), or give an absolute path")
              .formatted(cache, path == null ? "none" : path));
    }
    Path stores = dataFolder.toAbsolutePath().resolve("stores");
    return StoreFolder.of(path == null ? stores : StoreFolder.below(stores, path), cache);
  }

  /** How keys and values become bytes: what was written one way can't be read the other. */
  private static String content(CacheConfig config) {
    return config.storage() == StorageType.HEAP_OBJECT
        ? "objects"
        : "keys=%s %s, values=%s %s"
            .formatted(
                config.keyMediaType(),
                name(config.keyMarshaller()),
                config.valueMediaType(),
                name(config.valueMarshaller()));
  }

  private static String name(@Nullable Marshaller<?> marshaller) {
    return switch (marshaller) {
      case null -> "built-in";
      case NamedMarshaller named -> named.name();
      default -> marshaller.getClass().getName();
    };
  }

  private static JournalSettings settings(FileStore store) {
    return new JournalSettings(store.fsync(), store.intervalMillis(), JournalSettings.FILE_BYTES);
  }

  private JournalThreads threads() {
    return new JournalThreads(env.scheduler()::execute, env.scheduler()::every);
  }

  /**
   * Refuses a configuration whose store a node of a cluster can't have.
   *
   * @throws InvalidRequestException if the cache is not local, or there is no data folder and the
   *     store's path is relative
   */
  void checkClustered(String cache, CacheConfig config) {
    FileStore store = config.fileStore();
    if (store == null) {
      return;
    }
    if (config.mode() != CacheMode.LOCAL) {
      throw new InvalidRequestException(
          ("clustered caches can't have a store yet: cache=%s, mode=%s; use a local cache, leave"
                  + " out the persistence, or start a single server with --no-cluster")
              .formatted(cache, config.mode()));
    }
    Path _ = folder(cache, store);
  }

  /** Renames the folder of a cache that the cluster removed, which another node may have done. */
  void setAside(String cache, CacheConfig config) {
    FileStore store = config.fileStore();
    if (store == null || store.readOnly()) {
      return;
    }
    Path folder = folder(cache, store);
    try {
      Path aside = StoreFolder.setAside(folder);
      log.log(
          Level.INFO,
          ("cache removed, its store is kept until another cache of its name is removed: cache=%s,"
                  + " folder=%s")
              .formatted(cache, aside));
    } catch (IOException failure) {
      log.log(
          Level.ERROR,
          "cache removed, but not its store: cache=%s, folder=%s; delete the folder"
              .formatted(cache, folder),
          failure);
    }
  }

  /** Deletes the files of a cache that was closed for good. */
  void delete(String cache, CacheConfig config) {
    FileStore store = config.fileStore();
    if (store == null || store.readOnly()) {
      return;
    }
    Path folder = folder(cache, store);
    try {
      StoreFolder.delete(folder);
    } catch (IOException failure) {
      throw new FatalGridException(
          "cache removed, but not its store: cache=%s, folder=%s, reason=%s; delete the folder"
              .formatted(cache, folder, failure),
          failure);
    }
  }
}
