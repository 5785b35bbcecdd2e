package dev.isogrid.engine;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Fsync;
import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import dev.isogrid.journal.Journal;
import dev.isogrid.journal.JournalScope;
import dev.isogrid.journal.JournalSettings;
import dev.isogrid.journal.JournalThreads;
import dev.isogrid.journal.MemoryDisk;
import dev.isogrid.journal.Recovery;
import dev.isogrid.journal.StoredRecords;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.store.Occupancy;
import java.io.IOException;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;

/**
 * A cache of one entry in memory and others in its store, with the journal's task as one of the
 * operations, for Lincheck to run in all orders.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:2")
@Param(name = "value", gen = IntGen.class, conf = "1:3")
public final class EvictionOperations {
  /**
   * So small that a few records fill a file, and new records make the oldest file due for cleaning.
   */
  private static final long FILE_BYTES = 600;

  private static final int WARM_WRITES = 24;

  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final LocalEngine<BinaryKey, Bytes> engine;

  /** Begins with so many writes to the keys that files are due for cleaning. */
  public EvictionOperations() throws IOException {
    Env env = new Env(() -> 0, () -> 0, new SplittableRandom(1), new Idle());
    Container<BinaryKey, Bytes> container =
        Container.ofBinary(1, 1, env.epochClock(), new Occupancy(true));
    MemoryDisk disk = new MemoryDisk();
    Recovery recovery =
        Recovery.open(disk, new JournalScope("c", "bytes", 1), new UUID(1, 2), false);
    EntryJournal<BinaryKey, Bytes> kept =
        new EntryJournal<>("c", container, StoredForm.BYTES, 0, new StoredRecords(disk, 1));
    recovery.replay(kept);
    JournalSettings settings = new JournalSettings(Fsync.NONE, 1000, FILE_BYTES);
    JournalThreads threads = new JournalThreads(tasks::add, (_, _) -> () -> {});
    Journal journal = recovery.start(1, settings, 0, kept, threads, true);
    kept.begin(journal);
    CacheConfig config =
        CacheConfig.builder()
            .segments(1)
            .maxCount(1)
            .reaperInterval(-1, TimeUnit.MILLISECONDS)
            .build();
    engine = new LocalEngine<>("c", config, container, env, new FlightWaits(), kept);
    for (int i = 0; i < WARM_WRITES; i++) {
      put(i % 2, 0);
      work();
    }
    remove(0);
    remove(1);
    work();
  }

  /** Runs no task: {@link #work} runs those of the journal. */
  private static final class Idle implements Scheduler {
    @Override
    public Task every(long periodMillis, Runnable task) {
      return () -> {};
    }

    @Override
    public void execute(Runnable task) {
      throw new UnsupportedOperationException("execute");
    }

    @Override
    public void close() {}
  }

  private static BinaryKey key(int key) {
    return BinaryKey.of(new byte[] {(byte) key});
  }

  /** The value of a key; null if there is none. */
  @Operation(params = "key")
  public @Nullable Integer get(int key) {
    Integer[] found = {null};
    BinaryKey stored = key(key);
    engine.read(
        stored,
        stored.hash(),
        engine.newView(),
        entry -> found[0] = (int) entry.value().toByteArray()[0]);
    return found[0];
  }

  /** Stores a value; returns the previous one. */
  @Operation(params = {"key", "value"})
  public @Nullable Integer put(int key, int value) {
    return write(key, new KeyWrite<BinaryKey, Bytes>().put(Bytes.of(new byte[] {(byte) value})));
  }

  /** Removes an entry; returns its value. */
  @Operation(params = "key")
  public @Nullable Integer remove(int key) {
    return write(key, new KeyWrite<BinaryKey, Bytes>().remove());
  }

  private @Nullable Integer write(int key, KeyWrite<BinaryKey, Bytes> write) {
    Integer[] before = {null};
    BinaryKey stored = key(key);
    long _ =
        engine.write(
            stored,
            stored.hash(),
            write.readingPrevious(entry -> before[0] = (int) entry.value().toByteArray()[0]));
    return before[0];
  }

  /** The journal's task, if it is due: writes records, evicts, and cleans a file. */
  @Operation
  public void work() {
    Runnable task = tasks.poll();
    if (task != null) {
      task.run();
    }
  }
}
