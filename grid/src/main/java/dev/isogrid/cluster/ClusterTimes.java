package dev.isogrid.cluster;

import java.util.Set;

/**
 * How long nodes trust and wait for each other, in nanoseconds.
 *
 * @param lease how long a grant holds
 * @param driftPerMille by how much the rate of a clock may be off
 * @param suspect how long a member may be silent until it is given up
 * @param resend how long an answer may take until a message is sent again
 * @param gone what nodes do when they are told that a node is gone
 * @param off rules that are not obeyed; empty but in simulations of what happens then
 */
public record ClusterTimes(
    long lease, int driftPerMille, long suspect, long resend, GonePolicy gone, Set<Rule> off) {
  private static final long MILLI = 1_000_000;
  private static final int HEARTBEATS_A_LEASE = 6;

  /** As much as a part of a copy: a message with more takes time to get there. */
  private static final int LARGE_BYTES = 256 << 10;

  /** Copies the set. */
  public ClusterTimes {
    off = Set.copyOf(off);
  }

  /** The times for a data centre: a failed primary is replaced in at most 1 s. */
  public static ClusterTimes usual() {
    return usual(GonePolicy.OF_TWO);
  }

  /** The same with another policy for nodes that are gone. */
  public static ClusterTimes usual(GonePolicy gone) {
    return new ClusterTimes(800 * MILLI, 10, 700 * MILLI, 100 * MILLI, gone, Set.of());
  }

  /** How often a heartbeat is sent. */
  public long heartbeat() {
    return lease / HEARTBEATS_A_LEASE;
  }

  /** How long an answer to a message with so many bytes may take until it is sent again. */
  public long resend(long bytes) {
    return bytes < LARGE_BYTES ? resend : Math.max(resend, resendCopies());
  }

  /**
   * How long an answer to a part of a copy may take until it is sent again. Parts are large, so one
   * that is only on its way should not be sent twice; a lost one is sent again before its sender
   * loses patience.
   */
  public long resendCopies() {
    return patience() * 2 / 5;
  }

  /** How long a replica may leave its primary without any answer until it is done without. */
  public long patience() {
    return lease + suspect / 2;
  }

  /** How long after it sent a heartbeat a node may serve. */
  public long usableLease() {
    return holds(Rule.DRIFT_MARGIN) ? lease - lease * 2 * driftPerMille / 1000 - MILLI : lease;
  }

  /** Whether a rule is obeyed. */
  public boolean holds(Rule rule) {
    return !off.contains(rule);
  }
}
