package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.GonePolicy;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.DedupTable.Records;
import dev.isogrid.topology.NodeId;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The records of replicas about operations stay small, for any writes and any time. */
class RecordsTest {
  private static final NodeId A = new NodeId(0, 1);
  private static final NodeId B = new NodeId(0, 2);
  private static final NodeId C = new NodeId(0, 3);
  private static final int SEGMENTS = 16;
  private static final int LARGE = 1 << 20;

  /** A segment that no cache has, so that operations on it wait. */
  private static final int NOWHERE = 1000;

  private static final long FOREVER_MILLIS = 3_600_000;

  private final SteppedNodes nodes = new SteppedNodes(SEGMENTS);

  private static ByteString key(int number) {
    return ByteString.of(new byte[] {(byte) number, (byte) (number >> 8)});
  }

  private static ByteString value(int number, int length) {
    byte[] bytes = new byte[length];
    bytes[0] = (byte) number;
    return ByteString.of(bytes);
  }

  /** Asks a node to store a value; the answer is the value before. */
  private void put(NodeId at, int segment, int key, ByteString value) {
    long deadline = nodes.now() + 2000 * SteppedNodes.MILLI;
    TestCommand put = TestCommand.put(key(key), value);
    assertTrue(nodes.node(at).tryInvoke(put, segment, deadline, nodes.outcomes::add, nodes.now()));
  }

  private long answerBytes(NodeId at) {
    long bytes = 0;
    for (int segment = 0; segment < SEGMENTS; segment++) {
      for (Records session : nodes.node(at).replica(segment).log().dedup().records()) {
        bytes += session.done().values().stream().mapToLong(each -> Sized.of(each.result())).sum();
      }
    }
    return bytes;
  }

  private int records(NodeId at) {
    int count = 0;
    for (int segment = 0; segment < SEGMENTS; segment++) {
      count += nodes.node(at).replica(segment).log().dedup().size();
    }
    return count;
  }

  @Test
  void largeAnswers_areGivenAndNotKept() {
    nodes.start(GonePolicy.OF_TWO, A, B, C);
    for (int round = 0; round < 2; round++) {
      for (int segment = 0; segment < SEGMENTS; segment++) {
        put(A, segment, 1, value(round, LARGE));
        nodes.run(SteppedNodes.STEP_MILLIS);
      }
    }
    nodes.run(SteppedNodes.STEP_MILLIS);
    List<Outcome> second = nodes.outcomes.subList(SEGMENTS, 2 * SEGMENTS);
    second.forEach(each -> assertEquals(value(0, LARGE), each.result()));
    for (NodeId node : List.of(A, B, C)) {
      assertTrue(answerBytes(node) < LARGE / 16, "bytes=" + answerBytes(node));
    }
  }

  @Test
  void answer_asLargeAsTheValue_doesNotKeepAWriteFromItsReplicas() {
    nodes.start(GonePolicy.OF_TWO, A, B, C);
    ByteString value = value(1, 40 * LARGE);
    for (int round = 0; round < 2; round++) {
      put(A, 0, 1, value);
      for (int segment = 1; segment < SEGMENTS; segment++) {
        put(B, segment, 1, value(1, 1));
      }
      nodes.run(1000);
    }
    assertEquals(2 * SEGMENTS, nodes.outcomes.size());
    nodes.outcomes.forEach(each -> assertEquals(Outcome.Kind.DONE, each.kind()));
    assertTrue(nodes.outcomes.stream().anyMatch(each -> Objects.equals(value, each.result())));
  }

  @Test
  void records_whenNothingIsWrittenAnyMore_areForgotten() {
    nodes.start(GonePolicy.OF_TWO, A, B, C);
    for (int segment = 0; segment < SEGMENTS; segment++) {
      for (NodeId node : List.of(A, B, C)) {
        put(node, segment, 1, value(1, 1));
      }
    }
    nodes.run(10);
    assertEquals(3 * SEGMENTS, nodes.outcomes.size());
    nodes.run(5000);
    for (NodeId node : List.of(A, B, C)) {
      assertEquals(0, records(node));
    }
  }

  @Test
  void records_whileAnOperationIsBlocked_areForgottenInOtherSegments() {
    nodes.start(GonePolicy.OF_TWO, A, B, C);
    long deadline = nodes.now() + FOREVER_MILLIS * SteppedNodes.MILLI;
    TestCommand blocked = TestCommand.put(key(9), key(9));
    assertTrue(nodes.node(A).tryInvoke(blocked, NOWHERE, deadline, _ -> {}, nodes.now()));
    for (int i = 0; i < 100 * SEGMENTS; i++) {
      put(A, i % SEGMENTS, 1, value(i, 1));
      if (i % SEGMENTS == 0) {
        nodes.run(SteppedNodes.STEP_MILLIS);
      }
    }
    nodes.run(SteppedNodes.STEP_MILLIS);
    assertEquals(100 * SEGMENTS, nodes.outcomes.size());
    for (NodeId node : List.of(A, B, C)) {
      assertTrue(records(node) <= 2 * SEGMENTS, "records=" + records(node));
    }
  }
}
