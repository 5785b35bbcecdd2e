package dev.isogrid.node;

import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.Topology;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Says in the log when segments are lost, since all nodes that had their entries are gone, and when
 * none is any more. Thread-safe.
 */
final class LossWatch {
  private static final System.Logger log = System.getLogger(LossWatch.class.getName());

  private final String nodeName;

  // guarded by: this
  private int lost;

  LossWatch(String nodeName) {
    this.nodeName = nodeName;
  }

  /** There is a new topology. Takes as long as it takes to look through its segments. */
  synchronized void onTopology(@Nullable Topology known) {
    if (known == null) {
      return;
    }
    int before = lost;
    int[] lostOfGroup = IntStream.range(0, known.groups().size()).map(known::offline).toArray();
    List<CacheDefinition> caches =
        known.caches().stream().filter(cache -> lostOfGroup[cache.group()] > 0).toList();
    lost = caches.stream().mapToInt(CacheDefinition::group).distinct().map(known::offline).sum();
    if (lost > before) {
      log.log(
          Level.WARNING,
          "all nodes that have the entries of some segments are gone: node={0}, epoch={1},"
              + " segments={2}, caches={3}; bring one of them back, or if they are dead, give the"
              + " entries up: Rebalancing.restartLost, or set-availability by REST",
          nodeName,
          known.epoch(),
          lost,
          caches.stream().map(CacheDefinition::name).sorted().toList());
    } else if (lost == 0 && before > 0) {
      log.log(
          Level.INFO,
          "no segments are lost any more: node={0}, epoch={1}, before={2}",
          nodeName,
          known.epoch(),
          before);
    }
  }
}
