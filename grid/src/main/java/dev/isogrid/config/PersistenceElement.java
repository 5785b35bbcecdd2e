package dev.isogrid.config;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.Fsync;
import dev.isogrid.api.StoreConfig;
import dev.isogrid.config.Section.ValueType;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads and writes the {@code persistence} of a cache. */
final class PersistenceElement {
  private static final String NAME = "persistence";
  private static final String FILE_STORE = "file-store";
  private static final String ONLY_STORE =
      "use file-store, string-keyed-jdbc-store or store, or remove it";

  private static final List<String> OTHER_STORES =
      List.of(
          "rocksdb-store",
          "table-jdbc-store",
          "query-jdbc-store",
          "remote-store",
          "single-file-store",
          "soft-index-file-store",
          "cluster-loader");

  private PersistenceElement() {}

  /**
   * Reads the element, if there is one.
   *
   * @param cache the section of the cache
   * @param base the inherited configuration
   * @param allowsFolders whether it may name an absolute path, or a store outside of the grid
   * @param builder receives the store
   */
  static void read(
      Section cache, CacheConfig base, boolean allowsFolders, CacheConfig.Builder builder) {
    builder.fileStore(base.fileStore()).store(base.store());
    Section persistence = cache.child(NAME);
    if (persistence == null) {
      return;
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
    Section file = persistence.child(FILE_STORE);
    Section outside = outside(persistence);
    persistence.finish();
    if (file == null && outside == null) {
      throw persistence.unsupported(ONLY_STORE);
    }
    if (file != null && outside != null) {
      throw outside.unsupported("a cache has one store; remove one of them");
    }
    if (file != null) {
      FileStore inherited = base.fileStore();
      FileStore from = inherited == null ? FileStore.builder().build() : inherited;
      builder.fileStore(ofStore(file, from, allowsFolders)).store(null);
    } else {
      readOutside(outside, base, allowsFolders, builder);
    }
  }

  /** The element of a store outside of the grid, or null. */
  private static @Nullable Section outside(Section persistence) {
    Section found = null;
    for (String name : List.of(StoreElement.JDBC, StoreElement.JDBC_ALIAS, StoreElement.OWN)) {
      Section child = persistence.child(name);
      if (child != null && found != null) {
        throw child.unsupported("a cache has one store; remove one of them");
      }
      found = child == null ? found : child;
    }
    return found;
  }

  private static void readOutside(
      @Nullable Section outside,
      CacheConfig base,
      boolean allowsOutside,
      CacheConfig.Builder builder) {
    Section store = Objects.requireNonNull(outside);
    StoreConfig read =
        store.element().name().equals(StoreElement.OWN)
            ? StoreElement.own(store)
            : StoreElement.jdbc(store);
    if (!allowsOutside && !read.equals(base.store())) {
      throw store.unsupported(
          "the server's configuration file can name one, in a cache or in a template to inherit"
              + " from");
    }
    builder.fileStore(null).store(read);
  }

  /** The path of an element; without permission, only a relative or inherited one. */
  private static @Nullable String path(Section section, FileStore base, boolean allowsFolders) {
    String path = section.name("path");
    if (path == null || path.equals(base.path())) {
      return path;
    }
    Path parsed = tryParse(path);
    if (parsed == null) {
      throw section.invalid("path", "a path that files on this machine can have");
    }
    if (parsed.getRoot() == null ? staysBelow(parsed) : allowsFolders) {
      return path;
    }
    throw section.invalid(
        "path",
        "a relative path without ..; the server's configuration file can name an absolute one");
  }

  private static @Nullable Path tryParse(String path) {
    try {
      return Path.of(path);
    } catch (InvalidPathException _) {
      return null;
    }
  }

  /** Whether a relative path stays below the folder that it begins in. */
  private static boolean staysBelow(Path path) {
    for (Path part : path) {
      if (part.toString().equals("..")) {
        return false;
      }
    }
    return true;
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
            .retention(Duration.ofMillis(store.timeMillis("retention", 0, base.retentionMillis())))
            .purge(store.flag("purge", base.purge()))
            .readOnly(store.flag("read-only", base.readOnly()))
            .build();
    store.finish();
    return read;
  }

  /** Reads attributes that make no difference or have only one possible value. */
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
    if (store.retentionMillis() != defaults.retentionMillis()) {
      written.attribute("retention", store.retentionMillis());
    }
    if (store.purge()) {
      written.attribute("purge", true);
    }
    if (store.readOnly()) {
      written.attribute("read-only", true);
    }
    return builder(NAME).child(written.build()).build();
  }

  /** Returns the element of a store outside of the grid. */
  static Element element(StoreConfig store) {
    return builder(NAME).child(StoreElement.element(store)).build();
  }

  private static Element.Builder builder(String name) {
    return Element.builder(name, Position.START);
  }
}
