package dev.isogrid.engine;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.codec.ByteString;
import dev.isogrid.journal.DamagedJournalException;
import dev.isogrid.journal.Journal;
import dev.isogrid.journal.JournalRecord;
import dev.isogrid.journal.StoredRecords;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Container;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.MemoryFullException;
import dev.isogrid.store.Segment;
import dev.isogrid.store.StoredPlaces;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a cache that are in its store, and perhaps not in memory. Methods whose comment
 * says <i>locked</i> require the lock of the segment. Thread-safe.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
final class EvictedEntries<K, V> {
  /*
   * Each entry of a segment is known to its StoredPlaces, which the segment's lock guards, in one
   * of three states. No other one exists, and each arrow is one hold of the lock:
   *
   *                write                       the journal wrote the record
   *    (none) ---------------> IN MEMORY, --------------------------------> IN MEMORY, PLACED
   *       ^                    PENDING <---------------------------------    |  ^
   *       |                       |                 write                    |  |
   *       |  remove, expiry       |                                    evict |  | restore
   *       +-----------------------+------------------------------+           v  |
   *                                                              +------- EVICTED, PLACED
   *
   * - A write waits for nothing: its record is PENDING until the journal's task says where it is.
   *   An entry that is PENDING is not evicted, so whatever is evicted can be read from a file.
   * - A reader that misses in memory asks for the places of the hash under the lock, and reads the
   *   files without it. Whether what it read still counts, it asks under the lock again: the entry
   *   must be EVICTED at the same place, which no other record ever has. If so, that is the moment
   *   of the read. The reader then restores the entry under the same hold of the lock.
   * - A write of an entry that is EVICTED does the same first, and decides under the hold of the
   *   lock that restored the entry. So all else sees entries in memory only.
   * - The cleaner copies a record if its place is that of an entry, evicted or not, and does not
   *   change the place: the old file is there until the copy is in another one. When the copy was
   *   written, the place is exchanged if it is still the old one. An entry that was written or
   *   removed in between has another place or none, and its own record is behind the copy in the
   *   log. The file goes when all its copies are written and forced, so no place is in it then.
   *   Readers that are late find no file, and ask for the place again.
   * - Several entries may have a hash, so a place of a hash is compared by its key. A reader that
   *   finds only other keys has read them all; there is no entry if no place was added meanwhile.
   *
   * Other nodes may have the entries, too. All of them hold the former entry of a write in memory
   * from before the write gets its place until it is applied (tryHold): for that time no entry of
   * its hash is evicted. A write of several entries gives them one version. The first one of a
   * version is in StoredPlaces, and further ones are Shared, with their keys. What is expired is
   * not removed here: the primary does so for all. A node that is not primary notes the files that
   * have some (left), for the time when it is.
   *
   * Times. A lifespan is in the record. Uses are not: while an entry with a max idle is evicted,
   * its idle time does not pass, and it counts as used when it is restored.
   */
  private static final System.Logger log = System.getLogger(EvictedEntries.class.getName());

  /** Times that a place may be another one when it is read: each time a file was cleaned. */
  private static final int READS_MAX = 100;

  private static final long[] NONE = {};

  private final String cache;
  private final Container<K, V> container;
  private final StoredForm<K, V> form;

  /** Null until the files are open; nothing has a place before. Written by {@link #readFrom}. */
  private volatile @Nullable StoredRecords opened;

  private final LongPredicate isForced;

  /**
   * By file, when the first of its entries with a lifespan may expire. Files without are left out.
   */
  private final Map<Long, Long> lifespanEnds = new ConcurrentSkipListMap<>();

  /** By segment, what the cleaner copied and the journal did not write yet. Under its lock. */
  private final Map<Integer, Map<Long, Copied>> copied = new HashMap<>();

  /**
   * By segment, the places of entries in memory whose version another entry there has, too. Under
   * its lock; mostly empty.
   */
  private final List<Map<Shared, Long>> shared = new ArrayList<>();

  /** By hash, how often its entries are held in memory. Held under the segment's lock. */
  private final Map<Integer, Integer> held = new ConcurrentHashMap<>();

  /** The files with entries whose lifespan is over, and which others have to remove. */
  private final Set<Long> left = ConcurrentHashMap.newKeySet();

  /** Whether other nodes have the entries, too, so that versions are not this one's to choose. */
  private final boolean isShared;

