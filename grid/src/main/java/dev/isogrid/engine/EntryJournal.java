package dev.isogrid.engine;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.journal.EntryAttributes;
import dev.isogrid.journal.Journal;
import dev.isogrid.journal.JournalRecord;
import dev.isogrid.journal.LiveEntries;
import dev.isogrid.journal.PutRecord;
import dev.isogrid.journal.Replay;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.MemoryFullException;
import dev.isogrid.store.Segment;
import dev.isogrid.store.SegmentSnapshot;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the entries of a cache in a journal. Methods whose comment says <i>locked</i> require the
 * lock of the segment. Thread-safe.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
public final class EntryJournal<K, V> implements LiveEntries, Replay {
  /*
   * A write asks for admission without a lock, decides under the segment's lock, appends its record
   * there, and waits for the disk without it. So the order of a segment's records is the order of
   * its writes, and nobody does I/O under the lock. What can fail in making a record (a marshaller)
   * is done before the entry changes.
   *
   * Uses of an entry with a max idle are not written. After a start all such entries count as used
   * at that moment; those that were seen to expire have a removal in the journal.
   */
  /** What key and value may have together: a record has 2 GB, with some room for the rest. */
  private static final long ENTRY_BYTES_MAX = Integer.MAX_VALUE - (1 << 18);

  /** More writes of a segment than a loss of power can lose; a version lasts 500,000 starts. */
  private static final long LOST_WRITES_MAX = 1 << 20;

  private final String cache;
  private final Container<K, V> container;
  private final StoredForm<K, V> form;

  /** When entries with a max idle count as used. */
  private final long startMillis;

  /** The bytes of the live records of each segment. Guarded by the segments' locks. */
  private final long[] liveBytes;

  /** Null while the entries are loaded, and if the store is only read. */
  private final AtomicReference<@Nullable Journal> journal = new AtomicReference<>();

  /**
   * Begins without a journal, to load a container.
   *
   * @param startMillis when it begins, milliseconds since 1970
   */
  public EntryJournal(
      String cache, Container<K, V> container, StoredForm<K, V> form, long startMillis) {
    this.cache = cache;
    this.startMillis = startMillis;
    this.container = container;
    this.form = form;
    this.liveBytes = new long[container.segmentCount()];
  }

  /**
   * Lets later versions be greater than all that were given before, also than those of writes that
   * were lost with the power. For the end of the loading.
   *
   * @param lastVersion the greatest one that was loaded
   */
  public void skipVersions(long lastVersion) {
    long last = (lastVersion & Segment.SEQUENCE_MAX) + LOST_WRITES_MAX;
    for (int index = 0; index < container.segmentCount(); index++) {
      Segment<K, V> segment = container.segmentAt(index);
      segment.lock();
      try {
        segment.skipSequence(last);
      } finally {
        segment.unlock();
      }
    }
  }

  /** Writes to a journal from now on. To be called once, before the cache is used. */
  public void begin(Journal begun) {
    journal.set(begun);
  }

  /** Returns the bytes of the records that count. For the end of the loading. */
  public long liveBytes() {
    long sum = 0;
    for (long bytes : liveBytes) {
      sum += bytes;
    }
    return sum;
  }

  /** Lets a write begin; see {@link Journal#admit}. Not locked. */
  void admit() {
    Journal kept = journal.get();
    if (kept != null) {
      kept.admit();
    }
  }

  /** Returns whether a write may have to wait for the disk; a hint. */
  boolean mayWait() {
    Journal kept = journal.get();
    return kept != null && (kept.isForcedEach() || kept.isBusy());
  }

  /** Returns whether writes are kept. */
  boolean isWritten() {
    return journal.get() != null;
  }

  /** Waits until a write is on the disk, if the store is so configured. Not locked. */
  void await(long position) {
    Journal kept = journal.get();
    if (kept != null && kept.isForcedEach()) {
      kept.await(position);
    }
  }

