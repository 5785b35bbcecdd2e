package dev.isogrid.api;

import java.util.List;

/**
 * The progress of the rebalancing of a cluster: the copies that are sent to members, or still
 * missing. A snapshot.
 *
 * @param copiesUnderWay copies of segments that are being sent
 * @param copiesLeft copies of segments that are missing, those under way included
 * @param bytesDone the bytes of keys and values sent in the present or latest rebalancing
 * @param bytesLeft about the number of bytes still to be sent
 * @param bytesPerSecond the speed since its beginning, all senders together; 0 if nothing was sent
 * @param secondsLeft about the remaining time at that speed; 0 if nothing is left, -1 if not known,
 *     such as while it is paused
 * @param isPaused whether copies are held back for all caches
 * @param pausedCaches the caches for which they are held back, sorted; those that share their
 *     segments are all named
 * @param silentNodes members that did not answer in time, whose copies are not counted here
 */
public record RebalanceProgress( // tidy: the figures of one report
    int copiesUnderWay,
    int copiesLeft,
    long bytesDone,
    long bytesLeft,
    long bytesPerSecond,
    long secondsLeft,
    boolean isPaused,
    List<String> pausedCaches,
    List<String> silentNodes) {
  /** Nothing to do: that of a node without a cluster. */
  public static final RebalanceProgress NONE =
      new RebalanceProgress(0, 0, 0, 0, 0, 0, false, List.of(), List.of());

  /** Copies the lists. */
  public RebalanceProgress {
    pausedCaches = List.copyOf(pausedCaches);
    silentNodes = List.copyOf(silentNodes);
  }

  /** Whether all copies are where they should be. */
  public boolean isComplete() {
    return copiesLeft == 0;
  }
}
