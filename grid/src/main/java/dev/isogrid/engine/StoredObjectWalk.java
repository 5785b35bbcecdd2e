package dev.isogrid.engine;

import dev.isogrid.journal.JournalRecord;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Segment;
import dev.isogrid.store.SegmentSnapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * Goes through the entries of a segment of objects that were there at one moment, in memory or not.
 * Blocks. For one thread.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
final class StoredObjectWalk<K, V> implements SegmentSnapshot<K, V> {
  /*
   * What was on the disk is read at the place of that moment, also if it came into memory or was
   * written since. If the cleaner deleted the file, the entries of the same hash are shown as they
   * are now; should several have the hash, one of them may be shown twice.
   */
  private final Segment<K, V> segment;
  private final EntryJournal<K, V> kept;
  private final EvictedEntries<K, V> evicted;
  private final StoredForm<K, V> form;
  private final long nowMillis;
  private final SegmentSnapshot<K, V> inMemory;
  private final Deque<Place> places;
  private final Deque<Entry<K, V>> found = new ArrayDeque<>();

  private record Place(int hash, long place) {}

  private record Entry<K, V>(K key, Effect<V> effect, long version) {}

  /**
   * Begins. Locked.
   *
   * @param nowMillis when entries that are on the disk count as used
   */
  // tidy: all that is shown
  StoredObjectWalk(
      Segment<K, V> segment,
      int index,
      EntryJournal<K, V> kept,
      EvictedEntries<K, V> evicted,
      StoredForm<K, V> form,
      long nowMillis) {
    this.segment = segment;
    this.kept = kept;
    this.evicted = evicted;
    this.form = form;
    this.nowMillis = nowMillis;
    this.inMemory = segment.snapshot();
    List<Place> seen = new ArrayList<>();
    evicted.forEach(index, (hash, place) -> seen.add(new Place(hash, place)));
    seen.sort(Comparator.comparingLong(Place::place)); // as they are in the files
    this.places = new ArrayDeque<>(seen);
  }

  @Override
  public boolean next(EntryView<K, V> view) {
    if (inMemory.next(view)) {
      return true;
    }
    while (found.isEmpty()) {
      Place place = places.poll();
      if (place == null) {
        return false;
      }
      JournalRecord record = evicted.read(place.place());
      if (record == null) {
        addOfHash(place.hash());
      } else {
        add(record);
      }
    }
    Entry<K, V> next = found.remove();
    view.show(next.key(), next.effect(), next.version());
    return true;
  }

  private void add(JournalRecord record) {
    Effect<V> effect = kept.loaded(record, new Effect<>(), nowMillis);
    found.add(new Entry<>(form.key(record.key()), effect, record.version()));
  }

  private void addOfHash(int hash) {
    EntryView<K, V> view = kept.newView();
    segment.lock();
    try {
      SegmentSnapshot<K, V> now = segment.snapshot();
      while (now.next(view)) {
        if (form.hash(view.key()) == hash) {
          found.add(new Entry<>(view.key(), copy(view), view.version()));
        }
      }
    } finally {
      segment.unlock();
    }
    for (JournalRecord each : evicted.readAll(hash)) {
      add(each);
    }
  }

  private static <K, V> Effect<V> copy(EntryView<K, V> view) {
    Effect<V> effect = new Effect<>();
    effect.store(
        view.value(),
        view.lifespanMillis(),
        view.maxIdleMillis(),
        view.clientFlags(),
        view.mediaType());
    effect.times(view.createdMillis(), view.lastUsedMillis());
    return effect;
  }
}
