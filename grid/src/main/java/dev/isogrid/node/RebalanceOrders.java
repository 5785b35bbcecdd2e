package dev.isogrid.node;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.engine.ClusterDriver;
import dev.isogrid.topology.Pauses;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import org.jspecify.annotations.Nullable;

/** Asks a cluster for what an operator wants of rebalancing, and waits for it. Thread-safe. */
final class RebalanceOrders {
  private static final long AGREEMENT_MILLIS = NodeCluster.AGREEMENT_MILLIS;

  private final String nodeName;
  private final ClusterDriver driver;
  private final TopologyWait topologies;

  RebalanceOrders(String nodeName, ClusterDriver driver, TopologyWait topologies) {
    this.nodeName = nodeName;
    this.driver = driver;
    this.topologies = topologies;
  }

  /**
   * Brings about that rebalancing is paused or goes on, and waits until this node knows it.
   *
   * @param group the place of a group in the topology, or {@link dev.isogrid.topology.Pauses#ALL}
   * @throws RetryableGridException if the cluster does not decide in time
   */
  void pause(int group, boolean isPaused) {
    driver.pause(group, isPaused);
    if (!topologies.await(() -> isPaused(group) == isPaused, AGREEMENT_MILLIS)) {
      driver.forgetPause(group);
      throw new RetryableGridException(
          "%s of rebalancing not agreed upon: node=%s, waited=%d ms; try again"
              .formatted(isPaused ? "pause" : "resumption", nodeName, AGREEMENT_MILLIS));
    }
  }

  /**
   * Brings about that copies have a speed, and waits until this node knows it.
   *
   * @param bytesPerSecondMax as in {@link dev.isogrid.topology.Pauses}
   * @throws RetryableGridException if the cluster does not decide in time
   */
  void limitCopies(long bytesPerSecondMax) {
    driver.limitCopies(bytesPerSecondMax);
    if (!topologies.await(() -> copySpeed() == bytesPerSecondMax, AGREEMENT_MILLIS)) {
      driver.forgetLimit();
      throw new RetryableGridException(
          "speed of rebalancing not agreed upon: node=%s, waited=%d ms; try again"
              .formatted(nodeName, AGREEMENT_MILLIS));
    }
  }

  /** The speed of copies that the cluster agreed upon. */
  long copySpeed() {
    Topology known = driver.topology();
    return known == null ? Pauses.AS_CONFIGURED : known.pauses().bytesPerSecondMax();
  }

  private boolean isPaused(int group) {
    Topology known = driver.topology();
    return known != null && known.pauses().isPaused(group);
  }

  /**
   * Brings about that the lost segments of a group begin anew, and waits until this node knows it.
   *
   * @param group the place of a group in the topology
   * @return how many did
   * @throws RetryableGridException if the cluster does not decide in time
   */
  int restartLost(int group) {
    Topology before = driver.topology();
    if (before == null || before.offline(group) == 0) {
      return 0;
    }
    int inEpoch = before.epoch();
    driver.restartLost(group, inEpoch);
    if (!topologies.await(() -> offlineSince(group, inEpoch) == 0, AGREEMENT_MILLIS)) {
      driver.forgetRestart(group);
      String obstacle = driver.obstacle();
      throw new RetryableGridException(
          ("restart of lost segments not agreed upon: node=%s, segments=%d, waited=%d ms%s; try"
                  + " again")
              .formatted(
                  nodeName,
                  offlineSince(group, inEpoch),
                  AGREEMENT_MILLIS,
                  obstacle == null ? "" : ", since " + obstacle));
    }
    return restarts(driver.topology(), group) - restarts(before, group);
  }

  private int offlineSince(int group, int inEpoch) {
    Topology known = driver.topology();
    return known == null ? 0 : known.offlineSince(group, inEpoch);
  }

  private static int restarts(@Nullable Topology topology, int group) {
    return topology == null
        ? 0
        : topology.segmentsOf(group).stream().mapToInt(SegmentOwners::restarts).sum();
  }
}