  /**
   * What a write needs of the time before it.
   *
   * @param key in the store's form
   * @param value the new one in the store's form, or null if it stays
   * @param bytesBefore the size of the record of the entry that there was
   */
  record Prepared(BinaryKey key, @Nullable Bytes value, long bytesBefore) {}

  /**
   * Does what may fail, while the entry is as it was. Locked.
   *
   * @throws InvalidRequestException if the entry is too large for a store
   */
  Prepared prepare(K key, EntryView<K, V> current, Effect<V> effect) {
    BinaryKey storedKey = form.stored(key);
    Bytes value = effect.kind() == Effect.Kind.STORE ? form.storedValue(effect.value()) : null;
    if (value != null && (long) storedKey.length() + value.length() > ENTRY_BYTES_MAX) {
      throw new InvalidRequestException(
          "entry is too large for a store: cache=%s, bytes=%d, allowed=%d; make it smaller"
              .formatted(cache, (long) storedKey.length() + value.length(), ENTRY_BYTES_MAX));
    }
    return new Prepared(storedKey, value, bytesOf(current));
  }

  /**
   * Appends what a write did. Locked.
   *
   * @param version of a removal
   * @param view any window of the segment; moved
   * @return the position for {@link #await}, 0 if there is nothing to wait for
   */
  // tidy: all that is known of a write
  long append(
      K key, int hash, Effect<V> effect, Prepared prepared, long version, EntryView<K, V> view) {
    Journal kept = journal.get();
    if (kept == null || effect.kind() == Effect.Kind.LEAVE) {
      return 0;
    }
    int index = container.segmentOf(hash);
    container.segmentAt(index).locate(key, hash, view);
    if (!view.isPresent()) {
      liveBytes[index] -= prepared.bytesBefore();
      return kept.remove(index, version, prepared.key().toByteArray(), prepared.bytesBefore());
    }
    Bytes value = prepared.value();
    return put(
        kept,
        index,
        prepared.key(),
        value == null ? form.storedValue(view.value()) : value,
        view,
        prepared.bytesBefore());
  }

  // tidy: all that a record has
  private long put(
      Journal kept, int index, BinaryKey key, Bytes value, EntryView<K, V> view, long bytesBefore) {
    byte[] keyBytes = key.toByteArray();
    PutRecord put =
        new PutRecord(index, view.version(), attributes(view), keyBytes.length, value.length());
    System.arraycopy(keyBytes, 0, put.bytes(), put.keyOffset(), keyBytes.length);
    value.copyTo(put.bytes(), put.valueOffset());
    long growth = put.bytes().length - bytesBefore;
    liveBytes[index] += growth;
    return kept.append(put, growth);
  }

  private long bytesOf(EntryView<K, V> entry) {
    return entry.isPresent()
        ? PutRecord.length(
            attributes(entry),
            form.stored(entry.key()).length(),
            form.storedValue(entry.value()).length())
        : 0;
  }

  private static EntryAttributes attributes(EntryView<?, ?> view) {
    boolean isPlain = !view.isMortal() && view.clientFlags() == 0 && view.mediaType() == null;
    return isPlain
        ? EntryAttributes.NONE
        : new EntryAttributes(
            view.createdMillis(),
            view.lifespanMillis(),
            view.maxIdleMillis(),
            view.clientFlags(),
            view.mediaType());
  }

  /** Appends the removal of an entry that is expired, or is removed by a clear. Locked. */
  void removed(int index, EntryView<K, V> entry) {
    Journal kept = journal.get();
    if (kept != null) {
      long bytes = bytesOf(entry);
      liveBytes[index] -= bytes;
      long _ = kept.remove(index, 0, form.stored(entry.key()).toByteArray(), bytes);
    }
  }

