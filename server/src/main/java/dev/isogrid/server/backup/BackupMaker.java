package dev.isogrid.server.backup;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CounterConfig;
import dev.isogrid.config.CacheDocument;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.EntryWalk;
import dev.isogrid.server.backup.BackupManifest.Content;
import dev.isogrid.server.net.CacheCatalog;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.structure.CounterState;
import dev.isogrid.structure.CounterTable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/** Writes the selected resources into an archive, while they are in use. For one thread. */
final class BackupMaker {
  /*
   * A walk shows each entry that exists all the time exactly once, wherever in the cluster it is,
   * in its state at that moment: value, times and version of one write. Concurrent writes are in
   * the archive or not, key by key. The memory is that of the walk: a page per node, without
   * values that are too large for a page; those are read by their keys.
   */
  /** The entries between two checks for cancellation. */
  private static final int ENTRIES_PER_LOOK = 1024;

  private final ServerContext context;
  private final BackupSelection selection;
  private final BackupProgress progress;

  /**
   * Prepares a backup.
   *
   * @param progress receives each round of entries; may end the backup
   */
  BackupMaker(ServerContext context, BackupSelection selection, BackupProgress progress) {
    this.context = context;
    this.selection = selection;
    this.progress = progress;
  }

  /**
   * Writes all files of the archive. Blocks.
   *
   * @return the number of entries
   * @throws dev.isogrid.api.InvalidRequestException if a selected resource does not exist
   */
  long write(ArchiveWriter archive) throws IOException {
    long nowMillis = context.node().env().epochClock().millis();
    CacheCatalog catalog = context.catalog();
    Map<String, CacheConfig> templates = catalog.templates().all();
    Map<String, String> schemas = catalog.schemas().files();
    Set<String> caches = selected(BackupKind.CACHES, context.node().cacheNames());
    Set<String> counters = selected(BackupKind.COUNTERS, context.node().counterTable().names());
    for (String name : selected(BackupKind.TEMPLATES, templates.keySet())) {
      CacheConfig template = templates.get(name);
      if (template != null) {
        String text = CacheDocument.write(name, template, DocumentFormat.JSON, true);
        archive.add(Content.TEMPLATE, name, ArchiveLayout.templateFile(name), text, 1);
      }
    }
    for (String name : selected(BackupKind.SCHEMAS, schemas.keySet())) {
      String text = schemas.getOrDefault(name, "");
      archive.add(Content.SCHEMA, name, ArchiveLayout.schemaFile(name), text, 1);
    }
    selected(BackupKind.TASKS, Set.of());
    writeCounters(archive, counters);
    writeAliases(archive, caches);
    progress.expect(caches.stream().mapToLong(this::sizeOf).sum());
    long entries = 0;
    for (String name : caches) {
      entries += writeCache(archive, name);
    }
    archive.finish(Instant.ofEpochMilli(nowMillis).toString(), context.version());
    return entries;
  }

  private Set<String> selected(BackupKind kind, Set<String> available) {
    return selection.of(kind, available, "on this server");
  }

  private void writeCounters(ArchiveWriter archive, Set<String> names) throws IOException {
    CounterTable table = context.node().counterTable();
    StringBuilder text = new StringBuilder();
    long count = 0;
    for (String name : names) {
      CounterState state = table.find(name);
      if (state != null) {
        CounterConfig config = state.config();
        text.append(
            "%s %s %d %d %d %d %s %d\n"
                .formatted(
                    ArchiveLayout.encoded(name),
                    config.type(),
                    config.initial(),
                    config.lower(),
                    config.upper(),
                    config.concurrency(),
                    config.storage(),
                    state.value()));
        count++;
      }
    }
    archive.add(Content.COUNTERS, "", ArchiveLayout.COUNTERS, text.toString(), count);
  }

  private void writeAliases(ArchiveWriter archive, Set<String> caches) throws IOException {
    StringBuilder text = new StringBuilder();
    long count = 0;
    for (String cache : caches) {
      for (String alias : context.catalog().aliasesOf(cache)) {
        text.append(ArchiveLayout.encoded(alias)).append(' ');
        text.append(ArchiveLayout.encoded(cache)).append('\n');
        count++;
      }
    }
    archive.add(Content.ALIASES, "", ArchiveLayout.ALIASES, text.toString(), count);
  }

  private long sizeOf(String cache) {
    CacheEngine<BinaryKey, Bytes> engine = context.engines().apply(cache);
    return engine == null ? 0 : engine.size();
  }

  private long writeCache(ArchiveWriter archive, String name) throws IOException {
    CacheEngine<BinaryKey, Bytes> engine = context.engines().apply(name);
    CacheConfig config = context.catalog().config(name);
    if (engine == null || config == null) {
      return 0; // removed meanwhile
    }
    String document = CacheDocument.write(name, config, DocumentFormat.JSON, true);
    archive.add(Content.CACHE, name, ArchiveLayout.cacheFile(name), document, 1);
    return archive.add(
        Content.ENTRIES, name, ArchiveLayout.entriesFile(name), out -> writeEntries(out, engine));
  }

  private long writeEntries(DataOutputStream out, CacheEngine<BinaryKey, Bytes> engine)
      throws IOException {
    out.writeLong(ArchiveLayout.ENTRIES_MAGIC);
    EntryView<BinaryKey, Bytes> view = engine.newView();
    long count = 0;
    try (EntryWalk<BinaryKey, Bytes> walk = engine.walk()) {
      while (walk.next(view)) {
        if (!write(out, view, engine)) {
          continue;
        }
        count++;
        if (count % ENTRIES_PER_LOOK == 0) {
          progress.step(ENTRIES_PER_LOOK, "the backup was cancelled");
        }
      }
    }
    progress.step(count % ENTRIES_PER_LOOK, "the backup was cancelled");
    return count;
  }

  /** Writes the entry of a walk; returns false if a large one is gone by now. */
  private static boolean write(
      DataOutputStream out,
      EntryView<BinaryKey, Bytes> walked,
      CacheEngine<BinaryKey, Bytes> engine)
      throws IOException {
    ArchivedEntry entry = ArchivedEntry.of(walked);
    if (entry.valueLength() <= ArchivedEntry.WHOLE_VALUE_MAX) {
      entry.write(out);
      out.write(walked.value().toByteArray());
      return true;
    }
    BinaryKey key = BinaryKey.of(entry.key());
    EntryView<BinaryKey, Bytes> view = engine.newView();
    try (HeldEntry held = new HeldEntry()) {
      return engine.peek(key, key.hash(), view, held) && held.write(out);
    }
  }
}
