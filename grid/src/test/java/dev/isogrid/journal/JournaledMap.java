package dev.isogrid.journal;

import dev.isogrid.api.Fsync;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.EpochClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Entries with a journal, whose task and ticks run when a test says so. For one thread. */
final class JournaledMap implements LiveEntries, Replay {
  static final int SEGMENTS = 3;
  static final JournalScope SCOPE = new JournalScope("orders", "bytes", SEGMENTS);
  private static final UUID IDENTITY = new UUID(17, 4);

  /** An entry. */
  record Entry(long version, String value, EntryAttributes attributes) {}

  /** The state after a write. */
  record State(long position, Map<String, Entry> entries) {}

  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final List<Runnable> ticks = new ArrayList<>();
  private final Map<String, Entry> entries = new TreeMap<>();
  private final List<State> states = new ArrayList<>();

  /** Versions of single puts of this life. */
  private final Set<Long> own = new HashSet<>();

  private final Journal journal;
  private final Fsync fsync;
  private final int epoch;
  private long liveBytes;
  private long sequence;
  private long lookups;

  JournaledMap(Disk disk, Fsync fsync, long fileBytes) throws IOException {
    this(disk, fsync, fileBytes, SCOPE, false);
  }

  // tidy: what a journal is opened with
  JournaledMap(Disk disk, Fsync fsync, long fileBytes, JournalScope scope, boolean isPurged)
      throws IOException {
    this(disk, new JournalSettings(fsync, 1000, fileBytes), scope, isPurged, () -> 0);
  }

  // tidy: what a journal is opened with
  JournaledMap(
      Disk disk, JournalSettings settings, JournalScope scope, boolean isPurged, EpochClock clock)
      throws IOException {
    this.fsync = settings.fsync();
    Recovery recovery = Recovery.open(disk, scope, IDENTITY, false);
    if (isPurged) {
      recovery.purge();
    }
    recovery.replay(this);
    epoch = recovery.lastEpoch() + 1;
    for (Entry entry : entries.values()) {
      if (entry.version() > recovery.lastVersion()) {
        throw new AssertionError("version " + entry.version() + ", last " + recovery.lastVersion());
      }
    }
    journal =
        recovery.start(
            epoch,
            settings,
            liveBytes,
            this,
            new JournalThreads(
                tasks::add,
                (_, task) -> {
                  ticks.add(task);
                  return () -> ticks.remove(task);
                },
                clock));
    states.add(new State(0, Map.copyOf(entries)));
  }

  Journal journal() {
    return journal;
  }

  Fsync fsync() {
    return fsync;
  }

  int epoch() {
    return epoch;
  }

  /** How often the cleaner asked for an entry. */
  long lookups() {
    return lookups;
  }

  Map<String, Entry> entries() {
    return entries;
  }

  /** All states since the start, that of the start first. */
  List<State> states() {
    return states;
  }

  static int segment(String key) {
    return Math.floorMod(key.hashCode(), SEGMENTS);
  }

  /** Stores an entry; returns false if that is refused. */
  boolean put(String key, String value, EntryAttributes attributes) {
    if (!isAdmitted()) {
      return false;
    }
    Entry entry = new Entry(((long) epoch << 39) + ++sequence, value, attributes);
    Entry before = entries.put(key, entry);
    long replaced = before != null && own.remove(before.version()) ? before.version() : 0;
    own.add(entry.version());
    note(append(key, entry, bytes(key, entry) - bytes(key, before), replaced, false));
    return true;
  }

  /** Stores entries of a segment by one write. */
  void putTogether(int segment, List<String> keys, String value) {
    long version = ((long) epoch << 39) + ++sequence;
    for (String key : keys) {
      Entry entry = new Entry(version, value, EntryAttributes.NONE);
      Entry before = entries.put(key, entry);
      byte[] name = utf8(key);
      byte[] content = utf8(value);
      PutRecord put =
          new PutRecord(segment, version, entry.attributes(), name.length, content.length);
      System.arraycopy(name, 0, put.bytes(), put.keyOffset(), name.length);
      System.arraycopy(content, 0, put.bytes(), put.valueOffset(), content.length);
      put.isPart();
      long _ = journal.append(put, bytes(key, entry) - bytes(key, before));
    }
    note(journal.endTogether(segment, version));
  }

  boolean remove(String key) {
    if (!isAdmitted()) {
      return false;
    }
    Entry before = entries.remove(key);
    if (before != null) {
      note(journal.remove(segment(key), ++sequence, utf8(key), bytes(key, before)));
    }
    return true;
  }

  boolean clear(int segment) {
    if (!isAdmitted()) {
      return false;
    }
    long bytes = 0;
    for (Map.Entry<String, Entry> each : Map.copyOf(entries).entrySet()) {
      if (segment(each.getKey()) == segment) {
        bytes += bytes(each.getKey(), each.getValue());
        entries.remove(each.getKey());
      }
    }
    note(journal.clear(segment, bytes));
    return true;
  }

  private boolean isAdmitted() {
    try {
      journal.admit();
      return true;
    } catch (RetryableGridException _) {
      return false;
    }
  }

  private void note(long position) {
    states.add(new State(position, Map.copyOf(entries)));
  }

  private long append(String key, Entry entry, long liveDelta, long replaced, boolean isAgain) {
    byte[] name = utf8(key);
    byte[] value = utf8(entry.value());
    PutRecord put =
        new PutRecord(segment(key), entry.version(), entry.attributes(), name.length, value.length);
    System.arraycopy(name, 0, put.bytes(), put.keyOffset(), name.length);
    System.arraycopy(value, 0, put.bytes(), put.valueOffset(), value.length);
    if (isAgain) {
      put.isAgain();
    }
    if (replaced != 0) {
      put.replaces(replaced);
    }
    return journal.append(put, liveDelta);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }

  private static long bytes(String key, @Nullable Entry entry) {
    return entry == null
        ? 0
        : PutRecord.length(entry.attributes(), utf8(key).length, utf8(entry.value()).length);
  }

  /** Runs what the journal wants to run. */
  void work() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  void tick() {
    List.copyOf(ticks).forEach(Runnable::run);
  }

  @Override
  public long carry(JournalRecord record) {
    lookups++;
    String key = text(record.key());
    Entry now = entries.get(key);
    if (now == null || now.version() != record.version()) {
      return 0;
    }
    append(key, now, 0, 0, true);
    return bytes(key, now);
  }

  @Override
  public void put(JournalRecord record) {
    String key = text(record.key());
    Entry entry = new Entry(record.version(), text(record.value()), record.attributes());
    liveBytes += bytes(key, entry) - bytes(key, entries.put(key, entry));
  }

  @Override
  public void remove(JournalRecord record) {
    String key = text(record.key());
    liveBytes -= bytes(key, entries.remove(key));
  }

  @Override
  public void clear(JournalRecord record) {
    for (String key : List.copyOf(entries.keySet())) {
      if (segment(key) == record.segment()) {
        liveBytes -= bytes(key, entries.remove(key));
      }
    }
  }
}
