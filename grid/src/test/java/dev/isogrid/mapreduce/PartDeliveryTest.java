package dev.isogrid.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.Mapper;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.FaultyCalls;
import dev.isogrid.engine.FaultyCalls.Fate;
import dev.isogrid.engine.MovingSegments;
import dev.isogrid.engine.NodeCalls;
import dev.isogrid.mapreduce.Control.Round;
import dev.isogrid.mapreduce.Control.TaskKey;
import dev.isogrid.store.ObjectTables;
import dev.isogrid.topology.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The combination of parts for some partitions of two other nodes in one message. */
class PartDeliveryTest {
  /** The size, with heads, below which parts are sent together. */
  private static final int TOGETHER_BYTES = 1 << 16;

  private static final int SMALL = 100;
  private static final int LARGE = TOGETHER_BYTES - DataHead.BYTES;

  private static final List<NodeId> NODES =
      List.of(new NodeId(0, 0), new NodeId(0, 1), new NodeId(0, 2));

  /** Even partitions are the second node's, odd ones the third's. */
  private static final Round ROUND =
      new Round(1, new int[] {1, 2, 1, 2, 1, 2}, new long[] {0, 0, 0, 1, 0, 2});

  private final FakeEnv world = new FakeEnv();
  private final FaultyCalls network =
      new FaultyCalls(1, new FaultyCalls.Odds(0, 0, 0, 0), (_, _) -> Fate.USUAL);
  private final ExecutorService pool = Executors.newSingleThreadExecutor();
  private final MovingSegments cache =
      new MovingSegments(NODES, 4, 1, Map.of(), world.env(), () -> {});
  private final PartDelivery delivery;

  /** The partitions of each received message, in the order of sending to a node. */
  private final List<List<Integer>> messages = Collections.synchronizedList(new ArrayList<>());

  PartDeliveryTest() {
    NodeCalls calls = network.add(NODES.getFirst());
    for (NodeId other : NODES.subList(1, NODES.size())) {
      network.add(other).offer(MapReduceService.DATA, (_, message) -> take(message));
    }
    Mapper<Object, Object, Object, Object> mapper = (_, _, _) -> {};
    NodeTask task =
        new NodeTask(
            new TaskKey(UUID.randomUUID(), 0),
            new TaskSpec("c", mapper, null, null, null, null, 0, null),
            new MapSource<>(cache.engine(0), key -> key, ObjectTables::hash, k -> k, v -> v, false),
            new NodeTask.Surroundings(
                NODES.getFirst(), calls, world.env().nanoClock(), pool, 1, 1 << 20, null));
    delivery = new PartDelivery(task, ROUND, 1, true);
  }

  @AfterEach
  void close() {
    network.close();
    cache.close();
    pool.shutdownNow();
  }

  private ByteString take(ByteString message) {
    byte[] bytes = message.toByteArray();
    List<Integer> partitions = new ArrayList<>();
    for (int at = 0; at < bytes.length; ) {
      DataHead head = DataHead.read(bytes, at);
      partitions.add(head.partition());
      at += DataHead.BYTES + head.length();
    }
    messages.add(partitions);
    return ByteString.of(new byte[0]);
  }

  private void deliver(int partition, int bytes) throws InterruptedException {
    PairBytes part = delivery.begin(partition, bytes);
    part.write(new byte[bytes], 0, bytes);
    delivery.deliver(partition, part);
  }

  /** The messages after all have arrived, sorted by their first partitions. */
  private List<List<Integer>> finish() throws InterruptedException {
    delivery.finish();
    messages.sort((left, right) -> left.getFirst() - right.getFirst());
    return messages;
  }

  @Test
  void smallParts_goTogether_butNotThoseOfTwoNodes() throws Exception {
    for (int partition = 0; partition < 6; partition++) {
      deliver(partition, SMALL);
    }
    assertEquals(List.of(List.of(0, 2, 4), List.of(1, 3, 5)), finish());
  }

  @Test
  void largePart_goesAlone() throws Exception {
    deliver(0, SMALL);
    deliver(2, LARGE);
    deliver(4, SMALL);
    assertEquals(List.of(List.of(0, 4), List.of(2)), finish());
  }

  @Test
  void parts_thatAreLargeTogether_waitForNoMore() throws Exception {
    deliver(0, LARGE - 1);
    deliver(2, SMALL);
    deliver(4, SMALL);
    assertEquals(List.of(List.of(0, 2), List.of(4)), finish());
  }
}