  /** An entry that is in memory, by its version and its key in the store's form. */
  private record Shared(long version, ByteString key) {}

  /** A record that is written again: where it was, and the hash of its key. */
  private record Copied(long place, int hash) {}

  /**
   * What was found on the disk.
   *
   * @param places those of the key's hash, all of which were read if there is no record
   * @param place that of the record
   * @param record the one of the key, or null
   */
  @SuppressWarnings("ArrayRecordComponent") // not changed, and never compared
  record Lookup(long[] places, long place, @Nullable JournalRecord record) {
    private boolean hasRead(long[] now) {
      for (long each : now) {
        boolean wasRead = false;
        for (long read : places) {
          wasRead |= read == each;
        }
        if (!wasRead) {
          return false;
        }
      }
      return true;
    }
  }

  /** What is known of an entry that is not in memory. */
  enum State {
    /** There is no such entry. */
    ABSENT,
    /** It is what the lookup found. */
    FOUND,
    /** The disk has to tell. */
    UNKNOWN
  }

  /**
   * Begins without entries.
   *
   * @param records reads the files; null if they are opened later
   * @param isForced whether what is at a place was forced to the disk
   * @param isShared whether other nodes have the entries, too
   */
  // tidy: the parts of one index
  EvictedEntries(
      String cache,
      Container<K, V> container,
      StoredForm<K, V> form,
      @Nullable StoredRecords records,
      LongPredicate isForced,
      boolean isShared) {
    this.cache = cache;
    this.container = container;
    this.form = form;
    this.opened = records;
    this.isForced = isForced;
    this.isShared = isShared;
    container.keepPlaces();
    for (int index = 0; index < container.segmentCount(); index++) {
      copied.put(index, new HashMap<>());
      shared.add(new HashMap<>());
    }
  }

  /** Says what reads the files; before there is a place in them. */
  void readFrom(StoredRecords records) {
    opened = records;
  }

  private StoredRecords records() {
    return Objects.requireNonNull(opened);
  }

  // ---- entries that must stay in memory

  /**
   * Keeps the entry of a key in memory, if there is one, until {@link #release}. Locked.
   *
   * @return false if it may be on the disk; nothing is kept then
   */
  boolean tryHold(K key, int hash) {
    boolean isKnown = count(container.segmentOf(hash)) == 0 || isInMemory(key, hash);
    if (isKnown || state(hash, null) == State.ABSENT) {
      hold(hash);
      return true;
    }
    return false;
  }

  private boolean isInMemory(K key, int hash) {
    Segment<K, V> segment = container.segment(hash);
    EntryView<K, V> view = segment.writeView();
    segment.locate(key, hash, view);
    boolean isPresent = view.isPresent();
    segment.endWrite();
    return isPresent;
  }

  /** Lets no entry of a hash go from memory until as many calls of {@link #release}. Any thread. */
  void hold(int hash) {
    held.merge(hash, 1, Integer::sum);
  }

  /** Ends a hold. Any thread. */
  void release(int hash) {
    held.computeIfPresent(hash, (_, count) -> count == 1 ? null : count - 1);
  }

  // ---- states of entries

  private StoredPlaces places(int index) {
    return container.placesAt(index);
  }

  private Map<Long, Copied> copied(int index) {
    return Objects.requireNonNull(copied.get(index));
  }

  /** The number of a segment's entries that are on the disk only. Any thread. */
  int count(int index) {
    return places(index).evictedCount();
  }

  /** Whether the entry of a hash may be on the disk only. Any thread; a hint. */
  boolean mayHave(int hash) {
    return places(container.segmentOf(hash)).mayBeEvicted(hash);
  }

  /** Says what is known of a key that is not in memory. Locked. */
  State state(int hash, @Nullable Lookup lookup) {
    StoredPlaces places = places(container.segmentOf(hash));
    if (places.evictedCount() == 0) {
      return State.ABSENT;
    }
    long[] now = places.evictedOf(hash);
    if (now.length == 0) {
      return State.ABSENT;
    }
    if (lookup == null) {
      return State.UNKNOWN;
    }
    if (lookup.record() == null) {
      return lookup.hasRead(now) ? State.ABSENT : State.UNKNOWN;
    }
    return places.isEvicted(hash, lookup.place()) ? State.FOUND : State.UNKNOWN;
  }

