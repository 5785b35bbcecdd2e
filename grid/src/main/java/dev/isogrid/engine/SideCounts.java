package dev.isogrid.engine;

/**
 * Counts of the writes that a node kept apart from the majority, since it started.
 *
 * @param isApart whether it keeps writes apart now
 * @param keptBytes what it keeps, in bytes
 * @param handedOver entries that nobody else had changed, and that are as this side left them
 * @param same entries that were the same on both sides
 * @param lost entries that both had changed, and that stayed as the majority had them
 * @param won entries that both had changed, and that are as this side left them
 * @param merged entries that both had changed, and of which the policy made something else
 * @param unanswered entries that stayed as the majority had them since an answer was lost and they
 *     were changed meanwhile
 * @param refused entries that the majority had no room or no cache for
 */
public record SideCounts(
    boolean isApart,
    long keptBytes,
    long handedOver,
    long same,
    long lost,
    long won,
    long merged,
    long unanswered,
    long refused) {
  /** The counts of a node that is alone. */
  public static final SideCounts NOTHING = new SideCounts(false, 0, 0, 0, 0, 0, 0, 0, 0);

  /** The entries that both sides had changed. */
  public long conflicts() {
    return lost + won + merged + unanswered;
  }
}
