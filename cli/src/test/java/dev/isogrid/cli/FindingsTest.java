package dev.isogrid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Findings and the tables of {@code top}, as operators see them. */
class FindingsTest {
  private static final long SECOND = 1_000_000_000;

  private static NodeFigures node(String name, String metrics, long nanos) {
    return NodeFigures.of(name, metrics, nanos);
  }

  private static ClusterFigures cluster(
      Map<String, String> health, Map<?, ?> rebalancing, NodeFigures... nodes) {
    return new ClusterFigures("HEALTHY", health, rebalancing, List.of(nodes));
  }

  @Test
  void healthyCluster_hasNoFindings() {
    assertEquals(
        List.of(),
        Findings.of(
            cluster(
                Map.of("c", "HEALTHY"),
                Map.of("rebalancing_enabled", true),
                node("a", "isogrid_majority 1.0\nisogrid_writes_refused_total 0.0", 0))));
  }

  @Test
  void fullCache_isFound_byTheFullestNode() {
    String emptier =
        "isogrid_cache_entries{cache=\"c\"} 10\nisogrid_cache_entries_max{cache=\"c\"} 100";
    String full =
        "isogrid_cache_entries{cache=\"c\"} 99\nisogrid_cache_entries_max{cache=\"c\"} 100";
    List<String> found =
        Findings.of(cluster(Map.of(), Map.of(), node("a", emptier, 0), node("b", full, 0)));
    assertEquals(1, found.size());
    assertTrue(found.getFirst().startsWith("cache c is full, 99 % of its bound"), found::toString);
  }

  @Test
  void storesThatFail_areFound() {
    String failing =
        "isogrid_cache_journal_failing{cache=\"c\"} 1\n"
            + "isogrid_cache_journal_cleaning_failing{cache=\"c\"} 0\n"
            + "isogrid_cache_journal_failing{cache=\"d\"} 0\n"
            + "isogrid_cache_journal_cleaning_failing{cache=\"d\"} 1";
    List<String> found = Findings.of(cluster(Map.of(), Map.of(), node("a", failing, 0)));
    assertEquals(2, found.size(), found::toString);
    assertTrue(found.get(0).startsWith("node a refuses writes to cache c"), found::toString);
    assertTrue(found.get(1).startsWith("node a can't clean the store of cache d"), found::toString);
  }

  @Test
  void nodesAndRebalancing_areFound() {
    List<String> found =
        Findings.of(
            cluster(
                Map.of("c", "DEGRADED"),
                Map.of(
                    "rebalancing_enabled",
                    false,
                    "paused_caches",
                    List.of("c"),
                    "silent_nodes",
                    List.of("b")),
                node(
                    "a",
                    "isogrid_rebalance_copies_left 7\nisogrid_writes_refused_total 2\n"
                        + "isogrid_segments_underreplicated 9",
                    0),
                NodeFigures.silent("c", "no answer in 3 s", 0),
                NodeFigures.silent("d", NodeFigures.NO_CLIENTS, 0)));
    List<String> starts =
        List.of(
            "cache c is DEGRADED",
            "9 segments have fewer copies",
            "node a has refused 2 writes",
            "node c does not answer: no answer in 3 s",
            "node d takes no clients",
            "node b is silent",
            "rebalancing is paused",
            "node a has 7 copies");
    assertEquals(starts.size(), found.size(), found::toString);
    for (int i = 0; i < starts.size(); i++) {
      assertTrue(found.get(i).startsWith(starts.get(i)), found.get(i));
    }
  }

  @Test
  void rates_areOfAllNodes_sinceTheFiguresBefore() {
    String before =
        "isogrid_cache_hits_total{cache=\"c\"} 10\n"
            + "isogrid_cache_misses_total{cache=\"c\"} 0\n"
            + "isogrid_cache_stores_total{cache=\"c\"} 5\n"
            + "isogrid_cache_evictions_total{cache=\"c\"} 0";
    String now =
        before
            .replace(" 10", " 40")
            .replace("misses_total{cache=\"c\"} 0", "misses_total{cache=\"c\"} 10");
    ClusterFigures first =
        cluster(Map.of("c", "HEALTHY"), Map.of(), node("a", before, 0), node("b", before, 0));
    ClusterFigures second =
        cluster(
            Map.of("c", "HEALTHY"),
            Map.of(),
            node("a", now, 2 * SECOND),
            node("b", before, 2 * SECOND));
    assertEquals(
        List.of("c", "-", "-", "-", "20", "0", "75 %", "0", "HEALTHY"),
        new TopFrame(second, first).caches().getFirst());
    assertEquals("-", new TopFrame(second, null).caches().getFirst().get(4));
  }
}
