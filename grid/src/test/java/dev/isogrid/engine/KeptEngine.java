package dev.isogrid.engine;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.Fsync;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.journal.Disk;
import dev.isogrid.journal.Journal;
import dev.isogrid.journal.JournalScope;
import dev.isogrid.journal.JournalSettings;
import dev.isogrid.journal.JournalThreads;
import dev.isogrid.journal.Recovery;
import dev.isogrid.journal.StoredRecords;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.SegmentSnapshot;
import dev.isogrid.store.TextKind;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A cache that evicts entries to a store on any disk, used by texts. */
final class KeptEngine {
  static final int SEGMENTS = 2;

  final TextKind<BinaryKey, Bytes> kind;
  final LocalEngine<BinaryKey, Bytes> engine;
  final Journal journal;

  /** How much is in memory and in a file. */
  record Sizes(int maxCount, long fileBytes, Fsync fsync) {}

  KeptEngine(
      TextKind<BinaryKey, Bytes> kind, Disk disk, Sizes sizes, FakeEnv env, JournalThreads threads)
      throws IOException {
    this.kind = kind;
    Container<BinaryKey, Bytes> container =
        kind.container(SEGMENTS, EngineFixture.EPOCH, env.env().epochClock());
    JournalScope scope = new JournalScope("c", "bytes", SEGMENTS);
    Recovery recovery = Recovery.open(disk, scope, new UUID(1, 2), false);
    StoredRecords records = new StoredRecords(disk, SEGMENTS);
    EntryJournal<BinaryKey, Bytes> kept =
        new EntryJournal<>("c", container, StoredForm.BYTES, 0, records);
    recovery.replay(kept);
    kept.skipVersions(recovery.lastVersion());
    JournalSettings settings = new JournalSettings(sizes.fsync(), 1000, sizes.fileBytes());
    long live = kept.liveBytes();
    journal = recovery.start(EngineFixture.EPOCH, settings, live, kept, threads, true);
    kept.begin(journal);
    CacheConfig config =
        CacheConfig.builder()
            .segments(SEGMENTS)
            .maxCount(sizes.maxCount())
            .fileStore(FileStore.builder().fsync(sizes.fsync()).build())
            .build();
    engine = new LocalEngine<>("c", config, container, env.env(), new FlightWaits(), kept);
  }

  void write(String key, KeyWrite<BinaryKey, Bytes> write) {
    BinaryKey stored = kind.key(key);
    engine.write(stored, stored.hash(), write);
  }

  void put(String key, String value) {
    write(key, new KeyWrite<BinaryKey, Bytes>().put(kind.value(value)));
  }

  boolean remove(String key) {
    KeyWrite<BinaryKey, Bytes> write = new KeyWrite<BinaryKey, Bytes>().remove();
    write(key, write);
    return write.outcome() == KeyWrite.Outcome.DONE;
  }

  @Nullable String get(String key) {
    BinaryKey stored = kind.key(key);
    String[] found = {null};
    boolean isThere =
        engine.read(
            stored, stored.hash(), engine.newView(), entry -> found[0] = kind.text(entry.value()));
    if (isThere != (found[0] != null)) {
      throw new AssertionError("found=" + isThere + ", read=" + found[0]);
    }
    return found[0];
  }

  int countInMemory() {
    int count = 0;
    for (int index = 0; index < SEGMENTS; index++) {
      count += engine.container.segmentAt(index).count();
    }
    return count;
  }

  /** All entries, by a walk. */
  Map<String, String> contents() {
    return contents(() -> {});
  }

  /**
   * All entries, by a walk.
   *
   * @param between runs between entries
   */
  Map<String, String> contents(Runnable between) {
    Map<String, String> found = new TreeMap<>();
    EntryView<BinaryKey, Bytes> view = engine.newView();
    for (int index = 0; index < SEGMENTS; index++) {
      SegmentSnapshot<BinaryKey, Bytes> walk = engine.orderedFrom(index, null);
      while (walk.next(view)) {
        between.run();
        String key = kind.keyText(view.key());
        if (found.put(key, kind.text(view.value())) != null) {
          throw new AssertionError("twice: " + key);
        }
      }
    }
    return found;
  }
}
