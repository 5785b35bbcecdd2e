package dev.isogrid.client;

import dev.isogrid.wire.KeyHash;
import dev.isogrid.wire.Segments;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The progress of an iteration, so that another server can go on with it: segments that are
 * finished are not asked for again, and keys that were returned from others are left out. Keeps the
 * keys of segments that are begun and not finished. For one thread at a time.
 */
final class IterationProgress {
  private final Segments segments;
  private final BitSet unfinished;
  private final Map<Integer, Set<KeyBytes>> returned = new HashMap<>();

  /** Whether keys are in the segments that this client computes for them. */
  private boolean isExact = true;

  /**
   * Begins.
   *
   * @param wanted the segments to iterate over, or null for all
   */
  IterationProgress(int segmentCount, @Nullable Set<Integer> wanted) {
    this.segments = new Segments(segmentCount);
    this.unfinished = new BitSet(segmentCount);
    if (wanted == null) {
      unfinished.set(0, segmentCount);
    } else {
      for (int segment : wanted) {
        if (segment < 0 || segment >= segmentCount) {
          throw new IllegalArgumentException(
              "no such segment: segment=%d, count=%d".formatted(segment, segmentCount));
        }
        unfinished.set(segment);
      }
    }
  }

  /** The segments that are not finished; not to be changed. */
  BitSet unfinished() {
    return unfinished;
  }

  /**
   * Whether another server can continue. It can't if keys are stored in another form than this
   * client sends them in, since then their segments are not known here.
   */
  boolean canGoOn() {
    return isExact;
  }

  /** Takes note of a batch, and returns its entries without those that were returned before. */
  List<IterationOperation.Row> add(IterationOperation.Batch batch) {
    List<IterationOperation.Row> again = isExact ? returnedAgain(batch) : List.of();
    finish(batch.finished());
    if (again.isEmpty()) {
      return batch.rows();
    }
    Set<IterationOperation.Row> dropped = Collections.newSetFromMap(new IdentityHashMap<>());
    dropped.addAll(again);
    return batch.rows().stream().filter(row -> !dropped.contains(row)).toList();
  }

  /** The entries that were returned before; notes the others if they can be returned again. */
  private List<IterationOperation.Row> returnedAgain(IterationOperation.Batch batch) {
    List<IterationOperation.Row> again = new ArrayList<>(0);
    for (IterationOperation.Row row : batch.rows()) {
      int segment = segments.of(KeyHash.hash(row.keyBytes()));
      if (!unfinished.get(segment)) {
        isExact = false;
        returned.clear();
        return List.of();
      }
      Set<KeyBytes> keys = returned.get(segment);
      if (keys == null && !batch.finished().get(segment)) {
        keys = new HashSet<>();
        returned.put(segment, keys);
      }
      if (keys != null && !keys.add(new KeyBytes(row.keyBytes()))) {
        again.add(row);
      }
    }
    return again;
  }

  /** Takes note that segments are finished. */
  void finish(BitSet finished) {
    unfinished.andNot(finished);
    finished.stream().forEach(returned::remove);
  }
}
