package dev.isogrid.client;

import dev.isogrid.wire.KeyHash;
import dev.isogrid.wire.Segments;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What of an iteration is done, so that another server can go on with it: segments that are
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
   * Whether another server can go on. It can't if keys are stored in another form than this client
   * sends them in, since then their segments are not known here.
   */
  boolean canGoOn() {
    return isExact;
  }

  /** Takes note of a batch, and returns its entries without those that were returned before. */
  List<IterationOperation.Row> add(IterationOperation.Batch batch) {
    List<IterationOperation.Row> fresh = batch.rows();
    if (isExact) {
      fresh = new ArrayList<>(batch.rows().size());
      for (IterationOperation.Row row : batch.rows()) {
        int segment = segments.of(KeyHash.hash(row.keyBytes()));
        if (!unfinished.get(segment)) {
          isExact = false;
          returned.clear();
          return batch.rows();
        }
        Set<KeyBytes> keys = returned.computeIfAbsent(segment, s -> new HashSet<>());
        if (keys.add(new KeyBytes(row.keyBytes()))) {
          fresh.add(row);
        }
      }
    }
    finish(batch.finished());
    return fresh;
  }

  /** Takes note that segments are finished. */
  void finish(BitSet finished) {
    unfinished.andNot(finished);
    finished.stream().forEach(returned::remove);
  }
}
