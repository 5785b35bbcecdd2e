package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.Env;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.base.NanoClock;
import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.FoundingRules;
import dev.isogrid.cluster.MembershipMessage.Learn;
import dev.isogrid.cluster.Message;
import dev.isogrid.cluster.Transport;
import dev.isogrid.cluster.TransportHandler;
import dev.isogrid.cluster.TransportHandler.Received;
import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.JavaObjects;
import dev.isogrid.codec.ObjectReader;
import dev.isogrid.engine.CallMessage.Answer;
import dev.isogrid.engine.CallMessage.Request;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The invalidations that nobody waits for, while the other node fails. */
class InvalidationQueueTest {
  private static final NodeId SELF = new NodeId(0, 1);
  private static final NodeId OTHER = new NodeId(0, 2);
  private static final BinaryKey KEY = BinaryKey.of(new byte[] {1});

  /** A queue that asks this often in 10 s floods the other node. */
  private static final int REQUESTS_MAX = 100;

  private static final long FAILING_NANOS = 10_000_000_000L;

  private final FakeEnv world = new FakeEnv();
  private long pausedNanos;

  /** Time passes while somebody waits. */
  private final NanoClock clock =
      new NanoClock() {
        @Override
        public long nanoTime() {
          return world.env().nanoClock().nanoTime();
        }

        @Override
        public void pause(long nanos) {
          pausedNanos += nanos;
          world.moveClock(nanos / 1_000_000);
        }
      };

  private final Env env =
      new Env(clock, world.env().epochClock(), world.env().random(), world.env().scheduler());
  private final OtherNode network = new OtherNode();
  private final ClusterDriver driver = driver();
  private final NodeCalls calls =
      new NodeCalls(
          driver.names(),
          network,
          clock,
          Executors.newSingleThreadExecutor(),
          ObjectReader.ofAllPackages());
  private final Invalidations invalidations = new Invalidations(driver, calls, 1000, env);
  private final InvalidationQueue queue = new InvalidationQueue("c", invalidations, env);

  /** The other node, which answers calls at once. */
  private final class OtherNode implements Transport {
    private @Nullable TransportHandler handler;
    private int requests;
    private boolean isFailing;
    private @Nullable Error unexpected;

    @Override
    public NodeId self() {
      return SELF;
    }

    @Override
    public void start(TransportHandler receiving) {
      handler = receiving;
    }

    @Override
    public void send(NodeId to, Message message) {
      if (!(message instanceof Request request)) {
        return;
      }
      requests++;
      Error thrown = unexpected;
      unexpected = null;
      if (thrown != null) {
        throw thrown;
      }
      if (requests > REQUESTS_MAX || pausedNanos > FAILING_NANOS) {
        isFailing = false;
      }
      ByteString body =
          isFailing ? bytes(new IllegalStateException("broken")) : ByteString.of(new byte[0]);
      calls.onMessage(OTHER, new Answer(0, request.call(), isFailing, body));
    }

    private static ByteString bytes(Throwable failure) {
      try {
        return JavaObjects.toBytes(failure);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void flush(boolean mayBlock) {}

    @Override
    public void probe(NodeId node) {}

    @Override
    public void close() {}
  }

  private ClusterDriver driver() {
    ClusterNodeConfig node = new ClusterNodeConfig(ClusterTimes.usual(), ReplicaLimits.usual(), 10);
    FoundingRules rules = new FoundingRules(7, 3, 0, false, 0, 100_000_000);
    ClusterDriver created =
        new ClusterDriver(
            network,
            new DriverConfig(node, rules, MemberProfile.ofCapacity(1)),
            _ -> new TestEntries(),
            (_, _, _) -> {},
            (_, _) -> {},
            env);
    created.start();
    List<Member> members =
        List.of(
            new Member(OTHER, 1, MemberProfile.ofCapacity(1)),
            new Member(SELF, 1, MemberProfile.ofCapacity(1)));
    Topology both = new Topology(1, members, List.of(OTHER), List.of(), List.of(), List.of(), 0);
    TransportHandler handler = network.handler;
    if (handler != null) {
      handler.onMessages(List.of(new Received(OTHER, new Learn(both))));
    }
    return created;
  }

  @AfterEach
  void close() {
    queue.close();
    invalidations.close();
    calls.close();
    driver.close();
  }

  @Test
  void add_whileTheOtherNodeFails_isToldAgainAndAgainWithPauses() {
    network.isFailing = true;
    queue.add(KEY);
    world.runTasks();
    assertTrue(network.requests <= REQUESTS_MAX, "requests in 10 s: " + network.requests);
    assertTrue(pausedNanos > FAILING_NANOS);
  }

  @Test
  void add_afterTheThreadThatTellsFailed_beginsAnotherOne() throws Exception {
    network.unexpected = new StackOverflowError("on purpose");
    queue.add(KEY);
    assertThrows(StackOverflowError.class, world::runTasks);
    queue.add(KEY);
    world.runTasks();
    assertEquals(0, queue.awaitTold(0));
    assertEquals(2, network.requests);
  }
}
