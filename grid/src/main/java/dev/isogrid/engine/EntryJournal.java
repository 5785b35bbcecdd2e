package dev.isogrid.engine;

import dev.isogrid.api.ChangeToken;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.journal.EntryAttributes;
import dev.isogrid.journal.Journal;
import dev.isogrid.journal.JournalRecord;
import dev.isogrid.journal.JournalState;
import dev.isogrid.journal.JournalTail;
import dev.isogrid.journal.LiveEntries;
import dev.isogrid.journal.PutRecord;
import dev.isogrid.journal.Replay;
import dev.isogrid.journal.StoredRecords;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.MemoryFullException;
import dev.isogrid.store.Segment;
import dev.isogrid.store.SegmentSnapshot;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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

  /** Opening a store takes milliseconds on a disk that works. */
  private static final long OPEN_SECONDS = 10;

  /** More writes of a segment than a loss of power can lose; a version lasts 500,000 starts. */
  private static final long LOST_WRITES_MAX = 1 << 20;

  private final String cache;
  private final Container<K, V> container;
  private final StoredForm<K, V> form;

  /** When entries with a max idle count as used. */
  private final long startMillis;

  /** The bytes of the live records of each segment. Guarded by the segments' locks. */
  private final long[] liveBytes;

  /**
   * The sequences of the last versions that former processes gave, by segment; the greatest one
   * while that is not known. Guarded by the segments' locks.
   */
  private final long[] formerSequences;

  /** Null if all entries are in memory. */
  private final @Nullable EvictedEntries<K, V> evicted;

  /** Called when records were written, so that entries may be evicted. Set before it is used. */
  private volatile Runnable onSettled = () -> {};

  /** Null while the entries are loaded, and if the store is only read. */
  private final AtomicReference<@Nullable Journal> journal = new AtomicReference<>();

  /** Told when more was forced; kept for the journal that is to come. */
  private final AtomicReference<@Nullable Runnable> forceListener = new AtomicReference<>();

  /** Which segments are written to the journal. Guarded by the segments' locks. */
  private final boolean[] isWritten;

  /**
   * The version of a segment's write of several entries whose records are being appended; 0 if
   * there is none. Guarded by the segments' locks.
   */
  private final long[] together;

  /** The file in which the place of each segment was said last. Guarded by the segments' locks. */
  private final long[] toldIn;

  /** What a cluster has to know of the segments; null for a cache that is this node's own. */
  private final @Nullable StoredOrder places;

  /** For {@link #carry}, so used by the journal's task. */
  private final EntryView<K, V> carryView;

  /** Lets writers wait until the store is open. */
  private final CountDownLatch opened = new CountDownLatch(1);

  /** Why the store is not open. Written by {@link #tellTrouble}. */
  private volatile @Nullable String trouble;

  /** Written by {@link #close}. */
  private volatile boolean isClosed;

  /** What is before it is forced with the store's beginning. Written by {@link #beginWith}. */
  private volatile long begunPosition;

  /**
   * Begins without a journal, to load a container.
   *
   * @param startMillis when it begins, milliseconds since 1970
   */
  public EntryJournal(
      String cache, Container<K, V> container, StoredForm<K, V> form, long startMillis) {
    this(cache, container, form, startMillis, null);
  }

  /**
   * Begins without a journal, to load a container.
   *
   * @param startMillis when it begins, milliseconds since 1970
   * @param records reads what is not in memory; null if all entries are to be in memory
   */
  public EntryJournal(
      String cache,
      Container<K, V> container,
      StoredForm<K, V> form,
      long startMillis,
      @Nullable StoredRecords records) {
    this.evicted =
        records == null
            ? null
            : new EvictedEntries<>(cache, container, form, records, this::isPlaceForced, false);
    this.cache = cache;
    this.startMillis = startMillis;
    this.container = container;
    this.carryView = container.newView();
    this.form = form;
    this.liveBytes = new long[container.segmentCount()];
    this.formerSequences = new long[container.segmentCount()];
    Arrays.fill(formerSequences, Segment.SEQUENCE_MAX);
    this.isWritten = new boolean[container.segmentCount()];
    this.together = new long[container.segmentCount()];
    this.toldIn = new long[container.segmentCount()];
    this.places = null;
  }

  /**
   * Begins without a journal, for a clustered cache.
   *
   * @param startMillis when it begins, milliseconds since 1970
   * @param epoch of the container's versions
   */
  // tidy: the parts of one store
  public EntryJournal(
      String cache, Container<K, V> container, StoredForm<K, V> form, long startMillis, int epoch) {
    this(cache, container, form, startMillis, epoch, false);
  }

  /**
   * Begins without a journal, for a clustered cache.
   *
   * @param startMillis when it begins, milliseconds since 1970
   * @param epoch of the container's versions
   * @param isEvicting whether entries may be on the disk only
   */
  // tidy: the parts of one store
  public EntryJournal(
      String cache,
      Container<K, V> container,
      StoredForm<K, V> form,
      long startMillis,
      int epoch,
      boolean isEvicting) {
    this.evicted =
        isEvicting
            ? new EvictedEntries<>(cache, container, form, null, this::isPlaceForced, true)
            : null;
    this.cache = cache;
    this.startMillis = startMillis;
    this.container = container;
    this.carryView = container.newView();
    this.form = form;
    this.liveBytes = new long[container.segmentCount()];
    this.formerSequences = new long[container.segmentCount()];
    Arrays.fill(formerSequences, Segment.SEQUENCE_MAX);
    this.isWritten = new boolean[container.segmentCount()];
    this.together = new long[container.segmentCount()];
    this.toldIn = new long[container.segmentCount()];
    this.places = new StoredOrder(epoch, container.segmentCount());
  }

  /** Says what reads single records; before {@link #begin}, and before anything is loaded. */
  public void readFrom(StoredRecords records) {
    if (evicted != null) {
      evicted.readFrom(records);
    }
  }

  /** Returns whether other nodes have the entries, too. */
  boolean isShared() {
    return places != null;
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
        formerSequences[index] = segment.lastSequence();
      } finally {
        segment.unlock();
      }
    }
  }

  /** Writes to a journal from now on. To be called once, before the cache is used. */
  public void begin(Journal begun) {
    listen(begun);
    Arrays.fill(isWritten, true);
    journal.set(begun);
    opened.countDown();
  }

  /**
   * The same while the cache is used, for a journal that is empty: writes what there is first, one
   * segment after the other.
   */
  public void beginWith(Journal begun) {
    listen(begun);
    journal.set(begun);
    EntryView<K, V> view = container.newView();
    for (int index = 0; index < container.segmentCount(); index++) {
      Segment<K, V> segment = container.segmentAt(index);
      segment.lock();
      try {
        isWritten[index] = true;
        liveBytes[index] = 0;
        if (places != null && container.segmentAt(index).count() > 0) {
          long _ = begun.place(index, 0); // it lacks something until all of it is there
        }
        writeAll(begun, index, view);
        sayPlace(begun, index);
      } finally {
        segment.unlock();
      }
      if (begun.isFull()) {
        boolean _ = begun.awaitWritten(); // so that not all is in memory twice
      }
    }
    begunPosition = begun.stats().appendedBytes();
    begun.forceSoon();
    trouble = null;
    opened.countDown();
    if (isClosed) {
      begun.close();
    }
  }

  /** Writes the entries of a segment that are there before its first record. Locked. */
  private void writeAll(Journal begun, int index, EntryView<K, V> view) {
    SegmentSnapshot<K, V> snapshot = container.segmentAt(index).snapshot();
    while (snapshot.next(view)) {
      BinaryKey key = form.stored(view.key());
      if (evicted != null) {
        reserve(evicted, index, view.version());
      }
      long _ = put(begun, index, key, form.storedValue(view.value()), view, 0, false);
      if (evicted != null) {
        evicted.written(index, key, 0, view.version(), begun.lastSequence(index));
      }
    }
  }

  /** Says why the store of a clustered cache is not open yet; writes are refused until it is. */
  public void tellTrouble(String reason) {
    trouble = reason;
  }

  /** Returns why writes are to be refused now, or null. Does not block. */
  @Nullable String trouble() {
    Journal kept = journal.get();
    return kept == null ? trouble : kept.trouble();
  }

  /**
   * Returns whether writes are to wait until the disk has more, or the store is open: readers of
   * changes miss what is written before. Does not block.
   */
  boolean isDiskBehind() {
    Journal kept = journal.get();
    return kept == null ? places != null && trouble == null : kept.isFull();
  }

  /** Returns the state of the files, or null if they are not open or only read. Does not block. */
  @Nullable JournalState state() {
    Journal kept = journal.get();
    return kept == null ? null : kept.state();
  }

  /** Whether all is on the disk that was appended before a position; 0 for the beginning. */
  boolean isForced(long position) {
    Journal kept = journal.get();
    return kept != null
        && opened.getCount() == 0
        && kept.isForced(position == 0 ? begunPosition : position);
  }

  /** Returns whether a write is answered only when it was forced. For a clustered cache. */
  boolean isForcedEach() {
    Journal kept = journal.get();
    return kept == null || kept.isForcedEach();
  }

  /** Returns whether readers may be shown what a segment has; see {@link Journal#isShown}. */
  boolean isShown(int index) {
    Journal kept = journal.get();
    return kept == null || kept.isShown(index);
  }

  /** The position that must be forced before {@link #isShown}; 0 if that is so. */
  long unshownPosition(int index) {
    Journal kept = journal.get();
    return kept == null || kept.isShown(index) ? 0 : kept.changedBytes(index);
  }

  /** Waits until {@link #isShown}. Not locked. */
  void awaitShown(int index) {
    Journal kept = journal.get();
    if (kept != null) {
      kept.awaitShown(index);
    }
  }

  /** Whether this was closed, before or after there was a journal. */
  public boolean isClosed() {
    return isClosed;
  }

  /** Has what was appended forced soon. */
  void forceSoon() {
    Journal kept = journal.get();
    if (kept != null) {
      kept.forceSoon();
    }
  }

  /** Says who is told when more was forced; before there is a journal, or when it begins. */
  public void whenForced(Runnable listener) {
    forceListener.set(listener);
    Journal kept = journal.get();
    if (kept != null) {
      kept.whenForced(listener);
    }
  }

  /** Returns the place that each segment has on the disk; see {@link StoredOrder}. */
  public long[] loadedPlaces() {
    return Objects.requireNonNull(places).all();
  }

  private void listen(Journal begun) {
    Runnable listener = forceListener.get();
    if (listener != null) {
      begun.whenForced(listener);
    }
  }

  private @Nullable Journal journalOf(int index) {
    Journal kept = journal.get();
    return kept != null && isWritten[index] ? kept : null;
  }

  /**
   * Returns a reader of the changes behind a place. Blocks.
   *
   * @param from as {@link dev.isogrid.api.ChangeToken} has it
   * @throws InvalidRequestException if the store is only read, or the token is of another cache
   * @throws dev.isogrid.api.ChangesGoneException if the store does not go back so far
   */
  ChangeTail<K, V> changes(ChangeToken from) {
    Journal kept = journal.get();
    if (kept == null) {
      throw new InvalidRequestException(
          "changes of a store that is only read can't be followed: cache=%s".formatted(cache));
    }
    JournalTail tail =
        from.equals(ChangeToken.LATEST)
            ? kept.tailFromNow()
            : kept.tail(from.equals(ChangeToken.EARLIEST) ? null : from.toString());
    return new JournalChangeTail<>(form, tail);
  }

  /** Returns the log, or null if it is not open, or only read. */
  @Nullable Journal log() {
    return journal.get();
  }

  /** Returns a new window that fits the container. */
  EntryView<K, V> newView() {
    return container.newView();
  }

  /** The form that keys and values have in the store. */
  StoredForm<K, V> form() {
    return form;
  }

  /** Returns the number of entries, in memory or not. For the end of the loading. */
  public long count() {
    long count = 0;
    for (int index = 0; index < container.segmentCount(); index++) {
      count += container.segmentAt(index).count() + (evicted == null ? 0 : evicted.count(index));
    }
    return count;
  }

  /** Returns the bytes of the records of a segment that count. Locked. */
  long liveBytes(int index) {
    return liveBytes[index];
  }

  /** Returns the bytes of the records that count. For the end of the loading. */
  public long liveBytes() {
    long sum = 0;
    for (long bytes : liveBytes) {
      sum += bytes;
    }
    return sum;
  }

  private boolean isPlaceForced(long place) {
    Journal kept = journal.get();
    return kept == null || kept.isPlaceForced(place);
  }

  /** Returns whether entries may be on the disk only. */
  public boolean isEvicting() {
    return evicted != null;
  }

  /** Those that are on the disk only; null if all are in memory. */
  @Nullable EvictedEntries<K, V> evicted() {
    return evicted;
  }

  /** Calls something whenever records were written, so that their entries can be evicted. */
  void onSettled(Runnable task) {
    onSettled = task;
  }

  /** Lets a write begin; see {@link Journal#admit}. Not locked. */
  void admit() {
    if (!isOpen()) {
      awaitOpen();
    }
    Journal kept = journal.get();
    if (kept != null) {
      kept.admit();
    }
  }

  /** As {@link #admit}; returns false, and does not wait, if the write may have to wait. */
  boolean tryAdmit() {
    Journal kept = journal.get();
    return isOpen() && (kept == null || kept.tryAdmit());
  }

  /** As {@link #tryAdmit}, for a write that does not wait until it was forced. */
  boolean tryAdmitUnforced() {
    Journal kept = journal.get();
    return isOpen() && (kept == null || kept.tryAdmitUnforced());
  }

  /** Whether all segments are written to the store, so that it says when a write was forced. */
  private boolean isOpen() {
    return places == null || opened.getCount() == 0;
  }

  private void awaitOpen() {
    boolean isOpen = false;
    try {
      isOpen = trouble == null && opened.await(OPEN_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    if (!isOpen) {
      String reason = trouble;
      throw new RetryableGridException(
          "write refused, since the store is not open: cache=%s, reason=%s; try again"
              .formatted(cache, reason == null ? "it is being opened" : reason));
    }
  }

  /** Returns whether a write may have to wait for the disk; a hint. */
  boolean mayWait() {
    Journal kept = journal.get();
    return kept == null ? places != null : (kept.isForcedEach() || kept.isBusy());
  }

  /**
   * Waits until entries can be evicted that are in memory only because they were not written yet.
   * Not locked.
   *
   * @return whether there were some, and they were written
   */
  boolean awaitWritten() {
    Journal kept = journal.get();
    return kept != null && kept.awaitWritten();
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

  /** See {@link Journal#afterForce}. Not locked. */
  void afterForce(long position, Runnable task) {
    Journal kept = journal.get();
    if (kept != null && kept.isForcedEach()) {
      kept.afterForce(position, task);
    } else {
      task.run();
    }
  }

  /** See {@link Journal#checkForced}; nothing, if the store is not so configured. */
  void checkForced(long position) {
    Journal kept = journal.get();
    if (kept != null && kept.isForcedEach()) {
      kept.checkForced(position);
    }
  }

  /**
   * What a write needs of the time before it.
   *
   * @param key in the store's form
   * @param value the new one in the store's form, or null if it stays
   * @param bytesBefore the size of the record of the entry that there was
   * @param versionBefore the version of that entry, 0 if there was none
   */
  record Prepared(BinaryKey key, @Nullable Bytes value, long bytesBefore, long versionBefore) {}

  /**
   * Does what may fail, while the entry is as it was. Locked.
   *
   * @throws InvalidRequestException if the entry is too large for a store
   * @throws dev.isogrid.api.CacheFullException if there is no memory to note where it is
   */
  Prepared prepare(K key, EntryView<K, V> current, Effect<V> effect) {
    return prepare(key, current, effect, 0);
  }

  /**
   * The same for a write whose version is given.
   *
   * @param given the version, 0 for the segment's next one
   */
  Prepared prepare(K key, EntryView<K, V> current, Effect<V> effect, long given) {
    BinaryKey storedKey = form.stored(key);
    Bytes value = effect.kind() == Effect.Kind.STORE ? form.storedValue(effect.value()) : null;
    if (value != null && (long) storedKey.length() + value.length() > ENTRY_BYTES_MAX) {
      throw new InvalidRequestException(
          "entry is too large for a store: cache=%s, bytes=%d, allowed=%d; make it smaller"
              .formatted(cache, (long) storedKey.length() + value.length(), ENTRY_BYTES_MAX));
    }
    if (evicted != null && value != null) {
      reserve(evicted, container.segmentOf(form.hash(key)), given);
    }
    long version = current.isPresent() ? current.version() : 0;
    return new Prepared(storedKey, value, bytesOf(current), version);
  }

  private void reserve(EvictedEntries<K, V> places, int index, long version) {
    try {
      places.prepare(index, version);
    } catch (MemoryFullException full) {
      throw Evictor.outOfMemory(cache, full);
    }
  }

  /**
   * Appends what a write did. Locked.
   *
   * @param version of the write, 0 if it has none
   * @param view any window of the segment; moved
   * @return the position for {@link #await}; that of what the write saw if it changed nothing; 0 if
   *     there is nothing to wait for
   */
  // tidy: all that is known of a write
  long append(
      K key, int hash, Effect<V> effect, Prepared prepared, long version, EntryView<K, V> view) {
    int index = container.segmentOf(hash);
    Journal kept = journalOf(index);
    if (kept != null && effect.kind() != Effect.Kind.LEAVE) {
      sayPlaceInNewFile(kept, index);
    }
    long seq = version & Segment.SEQUENCE_MAX;
    boolean isFormer = places != null && seq < places.place(index);
    if (places != null && version != 0 && effect.kind() != Effect.Kind.TOUCH) {
      places.reached(index, seq); // the record of a touch has the entry's version, and no place
    }
    if (kept == null) {
      return 0;
    }
    if (effect.kind() == Effect.Kind.LEAVE) {
      return kept.changedBytes(index); // what it saw, and answers by
    }
    Bytes value = prepared.value();
    BinaryKey storedKey = prepared.key();
    long before = prepared.bytesBefore();
    if (value != null && isPlain(effect)) { // so nothing of the entry has to be looked up
      long shown = container.segmentAt(index).shownVersion(version);
      PutRecord put = record(index, storedKey, value, shown, EntryAttributes.NONE, isFormer);
      if (isOwn(index, prepared.versionBefore())) {
        put.replaces(prepared.versionBefore());
      }
      long position = append(kept, index, put, before);
      noteWritten(kept, index, prepared, shown);
      return position;
    }
    container.segmentAt(index).locate(key, hash, view);
    if (!view.isPresent()) {
      liveBytes[index] -= before;
      if (evicted != null) {
        evicted.removed(index, storedKey, prepared.versionBefore());
      }
      byte[] removed = storedKey.toByteArray();
      return together[index] == 0
          ? kept.remove(index, version, removed, before)
          : kept.removeTogether(index, together[index], removed, before);
    }
    Bytes stored = value == null ? form.storedValue(view.value()) : value;
    boolean isAgain = isFormer || effect.kind() == Effect.Kind.TOUCH;
    long position = put(kept, index, storedKey, stored, view, before, isAgain);
    noteWritten(kept, index, prepared, view.version());
    return position;
  }

  /** Whether a write stores a key, a value and nothing else, so that the entry has no more. */
  private static boolean isPlain(Effect<?> effect) {
    return effect.kind() == Effect.Kind.STORE
        && !effect.isMortal()
        && effect.clientFlags() == 0
        && effect.mediaType() == null;
  }

  /**
   * Whether an entry is the only one of its segment that ever had its version: that version was
   * given by this process. All entries of a write of a cluster have the same one. Locked.
   */
  private boolean isOwn(int index, long version) {
    return places == null
        && evicted == null
        && (version & Segment.SEQUENCE_MAX) > formerSequences[index];
  }

  private void noteWritten(Journal kept, int index, Prepared prepared, long version) {
    if (evicted != null) {
      evicted.written(
          index, prepared.key(), prepared.versionBefore(), version, kept.lastSequence(index));
    }
  }

  // tidy: all that a record has
  private long put(
      Journal kept,
      int index,
      BinaryKey key,
      Bytes value,
      EntryView<K, V> view,
      long bytesBefore,
      boolean isAgain) {
    PutRecord put = record(index, key, value, view.version(), attributes(view), isAgain);
    return append(kept, index, put, bytesBefore);
  }

  // tidy: all that a record has
  private PutRecord record(
      int index,
      BinaryKey key,
      Bytes value,
      long version,
      EntryAttributes attributes,
      boolean isAgain) {
    PutRecord put = new PutRecord(index, version, attributes, key.length(), value.length());
    key.copyTo(put.bytes(), put.keyOffset());
    value.copyTo(put.bytes(), put.valueOffset());
    if (isAgain) {
      put.isAgain();
    }
    if (together[index] != 0) {
      put.isPart();
    }
    return put;
  }

  private long append(Journal kept, int index, PutRecord put, long bytesBefore) {
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

  /** Appends the removal of an entry that is removed by a clear. Locked. */
  void removed(int index, EntryView<K, V> entry) {
    Journal kept = journalOf(index);
    if (kept != null) {
      sayPlaceInNewFile(kept, index);
      byte[] key = form.stored(entry.key()).toByteArray();
      long bytes = forgotten(index, entry);
      long _ =
          together[index] == 0
              ? kept.remove(index, 0, key, bytes)
              : kept.removeTogether(index, together[index], key, bytes);
    }
  }

  /** Appends the removal of an entry that is expired. Locked. */
  void expired(int index, EntryView<K, V> entry) {
    Journal kept = journalOf(index);
    if (kept != null) {
      byte[] key = form.stored(entry.key()).toByteArray();
      removeAt(kept, index, key, entry, expiryVersion(index), true);
    }
  }

  /** In the order of a cluster's writes an expiry has a place, as they have. */
  private long expiryVersion(int index) {
    return places == null ? 0 : container.segmentAt(index).nextVersion();
  }

  /**
   * Appends the removal of an entry by a write of the cluster. Locked.
   *
   * @param version of the write
   * @param isExpiry whether it was removed since its time is over
   */
  void removed(int index, EntryView<K, V> entry, long version, boolean isExpiry) {
    Journal kept = journalOf(index);
    if (kept == null) {
      Objects.requireNonNull(places).reached(index, version & Segment.SEQUENCE_MAX);
    } else {
      byte[] key = form.stored(entry.key()).toByteArray();
      removeAt(kept, index, key, entry, version, isExpiry);
    }
  }

  // tidy: all that a record has
  private void removeAt(
      Journal kept, int index, byte[] key, EntryView<K, V> entry, long version, boolean isExpiry) {
    reached(kept, index, version);
    long bytes = forgotten(index, entry);
    long _ =
        isExpiry
            ? kept.expire(index, version, key, bytes)
            : kept.remove(index, version, key, bytes);
  }

  /** Notes a write of the cluster before its record. */
  private void reached(Journal kept, int index, long version) {
    sayPlaceInNewFile(kept, index);
    if (places != null) {
      places.reached(index, version & Segment.SEQUENCE_MAX);
    }
  }

  /**
   * Says the place of a segment before its first record in a file, so that a reader of the file
   * knows what is before it. A record that is written to the next file than expected has no place
   * before it; readers begin at a later one then, or in an earlier file.
   */
  private void sayPlaceInNewFile(Journal kept, int index) {
    if (places == null || together[index] != 0) {
      return;
    }
    long file = kept.forcedPlace().file();
    if (toldIn[index] != file) {
      toldIn[index] = file;
      long _ = sayPlace(kept, index);
    }
  }

  /** Counts an entry no more; returns the bytes of its record. */
  private long forgotten(int index, EntryView<K, V> entry) {
    long bytes = bytesOf(entry);
    liveBytes[index] -= bytes;
    if (evicted != null) {
      evicted.removed(index, form.stored(entry.key()), entry.version());
    }
    return bytes;
  }

  /**
   * Writes an entry again that came back into memory, with a version that no other one has there.
   * Locked.
   *
   * @param view any window of the segment; moved
   */
  void renew(K key, int hash, EvictedEntries.Lookup found, EntryView<K, V> view) {
    Journal kept = journal.get();
    if (kept == null || evicted == null) {
      return;
    }
    int index = container.segmentOf(hash);
    container.segmentAt(index).locate(key, hash, view);
    evicted.prepare(index, 0);
    evicted.forget(hash, found.place());
    BinaryKey storedKey = form.stored(key);
    Bytes value = form.storedValue(view.value());
    long _ = put(kept, index, storedKey, value, view, bytesOf(view), true);
    evicted.written(index, storedKey, 0, view.version(), kept.lastSequence(index));
  }

  /**
   * Appends the removal of an entry that is on the disk only. Locked.
   *
   * @param isExpired whether its time is over
   */
  void removed(int hash, EvictedEntries.Lookup found, boolean isExpired) {
    Journal kept = journal.get();
    JournalRecord record = found.record();
    if (kept != null && evicted != null && record != null) {
      int index = container.segmentOf(hash);
      evicted.forget(hash, found.place());
      liveBytes[index] -= record.length();
      if (isExpired) {
        long version = expiryVersion(index);
        reached(kept, index, version);
        long _ = kept.expire(index, version, record.key(), record.length());
      } else {
        long _ = kept.remove(index, 0, record.key(), record.length());
      }
    }
  }

  /** Appends the removal of all entries of a segment, which are still there. Locked. */
  long clear(int index) {
    Journal kept = journalOf(index);
    if (kept == null) {
      return 0;
    }
    if (places != null) {
      return clear(index, container.segmentAt(index).nextVersion() & Segment.SEQUENCE_MAX);
    }
    if (form.hasLastingHash()) {
      long bytes = liveBytes[index];
      liveBytes[index] = 0;
      if (evicted != null) {
        evicted.clear(index);
      }
      return kept.clear(index, bytes);
    }
    EntryView<K, V> view = container.newView();
    SegmentSnapshot<K, V> snapshot = container.segmentAt(index).snapshot();
    while (snapshot.next(view)) {
      removed(index, view);
    }
    return kept.stats().appendedBytes();
  }

  /** The same as a write of the cluster that has a place. Locked. */
  long clear(int index, long seq) {
    StoredOrder known = Objects.requireNonNull(places);
    Journal kept = journalOf(index);
    if (kept != null) {
      sayPlaceInNewFile(kept, index);
    }
    if (evicted != null) {
      evicted.clear(index);
    }
    // while a copy is being received, it lacks something behind this, too
    known.reached(index, seq);
    if (kept == null) {
      return 0;
    }
    long bytes = liveBytes[index];
    liveBytes[index] = 0;
    return kept.clearByWrite(index, known.version(index), bytes);
  }

  /**
   * Appends that a clustered cache has nothing of a segment, which may be given a copy of it. The
   * entries are still there. Locked.
   */
  void dropped(int index) {
    Objects.requireNonNull(places).lack(index);
    if (evicted != null) {
      evicted.clear(index);
    }
    Journal kept = journalOf(index);
    if (kept != null) {
      long bytes = liveBytes[index];
      liveBytes[index] = 0;
      long _ = kept.clear(index, bytes);
    }
  }

  /**
   * Appends that a segment of a clustered cache lacks something from now on, since a copy changes
   * it in any order. Its entries stay. Locked.
   */
  void lacking(int index) {
    Objects.requireNonNull(places).lack(index);
    Journal kept = journalOf(index);
    if (kept != null) {
      long _ = sayPlace(kept, index);
    }
  }

  /** The place up to which a segment has all writes, or {@link StoredOrder#LACKING}. Locked. */
  long place(int index) {
    return Objects.requireNonNull(places).place(index);
  }

  /**
   * Appends that a clustered cache has all writes of a segment up to a place. Locked.
   *
   * @return the position for {@link #isForced}
   */
  long complete(int index, long seq) {
    StoredOrder known = Objects.requireNonNull(places);
    known.complete(index, seq);
    Journal kept = journalOf(index);
    return kept == null ? 0 : sayPlace(kept, index);
  }

  /**
   * Ends a write of the cluster, whose place is appended if no record of it says that. Locked.
   *
   * @return the position for {@link #isForced}
   */
  long committed(int index, long seq) {
    Journal kept = journalOf(index);
    if (Objects.requireNonNull(places).isBehind(index, seq)) {
      if (kept != null) {
        sayPlaceInNewFile(kept, index);
      }
      places.reached(index, seq);
      return kept == null ? 0 : sayPlace(kept, index);
    }
    return kept == null ? 0 : kept.appendedBytes();
  }

  /**
   * Begins a write of the cluster that concerns several entries: after a restart all of it is
   * there, or nothing. Locked up to {@link #endTogether}.
   */
  void beginTogether(int index, long version) {
    Journal kept = journalOf(index);
    if (kept != null) {
      sayPlaceInNewFile(kept, index);
    }
    together[index] = version;
  }

  /**
   * Ends a write of several entries, which has a place. Locked.
   *
   * @return the position for {@link #isForced}
   */
  long endTogether(int index, long seq) {
    StoredOrder known = Objects.requireNonNull(places);
    together[index] = 0;
    known.reached(index, seq);
    Journal kept = journalOf(index);
    return kept == null ? 0 : kept.endTogether(index, known.version(index));
  }

  private long sayPlace(Journal kept, int index) {
    StoredOrder known = places;
    return known == null ? 0 : kept.place(index, known.version(index));
  }

  @Override
  public void beforeDrop() {
    StoredOrder known = places;
    Journal kept = journal.get();
    for (int index = 0; known != null && kept != null && index < isWritten.length; index++) {
      Segment<K, V> segment = container.segmentAt(index);
      segment.lock();
      try {
        long _ = sayPlace(kept, index);
      } finally {
        segment.unlock();
      }
    }
  }

  @Override
  public void place(JournalRecord record) {
    if (places != null) {
      places.load(record.segment(), record.version());
    }
  }

  /** Waits until all that was written is on the disk, if the store is so configured. Not locked. */
  void awaitAll() {
    Journal kept = journal.get();
    if (kept != null && kept.isForcedEach()) {
      kept.await(kept.stats().appendedBytes());
    }
  }

  /** Writes what is left, and lets go of the files. Not locked. */
  public void close() {
    isClosed = true;
    Journal kept = journal.get();
    if (kept != null) {
      kept.close();
    }
    if (evicted != null) {
      evicted.close();
    }
  }

  @Override
  public int bringNear(JournalRecord[] records, int count) {
    if (evicted != null || !form.hasLastingHash()) {
      return 0;
    }
    int[] hashes = new int[count];
    for (int i = 0; i < count; i++) {
      JournalRecord record = records[i];
      hashes[i] = form.hash(form.keyIn(record.array(), record.keyOffset(), record.keyLength()));
    }
    return container.bringNear(hashes, count);
  }

  @Override
  public long carry(JournalRecord record) {
    Journal copying = journal.get();
    if (evicted != null && copying != null) {
      return evicted.carry(record, copying);
    }
    K key = form.keyIn(record.array(), record.keyOffset(), record.keyLength());
    int hash = form.hash(key);
    int index = container.segmentOf(hash);
    Segment<K, V> segment = container.segmentAt(index);
    EntryView<K, V> view = carryView;
    long version = segment.peekVersion(key, hash, view);
    if (version >= 0 && version != record.version()) {
      return 0; // a version never comes back
    }
    segment.lock();
    try {
      segment.locate(key, hash, view);
      Journal kept = journalOf(index);
      if (kept == null || !isCurrent(record, view)) {
        return 0;
      }
      long bytes = bytesOf(view);
      Bytes value = form.storedValue(view.value());
      long _ = put(kept, index, form.stored(key), value, view, bytes, true);
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
  public void written(JournalRecord record) {
    if (evicted != null) {
      evicted.settle(record);
    }
  }

  @Override
  public void settled() {
    onSettled.run();
  }

  @Override
  public void deleting(long file) {
    if (evicted != null) {
      evicted.closeFile(file);
    }
  }

  @Override
  public boolean isParallel() {
    return form.hasLastingHash();
  }

  @Override
  public void put(JournalRecord record) {
    reached(record);
    K key = form.keyIn(record.array(), record.keyOffset(), record.keyLength());
    int hash = form.hash(key);
    int index = container.segmentOf(hash);
    if (evicted != null) {
      try {
        liveBytes[index] += record.length() - evicted.load(key, hash, record);
      } catch (MemoryFullException full) {
        throw noRoom(full);
      }
      return;
    }
    Segment<K, V> segment = container.segmentAt(index);
    segment.lock();
    try {
      EntryView<K, V> view = segment.writeView();
      segment.locate(key, hash, view);
      long before = bytesOf(view);
      V value = form.valueIn(record.array(), record.valueOffset(), record.valueLength());
      Effect<V> effect = loaded(record, value, segment.writeEffect(), startMillis);
      segment.applyLocated(key, hash, view, effect, record.version());
      liveBytes[index] += record.length() - before;
    } catch (MemoryFullException full) {
      throw noRoom(full);
    } finally {
      segment.endWrite();
      segment.unlock();
    }
  }

  private void reached(JournalRecord record) {
    if (places != null) {
      places.reached(record.segment(), record.version() & Segment.SEQUENCE_MAX);
    }
  }

  private FatalGridException noRoom(MemoryFullException full) {
    return new FatalGridException(
        ("no memory for the entries of a store: cache=%s, limit=%s; raise the heap or off-heap"
                + " limit")
            .formatted(cache, full.getMessage()),
        full);
  }

  /**
   * Makes an effect store the entry of a record.
   *
   * @param usedMillis when it was used, as far as anybody knows
   */
  Effect<V> loaded(JournalRecord record, Effect<V> effect, long usedMillis) {
    return loaded(record, form.value(record.value()), effect, usedMillis);
  }

  private static <V> Effect<V> loaded(
      JournalRecord record, V value, Effect<V> effect, long usedMillis) {
    EntryAttributes attributes = record.attributes();
    effect.clear();
    effect.store(
        value,
        attributes.lifespanMillis(),
        attributes.maxIdleMillis(),
        attributes.clientFlags(),
        attributes.mediaType());
    effect.times(attributes.createdMillis(), usedMillis);
    return effect;
  }

  @Override
  public void remove(JournalRecord record) {
    reached(record);
    K key = form.keyIn(record.array(), record.keyOffset(), record.keyLength());
    int hash = form.hash(key);
    int index = container.segmentOf(hash);
    if (evicted != null) {
      liveBytes[index] -= evicted.load(key, hash, null);
      return;
    }
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
    if (places != null) {
      places.lack(record.segment());
    }
    Segment<K, V> segment = container.segmentAt(record.segment());
    segment.lock();
    try {
      segment.clear();
      if (evicted != null) {
        evicted.clear(record.segment());
      }
      liveBytes[record.segment()] = 0;
    } finally {
      segment.unlock();
    }
  }
}
