package dev.isogrid.server.backup;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CounterConfig;
import dev.isogrid.api.GridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.config.CacheDocument;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.ReadContext;
import dev.isogrid.engine.Bulk;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.server.backup.BackupManifest.Content;
import dev.isogrid.server.backup.BackupManifest.Part;
import dev.isogrid.server.net.CacheCatalog;
import dev.isogrid.server.net.SchemaCatalog;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.IncomingValue;
import dev.isogrid.structure.CounterState;
import dev.isogrid.structure.CounterTable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Restores the selected resources of an archive. For one thread. */
final class BackupRestorer {
  /*
   * Before any change, the whole archive is compared with its checksums, and everything that can be
   * refused is checked. Then come templates, schemas, counters and caches, last the entries.
   *
   * Existing resources stay: a cache with its configuration, also if the archive has another one,
   * and entries whose keys are not in the archive. So one archive fits clusters of other sizes, and
   * caches with other storage or bounds. Only the media types must be the same, since otherwise the
   * bytes of keys and values would have another meaning. Entries of the archive replace entries
   * with the same keys.
   *
   * A lifespan includes the time in the archive: expired entries are left out. An entry with a max
   * idle counts as used now.
   */
  /** The entries between two checks for cancellation, at most. */
  private static final int ENTRIES_PER_ROUND = 4096;

  /** The most bytes of a round, but for its last entry: all of them are on the heap together. */
  private static final long BYTES_PER_ROUND = 8 << 20;

  /** The bytes that are copied at a time of a value that is not copied as a whole. */
  private static final int PART_BYTES = 64 << 10;

  private final ServerContext context;
  private final CacheCatalog catalog;
  private final ArchiveReader archive;
  private final BackupSelection selection;
  private final BackupProgress progress;

  private final Map<String, CacheConfig> newCaches = new TreeMap<>();
  private final Map<String, CacheConfig> newTemplates = new TreeMap<>();
  private final Map<String, KeptCounter> counters = new TreeMap<>();
  private final Map<String, String> aliases = new TreeMap<>();
  private final List<String> kept = new ArrayList<>();
  private Set<String> caches = Set.of();
  private Set<String> schemas = Set.of();
  private long entries;
  private long expired;

  /** A counter of the archive. */
  private record KeptCounter(CounterConfig config, long value) {}

  /**
   * The result of a restore.
   *
   * @param caches the caches with written entries
   * @param kept the existing caches with another configuration, which they keep
   * @param entries the number of written entries
   * @param expired the number of expired entries, which were left out
   */
  record Restored(Set<String> caches, List<String> kept, long entries, long expired) {}

  /**
   * Prepares a restore.
   *
   * @param archive borrowed
   * @param progress receives each round of entries; may end the restore, restored entries stay
   */
  BackupRestorer(
      ServerContext context,
      ArchiveReader archive,
      BackupSelection selection,
      BackupProgress progress) {
    this.context = context;
    this.catalog = context.catalog();
    this.archive = archive;
    this.selection = selection;
    this.progress = progress;
  }

  /**
   * Restores. Blocks.
   *
   * @throws DamagedArchiveException if the archive is damaged; then nothing was changed
   * @throws GridException if something is refused; the message shows whether anything was changed
   */
  Restored restore() throws IOException {
    archive.verify();
    prepareTemplates();
    prepareSchemas();
    prepareCounters();
    prepareCaches();
    prepareAliases();
    newTemplates.forEach((name, config) -> catalog.templates().create(name, config, false));
    for (Part part : archive.manifest().of(Content.SCHEMA)) {
      if (schemas.contains(part.name())) {
        catalog.schemas().write(part.name(), archive.text(part), SchemaCatalog.When.ALWAYS);
      }
    }
    counters.forEach(this::restoreCounter);
    createCaches();
    aliases.forEach(catalog::assignAlias);
    List<Part> parts =
        archive.manifest().of(Content.ENTRIES).stream()
            .filter(part -> caches.contains(part.name()))
            .toList();
    progress.expect(parts.stream().mapToLong(Part::count).sum());
    for (Part part : parts) {
      restoreEntries(part);
    }
    return new Restored(caches, kept, entries, expired);
  }

  private Set<String> selected(BackupKind kind, Content content) {
    Set<String> available = new TreeSet<>();
    archive.manifest().of(content).forEach(part -> available.add(part.name()));
    return selection.of(kind, available, "in the archive");
  }