  /** Reads the entry of a key from the disk, if it is there only. Blocks; not locked. */
  Lookup lookUp(K key, int hash) {
    for (int reads = 0; reads < READS_MAX; reads++) {
      Lookup found = tryLookUp(key, hash);
      if (found != null) {
        return found;
      }
    }
    throw missingFile(container.segmentOf(hash));
  }

  private FatalGridException missingFile(int index) {
    return new FatalGridException(
        ("store lacks a file: cache=%s, segment=%d; the entry can't be read, `isogrid data check`"
                + " names the file")
            .formatted(cache, index));
  }

  private @Nullable Lookup tryLookUp(K key, int hash) {
    long[] seen = evictedOf(hash);
    for (long place : seen) {
      JournalRecord record = read(place);
      if (record == null) {
        return null;
      }
      if (form.isKey(key, record.key())) {
        return new Lookup(seen, place, record);
      }
    }
    return new Lookup(seen, 0, null);
  }

  private long[] evictedOf(int hash) {
    int index = container.segmentOf(hash);
    Segment<K, V> segment = container.segmentAt(index);
    segment.lock();
    try {
      return places(index).evictedOf(hash);
    } finally {
      segment.unlock();
    }
  }

  /** Reads the entries of a hash that are on the disk only. Blocks; not locked. */
  List<JournalRecord> readAll(int hash) {
    for (int reads = 0; reads < READS_MAX; reads++) {
      List<JournalRecord> found = new ArrayList<>();
      long[] places = evictedOf(hash);
      for (long place : places) {
        JournalRecord record = read(place);
        if (record != null) {
          found.add(record);
        }
      }
      if (found.size() == places.length) {
        return found;
      }
    }
    throw missingFile(container.segmentOf(hash));
  }

  /**
   * Reads a record. Blocks; not locked.
   *
   * @return null if it is elsewhere by now
   */
  @Nullable JournalRecord read(long place) {
    try {
      return records().read(place);
    } catch (DamagedJournalException damage) {
      if (!isForced.test(place)) { // perhaps forgotten by the system until it is written again
        throw unreadable(damage);
      }
      throw new FatalGridException(
          ("entry of a store is damaged: cache=%s, %s; restore a backup, or stop the node and run"
                  + " `isogrid data repair`")
              .formatted(cache, damage.getMessage()),
          damage);
    } catch (IOException failure) {
      throw unreadable(failure);
    }
  }

  private RetryableGridException unreadable(IOException failure) {
    return new RetryableGridException(
        "entry can't be read from the store: cache=%s, reason=%s; mend the disk, and try again"
            .formatted(cache, failure.getMessage()),
        failure);
  }

  /**
   * Makes sure that a write can be noted. Locked.
   *
   * @param version the one that it will have, 0 for the segment's next one
   * @throws MemoryFullException if there is no memory for it
   */
  void prepare(int index, long version) {
    long next = version == 0 ? container.segmentAt(index).lastSequence() + 1 : version;
    places(index).reserve(next);
  }

  /**
   * Notes a write. Locked.
   *
   * @param key in the store's form
   * @param versionBefore that of the entry that it replaces, 0 if there was none
   */
  void written(int index, BinaryKey key, long versionBefore, long version, long recordSequence) {
    long pending = StoredPlaces.pending(recordSequence);
    Map<Shared, Long> sharing = shared.get(index);
    StoredPlaces places = places(index);
    boolean wasSharing = !sharing.isEmpty() && sharing.remove(shared(versionBefore, key)) != null;
    boolean isTouch = !wasSharing && sequence(versionBefore) == sequence(version);
    if (isShared && !isTouch && places.hasVersion(version)) {
      if (!wasSharing && versionBefore != 0) {
        places.removed(versionBefore);
      }
      sharing.put(shared(version, key), pending);
    } else {
      places.written(wasSharing ? 0 : versionBefore, version, pending);
    }
  }

  private static long sequence(long version) {
    return version & Segment.SEQUENCE_MAX;
  }

  private static Shared shared(long version, BinaryKey key) {
    return new Shared(sequence(version), ByteString.of(key.toByteArray()));
  }

  /** The place of an entry in memory that shares its version, or null. Locked. */
  private @Nullable Long sharedPlace(int index, long version, byte[] key) {
    Map<Shared, Long> sharing = shared.get(index);
    return sharing.isEmpty()
        ? null
        : sharing.get(new Shared(sequence(version), ByteString.of(key)));
  }

