package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.Message;
import dev.isogrid.cluster.Transport;
import dev.isogrid.cluster.TransportHandler;
import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.ObjectReader;
import dev.isogrid.engine.NodeCallException.Reason;
import dev.isogrid.structure.CounterFunction;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.NodeNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NodeCallsTest {
  private static final NodeId ONE = new NodeId(0, 1);
  private static final NodeId OTHER = new NodeId(0, 2);
  private static final NodeId NOBODY = new NodeId(0, 3);
  private static final int SERVICE = 7;
  private static final long TIMEOUT_MILLIS = 1000;

  private final SegmentCodec codec =
      new SegmentCodec(new EntryCodec(() -> 1, List.of(CounterFunction.INSTANCE)));
  private final AtomicLong nanos = new AtomicLong();
  private final Map<NodeId, NodeCalls> nodes = new ConcurrentHashMap<>();
  private final NodeCalls one = node(ONE);
  private final NodeCalls other = node(OTHER);

  /** Brings messages to the other node at once, as bytes; nothing to one that is not there. */
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
      if (there != null) {
        try {
          there.onMessage(from, (CallMessage) codec.decode(bytes, 0, bytes.length));
        } catch (MalformedMessageException wrong) {
          throw new AssertionError(wrong);
        }
      }
    }

    @Override
    public void flush(boolean mayBlock) {}

    @Override
    public void probe(NodeId node) {}

    @Override
    public void close() {}
  }

  private NodeCalls node(NodeId id) {
    NodeCalls calls =
        new NodeCalls(
            new NodeNames(id, ""),
            new Wire(id),
            nanos::get,
            Executors.newVirtualThreadPerTaskExecutor(),
            ObjectReader.ofAllPackages());
    nodes.put(id, calls);
    return calls;
  }

  @AfterEach
  void close() {
    nodes.values().forEach(NodeCalls::close);
  }

  private static ByteString bytes(String text) {
    return ByteString.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private CompletableFuture<ByteString> call(NodeId to) {
    return one.call(to, SERVICE, bytes("ask"), TIMEOUT_MILLIS);
  }

  private static NodeCallException failure(CompletableFuture<?> call) {
    ExecutionException failed = assertThrows(ExecutionException.class, call::get);
    return assertInstanceOf(NodeCallException.class, failed.getCause());
  }

  @Test
  void call_ofAnyNode_isAnswered() throws Exception {
    for (NodeCalls each : List.of(one, other)) {
      each.offer(
          SERVICE,
          (from, request) -> bytes(request.length() + " from " + from + " at " + each.self()));
    }
    assertEquals(bytes("3 from 1 at 2"), call(OTHER).get());
    assertEquals(bytes("3 from 1 at 1"), call(ONE).get());
    assertEquals(
        bytes("3 from 2 at 1"), other.call(ONE, SERVICE, bytes("ask"), TIMEOUT_MILLIS).get());
  }

  /** The traces of a node: its threads are at a place, and parts are kept. */
  private record Traces(@Nullable CallTrace current, List<Part> parts) implements CallTraces {
    @Override
    public void report(Part part) {
      parts.add(part);
    }
  }

  @Test
  void callInATrace_isReportedWhereItIsServed() throws Exception {
    codec.write(SegmentLayout.CALLS_TRACED_SINCE);
    CallTrace trace = new CallTrace("parent", "state");
    List<CallTraces.Part> parts = new CopyOnWriteArrayList<>();
    one.trace(new Traces(trace, new ArrayList<>()));
    other.trace(new Traces(null, parts));
    List<CallTrace> seen = new CopyOnWriteArrayList<>();
    other.offer(
        SERVICE,
        (_, request) -> {
          CallTrace current = other.currentTrace();
          if (current != null) {
            seen.add(current);
          }
          other.describe("look", "c");
          nanos.addAndGet(5);
          if (request.length() > 3) {
            throw new IllegalStateException("no");
          }
          return request;
        });
    call(OTHER).get();
    assertEquals(List.of(), parts); // the call is in no trace
    one.call(OTHER, SERVICE, bytes("ask"), TIMEOUT_MILLIS, one.currentTrace()).get();
    NodeCallException _ =
        failure(one.call(OTHER, SERVICE, bytes("fail"), TIMEOUT_MILLIS, one.currentTrace()));
    String node = other.names().ofSelf();
    String error = IllegalStateException.class.getName();
    assertEquals(
        List.of(
            new CallTraces.Part(trace, "look", "c", node, 5, null),
            new CallTraces.Part(trace, "look", "c", node, 5, error)),
        parts);
    assertEquals(List.of(trace, trace), seen);
    other.trace(null);
    one.call(OTHER, SERVICE, bytes("ask"), TIMEOUT_MILLIS, one.currentTrace()).get();
    assertEquals(2, parts.size());
  }

  @Test
  void callInATrace_ofVersion12_isWrittenWithoutIt() throws Exception {
    ByteString body = bytes("ask");
    codec.write(12);
    assertArrayEquals(
        codec.encode(new CallMessage.Request(0, 1, SERVICE, body)),
        codec.encode(
            new CallMessage.Request(0, 1, SERVICE, body, new CallTrace("parent", "state"))));
  }

  @Test
  void failure_ofANodeThatIsBeingClosed_isNoAnswer() throws Exception {
    boolean[] fails = {true};
    other.offer(
        SERVICE,
        (_, _) -> {
          if (fails[0]) {
            throw new IllegalStateException("closed");
          }
          return bytes("done");
        });
    other.closing();
    assertEquals(Reason.NO_ANSWER, failure(call(OTHER)).reason());
    fails[0] = false;
    assertEquals(bytes("done"), call(OTHER).get());
  }

  @Test
  void failure_comesBackAsItIs() {
    other.offer(
        SERVICE,
        (_, _) -> {
          throw new NoSuchElementException("not here");
        });
    NodeCallException failed = failure(call(OTHER));
    assertEquals(Reason.FAILED, failed.reason());
    Throwable cause = assertInstanceOf(NoSuchElementException.class, failed.getCause());
    assertEquals("not here", cause.getMessage());
  }

  @Test
  void failure_thatCantBeSent_comesBackAsText() {
    class Odd extends RuntimeException {
      private static final long serialVersionUID = 1;

      @SuppressWarnings("serial") // what this test is about
      final Object part = new Object();

      @Override
      public String getMessage() {
        return "part=" + part;
      }
    }
    other.offer(
        SERVICE,
        (_, _) -> {
          throw new Odd();
        });
    NodeCallException failed = failure(call(OTHER));
    assertTrue(String.valueOf(failed.getCause()).contains("Odd"), failed::toString);
  }

  /** Can't be initialised; the error names no class that callers have. */
  private static final class Unusable {
    static {
      fail();
    }

    private static void fail() {
      throw new AssertionError("this node lacks what it needs");
    }
  }

  /** A failure that only the node can read where it happened. */
  private static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1;

    private Object readResolve() {
      return new Unusable();
    }
  }

  @Test
  void failure_thatNeedsWhatThisNodeLacks_comesBackAsAFailure() {
    other.offer(
        SERVICE,
        (_, _) -> {
          throw new Unreadable();
        });
    for (int i = 0; i < 2; i++) { // an error of the initialiser, and then of the class
      NodeCallException failed = failure(call(OTHER));
      assertEquals(Reason.FAILED, failed.reason());
      assertTrue(String.valueOf(failed.getCause()).contains("does not know"), failed::toString);
    }
  }

  @Test
  void failure_withEndlessCauses_comesBackAsText() {
    other.offer(
        SERVICE,
        (_, _) -> {
          Exception failure = new Exception("first");
          for (int i = 0; i < 20_000; i++) {
            failure = new Exception("of " + i, failure);
          }
          throw failure;
        });
    assertEquals(Reason.FAILED, failure(call(OTHER)).reason());
  }

  @Test
  void call_withoutService_fails() {
    NodeCallException failed = failure(call(OTHER));
    assertEquals(Reason.FAILED, failed.reason());
    assertTrue(String.valueOf(failed.getCause()).contains("number=7"), failed::toString);
  }

  @Test
  void call_withoutAnswer_failsInTime() {
    CompletableFuture<ByteString> call = call(NOBODY);
    nanos.addAndGet(TIMEOUT_MILLIS * 1_000_000 - 1);
    one.expire();
    assertTrue(!call.isDone());
    nanos.incrementAndGet();
    one.expire();
    assertEquals(Reason.NO_ANSWER, failure(call).reason());
  }

  @Test
  void call_ofNodeThatIsGone_failsAtOnce() {
    CompletableFuture<ByteString> call = call(NOBODY);
    one.gone(Set.of(new NodeId(0, 4)));
    assertTrue(!call.isDone());
    one.gone(Set.of(NOBODY));
    assertEquals(Reason.NO_ANSWER, failure(call).reason());
    assertEquals(Reason.NO_ANSWER, failure(call(NOBODY)).reason());
  }

  @Test
  void call_ofNodeThatIsHeardAgain_isSent() {
    one.gone(Set.of(OTHER));
    assertEquals(Reason.NO_ANSWER, failure(call(OTHER)).reason());
    other.offer(SERVICE, (_, _) -> bytes("done"));
    one.heard(OTHER);
    assertEquals(bytes("done"), call(OTHER).join());
  }

  @Test
  void cancel_interruptsTheWork() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    other.offer(
        SERVICE,
        (_, _) -> {
          begun.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException asked) {
            interrupted.countDown();
          }
          return bytes("");
        });
    CompletableFuture<ByteString> call = call(OTHER);
    begun.await();
    call.cancel(false);
    interrupted.await();
  }

  @Test
  void calls_beyondTheLimit_areRefused() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    other.offer(
        SERVICE,
        (_, _) -> {
          end.await();
          return bytes("done");
        });
    List<CompletableFuture<ByteString>> calls = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      calls.add(call(OTHER));
    }
    assertEquals(Reason.BUSY, failure(call(OTHER)).reason());
    end.countDown();
    for (CompletableFuture<ByteString> call : calls) {
      assertEquals(bytes("done"), call.get());
    }
    assertEquals(bytes("done"), call(OTHER).get());
  }

  @Test
  void bodies_thatAreTooLong_areRefused() {
    ByteString large = ByteString.of(new byte[NodeCalls.BODY_MAX + 1]);
    assertThrows(
        IllegalArgumentException.class, () -> one.call(OTHER, SERVICE, large, TIMEOUT_MILLIS));
    other.offer(SERVICE, (_, _) -> large);
    assertEquals(Reason.FAILED, failure(call(OTHER)).reason());
  }

  @Test
  void close_endsAllThatWaits() {
    CompletableFuture<ByteString> call = call(NOBODY);
    one.close();
    assertEquals(Reason.NO_ANSWER, failure(call).reason());
    assertEquals(Reason.NO_ANSWER, failure(call(OTHER)).reason());
  }

  @Test
  void close_leavesItOpenWhetherWorkForOthersIsDone() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    other.offer(
        SERVICE,
        (_, _) -> {
          begun.countDown();
          new CountDownLatch(1).await();
          return bytes("never");
        });
    CompletableFuture<ByteString> call = call(OTHER);
    begun.await();
    other.close();
    assertEquals(Reason.NO_ANSWER, failure(call).reason());
  }
}
