package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.FoundingRules;
import dev.isogrid.cluster.MembershipMessage.Learn;
import dev.isogrid.cluster.Message;
import dev.isogrid.cluster.Transport;
import dev.isogrid.cluster.TransportHandler;
import dev.isogrid.cluster.TransportHandler.Received;
import dev.isogrid.cluster.ViewHint;
import dev.isogrid.codec.ByteString;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A driver in one thread, with nobody else there. */
class LoneDriverTest {
  private static final NodeId SELF = new NodeId(0, 1);
  private static final NodeId OTHER = new NodeId(0, 2);
  private static final int SEGMENTS = 4;
  private static final int CALLS_MAX = 3;
  private static final ByteString KEY = RealCluster.bytes("key");
  private static final ByteString VALUE = RealCluster.bytes("value");

  /** Loses what is sent. */
  private static final class NoNetwork implements Transport {
    private @Nullable TransportHandler handler;
    private boolean isClosed;

    @Override
    public NodeId self() {
      return SELF;
    }

    @Override
    public void start(TransportHandler receiving) {
      handler = receiving;
      receiving.onView(new ViewHint(List.of(SELF), Set.of()));
    }

    void bring(Message message) {
      if (handler != null) {
        handler.onMessages(List.of(new Received(OTHER, message)));
      }
    }

    @Override
    public void send(NodeId to, Message message) {}

    @Override
    public void close() {
      isClosed = true;
    }
  }

  private final FakeEnv world = new FakeEnv();
  private final NoNetwork network = new NoNetwork();
  private final List<Outcome> outcomes = new ArrayList<>();

  private ClusterDriver driver(int seeds) {
    return driver(seeds, TestEntries::new);
  }

  private ClusterDriver driver(int seeds, Supplier<CommittedEntries> entries) {
    ClusterNodeConfig node =
        new ClusterNodeConfig(
            ClusterTimes.usual(),
            ReplicaLimits.usual(),
            2,
            CALLS_MAX,
            key -> Math.floorMod(key.hashCode(), SEGMENTS));
    FoundingRules founding =
        new FoundingRules(7, seeds, seeds == 0 ? -1 : 0, false, 300_000_000, 100_000_000);
    return new ClusterDriver(
        network,
        new DriverConfig(node, SEGMENTS, founding, 1, ""),
        _ -> entries.get(),
        (_, _, _) -> {},
        world.env());
  }

  @Test
  void invoke_ofServedSegment_isCarriedOutByTheCaller() throws Exception {
    ClusterDriver driver = driver(0);
    world.advance(1000);
    Outcome put = driver.invoke(TestCommand.put(KEY, VALUE), 1000);
    assertEquals(new Outcome(Outcome.Kind.DONE, null), put);
    assertEquals(new Outcome(Outcome.Kind.DONE, VALUE), driver.invoke(TestCommand.get(KEY), 1000));
    assertEquals(0, world.runTasks());
  }

  @Test
  void tick_withoutMajorityOfSeeds_foundsNothing() {
    ClusterDriver driver = driver(3);
    world.advance(10_000);
    assertNull(driver.topology());
  }

  @Test
  void invoke_withoutCluster_failsWhenTheTimeIsOver() {
    ClusterDriver driver = driver(3);
    driver.invoke(TestCommand.put(KEY, VALUE), 1000, outcomes::add);
    world.advance(990);
    assertEquals(List.of(), outcomes);
    world.advance(20);
    assertEquals(List.of(new Outcome(Outcome.Kind.FAILED, null)), outcomes);
  }

  @Test
  void invoke_ofTooMany_isRefused() {
    ClusterDriver driver = driver(3);
    for (int i = 0; i < CALLS_MAX; i++) {
      driver.invoke(TestCommand.get(KEY), 1000, outcomes::add);
    }
    assertThrows(
        RetryableGridException.class,
        () -> driver.invoke(TestCommand.get(KEY), 1000, outcomes::add));
  }

  @Test
  void invoke_fromCallback_isCarriedOut() {
    ClusterDriver driver = driver(0);
    world.advance(1000);
    driver.invoke(
        TestCommand.put(KEY, VALUE),
        1000,
        _ -> driver.invoke(TestCommand.get(KEY), 1000, outcomes::add));
    assertEquals(List.of(new Outcome(Outcome.Kind.DONE, VALUE)), outcomes);
  }

  @Test
  void close_endsWhatWaits() {
    ClusterDriver driver = driver(3);
    driver.invoke(TestCommand.put(KEY, VALUE), 1000, outcomes::add);
    driver.close();
    driver.close();
    assertEquals(List.of(new Outcome(Outcome.Kind.INDETERMINATE, null)), outcomes);
    assertTrue(network.isClosed);
    assertEquals(0, world.periodicTasks());
    assertThrows(
        FatalGridException.class, () -> driver.invoke(TestCommand.get(KEY), 1000, outcomes::add));
  }

  @Test
  void onMessages_ofTopologyWithOtherSegments_areDropped() {
    ClusterDriver driver = driver(3);
    SegmentOwners owners = new SegmentOwners(1, OTHER, List.of(OTHER), List.of());
    Topology other =
        new Topology(
            1,
            List.of(new Member(OTHER, 1, 1, "")),
            List.of(OTHER),
            Collections.nCopies(SEGMENTS + 1, owners));
    network.bring(new Learn(other));
    assertEquals(1, driver.misfits());
    assertNull(driver.topology());
  }

  @Test
  void tick_whenTheNodeFails_stopsAsIfItHadCrashed() {
    ClusterDriver driver =
        driver(
            0,
            () -> {
              throw new IllegalStateException("no memory");
            });
    driver.invoke(TestCommand.put(KEY, VALUE), 10_000, outcomes::add);
    world.advance(1000);
    world.runTasks();
    assertEquals(List.of(new Outcome(Outcome.Kind.INDETERMINATE, null)), outcomes);
    assertTrue(network.isClosed);
    assertEquals(0, world.periodicTasks());
  }
}