  /**
   * Notes that an entry in memory was removed. Locked.
   *
   * @param key in the store's form
   */
  void removed(int index, BinaryKey key, long version) {
    Map<Shared, Long> sharing = shared.get(index);
    boolean wasSharing = !sharing.isEmpty() && sharing.remove(shared(version, key)) != null;
    if (!wasSharing) {
      places(index).removed(version);
    }
  }

  /** Notes that all entries of a segment were removed. Locked. */
  void clear(int index) {
    places(index).clear();
    shared.get(index).clear();
  }

  /** Lets an entry go from memory, if it can be read from the disk. Locked. */
  boolean tryEvict(int index, EntryView<K, V> entry) {
    int hash = form.hash(entry.key());
    if (held.containsKey(hash)) {
      return false;
    }
    BinaryKey key = form.stored(entry.key());
    Map<Shared, Long> sharing = shared.get(index);
    Long sharedPlace = sharing.isEmpty() ? null : sharing.get(shared(entry.version(), key));
    StoredPlaces places = places(index);
    long place = sharedPlace == null ? places.placeOf(entry.version()) : sharedPlace;
    if (place == 0 || StoredPlaces.isPending(place)) {
      return false;
    }
    try {
      if (sharedPlace == null) {
        boolean _ = places.tryEvict(hash, entry.version());
      } else {
        places.add(hash, place);
        sharing.remove(shared(entry.version(), key));
      }
    } catch (MemoryFullException _) {
      return false;
    }
    if (isShared && entry.isMortal() && entry.lifespanMillis() >= 0) {
      // that of its file may be over, so that nobody looks there any more
      long created = entry.createdMillis();
      long lifespan = entry.lifespanMillis();
      long end = created > Long.MAX_VALUE - lifespan ? Long.MAX_VALUE : created + lifespan;
      noteLifespan(records().fileOf(place), end);
    }
    return true;
  }

  /** Whether an entry can come into memory: no other one has its version there. Locked. */
  boolean canRestore(int index, JournalRecord record) {
    return isShared || !places(index).hasVersion(record.version());
  }

  /** Notes that an entry came into memory. Locked. */
  void restored(int hash, Lookup found, long version) {
    int index = container.segmentOf(hash);
    StoredPlaces places = places(index);
    if (isShared && places.hasVersion(version)) {
      ByteString key = ByteString.of(Objects.requireNonNull(found.record()).key());
      shared.get(index).put(new Shared(sequence(version), key), found.place());
      boolean _ = places.remove(hash, found.place());
    } else {
      places.restored(hash, found.place(), version);
    }
  }

  /** Forgets an entry that is on the disk only, since it was removed. Locked. */
  void forget(int hash, long place) {
    places(container.segmentOf(hash)).remove(hash, place);
  }

  /**
   * Loads an entry; returns the bytes of the record that it replaces. While the cache is loaded.
   */
  long load(K key, int hash, @Nullable JournalRecord record) {
    long place = record == null ? 0 : record.place();
    int length = record == null ? 0 : record.length();
    if (record != null) {
      records().noteFile(record);
      noteLifespan(record.file(), record.lifespanEndMillis());
    }
    int index = container.segmentOf(hash);
    Lookup before = places(index).evictedOf(hash).length == 0 ? null : lookUp(key, hash);
    Segment<K, V> segment = container.segmentAt(index);
    segment.lock();
    try {
      JournalRecord replaced = before == null ? null : before.record();
      if (before != null && replaced != null) {
        places(index).remove(hash, before.place());
      }
      if (length > 0) {
        places(index).add(hash, place);
      }
      return replaced == null ? 0 : replaced.length();
    } finally {
      segment.unlock();
    }
  }

  /**
   * Writes a record again, if it is that of an entry.
   *
   * @return the bytes that were appended
   */
  long carry(JournalRecord record, Journal journal) {
    K key = form.key(record.key());
    int hash = form.hash(key);
    int index = container.segmentOf(hash);
    Segment<K, V> segment = container.segmentAt(index);
    segment.lock();
    try {
      if (!isCurrent(index, hash, record)) {
        return 0;
      }
      journal.appendAgain(record, index);
      copied(index).put(journal.lastSequence(index), new Copied(record.place(), hash));
      return record.length();
    } finally {
      segment.unlock();
    }
  }

  private boolean isCurrent(int index, int hash, JournalRecord record) {
    if (places(index).isCurrent(hash, record.version(), record.place())) {
      return true;
    }
    Long place = sharedPlace(index, record.version(), record.key());
    return place != null && place == record.place();
  }

