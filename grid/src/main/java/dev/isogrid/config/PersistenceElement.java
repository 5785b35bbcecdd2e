package dev.isogrid.config;

import dev.isogrid.api.FileStore;
import dev.isogrid.api.Fsync;
import dev.isogrid.config.Section.ValueType;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads and writes the {@code persistence} of a local cache. */
final class PersistenceElement {
  private static final String NAME = "persistence";
  private static final String FILE_STORE = "file-store";

  private PersistenceElement() {}

  /**
   * Reads the element, if there is one.
   *
   * @param cache the section of the cache
   * @param inherited what holds without one
   */
  static @Nullable FileStore read(Section cache, @Nullable FileStore inherited) {
    Section persistence = cache.child(NAME);
    if (persistence == null) {
      return inherited;
    }
    persistence.only("passivation", false);
    persistence.ignore(ValueType.NUMBER, "connection-attempts");
    persistence.ignore(ValueType.TIME, "connection-interval", "availability-interval");
    persistence.refuse(
        "rocksdb-store",
        "string-keyed-jdbc-store",
        "table-jdbc-store",
        "query-jdbc-store",
        "remote-store",
        "single-file-store",
        "soft-index-file-store",
        "cluster-loader",
        "store");
    Section store = persistence.child(FILE_STORE);
    if (store == null) {
      throw persistence.unsupported();
    }
    persistence.finish();
    return ofStore(store, inherited == null ? FileStore.builder().build() : inherited);
  }

  private static FileStore ofStore(Section store, FileStore base) {
    String path = store.name("path");
    Fsync fsync =
        Fsync.valueOf(store.choice("fsync", base.fsync().name(), "EACH", "INTERVAL", "NONE"));
    Section data = store.child("data");
    if (data != null) {
      String dataPath = data.name("path");
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
    store.ignore(ValueType.BOOLEAN, "preload", "segmented");
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
