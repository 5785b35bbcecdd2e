package dev.isogrid.engine;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Segment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides which entries of a segment a learner lacks that has some from before. For one copy, and
 * the thread that drives the node.
 */
final class DeltaSource {
  /*
   * In the first walk, the entries behind the learner's place are sent, and all others are added to
   * sums. The learner answers with the prints of its entries in the buckets whose sums differ.
   * In the second walk, entries up to the place in these buckets are sent if the learner has no
   * such print; the prints that no entry here has are those of entries that are gone.
   *
   * Writes behind the copy's start reach the learner anyway. They can make sums differ that need
   * not, which costs some bytes, and nothing else: what is sent or said to be gone is what the
   * entries here are.
   */
  private final Map<Integer, Long> bases;
  private final long seed;
  private final Map<Integer, EntrySums> sums = new HashMap<>();
  private final Map<Integer, Compared> compared = new HashMap<>();

  /** The learner's entries in the buckets that differ, and which of them are here as well. */
  private record Compared(EntryPrints prints, BitSet known) {}

  private boolean isRepairing;

  /**
   * Begins with the first walk.
   *
   * @param bases by cache, the place up to which the learner has entries
   * @param counts by cache, about the number of entries here
   */
  DeltaSource(Map<Integer, Long> bases, Map<Integer, Integer> counts, long seed) {
    this.bases = Map.copyOf(bases);
    this.seed = seed;
    bases
        .keySet()
        .forEach(cache -> {
          int count = counts.getOrDefault(cache, 0);
          sums.put(cache, EntrySums.forEntries(cache, seed, count));
        });
  }

  /** The caches of which the learner has entries, each with its place. */
  Map<Integer, Long> bases() {
    return bases;
  }

  /** Returns whether an entry that the walk comes to must be sent. */
  boolean sends(int cacheId, EntryView<BinaryKey, Bytes> entry) {
    Long base = bases.get(cacheId);
    long seq = entry.version() & Segment.SEQUENCE_MAX;
    if (base == null || seq > base) {
      return !isRepairing;
    }
    EntrySums ofCache = sums.get(cacheId);
    long keyHash = EntryPrint.ofKey(seed, entry.key());
    long print = EntryPrint.of(keyHash, seq, entry);
    if (!isRepairing && ofCache != null) {
      ofCache.add(keyHash, print);
      return false;
    }
    Compared known = compared.get(cacheId);
    if (known == null || ofCache == null || !known.prints.concerns(ofCache.bucket(keyHash))) {
      return false;
    }
    int place = known.prints.indexOf(print);
    if (place >= 0) {
      known.known.set(place);
    }
    return place < 0;
  }

  /** Returns whether the walk is to go through a cache. */
  boolean concerns(int cacheId) {
    return !isRepairing || compared.containsKey(cacheId);
  }

  /** Whether this is the second walk. */
  boolean isRepairing() {
    return isRepairing;
  }

  /** Begins the second walk, with what the learner answered to the sums. */
  void repair(List<EntryPrints> differing) {
    isRepairing = true;
    differing.forEach(each -> compared.put(each.cacheId(), new Compared(each, new BitSet())));
  }

  /**
   * The last part of a walk, or another one.
   *
   * @param isFirst whether it is the first part of the first walk
   * @param isEnd whether it is the last part of a walk
   */
  CopyDelta part(boolean isFirst, boolean isEnd) {
    return new CopyDelta(
        isFirst ? bases : Map.of(),
        isEnd && !isRepairing ? List.copyOf(sums.values()) : List.of(),
        isRepairing,
        isEnd && isRepairing ? gone() : List.of());
  }

  private List<EntryPrints> gone() {
    List<EntryPrints> gone = new ArrayList<>();
    compared.forEach((cacheId, known) -> {
      long[] prints = new long[known.prints.count() - known.known.cardinality()];
      int at = 0;
      for (int i = 0; i < known.prints.count(); i++) {
        if (!known.known.get(i)) {
          prints[at++] = known.prints.print(i);
        }
      }
      if (at > 0) {
        gone.add(new EntryPrints(cacheId, new BitSet(), prints));
      }
    });
    return gone;
  }

  /**
   * The source of a copy to a learner that has entries from before, or null if it has none of use.
   *
   * @param startSeq the writes behind it are sent besides: entries behind it are not compared
   */
  static @Nullable DeltaSource of(
      Map<Integer, Long> bases, CommittedEntries here, long startSeq, long seed) {
    Map<Integer, Long> usable = new HashMap<>(bases);
    usable.values().removeIf(place -> place > startSeq);
    return usable.isEmpty() ? null : here.deltaTo(usable, seed);
  }
}
