package dev.isogrid.topology;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who keeps a segment.
 *
 * @param segEpoch the epoch at which primary or in-sync replicas last changed, or a learner was
 *     given up: messages of another one are not acted upon
 * @param primary who decides on writes and answers reads, one of {@code isr}; null while the
 *     segment is offline, waiting for one of {@code isr} to come back
 * @param isr the replicas that hold every acknowledged write, and may answer reads, never empty
 * @param learners the nodes that are being given a copy
 */
public record SegmentOwners(
    int segEpoch, @Nullable NodeId primary, List<NodeId> isr, List<NodeId> learners) {
  /** Copies that are in sync, and copies that are being made. */
  public static final int COPIES_MAX = 255;

  /** Copies the lists and checks what they have to do with each other. */
  public SegmentOwners {
    isr = List.copyOf(isr);
    learners = List.copyOf(learners);
    boolean isPrimaryIn = primary == null || isr.contains(primary);
    if (isr.isEmpty() || !isPrimaryIn || learners.stream().anyMatch(isr::contains)) {
      throw new IllegalArgumentException(
          "invalid owners: primary=%s, isr=%s, learners=%s".formatted(primary, isr, learners));
    }
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
