package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.StoreStats;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.journal.JournalState;
import dev.isogrid.journal.JournalStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Describes the stores of this node's caches in JSON. Methods may block on the disk. */
final class StoreReport {
  private StoreReport() {}

  /** Adds an object for the store of a cache; nothing if the cache has none. */
  static void add(Json json, CacheEngine<?, ?> engine) {
    CacheConfig config = engine.config();
    FileStore file = config.fileStore();
    StoreStats outside = engine.storeStats();
    if (file != null) {
      addFile(json.beginObject().name("cache").value(engine.name()), file, engine.journalState());
      json.endObject();
    } else if (outside != null) {
      json.beginObject().name("cache").value(engine.name()).name("kind").value("outside");
      addOutside(json, outside);
      json.endObject();
    }
  }

  /**
   * Tells why writes to a cache are refused on this server because of its file store.
   *
   * @return null if they are not
   */
  static @Nullable String note(CacheEngine<?, ?> engine) {
    FileStore file = engine.config().fileStore();
    if (file == null || file.readOnly()) {
      return null;
    }
    JournalState state = engine.journalState();
    if (state == null) {
      return "writes are refused on this server, since its store is not open; the log says why";
    }
    String trouble = state.trouble();
    return trouble == null
        ? null
        : "writes are refused on this server, since %s; make room on the disk or mend it"
            .formatted(trouble);
  }

  private static void addFile(Json json, FileStore store, @Nullable JournalState state) {
    json.name("kind").value("file");
    json.name("fsync").value(store.fsync().name());
    json.name("fsync_interval_millis").value(store.intervalMillis());
    json.name("retention_millis").value(store.retentionMillis());
    json.name("read_only").value(store.readOnly());
    json.name("is_open").value(state != null);
    if (state != null) {
      addJournal(json, state.stats());
      json.name("file").value(state.file());
      addDisk(json, Path.of(state.file()));
    }
    addText(json.name("trouble"), state == null ? null : state.trouble());
    addText(json.name("cleaning_trouble"), state == null ? null : state.cleaningTrouble());
  }

  private static void addText(Json json, @Nullable String text) {
    if (text == null) {
      json.raw("null");
    } else {
      json.value(text);
    }
  }

  private static void addJournal(Json json, JournalStats stats) {
    json.name("file_bytes").value(stats.fileBytes());
    json.name("live_bytes").value(stats.liveBytes());
    json.name("appended_bytes").value(stats.appendedBytes());
    json.name("forced_bytes").value(stats.forcedBytes());
    json.name("carried_bytes").value(stats.carriedBytes());
    json.name("forces").value(stats.forces());
    json.name("force_millis").value(stats.forceMillis());
    json.name("longest_force_millis").value(stats.longestForceMillis());
  }

  /** Adds the room of the disk that has a file; -1 if the system does not say. */
  private static void addDisk(Json json, Path file) {
    long free = -1;
    long all = -1;
    try {
      Path folder = file.getParent();
      java.nio.file.FileStore disk = Files.getFileStore(folder == null ? file : folder);
      free = disk.getUsableSpace();
      all = disk.getTotalSpace();
    } catch (IOException _) {
      // The folder is gone, or the system does not say: the figures stay unknown.
    }
    json.name("disk_free_bytes").value(free);
    json.name("disk_bytes").value(all);
  }

  private static void addOutside(Json json, StoreStats stats) {
    json.name("writes").value(stats.writes());
    json.name("deletes").value(stats.deletes());
    json.name("failures").value(stats.failures());
    json.name("dropped").value(stats.dropped());
    json.name("queued").value(stats.queued());
  }
}