  private CacheConfig config(Part part) throws IOException {
    return CacheDocument.read(
            archive.text(part), DocumentFormat.JSON, ReadContext.empty().withFolders())
        .config();
  }

  private void prepareTemplates() throws IOException {
    Set<String> wanted = selected(BackupKind.TEMPLATES, Content.TEMPLATE);
    Map<String, CacheConfig> present = catalog.templates().all();
    for (Part part : archive.manifest().of(Content.TEMPLATE)) {
      String name = part.name();
      if (!wanted.contains(name)) {
        continue;
      }
      CacheConfig config = config(part);
      CacheConfig other = present.get(name);
      if (other == null) {
        newTemplates.put(name, allowed(part));
      } else if (!other.equals(config)) {
        throw new InvalidRequestException(
            ("template exists with another configuration: template=%s; remove it, or leave it out"
                    + " of the restore; nothing was changed")
                .formatted(name));
      }
    }
  }

  private void prepareSchemas() {
    schemas = selected(BackupKind.SCHEMAS, Content.SCHEMA);
    selection.of(BackupKind.TASKS, Set.of(), "in the archive");
  }

  private void prepareCounters() throws IOException {
    Map<String, KeptCounter> available = new TreeMap<>();
    for (Part part : archive.manifest().of(Content.COUNTERS)) {
      archive
          .text(part)
          .lines()
          .forEach(line -> {
            String[] words = line.split(" ", -1);
            available.put(decoded(words[0]), counter(words));
          });
    }
    Set<String> wanted = selection.of(BackupKind.COUNTERS, available.keySet(), "in the archive");
    CounterTable table = context.node().counterTable();
    available.forEach((name, counter) -> {
      if (wanted.contains(name)) {
        CounterState present = table.find(name);
        if (present != null && !present.config().equals(counter.config())) {
          throw new InvalidRequestException(
              ("counter exists with another definition: counter=%s; remove it, or leave it out of"
                      + " the restore; nothing was changed")
                  .formatted(name));
        }
        counters.put(name, counter);
      }
    });
  }

  private static KeptCounter counter(String[] words) {
    CounterConfig config =
        new CounterConfig(
            CounterConfig.Type.valueOf(words[1]),
            Long.parseLong(words[2]),
            Long.parseLong(words[3]),
            Long.parseLong(words[4]),
            Integer.parseInt(words[5]),
            CounterConfig.Storage.valueOf(words[6]));
    return new KeptCounter(config, Long.parseLong(words[7]));
  }

  private static String decoded(String word) {
    return URLDecoder.decode(word, StandardCharsets.UTF_8);
  }

  private void prepareCaches() throws IOException {
    caches = selected(BackupKind.CACHES, Content.CACHE);
    for (Part part : archive.manifest().of(Content.CACHE)) {
      String name = part.name();
      if (!caches.contains(name)) {
        continue;
      }
      CacheConfig config = config(part);
      CacheConfig present = catalog.config(name);
      if (present == null) {
        newCaches.put(name, allowed(part));
      } else {
        checkMediaTypes(name, config, present);
        if (!present.equals(config)) {
          kept.add(name);
        }
      }
    }
  }

  /**
   * The configuration as a client may give it: without folders, classes or databases of its own
   * choice. That holds for templates too, since other clients' caches inherit from them.
   */
  private CacheConfig allowed(Part part) throws IOException {
    return CacheDocument.read(archive.text(part), DocumentFormat.JSON, catalog.documentContext())
        .config();
  }

  private static void checkMediaTypes(String name, CacheConfig config, CacheConfig present) {
    boolean isSame =
        config.keyMediaType().equals(present.keyMediaType())
            && config.valueMediaType().equals(present.valueMediaType());
    if (!isSame) {
      throw new InvalidRequestException(
          ("cache exists with other media types: cache=%s, keys=%s, values=%s, in the archive"
                  + " keys=%s, values=%s; remove it, or leave it out of the restore; nothing was"
                  + " changed")
              .formatted(
                  name,
                  present.keyMediaType(),
                  present.valueMediaType(),
                  config.keyMediaType(),
                  config.valueMediaType()));
    }
  }

  private void prepareAliases() throws IOException {
    for (Part part : archive.manifest().of(Content.ALIASES)) {
      for (String line : archive.text(part).lines().toList()) {
        String[] words = line.split(" ", -1);
        String alias = decoded(words[0]);
        if (caches.contains(decoded(words[1]))) {
          catalog.checkAlias(alias);
          aliases.put(alias, decoded(words[1]));
        }
      }
    }
  }

