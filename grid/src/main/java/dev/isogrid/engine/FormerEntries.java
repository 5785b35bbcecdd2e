package dev.isogrid.engine;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Segment;
import dev.isogrid.store.SegmentSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * The entries of a segment that this node has from before: from its disk, or from when it kept the
 * segment last. A copy that it is given replaces what is not right any more. For the thread that
 * drives the node.
 */
final class FormerEntries {
  /*
   * Nothing has to be known of where these entries come from. They may be those of some place, or
   * a part of them, or of a history that the cluster did not go on with: they stay only if the
   * primary has entries with the same prints. See EntryPrint for why that is enough.
   */
  private final int index;
  private final Collection<ReplicaStore> stores;

  /** The places of the copy that is being received. */
  private Map<Integer, Long> places = Map.of();

  /**
   * Those of a segment.
   *
   * @param stores the caches of the group, as they are at any time
   */
  FormerEntries(int index, Collection<ReplicaStore> stores) {
    this.index = index;
    this.stores = stores;
  }

  /** Whether nodes may have entries from before: some caches of the group are on disks. */
  boolean isPossible() {
    return stores.stream().anyMatch(FormerEntries::areCompared);
  }

  /** Entries that may be on the disk only would have to be read: such a cache is copied whole. */
  private static boolean areCompared(ReplicaStore store) {
    return store.kept() != null && !store.isOnDisk();
  }

  /** The caches of which there are entries, which are on the disk as well. */
  Set<Integer> stored() {
    Set<Integer> caches = new HashSet<>();
    for (ReplicaStore store : stores) {
      EntryJournal<BinaryKey, Bytes> kept = store.kept();
      if (kept != null && kept.isWritten() && store.storedCount(index) > 0) {
        caches.add(store.id());
      }
    }
    return caches;
  }

  /**
   * By cache, a place that no entry here is behind. Walks through all of them. Caches with too many
   * entries to be compared are left out.
   */
  Map<Integer, Long> places() {
    Set<Integer> caches = stored();
    Map<Integer, Long> found = new HashMap<>();
    for (ReplicaStore store : stores) {
      boolean isComparable =
          areCompared(store) && store.storedCount(index) <= EntrySums.ENTRIES_MAX;
      if (isComparable && caches.contains(store.id())) {
        found.put(store.id(), Math.max(store.keptPlace(index), greatest(store)));
      }
    }
    return found;
  }

  private long greatest(ReplicaStore store) {
    SegmentSnapshot<BinaryKey, Bytes> walk = store.walk(index);
    EntryView<BinaryKey, Bytes> view = store.newView();
    long greatest = 0;
    while (walk.next(view)) {
      greatest = Math.max(greatest, view.version() & Segment.SEQUENCE_MAX);
      view.release();
    }
    return greatest;
  }

  /** A copy begins that says what is right of the entries up to these places. */
  void begin(Map<Integer, Long> bases) {
    places = bases;
    for (ReplicaStore store : stores) {
      if (bases.containsKey(store.id())) {
        store.lack(index);
      }
    }
  }

  /** Returns the prints of the entries whose sums differ from the primary's. */
  List<EntryPrints> differing(List<EntrySums> sums) {
    List<EntryPrints> differing = new ArrayList<>();
    for (EntrySums theirs : sums) {
      EntrySums mine = theirs.empty();
      visit(theirs.cacheId(), theirs.seed(), (_, keyHash, print) -> mine.add(keyHash, print));
      BitSet buckets = theirs.differing(mine);
      if (!buckets.isEmpty()) {
        Prints prints = new Prints();
        visit(
            theirs.cacheId(),
            theirs.seed(),
            (_, keyHash, print) -> {
              if (buckets.get(theirs.bucket(keyHash))) {
                prints.add(print);
              }
            });
        differing.add(new EntryPrints(theirs.cacheId(), buckets, prints.sorted()));
      }
    }
    return differing;
  }

  /** Removes the entries with these prints; nobody is told. */
  void forget(long seed, EntryPrints gone) {
    for (ReplicaStore store : stores) {
      if (store.id() == gone.cacheId()) {
        List<EntryKey> keys = new ArrayList<>();
        visit(
            gone.cacheId(),
            seed,
            (key, _, print) -> {
              if (gone.indexOf(print) >= 0) {
                keys.add(new EntryKey(gone.cacheId(), key.toByteArray()));
              }
            });
        keys.forEach(key -> store.forget(index, key));
      }
    }
  }

  /**
   * Stores the entries of a block in place of what is here from before; nobody is told.
   *
   * @param removed the place of the last write that removed or touched a key meanwhile, or 0
   */
  void repair(CopiedBlock block, ToLongFunction<Object> removed) {
    long base = places.getOrDefault(block.cacheId(), 0L);
    for (ReplicaStore store : stores) {
      if (store.id() == block.cacheId()) {
        store.restoreAll(index, block, removed, (_, known, later) -> later == 0 && known <= base);
      }
    }
  }

  /** Returns whether an entry from before, by its place, is replaced by one of a repair. */
  boolean isReplaceable(Object key, long seq) {
    return key instanceof EntryKey entryKey && seq <= places.getOrDefault(entryKey.cacheId(), 0L);
  }

  /** Takes an entry. */
  private interface Visitor {
    void visit(BinaryKey key, long keyHash, long print);
  }

  private void visit(int cacheId, long seed, Visitor visitor) {
    long base = places.getOrDefault(cacheId, 0L);
    for (ReplicaStore store : stores) {
      if (store.id() == cacheId) {
        SegmentSnapshot<BinaryKey, Bytes> walk = store.walk(index);
        EntryView<BinaryKey, Bytes> view = store.newView();
        while (walk.next(view)) {
          long seq = view.version() & Segment.SEQUENCE_MAX;
          if (seq <= base) {
            long keyHash = EntryPrint.ofKey(seed, view.key());
            visitor.visit(view.key(), keyHash, EntryPrint.of(keyHash, seq, view));
          }
          view.release();
        }
      }
    }
  }

  /** Numbers that are collected. */
  private static final class Prints {
    private long[] prints = new long[64];
    private int count;

    void add(long print) {
      if (count == prints.length) {
        prints = Arrays.copyOf(prints, 2 * count);
      }
      prints[count++] = print;
    }

    long[] sorted() {
      long[] sorted = Arrays.copyOf(prints, count);
      Arrays.sort(sorted);
      return sorted;
    }
  }
}
