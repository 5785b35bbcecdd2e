package dev.isogrid.api;

import java.util.List;

/**
 * How far the rebalancing of a cluster is: copies that members are given, or still lack. A
 * snapshot.
 *
 * @param copiesUnderWay copies of segments that are being sent
 * @param copiesLeft copies of segments that are missing, those under way included
 * @param bytesDone what was sent in the present or latest rebalancing, keys and values
 * @param bytesLeft about what is still to be sent
 * @param bytesPerSecond how fast it went since it began, all senders together; 0 if nothing was
 *     sent
 * @param secondsLeft about how long it takes at that speed; 0 if nothing is left, -1 if that is not
 *     known, as while it is paused
 * @param isPaused whether copies are held back for all caches
 * @param pausedCaches the caches for which they are held back, sorted; those that share their
 *     segments are all named
 * @param silentNodes members that did not answer in time, so that theirs is missing here
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
