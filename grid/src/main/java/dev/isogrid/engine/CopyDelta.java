package dev.isogrid.engine;

import java.util.List;
import java.util.Map;

/**
 * The statements of a part of a copy on the entries that the learner has from before.
 *
 * @param bases in the first part, by cache the place up to which such entries stay for now; the
 *     entries of other caches are dropped
 * @param sums in the last part of the entries behind these places: sums of all others
 * @param isRepair whether the entries of this part replace what the learner has from before
 * @param gone in the last part of those, what the primary has not
 */
public record CopyDelta(
    Map<Integer, Long> bases, List<EntrySums> sums, boolean isRepair, List<EntryPrints> gone) {
  /** That of a copy of all entries. */
  static final CopyDelta NONE = new CopyDelta(Map.of(), List.of(), false, List.of());

  /** Copies the collections. */
  public CopyDelta {
    bases = Map.copyOf(bases);
    sums = List.copyOf(sums);
    gone = List.copyOf(gone);
  }

  /** About the bytes that it takes in a message. */
  long sizeBytes() {
    long bytes = 0;
    for (EntrySums each : sums) {
      bytes += each.sizeBytes();
    }
    for (EntryPrints each : gone) {
      bytes += each.sizeBytes();
    }
    return bytes;
  }
}