  /** Appends the removal of all entries of a segment, which are still there. Locked. */
  long clear(int index) {
    Journal kept = journal.get();
    if (kept == null) {
      return 0;
    }
    if (form.hasLastingHash()) {
      long bytes = liveBytes[index];
      liveBytes[index] = 0;
      return kept.clear(index, bytes);
    }
    EntryView<K, V> view = container.newView();
    SegmentSnapshot<K, V> snapshot = container.segmentAt(index).snapshot();
    while (snapshot.next(view)) {
      removed(index, view);
    }
    return kept.stats().appendedBytes();
  }

  /** Waits until all that was written is on the disk, if the store is so configured. Not locked. */
  void awaitAll() {
    Journal kept = journal.get();
    if (kept != null && kept.isForcedEach()) {
      kept.await(kept.stats().appendedBytes());
    }
  }

  /** Writes what is left, and lets go of the files. Not locked. */
  void close() {
    Journal kept = journal.get();
    if (kept != null) {
      kept.close();
    }
  }

  @Override
  public long carry(JournalRecord record) {
    K key = form.key(record.key());
    int hash = form.hash(key);
    int index = container.segmentOf(hash);
    Segment<K, V> segment = container.segmentAt(index);
    EntryView<K, V> view = container.newView();
    segment.lock();
    try {
      segment.locate(key, hash, view);
      Journal kept = journal.get();
      if (kept == null || !isCurrent(record, view)) {
        return 0;
      }
      long bytes = bytesOf(view);
      long _ = put(kept, index, form.stored(key), form.storedValue(view.value()), view, bytes);
      return bytes;
    } finally {
      segment.unlock();
    }
  }

  /** Whether a record is what made an entry as it is; a touch keeps the version, not the times. */
  private static boolean isCurrent(JournalRecord record, EntryView<?, ?> view) {
    return view.isPresent()
        && view.version() == record.version()
        && attributes(view).equals(record.attributes());
  }

  @Override
  public void put(JournalRecord record) {
    K key = form.key(record.key());
    int hash = form.hash(key);
    int index = container.segmentOf(hash);
    Segment<K, V> segment = container.segmentAt(index);
    segment.lock();
    try {
      EntryView<K, V> view = segment.writeView();
      segment.locate(key, hash, view);
      long before = bytesOf(view);
      segment.applyLocated(
          key, hash, view, loaded(record, segment.writeEffect()), record.version());
      liveBytes[index] += record.length() - before;
    } catch (MemoryFullException full) {
      throw new FatalGridException(
          ("no memory for the entries of a store: cache=%s, limit=%s; raise the heap or off-heap"
                  + " limit")
              .formatted(cache, full.getMessage()),
          full);
    } finally {
      segment.endWrite();
      segment.unlock();
    }
  }

  private Effect<V> loaded(JournalRecord record, Effect<V> effect) {
    EntryAttributes attributes = record.attributes();
    effect.clear();
    effect.store(
        form.value(record.value()),
        attributes.lifespanMillis(),
        attributes.maxIdleMillis(),
        attributes.clientFlags(),
        attributes.mediaType());
    effect.times(attributes.createdMillis(), startMillis);
    return effect;
  }

  @Override
  public void remove(JournalRecord record) {
    K key = form.key(record.key());
    int hash = form.hash(key);
    int index = container.segmentOf(hash);
    Segment<K, V> segment = container.segmentAt(index);
    segment.lock();
    try {
      EntryView<K, V> view = segment.writeView();
      segment.locate(key, hash, view);
      if (view.isPresent()) {
        liveBytes[index] -= bytesOf(view);
        segment.removeLocated();
      }
    } finally {
      segment.endWrite();
      segment.unlock();
    }
  }

  @Override
  public void clear(JournalRecord record) {
    Segment<K, V> segment = container.segmentAt(record.segment());
    segment.lock();
    try {
      segment.clear();
      liveBytes[record.segment()] = 0;
    } finally {
      segment.unlock();
    }
  }
}
