package dev.isogrid.config;

import dev.isogrid.api.FileStore;
import dev.isogrid.api.Fsync;
import dev.isogrid.config.Section.ValueType;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and writes the {@code persistence} of a cache. */
final class PersistenceElement {
  private static final String NAME = "persistence";
  private static final String FILE_STORE = "file-store";
  private static final String ONLY_STORE = "use file-store, the only kind of store, or remove it";

  private static final List<String> OTHER_STORES =
      List.of(
          "rocksdb-store",
          "string-keyed-jdbc-store",
          "table-jdbc-store",
          "query-jdbc-store",
          "remote-store",
          "single-file-store",
          "soft-index-file-store",
          "cluster-loader",
          "store");

  private PersistenceElement() {}

  /**
   * Reads the element, if there is one.
   *
   * @param cache the section of the cache
   * @param inherited what holds without one
   * @param allowsFolders whether it may name an absolute path
   */
  static @Nullable FileStore read(
      Section cache, @Nullable FileStore inherited, boolean allowsFolders) {
    Section persistence = cache.child(NAME);
    if (persistence == null) {
      return inherited;
    }
    if (persistence.flag("passivation", false)) {
      persistence.notes().ignored(persistence.path() + "@passivation"); // the store has them all
    }
    persistence.ignore(ValueType.NUMBER, "connection-attempts");
    persistence.ignore(ValueType.TIME, "connection-interval", "availability-interval");
    for (String other : OTHER_STORES) {
      for (Section child : persistence.children(other)) {
        throw child.unsupported(ONLY_STORE);
      }
    }
    Section store = persistence.child(FILE_STORE);
    if (store == null) {
      throw persistence.unsupported(ONLY_STORE);
    }
    persistence.finish();
    FileStore base = inherited == null ? FileStore.builder().build() : inherited;
    return ofStore(store, base, allowsFolders);
  }

  /** The path that an element names; without permission none but a relative or inherited one. */
  private static @Nullable String path(Section section, FileStore base, boolean allowsFolders) {
    String path = section.name("path");
    if (allowsFolders || path == null || path.equals(base.path()) || !hasRoot(path)) {
      return path;
    }
    throw section.invalid(
        "path", "a relative path; the server's configuration file can name an absolute one");
  }

  private static boolean hasRoot(String path) {
    try {
      return Path.of(path).getRoot() != null;
    } catch (InvalidPathException _) {
      return false; // the store refuses it
    }
  }

  private static FileStore ofStore(Section store, FileStore base, boolean allowsFolders) {
    String path = path(store, base, allowsFolders);
    Fsync fsync =
        Fsync.valueOf(store.choice("fsync", base.fsync().name(), "EACH", "INTERVAL", "NONE"));
    Section data = store.child("data");
    if (data != null) {
      String dataPath = path(data, base, allowsFolders);
      path = path == null ? dataPath : path;
      fsync = data.flag("sync-writes", false) && !store.has("fsync") ? Fsync.EACH : fsync;
      data.ignore(ValueType.NUMBER, "max-file-size");
      data.finish();
    }
    readIgnored(store);
    FileStore read =
        FileStore.builder()
            .path(path == null ? base.path() : path)
            .fsync(fsync)
            .fsyncInterval(
                Duration.ofMillis(store.timeMillis("fsync-interval", 1, base.intervalMillis())))
            .purge(store.flag("purge", base.purge()))
            .readOnly(store.flag("read-only", base.readOnly()))
            .build();
    store.finish();
    return read;
  }

  /** Reads what makes no difference, or has the only value that there is. */
  private static void readIgnored(Section store) {
    store.only("shared", false);
    store.only("transactional", false);
    store.only("write-only", false);
    if (!store.flag("preload", true)) {
      store.notes().ignored(store.path() + "@preload"); // all entries are loaded anyway
    }
    store.ignore(ValueType.BOOLEAN, "segmented");
    store.ignore(ValueType.NUMBER, "max-batch-size", "open-files-limit");
    store.ignore(ValueType.TEXT, "compaction-threshold", "relative-to");
    store.ignoreElement("index");
    store.ignoreElement("write-behind");
    store.ignoreElement("property");
  }

  /** Returns the element of a store. */
  static Element element(FileStore store) {
    FileStore defaults = FileStore.builder().build();
    Element.Builder written = builder(FILE_STORE);
    String path = store.path();
    if (path != null) {
      written.attribute("path", path);
    }
    written.attribute("fsync", store.fsync().name());
    if (store.intervalMillis() != defaults.intervalMillis()) {
      written.attribute("fsync-interval", store.intervalMillis());
    }
    if (store.purge()) {
      written.attribute("purge", true);
    }
    if (store.readOnly()) {
      written.attribute("read-only", true);
    }
    return builder(NAME).child(written.build()).build();
  }

  private static Element.Builder builder(String name) {
    return Element.builder(name, Position.START);
  }
}
