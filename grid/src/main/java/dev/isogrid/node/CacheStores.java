package dev.isogrid.node;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.Fsync;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.Marshaller;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.WhenFull;
import dev.isogrid.api.WhenSplit;
import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import dev.isogrid.codec.NamedMarshaller;
import dev.isogrid.engine.EntryJournal;
import dev.isogrid.engine.StoredForm;
import dev.isogrid.journal.DamagedJournalException;
import dev.isogrid.journal.Disk;
import dev.isogrid.journal.FolderDisk;
import dev.isogrid.journal.Journal;
import dev.isogrid.journal.JournalScope;
import dev.isogrid.journal.JournalSettings;
import dev.isogrid.journal.JournalThreads;
import dev.isogrid.journal.Recovery;
import dev.isogrid.journal.StoreFolder;
import dev.isogrid.journal.StoredRecords;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Opens the stores of a node's caches, and deletes them. Thread-safe. Methods block. */
final class CacheStores {
  private static final System.Logger log = System.getLogger(CacheStores.class.getName());

  /** A part of the message of a full disk, as Linux and the JDK have it. */
  private static final String NO_SPACE = "No space left";

  /** More of them would wait for the disk. */
  private static final int REPLAY_THREADS =
      Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 4);

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
    private final Disk disk;
    private final Recovery recovery;

    private Opened(String cache, CacheConfig config, FileStore store) throws IOException {
      this.cache = cache;
      this.config = config;
      this.store = store;
      this.folder = folder(cache, store);
      StoreFolder.checkNoRepair(folder);
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

    private void close() {
      try {
        disk.close();
      } catch (IOException failure) {
        throw refusal(cache, folder, failure);
      }
    }

    /** Lets what keeps a clustered cache begin. */
    private void begin(EntryJournal<BinaryKey, Bytes> entries, int epoch, boolean isNew) {
      boolean isEvicting = entries.isEvicting();
      if (isEvicting) {
        entries.readFrom(new StoredRecords(disk, config.segments()));
      }
      try {
        recovery.replay(entries, REPLAY_THREADS, env.scheduler()::execute);
        long live = isNew ? 0 : entries.liveBytes();
        Journal begun =
            recovery.start(epoch, settings(store), live, entries, threads(store), isEvicting);
        if (isNew) {
          entries.beginWith(begun);
        } else {
          entries.begin(begun);
        }
      } catch (IOException failure) {
        closeAfter(failure);
        throw refusal(cache, folder, failure);
      } catch (RuntimeException failure) {
        closeAfter(failure);
        throw failure;
      }
      log.log(
          Level.INFO,
          "store of a clustered cache opened: cache=%s, folder=%s, entries=%d"
              .formatted(cache, folder, entries.count()));
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
      boolean isEvicting = isEvicting(config);
      StoredRecords records = isEvicting ? new StoredRecords(disk, config.segments()) : null;
      EntryJournal<K, V> entries =
          new EntryJournal<>(cache, container, form, env.epochClock().millis(), records);
      try {
        if (store.purge()) {
          recovery.purge();
        }
        recovery.replay(entries, REPLAY_THREADS, env.scheduler()::execute);
        entries.skipVersions(recovery.lastVersion());
        if (!store.readOnly()) {
          entries.begin(
              recovery.start(
                  epoch,
                  settings(store),
                  entries.liveBytes(),
                  entries,
                  threads(store),
                  isEvicting));
        }
      } catch (IOException failure) {
        entries.close();
        closeAfter(failure);
        throw refusal(cache, folder, failure);
      } catch (RuntimeException failure) {
        entries.close();
        closeAfter(failure);
        throw failure;
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(env.nanoClock().nanoTime() - begun);
      log.log(
          Level.INFO,
          "store loaded: cache=%s, folder=%s, entries=%d, bytes=%d, millis=%d"
              .formatted(cache, folder, entries.count(), entries.liveBytes(), millis));
      return entries;
    }
  }

  /**
   * Loads what this node has of a clustered cache on its disk, and keeps it from now on.
   *
   * @param epoch of the cache's versions; a store with another one is that of another cache
   * @return null if there is no store of the cache
   */
  @Nullable EntryJournal<BinaryKey, Bytes> tryLoad(
      String cache, CacheConfig config, Container<BinaryKey, Bytes> container, int epoch) {
    FileStore store = Objects.requireNonNull(config.fileStore());
    Opened opened = open(cache, config, store);
    if (opened.recovery.lastEpoch() != epoch) {
      opened.close();
      return null;
    }
    EntryJournal<BinaryKey, Bytes> entries = clustered(cache, config, container, epoch);
    opened.begin(entries, epoch, false);
    return entries;
  }

  /** Returns the journal of a clustered cache, whose store is opened later. */
  EntryJournal<BinaryKey, Bytes> clustered(
      String cache, CacheConfig config, Container<BinaryKey, Bytes> container, int epoch) {
    long nowMillis = env.epochClock().millis();
    boolean isEvicting = isEvicting(config);
    return new EntryJournal<>(cache, container, StoredForm.BYTES, nowMillis, epoch, isEvicting);
  }

  /**
   * Begins a new store of a clustered cache, with what is there by now. A store of an earlier cache
   * of the name is set aside.
   */
  void begin(String cache, CacheConfig config, EntryJournal<BinaryKey, Bytes> entries, int epoch) {
    FileStore store = Objects.requireNonNull(config.fileStore());
    Opened opened = open(cache, config, store);
    if (opened.recovery.lastEpoch() != 0) {
      opened.close();
      setAside(cache, config);
      opened = open(cache, config, store);
    }
    opened.begin(entries, epoch, true);
  }

  /** Whether entries are evicted from memory that the store keeps. */
  private static boolean isEvicting(CacheConfig config) {
    return config.isBounded() && config.whenFull() == WhenFull.REMOVE;
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
    String reason = String.valueOf(failure.getMessage());
    String advice = "";
    if (failure instanceof DamagedJournalException) {
      advice = "; `isogrid data repair " + folder + "` keeps what can be read";
    } else if (reason.contains(NO_SPACE)) {
      advice = "; make room on its disk";
    }
    return new InvalidRequestException(
        "store can't be opened: cache=%s, folder=%s, reason=%s%s"
            .formatted(cache, folder, reason, advice),
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
    return new JournalSettings(
        store.fsync(),
        store.intervalMillis(),
        JournalSettings.FILE_BYTES_MIN,
        JournalSettings.FILE_BYTES,
        store.retentionMillis());
  }

  /** One that forces each write is in calls of the system, others look at entries and pause. */
  private JournalThreads threads(FileStore store) {
    Scheduler scheduler = env.scheduler();
    return new JournalThreads(
        store.fsync() == Fsync.EACH ? scheduler::executeBlocking : scheduler::execute,
        scheduler::every,
        env.epochClock(),
        env.nanoClock()::pause);
  }

  /**
   * Refuses a configuration whose store a node of a cluster can't have.
   *
   * @throws InvalidRequestException if the cache is of a mode without stores, or there is no data
   *     folder
   */
  void checkClustered(String cache, CacheConfig config) {
    FileStore store = config.fileStore();
    if (store == null) {
      return;
    }
    if (config.mode() != CacheMode.LOCAL) {
      checkShared(cache, config, store);
    }
    Path _ = folder(cache, store);
  }

  private void checkShared(String cache, CacheConfig config, FileStore store) {
    boolean isPossible =
        (config.mode() == CacheMode.DIST_SYNC || config.mode() == CacheMode.REPL_SYNC)
            && config.whenSplit() != WhenSplit.ALLOW_READ_WRITES;
    if (!isPossible) {
      throw new InvalidRequestException(
          ("clustered cache can't have a store: cache=%s, mode=%s, when-split=%s; use a synchronous"
                  + " distributed or replicated cache that does not write on both sides of a split,"
                  + " or leave out the persistence")
              .formatted(cache, config.mode(), config.whenSplit()));
    }
    if (store.purge() || store.readOnly()) {
      throw new InvalidRequestException(
          ("store of a clustered cache can't be purged at the start or read only: cache=%s; leave"
                  + " out both")
              .formatted(cache));
    }
    if (dataFolder == null) {
      throw new InvalidRequestException(
          ("store of a clustered cache needs a data folder: cache=%s; start all servers with --data"
                  + " or set GridConfig.builder().dataFolder(folder)")
              .formatted(cache));
    }
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