  /** Notes where a record was written. */
  void settle(JournalRecord record) {
    records().noteFile(record);
    int index = record.segment();
    if (index < 0 || !record.isPut()) {
      return;
    }
    noteLifespan(record.file(), record.lifespanEndMillis());
    Segment<K, V> segment = container.segmentAt(index);
    segment.lock();
    try {
      Copied copy = copied(index).remove(record.sequence());
      long version = record.version();
      boolean isNoted =
          copy == null
              ? places(index).settle(version, record.sequence(), record.place())
              : places(index).moved(copy.hash(), version, copy.place(), record.place());
      if (!isNoted && !shared.get(index).isEmpty()) {
        long from = copy == null ? StoredPlaces.pending(record.sequence()) : copy.place();
        Shared entry = new Shared(sequence(version), ByteString.of(record.key()));
        boolean _ = shared.get(index).replace(entry, from, record.place());
      }
    } finally {
      segment.unlock();
    }
  }

  /** The places of a segment's entries that are on the disk only, as they are in the files. */
  List<Lookup> all(int index) {
    List<Lookup> found = new ArrayList<>();
    Segment<K, V> segment = container.segmentAt(index);
    segment.lock();
    try {
      places(index).forEachEvicted((_, place) -> found.add(new Lookup(NONE, place, null)));
    } finally {
      segment.unlock();
    }
    found.sort(Comparator.comparingLong(Lookup::place));
    return found;
  }

  /** Shows the places of a segment's entries that are on the disk only. Locked. */
  void forEach(int index, StoredPlaces.Visitor visitor) {
    places(index).forEachEvicted(visitor);
  }

  private void noteLifespan(long file, long endMillis) {
    if (endMillis != Long.MAX_VALUE) {
      lifespanEnds.merge(file, endMillis, Math::min);
    }
  }

  /**
   * Notes that the lifespan of an entry is over that is on the disk only, and was not removed.
   *
   * @param isLeft whether other nodes have to remove it
   */
  void notRemoved(JournalRecord record, boolean isLeft) {
    if (isLeft) {
      left.add(record.file());
    } else {
      noteLifespan(record.file(), record.lifespanEndMillis());
    }
  }

  /** Nobody else removes any more what was left to others: it is looked for here again. */
  void takeBackLeft() {
    for (long file : List.copyOf(left)) {
      if (left.remove(file)) {
        noteLifespan(file, 0);
      }
    }
  }

  /** Whether an entry may be expired that is on the disk only. */
  boolean isDue(long nowMillis) {
    for (long end : lifespanEnds.values()) {
      if (end <= nowMillis) {
        return true;
      }
    }
    return false;
  }

  /**
   * Shows the records whose lifespan is over, from the files that have some; whether they count is
   * left to find out. Blocks; not locked.
   *
   * @param reader borrows the record for the call
   */
  void forEachDue(long nowMillis, Consumer<JournalRecord> reader) {
    for (Map.Entry<Long, Long> each : List.copyOf(lifespanEnds.entrySet())) {
      long file = each.getKey();
      long end = each.getValue();
      if (end <= nowMillis && lifespanEnds.remove(file, end)) {
        boolean isRead = false;
        try {
          isRead = readDue(file, nowMillis, reader);
        } finally {
          if (!isRead) { // the next time again
            noteLifespan(file, end);
          }
        }
      }
    }
  }

  private boolean readDue(long file, long nowMillis, Consumer<JournalRecord> reader) {
    try {
      return records()
          .readAll(
              file,
              record -> {
                long end = record.lifespanEndMillis();
                if (end <= nowMillis) {
                  reader.accept(record);
                } else {
                  noteLifespan(file, end);
                }
              });
    } catch (IOException failure) {
      throw unreadable(failure);
    }
  }

  /** Closes the file that is deleted, and forgets it. */
  void closeFile(long number) {
    lifespanEnds.remove(number);
    left.remove(number);
    close(() -> records().deleted(number));
  }

  /** Closes all files. */
  void close() {
    StoredRecords records = opened;
    if (records != null) {
      close(records::close);
    }
  }

  private interface Closing {
    void run() throws IOException;
  }

  private void close(Closing closing) {
    try {
      closing.run();
    } catch (IOException failure) {
      log.log(Level.WARNING, "file of a store can't be closed: cache=" + cache, failure);
    }
  }
}
