package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Fsync;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.ClientOperation;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.engine.OperationId;
import dev.isogrid.engine.SessionId;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.SegmentOwners;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client's write that was sent before, and of which no node has a record, soon after other nodes
 * joined one that had been alone.
 */
@Timeout(60)
class RepetitionAfterJoinTest {
  private static final CacheConfig CONFIG =
      CacheConfig.builder().mode(CacheMode.DIST_SYNC).owners(2).segments(16).build();

  private static final BinaryKey KEY = BinaryKey.of(new byte[] {1});
  private static final Bytes VALUE = Bytes.of("value".getBytes(StandardCharsets.UTF_8));
  private static final SessionId CLIENT = SessionId.ofClient(7, 7);
  private static final long AGE_MILLIS = 500;

  @TempDir private Path folder;

  private record Attempt(long number, boolean isRepeated) implements ClientOperation.Source {
    @Override
    public ClientOperation operation() {
      return new ClientOperation(
          new OperationId(CLIENT, number), 0, isRepeated ? AGE_MILLIS : ClientOperation.FIRST);
    }
  }

  private static CacheEngine<BinaryKey, Bytes> engine(Node node) {
    return requireNonNull(node.engine("c"));
  }

  private static long put(Node node, Attempt attempt) {
    return engine(node)
        .write(KEY, KEY.hash(), new KeyWrite<BinaryKey, Bytes>().put(VALUE).of(attempt));
  }

  private static boolean isCopied(SteppedGrids grids) {
    int segment = engine(grids.nodes().getFirst()).segmentOf(KEY.hash());
    SegmentOwners owners = grids.owners("c", segment);
    return owners.isr().size() == 2 && owners.learners().isEmpty();
  }

  /** Lets another node join, and repeats a put there. */
  private static long repeat(SteppedGrids grids, long number) throws Exception {
    Node joined = grids.join(1);
    grids.await(() -> isCopied(grids) && joined.engine("c") != null);
    return grids.time.call(() -> put(joined, new Attempt(number, true)));
  }

  private static SteppedGrids startAlone() throws Exception {
    SteppedGrids grids = SteppedGrids.start(1);
    grids.create("c", CONFIG);
    CacheEngine<BinaryKey, Bytes> engine = engine(grids.nodes().getFirst());
    grids.await(() -> !engine.mayWait(KEY.hash(), false));
    return grids;
  }

  @Test
  void repetition_ifNoClientWroteBefore_isCarriedOut() throws Exception {
    try (SteppedGrids grids = startAlone()) {
      assertTrue(repeat(grids, 1) > 0);
    }
  }

  @Test
  void repetition_ifClientsWroteBefore_isUnknown() throws Exception {
    try (SteppedGrids grids = startAlone()) {
      assertTrue(put(grids.nodes().getFirst(), new Attempt(1, false)) > 0);
      assertThrows(IndeterminateGridException.class, () -> repeat(grids, 1));
    }
  }

  @Test
  void repetition_ifAClientWroteThroughTheEventLoop_isUnknown() throws Exception {
    try (SteppedGrids grids = startAlone()) {
      Attempt first = new Attempt(1, false);
      KeyWrite<BinaryKey, Bytes> write = new KeyWrite<BinaryKey, Bytes>().put(VALUE).of(first);
      assertTrue(engine(grids.nodes().getFirst()).write(KEY, KEY.hash(), write, false) > 0);
      assertThrows(IndeterminateGridException.class, () -> repeat(grids, 1));
    }
  }

  /** A cache of which each write is forced to a disk before it is answered. */
  @Test
  void repetition_ifAClientsWriteWasBegunBefore_isUnknown() {
    CacheConfig config = ClusterStoreTest.config(CacheMode.DIST_SYNC, Fsync.EACH);
    try (StoredNodes nodes = new StoredNodes()) {
      Node first = nodes.start("a", folder.resolve("a"));
      first.cache("c", config);
      KeyWrite<BinaryKey, Bytes> write =
          new KeyWrite<BinaryKey, Bytes>().put(VALUE).of(new Attempt(1, false));
      Await.until(
          "a write", () -> engine(first).tryBegin(KEY, KEY.hash(), write, () -> {}) != null);
      Node joined = nodes.start("b", folder.resolve("b"));
      int segment = engine(first).segmentOf(KEY.hash());
      Await.until(
          "a copy", () -> joined.engine("c") != null && engine(joined).readable(segment) >= 0);
      assertThrows(IndeterminateGridException.class, () -> put(joined, new Attempt(1, true)));
    }
  }

  @Test
  void repetition_ifOnlyTheNodeItselfWroteBefore_isCarriedOut() throws Exception {
    try (SteppedGrids grids = startAlone()) {
      CacheEngine<BinaryKey, Bytes> engine = engine(grids.nodes().getFirst());
      KeyWrite<BinaryKey, Bytes> write = new KeyWrite<BinaryKey, Bytes>().put(VALUE);
      assertTrue(engine.write(KEY, KEY.hash(), write) > 0);
      assertTrue(repeat(grids, 1) > 0);
    }
  }
}
