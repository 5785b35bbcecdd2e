package dev.isogrid.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.Grid;
import dev.isogrid.api.MapReduceJob;
import dev.isogrid.api.MapReduceNodeStats;
import dev.isogrid.api.MapReduceStats;
import dev.isogrid.api.MapReduceTask;
import dev.isogrid.api.Mapper;
import dev.isogrid.api.Reducer;
import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.ObjectReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The statistics of workers and partitions. */
class MapReduceStatsTest {
  private static final int ENTRIES = 20_000;

  private static final Reducer<Integer, Long> FIRST = (_, values) -> values.next();

  private final Grid grid = Grid.start();

  @AfterEach
  void close() {
    grid.close();
  }

  /** Counts entries by a function of their keys, with each pair sent alone. */
  private MapReduceStats stats(Mapper<Integer, Integer, Integer, Long> mapper) {
    Cache<Integer, Integer> cache = grid.cache("c");
    for (int i = 0; i < ENTRIES; i++) {
      cache.put(i, i);
    }
    MapReduceTask<Integer, Long> task = grid.mapReduce(cache).mappedWith(mapper).reducedWith(FIRST);
    MapReduceJob<Integer, Long> job = task.start();
    job.forEach((_, _) -> {});
    return job.stats();
  }

  @Test
  void skew_ofManyKeys_isNearOne_andThatOfOneKeyIsAllPartitions() {
    MapReduceStats even = stats((key, _, out) -> out.emit(key, 1L));
    assertTrue(even.skew() >= 1 && even.skew() < 1.2, () -> even.skew() + " of " + even);
    MapReduceNodeStats node = even.nodes().getFirst();
    assertEquals(even.bytesSent(), node.bytesReceived());
    assertTrue(node.partitions() > 1, even::toString);
    MapReduceStats skewed = stats((_, _, out) -> out.emit(1, 1L));
    assertEquals(node.partitions(), skewed.skew());
    MapReduceNodeStats one = skewed.nodes().getFirst();
    assertEquals(one.bytesReceived(), one.partitionBytesMax());
  }

  @Test
  void stats_ofNothing_areEven() {
    MapReduceStats none = stats((_, _, _) -> {});
    assertEquals(1, none.skew());
    assertEquals(1, new MapReduceStats(0, 0, 0, 0, 0, 0, List.of(), List.of()).mapSkew());
  }

  @Test
  void workerNanos_areTheTimeOfMapping() {
    MapReduceStats stats = stats((key, _, out) -> out.emit(key, 1L));
    MapReduceNodeStats node = stats.nodes().getFirst();
    assertEquals(Runtime.getRuntime().availableProcessors(), node.workers());
    assertEquals(node.workers(), node.workerNanos().size());
    assertTrue(node.workerNanos().getFirst() > 0, stats::toString);
    assertEquals(node.mapNanos(), node.workerNanos().stream().mapToLong(Long::longValue).sum());
    assertEquals(1, stats.mapSkew());
  }

  @Test
  void mapSkew_isTheSlowestNodeInMeansOfAll() {
    List<MapReduceNodeStats> nodes = new ArrayList<>();
    for (long nanos : new long[] {10, 30, 20}) {
      nodes.add(node("n" + nanos, nanos, 4 * nanos));
    }
    MapReduceStats stats = new MapReduceStats(0, 0, 0, 0, 0, 0, nodes, List.of());
    assertEquals(1.5, stats.mapSkew());
    assertEquals(60.0 / (240.0 / 6), stats.skew());
  }

  private static MapReduceNodeStats node(String name, long mapNanos, long bytesReceived) {
    return new MapReduceNodeStats(
        name,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        mapNanos,
        8,
        9,
        2,
        10,
        "why",
        List.of(mapNanos, 0L),
        2,
        bytesReceived,
        bytesReceived / 2);
  }

  @Test
  void stats_areTheSame_onTheOtherNode() throws Exception {
    MapReduceNodeStats node = node("n", 100, 1000);
    Control.Answer answer = new Control.Answer(List.of(), new int[0], new int[0], null, node);
    ByteString bytes = ControlCodec.toBytes(answer);
    assertEquals(node, ControlCodec.answer(bytes, ObjectReader.ofAllPackages()).stats());
  }
}
