package dev.isogrid.engine;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.journal.JournalRecord;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Segment;
import dev.isogrid.store.SegmentSnapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the entries of a segment of bytes, in memory or not, in the order of {@link
 * Segment#orderedFrom}. Blocks. For one thread.
 */
final class StoredWalk implements SegmentSnapshot<BinaryKey, Bytes> {
  /*
   * The order has groups of entries whose hashes are alike; most have one entry. Under one hold of
   * the lock the walk copies some entries that are in memory, and notes the places of those on the
   * disk up to the same group. So an entry that comes or goes between both is seen once. The files
   * are read without the lock, group by group. If the cleaner moved a record meanwhile, the walk
   * looks at all from this group on again.
   */
  /** Entries in memory that are copied under one hold of the lock. */
  private static final int COPIES_MAX = 256;

  /** With so many bytes, no more are copied. */
  private static final int COPIED_BYTES_MAX = 1 << 18;

  /** Places that are noted at once, unless a sixteenth of all is more. */
  private static final int PLACES_MIN = 1024;

  private static final int PLACES_FRACTION = 16;

  /** Times that the cleaner may move a record of a group before it is read. */
  private static final int ATTEMPTS_MAX = 1000;

  private static final long LAST_GROUP = 0xFFFF_FFFFL;

  private final Segment<BinaryKey, Bytes> segment;
  private final int index;
  private final EntryJournal<BinaryKey, Bytes> kept;
  private final EvictedEntries<BinaryKey, Bytes> evicted;
  private final EntryView<BinaryKey, Bytes> window;
  private final @Nullable BinaryKey after;
  private final long nowMillis;

  /** The groups up to this one were shown. */
  private long shown;

  /** The groups up to this one are in the batch. */
  private long taken;

  /** The last key in memory that was copied and shown; null for none. */
  private @Nullable BinaryKey lastInMemory;

  private Deque<Found> batch = new ArrayDeque<>();
  private final Deque<Found> group = new ArrayDeque<>();
  private int attempts;

  /** An entry: a copy of one in memory, or a place. */
  private record Found(
      long group,
      long place,
      @Nullable BinaryKey key,
      @Nullable Effect<Bytes> effect,
      long version) {
    static Found stored(long group, long place) {
      return new Found(group, place, null, null, 0);
    }
  }

  /**
   * Begins.
   *
   * @param after the key that the first entry follows; null for the first of all
   * @param nowMillis when entries that are on the disk count as used
   */
  // tidy: all that is shown
  StoredWalk(
      Segment<BinaryKey, Bytes> segment,
      int index,
      EntryJournal<BinaryKey, Bytes> kept,
      EvictedEntries<BinaryKey, Bytes> evicted,
      EntryView<BinaryKey, Bytes> window,
      @Nullable BinaryKey after,
      long nowMillis) {
    this.segment = segment;
    this.index = index;
    this.kept = kept;
    this.evicted = evicted;
    this.window = window;
    this.after = after;
    this.nowMillis = nowMillis;
    this.lastInMemory = after;
    this.shown = after == null ? -1 : groupOf(after.hash()) - 1;
    this.taken = shown;
  }

  private long groupOf(int hash) {
    return Integer.toUnsignedLong(segment.walkGroup(hash));
  }

  @Override
  public boolean next(EntryView<BinaryKey, Bytes> view) {
    while (group.isEmpty()) {
      if (batch.isEmpty()) {
        if (taken >= LAST_GROUP) {
          return false;
        }
        fill();
      } else {
        takeGroup();
      }
    }
    Found found = group.removeFirst();
    show(found, view);
    return true;
  }

  private static void show(Found found, EntryView<BinaryKey, Bytes> view) {
    BinaryKey key = Objects.requireNonNull(found.key());
    view.show(key, Objects.requireNonNull(found.effect()), found.version());
  }

  private void fill() {
    List<Found> found = new ArrayList<>();
    segment.lock();
    try {
      long end = copyFromMemory(found);
      taken = addPlaces(found, end);
    } finally {
      segment.unlock();
    }
    found.removeIf(each -> each.group() > taken);
    found.sort(Comparator.comparingLong(Found::group));
    batch = new ArrayDeque<>(found);
  }

  /** Copies entries; returns up to which group they are all that there are. Locked. */
  private long copyFromMemory(List<Found> found) {
    SegmentSnapshot<BinaryKey, Bytes> scan = segment.orderedFrom(lastInMemory);
    long bytes = 0;
    long last = -1;
    while (scan.next(window)) {
      long each = groupOf(window.key().hash());
      if (each <= shown) {
        continue; // it is new, or was shown from the disk
      }
      boolean isEnough = found.size() >= COPIES_MAX || bytes >= COPIED_BYTES_MAX;
      if (isEnough && each != last) {
        return last;
      }
      last = each;
      bytes += window.value().length();
      found.add(copy(each));
    }
    return LAST_GROUP;
  }

  private Found copy(long inGroup) {
    Effect<Bytes> effect = new Effect<>();
    effect.store(
        Bytes.of(window.value().toByteArray()),
        window.lifespanMillis(),
        window.maxIdleMillis(),
        window.clientFlags(),
        window.mediaType());
    effect.times(window.createdMillis(), window.lastUsedMillis());
    BinaryKey key = BinaryKey.of(window.key().toByteArray());
    return new Found(inGroup, 0, key, effect, window.version());
  }

  /** Notes places up to a group; returns up to which group they are all that there are. Locked. */
  private long addPlaces(List<Found> found, long end) {
    List<Found> places = new ArrayList<>();
    evicted.forEach(
        index,
        (hash, place) -> {
          long each = groupOf(hash);
          if (each > shown && each <= end) {
            places.add(Found.stored(each, place));
          }
        });
    int most = Math.max(PLACES_MIN, evicted.count(index) / PLACES_FRACTION);
    long last = end;
    if (places.size() > most) {
      places.sort(Comparator.comparingLong(Found::group));
      last = places.get(most).group();
    }
    found.addAll(places);
    return last;
  }

  /** Reads the next group, and brings it into the order of its keys. */
  private void takeGroup() {
    long next = batch.getFirst().group();
    List<Found> entries = new ArrayList<>();
    while (!batch.isEmpty() && batch.getFirst().group() == next) {
      Found each = read(batch.removeFirst());
      if (each == null) {
        again();
        return;
      }
      entries.add(each);
    }
    attempts = 0;
    shown = next;
    entries.sort((one, other) -> compare(one.key(), other.key()));
    for (Found each : entries) {
      if (each.place() == 0) {
        lastInMemory = each.key();
      }
      if (after == null || compare(each.key(), after) > 0 || groupOf(after.hash()) != next) {
        group.add(each);
      }
    }
  }

  private static int compare(@Nullable BinaryKey one, @Nullable BinaryKey other) {
    return Arrays.compareUnsigned(
        Objects.requireNonNull(one).toByteArray(), Objects.requireNonNull(other).toByteArray());
  }

  /** Begins again behind the last group that was shown. */
  private void again() {
    if (++attempts > ATTEMPTS_MAX) {
      throw new RetryableGridException(
          "entries of a segment moved on the disk again and again: segment=%d, attempts=%d; try"
                  .formatted(index, attempts)
              + " again");
    }
    batch.clear();
    taken = shown;
  }

  /** Reads an entry, if it is not there yet; null if it is elsewhere by now. */
  private @Nullable Found read(Found found) {
    if (found.place() == 0) {
      return found;
    }
    JournalRecord record = evicted.read(found.place());
    if (record == null) {
      return null;
    }
    // times of use are not in the record, and it has not been idle while it is on the disk
    Effect<Bytes> effect = kept.loaded(record, new Effect<>(), nowMillis);
    return new Found(
        found.group(), found.place(), BinaryKey.of(record.key()), effect, record.version());
  }
}
