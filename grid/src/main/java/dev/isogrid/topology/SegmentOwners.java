package dev.isogrid.topology;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The owners of a segment.
 *
 * @param segEpoch the epoch at which primary or in-sync replicas last changed, or a learner was
 *     given up: messages of other epochs have no effect
 * @param primary the replica that decides on writes and answers reads, one of {@code isr}; null
 *     while the segment is offline, waiting for the return of one of {@code isr}
 * @param isr the replicas that have every acknowledged write, and may answer reads, never empty
 * @param learners the nodes that are receiving a copy
 * @param restarts the number of restarts without entries after the loss of all replicas; 0 to
 *     {@link #RESTARTS_MAX}. A node's entries from before do not belong to the segment any more
 */
public record SegmentOwners(
    int segEpoch, @Nullable NodeId primary, List<NodeId> isr, List<NodeId> learners, int restarts) {
  /** Copies that are in sync, and copies that are being made. */
  public static final int COPIES_MAX = 255;

  /** After so many a segment can't be begun anew once more. */
  public static final int RESTARTS_MAX = 255;

  /** Copies the lists and checks what they have to do with each other. */
  public SegmentOwners {
    isr = List.copyOf(isr);
    learners = List.copyOf(learners);
    boolean isPrimaryIn = primary == null || isr.contains(primary);
    boolean isCounted = restarts >= 0 && restarts <= RESTARTS_MAX;
    if (isr.isEmpty() || !isPrimaryIn || !isCounted || learners.stream().anyMatch(isr::contains)) {
      throw new IllegalArgumentException(
          "invalid owners: primary=%s, isr=%s, learners=%s, restarts=%d"
              .formatted(primary, isr, learners, restarts));
    }
  }

  /** Of a segment that was never begun anew. */
  public SegmentOwners(
      int segEpoch, @Nullable NodeId primary, List<NodeId> isr, List<NodeId> learners) {
    this(segEpoch, primary, isr, learners, 0);
  }

  /** Others of the same segment. */
  SegmentOwners next(
      int nextEpoch,
      @Nullable NodeId nextPrimary,
      List<NodeId> nextIsr,
      List<NodeId> nextLearners) {
    return new SegmentOwners(nextEpoch, nextPrimary, nextIsr, nextLearners, restarts);
  }

  /** The segment without anybody who serves it; its last primary comes first. */
  SegmentOwners offline(int nextEpoch) {
    List<NodeId> waited = new ArrayList<>(isr);
    if (primary != null) {
      waited.remove(primary);
      waited.addFirst(primary);
    }
    return next(nextEpoch, null, waited, List.of());
  }

  /** The segment begun anew, without entries, at one node. */
  SegmentOwners restarted(int nextEpoch, NodeId at) {
    return new SegmentOwners(nextEpoch, at, List.of(at), List.of(), restarts + 1);
  }

  /** Whether it was offline in an epoch, and has been since. */
  boolean isOfflineSince(int epoch) {
    return isOffline() && segEpoch <= epoch;
  }

  /** Whether nobody serves the segment. */
  public boolean isOffline() {
    return primary == null;
  }

  /** The nodes that may answer reads here and may not, or not as this primary, afterwards. */
  public List<NodeId> losers(SegmentOwners next) {
    if (isOffline()) {
      return List.of();
    }
    List<NodeId> losers = new ArrayList<>();
    for (NodeId node : isr) {
      boolean keeps =
          !next.isOffline()
              && next.isr.contains(node)
              && (!node.equals(primary) || node.equals(next.primary));
      if (!keeps) {
        losers.add(node);
      }
    }
    return losers;
  }

  /** Whether a node has a copy or is given one. */
  public boolean involves(NodeId node) {
    return isr.contains(node) || learners.contains(node);
  }
}
