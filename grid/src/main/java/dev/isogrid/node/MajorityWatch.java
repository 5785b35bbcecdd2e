package dev.isogrid.node;

import java.lang.System.Logger.Level;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says in the log when a node can't serve the caches of its cluster, since the majority does not
 * answer it, and when it can again. Short gaps, as a node that dies causes, are not told. For one
 * thread at a time.
 */
final class MajorityWatch {
  /** How often it is to be called. */
  static final long PERIOD_MILLIS = 1_000;

  /** So many times in a row there must be no majority: takeovers take less than two seconds. */
  private static final int TIMES = 3;

  private static final System.Logger log = System.getLogger(MajorityWatch.class.getName());

  private final String nodeName;
  private final Supplier<@Nullable String> obstacle;
  private int times;

  /**
   * Begins.
   *
   * @param obstacle tells why the node does not serve, or null if it does
   */
  MajorityWatch(String nodeName, Supplier<@Nullable String> obstacle) {
    this.nodeName = nodeName;
    this.obstacle = obstacle;
  }

  /** Looks once. To be called every {@value #PERIOD_MILLIS} ms. */
  void check() {
    String why = obstacle.get();
    if (why == null) {
      if (times >= TIMES) {
        log.log(Level.INFO, "the caches of the cluster are served again: node={0}", nodeName);
      }
      times = 0;
    } else if (++times == TIMES) {
      log.log(
          Level.WARNING,
          "the caches of the cluster are not served here: node={0}, since {1}",
          nodeName,
          why);
    }
  }
}