  private void restoreCounter(String name, KeptCounter counter) {
    CounterTable table = context.node().counterTable();
    boolean _ = table.define(name, counter.config());
    if (!counter.config().isWeak()) {
      table.getAndSet(name, counter.value());
      return;
    }
    CounterState present = table.find(name);
    if (present != null) {
      table.add(name, counter.value() - present.value());
    }
  }

  /** Creates all caches or none. */
  private void createCaches() {
    List<String> created = new ArrayList<>();
    try {
      newCaches.forEach((name, config) -> {
        catalog.createPermanent(name, config);
        created.add(name);
      });
    } catch (GridException failure) {
      created.forEach(catalog::remove);
      throw failure;
    }
    created.forEach(catalog::awaitEverywhere);
  }

  private void restoreEntries(Part part) throws IOException {
    String name = part.name();
    CacheEngine<BinaryKey, Bytes> engine = context.engines().apply(name);
    if (engine == null) {
      throw new InvalidRequestException(
          "cache was removed during the restore: cache=%s; restore again".formatted(name));
    }
    Round round = new Round(engine);
    archive.entries(part, round::add);
    round.end();
  }

  /** Writes entries, many at a time. */
  private final class Round {
    private final CacheEngine<BinaryKey, Bytes> engine;
    private final BinaryKey key = new BinaryKey();
    private final KeyWrite<BinaryKey, Bytes> write = new KeyWrite<>();
    private @Nullable Bulk<BinaryKey, Bytes> bulk;
    private int count;
    private long bytes;

    Round(CacheEngine<BinaryKey, Bytes> engine) {
      this.engine = engine;
    }

    void add(ArchivedEntry entry, DataInputStream in) throws IOException {
      long lifespanMillis = entry.lifespanMillis();
      if (lifespanMillis >= 0) {
        lifespanMillis -= Math.max(0, engine.nowMillis() - entry.createdMillis());
        if (lifespanMillis <= 0) {
          in.skipNBytes(entry.valueLength());
          expired++;
          return;
        }
      }
      key.set(entry.key(), 0, entry.key().length);
      if (entry.valueLength() <= ArchivedEntry.WHOLE_VALUE_MAX) {
        byte[] value = new byte[entry.valueLength()];
        in.readFully(value);
        Bulk<BinaryKey, Bytes> open = bulk == null ? engine.bulk() : bulk;
        bulk = open;
        open.write(key, key.hash(), put(entry, Bytes.of(value), lifespanMillis));
      } else {
        writeInParts(entry, in, lifespanMillis);
      }
      entries++;
      count++;
      bytes += entry.bytes();
      if (count >= ENTRIES_PER_ROUND || bytes >= BYTES_PER_ROUND) {
        int done = count;
        end();
        progress.step(done, "the restore was cancelled; what was restored stays");
      }
    }

    private KeyWrite<BinaryKey, Bytes> put(ArchivedEntry entry, Bytes value, long lifespanMillis) {
      return write
          .put(value)
          .expiry(lifespanMillis, entry.maxIdleMillis())
          .attributes(entry.clientFlags(), entry.mediaType());
    }

    private void writeInParts(ArchivedEntry entry, DataInputStream in, long lifespanMillis)
        throws IOException {
      int max = engine.incomingValueMax(key);
      if (entry.valueLength() > max) {
        throw new InvalidRequestException(
            ("entry is too large to be restored here: cache=%s, size=%d, limit=%d; restore it on a"
                    + " server that is alone or has more heap, or leave the cache out")
                .formatted(engine.name(), entry.valueLength(), max));
      }
      byte[] part = new byte[PART_BYTES];
      try (IncomingValue value = engine.newIncomingValue()) {
        for (int left = entry.valueLength(); left > 0; ) {
          int length = Math.min(left, part.length);
          in.readFully(part, 0, length);
          engine.append(value, ByteBuffer.wrap(part, 0, length));
          left -= length;
        }
        value.complete();
        long _ = engine.write(key, key.hash(), put(entry, value, lifespanMillis));
      }
    }

    void end() {
      Bulk<BinaryKey, Bytes> open = bulk;
      bulk = null;
      count = 0;
      bytes = 0;
      if (open != null) {
        open.await();
      }
    }
  }
}
