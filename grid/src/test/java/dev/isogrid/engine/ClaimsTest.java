package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.Message;
import dev.isogrid.cluster.Transport;
import dev.isogrid.cluster.TransportHandler;
import dev.isogrid.codec.ObjectReader;
import dev.isogrid.structure.CounterFunction;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.NodeNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which node loads a key, over a network that brings messages at once. */
@Timeout(60)
class ClaimsTest {
  private static final NodeId PRIMARY = new NodeId(0, 1);
  private static final NodeId FIRST = new NodeId(0, 2);
  private static final NodeId SECOND = new NodeId(0, 3);
  private static final long TIMEOUT_MILLIS = 1000;
  private static final EntryKey KEY = new EntryKey(7, new byte[] {1});
  private static final EntryKey OTHER_KEY = new EntryKey(7, new byte[] {2});

  private final SegmentCodec codec =
      new SegmentCodec(new EntryCodec(() -> 1, List.of(CounterFunction.INSTANCE)));
  private final AtomicLong nanos = new AtomicLong();
  private final Map<NodeId, NodeCalls> nodes = new ConcurrentHashMap<>();
  private final Map<NodeId, Claims> claims = new HashMap<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Completed when a node asks another one to say when its claim ends. */
  private final CompletableFuture<NodeId> awaited = new CompletableFuture<>();

  ClaimsTest() {
    for (NodeId id : List.of(PRIMARY, FIRST, SECOND)) {
      NodeCalls calls =
          new NodeCalls(
              new NodeNames(id, ""),
              new Wire(id),
              nanos::get,
              Executors.newVirtualThreadPerTaskExecutor(),
              ObjectReader.ofAllPackages());
      nodes.put(id, calls);
      claims.put(id, new Claims(calls, nanos::get));
    }
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    nodes.values().forEach(NodeCalls::close);
  }

  private final class Wire implements Transport {
    private final NodeId from;

    Wire(NodeId from) {
      this.from = from;
    }

    @Override
    public NodeId self() {
      return from;
    }

    @Override
    public void start(TransportHandler handler) {}

    @Override
    public void send(NodeId to, Message message) {
      byte[] bytes = codec.encode(message);
      NodeCalls there = nodes.get(to);
      if (there == null) {
        return;
      }
      try {
        there.onMessage(from, (CallMessage) codec.decode(bytes, 0, bytes.length));
      } catch (MalformedMessageException wrong) {
        throw new AssertionError(wrong);
      }
      if (!to.equals(PRIMARY) && !from.equals(PRIMARY)) {
        awaited.complete(to);
      }
    }

    @Override
    public void flush(boolean mayBlock) {}

    @Override
    public void probe(NodeId node) {}

    @Override
    public void close() {}
  }

  private Claims.Claim tryClaim(NodeId node, EntryKey key) {
    return requireNonNull(requireNonNull(claims.get(node)).tryClaim(PRIMARY, key));
  }

  private void assertTaken(NodeId node) {
    assertNull(requireNonNull(claims.get(node)).tryClaim(PRIMARY, KEY));
  }

  private Claims.Claim claim(NodeId node) {
    return requireNonNull(claims.get(node)).claim(PRIMARY, KEY, TIMEOUT_MILLIS, "key=k");
  }

  /** Begins to wait for the claim of the first node. */
  private Future<Claims.Claim> beginWaiting() throws Exception {
    Future<Claims.Claim> waiting = threads.submit(() -> claim(SECOND));
    assertEquals(FIRST, awaited.get());
    return waiting;
  }

  @Test
  void key_belongsToOneNode_untilItsClaimIsClosed() {
    Claims.Claim claim = tryClaim(FIRST, KEY);
    assertTaken(SECOND);
    assertTaken(PRIMARY);
    assertTaken(FIRST);
    tryClaim(SECOND, OTHER_KEY).close();
    claim.close();
    tryClaim(PRIMARY, KEY).close();
    claim(SECOND).close();
  }

  @Test
  void claim_ofAKeyThatAnotherNodeHas_waitsForIt() throws Exception {
    Claims.Claim claim = claim(FIRST);
    Future<Claims.Claim> waiting = beginWaiting();
    claim.close();
    Claims.Claim next = waiting.get();
    assertTaken(FIRST);
    next.close();
    tryClaim(FIRST, KEY).close();
  }

  @Test
  void claim_ofANodeThatIsGone_isTakenOver() throws Exception {
    claim(FIRST);
    Future<Claims.Claim> waiting = beginWaiting();
    nodes.remove(FIRST);
    requireNonNull(nodes.get(SECOND)).gone(List.of(FIRST));
    waiting.get();
    assertTaken(PRIMARY);
  }

  @Test
  void claim_thatIsNotClosedInTime_namesTheNode() throws Exception {
    claim(FIRST);
    Future<Claims.Claim> waiting = beginWaiting();
    nanos.addAndGet((TIMEOUT_MILLIS + 1) * 1_000_000);
    requireNonNull(nodes.get(SECOND)).expire();
    ExecutionException failed = assertThrows(ExecutionException.class, waiting::get);
    String text =
        "" + assertInstanceOf(RetryableGridException.class, failed.getCause()).getMessage();
    assertTrue(text.contains("key=k, waited=1000 ms, node=2"), text);
  }

  @Test
  void key_whosePrimaryIsGone_isLoadedWithoutAClaim() {
    nodes.remove(PRIMARY);
    requireNonNull(nodes.get(FIRST)).gone(List.of(PRIMARY));
    requireNonNull(nodes.get(SECOND)).gone(List.of(PRIMARY));
    tryClaim(FIRST, KEY);
    tryClaim(SECOND, KEY).close();
  }
}
