package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.Env;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.FoundingRules;
import dev.isogrid.cluster.MembershipMessage.Grant;
import dev.isogrid.cluster.MembershipMessage.Heartbeat;
import dev.isogrid.cluster.MembershipMessage.Join;
import dev.isogrid.cluster.MembershipMessage.Learn;
import dev.isogrid.cluster.MembershipMessage.NameTaken;
import dev.isogrid.cluster.MembershipMessage.OtherVersion;
import dev.isogrid.cluster.MembershipMessage.Suspect;
import dev.isogrid.cluster.Message;
import dev.isogrid.cluster.Transport;
import dev.isogrid.cluster.TransportHandler;
import dev.isogrid.cluster.TransportHandler.Received;
import dev.isogrid.cluster.ViewHint;
import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.ObjectReader;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.store.Occupancy;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.NodeNames;
import dev.isogrid.topology.ProtocolVersions;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A driver in one thread, with nobody else there. */
class LoneDriverTest {
  /*
   * All of it needs the same network and world, which are most of a test here: how operations are
   * begun, how the node looks for a cluster, and how it ends when it fails.
   */
  private static final NodeId SELF = new NodeId(0, 1);
  private static final NodeId OTHER = new NodeId(0, 2);
  private static final int SEGMENTS = 4;
  private static final int CALLS_MAX = 3;
  private static final int CALLERS = 2000;
  private static final ByteString KEY = RealCluster.bytes("key");
  private static final ByteString VALUE = RealCluster.bytes("value");

  /*
   * One class for all that a driver does by itself: its tests share a network that loses what is
   * sent, a clock that they move, and tasks that they run.
   */

  /** Loses what is sent. */
  private static final class NoNetwork implements Transport {
    private @Nullable TransportHandler handler;
    private final List<Heartbeat> heartbeats = new ArrayList<>();
    private final List<NodeId> probed = new ArrayList<>();
    private final List<Integer> written = new ArrayList<>();
    private boolean isClosed;
    private Runnable whenClosed = () -> {};

    @Override
    public NodeId self() {
      return SELF;
    }

    @Override
    public void start(TransportHandler receiving) {
      handler = receiving;
      receiving.onView(new ViewHint(List.of(SELF), Set.of(), Map.of()));
    }

    void bring(Message message) {
      if (handler != null) {
        handler.onMessages(List.of(new Received(OTHER, message)));
      }
    }

    @Override
    public void send(NodeId to, Message message) {
      if (message instanceof Heartbeat heartbeat) {
        heartbeats.add(heartbeat);
      }
    }

    @Override
    public void flush(boolean mayBlock) {}

    @Override
    public void write(int version) {
      written.add(version);
    }

    @Override
    public void probe(NodeId node) {
      probed.add(node);
    }

    @Override
    public void close() {
      isClosed = true;
      whenClosed.run();
    }
  }

  private final FakeEnv world = new FakeEnv();
  private final NoNetwork network = new NoNetwork();
  private final List<Outcome> outcomes = new ArrayList<>();

  /** By how much the wall clock runs before the other one. */
  private long wallAheadMillis;

  private final List<Topology> topologies = new ArrayList<>();

  private ClusterDriver driver(int seeds) {
    return driver(seeds, TestEntries::new);
  }

  private ClusterDriver driver(int seeds, Supplier<CommittedEntries> entries) {
    ClusterNodeConfig node =
        new ClusterNodeConfig(ClusterTimes.usual(), ReplicaLimits.usual(), CALLS_MAX);
    FoundingRules founding =
        new FoundingRules(7, seeds, seeds == 0 ? -1 : 0, false, 300_000_000, 100_000_000);
    Env known = world.env();
    ClusterDriver driver =
        new ClusterDriver(
            network,
            new DriverConfig(node, founding, MemberProfile.ofCapacity(1)),
            _ -> entries.get(),
            (_, _, _) -> {},
            (_, now) -> topologies.add(now),
            new Env(
                known.nanoClock(),
                () -> world.nowMillis() + wallAheadMillis,
                known.random(),
                known.scheduler()));
    driver.start();
    driver.define(new CacheRequest("cache", 2, SEGMENTS, 1, ""));
    return driver;
  }

  @Test
  void pollNameTaken_onceAMemberHasTheName_namesIt() {
    ClusterDriver driver = driver(3);
    assertNull(driver.pollNameTaken());
    network.bring(new NameTaken(7, "b@here:7801"));
    String taken = String.valueOf(driver.pollNameTaken());
    assertTrue(taken.contains("by=b@here:7801"), taken);
    assertNull(driver.pollNameTaken());
    driver.close();
  }

  @Test
  void invoke_ofServedSegment_isCarriedOutByTheCaller() throws Exception {
    ClusterDriver driver = driver(0);
    world.advance(1000);
    Outcome put = driver.invoke(TestCommand.put(KEY, VALUE), 1, 1000);
    assertEquals(new Outcome(Outcome.Kind.DONE, null), put);
    assertEquals(
        new Outcome(Outcome.Kind.DONE, VALUE), driver.invoke(TestCommand.get(KEY), 1, 1000));
    assertEquals(0, world.runTasks());
  }

  @Test
  void ticks_ofQuietNode_becomeFewer_andManyWhenAnotherNodeJoins() {
    ClusterDriver driver = driver(0);
    world.advance(100);
    assertEquals(2, world.periodicTasks());
    world.advance(2000);
    assertEquals(1, world.periodicTasks());
    assertTrue(driver.isLeased());
    network.bring(new Join(0, OTHER, MemberProfile.ofCapacity(1)));
    world.advance(200);
    assertEquals(2, world.periodicTasks());
    driver.close();
    assertEquals(0, world.periodicTasks());
  }

  @Test
  void define_byTheOnlyMember_isDecidedBeforeTheNextTick() {
    ClusterDriver driver = driver(0);
    world.advance(1000);
    driver.define(new CacheRequest("another", 2, SEGMENTS, 1, ""));
    CacheDefinition another = requireNonNull(requireNonNull(driver.topology()).cache("another"));
    driver.undefine("another", another.id());
    assertNull(requireNonNull(driver.topology()).cache("another"));
    driver.close();
  }

  private InvalidatingEngine invalidating(ClusterDriver driver, Invalidations[] made) {
    NodeCalls calls =
        new NodeCalls(
            new NodeNames(SELF, ""),
            network,
            world.env().nanoClock(),
            Executors.newSingleThreadExecutor(),
            ObjectReader.ofAllPackages());
    made[0] = new Invalidations(driver, calls, 1000, world.env());
    calls.close();
    CacheConfig config = CacheConfig.builder().mode(CacheMode.INVALIDATION_SYNC).build();
    Container<BinaryKey, Bytes> container =
        Container.ofBinary(
            config.segments(), 1, world.env().epochClock(), new Occupancy(false, false));
    return new InvalidatingEngine("c", config, container, made[0], world.env(), new FlightWaits());
  }

  @Test
  void invalidationCache_ofNodeThatWasNoMember_forgetsItsEntries() {
    ClusterDriver driver = driver(0);
    Invalidations[] invalidations = new Invalidations[1];
    InvalidatingEngine engine = invalidating(driver, invalidations);
    BinaryKey key = BinaryKey.of(new byte[] {1});
    KeyWrite<BinaryKey, Bytes> put = new KeyWrite<BinaryKey, Bytes>().put(Bytes.of(new byte[] {2}));
    assertNull(engine.readBytes(key, key.hash()));
    world.advance(1000);
    Topology known = requireNonNull(driver.topology());
    invalidations[0].onTopology(known);
    world.runTasks();
    engine.write(key, key.hash(), put);
    assertArrayEquals(new byte[] {2}, engine.readBytes(key, key.hash()));
    invalidations[0].onTopology(known.unchanged());
    assertEquals(1, engine.size());
    List<Member> later = List.of(new Member(SELF, 9, MemberProfile.ofCapacity(1)));
    invalidations[0].onTopology(
        new Topology(9, later, List.of(SELF), List.of(), List.of(), List.of(), 0));
    assertNull(engine.readBytes(key, key.hash()));
    assertEquals(1, engine.approximateSize());
    world.runTasks();
    assertEquals(0, engine.approximateSize());
    engine.write(key, key.hash(), put);
    assertArrayEquals(new byte[] {2}, engine.readBytes(key, key.hash()));
    world.moveClock(5000); // the lease is over
    assertNull(engine.readBytes(key, key.hash()));
    engine.close();
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
    driver.invoke(TestCommand.put(KEY, VALUE), 1, 1000, outcomes::add);
    world.advance(990);
    assertEquals(List.of(), outcomes);
    world.advance(20);
    assertEquals(List.of(new Outcome(Outcome.Kind.FAILED, null)), outcomes);
  }

  @Test
  void invoke_ofTooMany_waitsUntilItsTimeIsOver() {
    ClusterDriver driver = driver(3);
    for (int i = 0; i < CALLS_MAX; i++) {
      driver.invoke(TestCommand.get(KEY), 1, 5000, _ -> {});
    }
    driver.invoke(TestCommand.put(KEY, VALUE), 1, 2000, outcomes::add);
    driver.invoke(TestCommand.put(KEY, VALUE), 1, 1000, outcomes::add);
    world.advance(990);
    assertEquals(List.of(), outcomes);
    world.advance(100);
    Outcome late =
        new Outcome(
            Outcome.Kind.FAILED,
            "since this node waits for the answers of earlier operations: node=1, max=3");
    assertEquals(List.of(late), outcomes);
    world.advance(1000);
    assertEquals(List.of(late, late), outcomes);
  }

  @Test
  void invoke_ofTooMany_isDoneWhenOthersAre() {
    ClusterDriver driver = driver(3);
    for (int i = 0; i < CALLS_MAX; i++) {
      driver.invoke(TestCommand.get(KEY), 1, 1000, _ -> {});
    }
    driver.invoke(TestCommand.get(KEY), 1, 5000, outcomes::add);
    driver.invoke(TestCommand.get(KEY), 1, 5000, outcomes::add);
    world.advance(1100);
    driver.close();
    Outcome begun = new Outcome(Outcome.Kind.FAILED, null);
    assertEquals(List.of(begun, begun), outcomes);
  }

  /**
   * Callers that come while a node is busy are begun some at a time: what other nodes send is
   * looked at before most of them, however many there are.
   */
  @Test
  void onMessages_whileThousandsWantOperations_comesBeforeMostOfThem() throws Exception {
    CountDownLatch isHeld = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    AtomicInteger puts = new AtomicInteger();
    Runnable beforePut =
        () -> {
          if (puts.getAndIncrement() == 0) {
            isHeld.countDown();
            awaitUninterruptibly(mayGoOn);
          }
        };
    ClusterDriver driver = driver(0, () -> new TestEntries(beforePut));
    world.advance(1000);
    Thread holder = Thread.ofPlatform().start(() -> put(driver));
    isHeld.await();
    List<Thread> callers =
        Stream.generate(() -> Thread.ofVirtual().unstarted(() -> put(driver)))
            .limit(CALLERS)
            .toList();
    callers.forEach(Thread::start);
    Await.until("all callers wait", () -> callers.stream().allMatch(LoneDriverTest::isWaiting));
    AtomicInteger before = new AtomicInteger();
    Thread receiver =
        Thread.ofPlatform()
            .start(() -> {
              network.bring(new NameTaken(7, "b@here:7801"));
              before.set(puts.get());
            });
    Await.until("the receiver waits", () -> isWaiting(receiver));
    mayGoOn.countDown();
    receiver.join();
    assertNotNull(driver.pollNameTaken());
    assertTrue(before.get() < CALLERS / 2, "operations before the message: " + before.get());
    while (callers.stream().anyMatch(Thread::isAlive)) {
      world.runTasks(); // those that the node's own thread is to begin
    }
    holder.join();
    assertEquals(CALLERS + 1, puts.get());
    driver.close();
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void put(ClusterDriver driver) {
    try {
      assertEquals(
          Outcome.Kind.DONE, driver.invoke(TestCommand.put(KEY, VALUE), 1, 100_000).kind());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void tryInvokeAside_beyondItsPart_beginsNoMoreAndLeavesRoom() {
    ClusterDriver driver = driver(3);
    ClusterDriver.Invocation aside =
        new ClusterDriver.Invocation(TestCommand.get(KEY), 1, outcomes::add);
    assertEquals(1, driver.tryInvokeAside(List.of(aside, aside, aside), 1000));
    assertEquals(0, driver.tryInvokeAside(List.of(aside), 1000));
    for (int i = 1; i < CALLS_MAX; i++) {
      driver.invoke(TestCommand.get(KEY), 1, 5000, outcomes::add);
    }
    world.advance(1010);
    assertEquals(List.of(new Outcome(Outcome.Kind.FAILED, null)), outcomes);
    assertEquals(1, driver.tryInvokeAside(List.of(aside), 1000));
  }

  @Test
  void invoke_fromCallback_isCarriedOut() {
    ClusterDriver driver = driver(0);
    world.advance(1000);
    driver.invoke(
        TestCommand.put(KEY, VALUE),
        1,
        1000,
        _ -> driver.invoke(TestCommand.get(KEY), 1, 1000, outcomes::add));
    assertEquals(List.of(new Outcome(Outcome.Kind.DONE, VALUE)), outcomes);
  }

  @Test
  void close_endsWhatWaits() {
    ClusterDriver driver = driver(3);
    driver.invoke(TestCommand.put(KEY, VALUE), 1, 1000, outcomes::add);
    driver.close();
    driver.close();
    assertEquals(List.of(new Outcome(Outcome.Kind.INDETERMINATE, null)), outcomes);
    assertTrue(network.isClosed);
    assertEquals(0, world.periodicTasks());
    assertThrows(
        FatalGridException.class,
        () -> driver.invoke(TestCommand.get(KEY), 1, 1000, outcomes::add));
  }

  @Test
  void onMessages_ofTopologyOfAnotherCluster_areDropped() {
    ClusterDriver driver = driver(0);
    world.advance(1000);
    Topology other =
        new Topology(
            100,
            List.of(new Member(OTHER, 1, MemberProfile.ofCapacity(1))),
            List.of(OTHER),
            List.of(),
            List.of(),
            List.of(),
            0);
    network.bring(new Learn(other));
    assertEquals(1, driver.foreignTopologies());
    assertEquals(2, requireNonNull(driver.topology()).epoch());
  }

  @Test
  void onMessages_ofSuspicion_probeTheNode() {
    driver(3);
    network.bring(new Suspect(1, OTHER));
    assertEquals(List.of(OTHER), network.probed);
  }

  @Test
  void onMessages_ofAnotherVersion_sayWhyThisNodeIsRefused() {
    ClusterDriver driver = driver(3);
    assertEquals("no cluster found: node=1, contacts=0; start the others", driver.obstacle());
    network.bring(new OtherVersion(new ProtocolVersions(98, 99)));
    assertEquals(
        "the cluster speaks another version of the protocol: node=1, speaks=12 to 14, other=2,"
            + " speaks=98 to 99; this node is too old for it: start a later version here",
        driver.obstacle());
  }

  @Test
  void onMessages_ofAnOlderVersion_sayWhatToUpgrade() {
    ClusterDriver driver = driver(3);
    network.bring(new OtherVersion(ProtocolVersions.only(9)));
    assertEquals(
        "the cluster speaks another version of the protocol: node=1, speaks=12 to 14, other=2,"
            + " speaks=9; this node is too new for it: upgrade the others first, one version after"
            + " the other",
        driver.obstacle());
  }

  @Test
  void onMessages_ofNodesThatSpeakOneVersionToo_areWrittenInThatOne() {
    ClusterDriver driver = driver(3);
    network.bring(new OtherVersion(new ProtocolVersions(3, 12)));
    assertEquals(List.of(12), network.written);
    assertEquals("no cluster found: node=1, contacts=0; start the others", driver.obstacle());
  }

  @Test
  void define_untilTheTopologyShowsIt_isAskedForAgain() {
    ClusterDriver driver = driver(0);
    world.advance(1000);
    driver.define(new CacheRequest("cache", 3, 1, 7, "the name exists"));
    driver.define(new CacheRequest("other", CacheGroup.EVERY_MEMBER, 8, 7, "config"));
    world.advance(1000);
    Topology now = requireNonNull(driver.topology());
    assertEquals(
        List.of(
            new CacheDefinition(1, "cache", 0, 1, ""),
            new CacheDefinition(2, "other", 1, 7, "config")),
        now.caches());
    assertEquals(SEGMENTS + 8, now.segments().size());
    assertEquals(SEGMENTS, now.firstSegment(1));
    assertTrue(driver.isServing(SEGMENTS + 7));

    driver.undefine("other", 1);
    driver.undefine("cache", 1);
    world.advance(1000);
    driver.define(new CacheRequest("cache", 2, 2 * SEGMENTS, 8, ""));
    world.advance(1000);
    assertEquals(
        List.of(
            new CacheDefinition(2, "other", 1, 7, "config"),
            new CacheDefinition(3, "cache", 2, 8, "")),
        requireNonNull(driver.topology()).caches());
    assertEquals(driver.topology(), topologies.getLast());
  }

  @Test
  void define_ofACacheThatIsThere_isNotAskedForOnceMoreAfterItsRemoval() {
    ClusterDriver driver = driver(0);
    world.advance(1000);
    Topology first = requireNonNull(driver.topology());
    int id = requireNonNull(first.cache("cache")).id();
    driver.define(new CacheRequest("cache", 2, SEGMENTS, 9, "a caller that was slow to look"));
    world.advance(1000);
    driver.undefine("cache", id);
    world.advance(10_000);
    assertNull(requireNonNull(driver.topology()).cache("cache"));
  }

  @Test
  void define_whereNobodyCanOwn_isRefused() {
    ClusterDriver driver = driver(0);
    driver.updateProfile(MemberProfile.ofCapacity(0));
    world.advance(1000);
    Exception refused =
        assertThrows(
            RetryableGridException.class,
            () -> driver.define(new CacheRequest("other", 3, CacheGroup.SEGMENT_COUNT_MAX, 1, "")));
    assertEquals(
        "cache not defined: no member can own segments: name=other, members=1; give one a capacity"
            + " above 0",
        refused.getMessage());
  }

  @Test
  void updateProfile_isTakenOverByTheTopology() {
    ClusterDriver driver = driver(0);
    world.advance(1000);
    MemberProfile profile = new MemberProfile("a", 2, "site/rack", "host:11222");
    driver.updateProfile(profile);
    world.advance(1000);
    Topology topology = requireNonNull(driver.topology());
    Member member = requireNonNull(topology.member(SELF));
    assertEquals(profile, member.profile());
    assertEquals(1, member.joinedEpoch());
    assertTrue(member.profileEpoch() > 1);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void tick_whenTheNodeFails_stopsAsIfItHadCrashed(Supplier<Throwable> failure) {
    ClusterDriver driver = driver(0, () -> fail(failure.get()));
    driver.invoke(TestCommand.put(KEY, VALUE), 1, 10_000, outcomes::add);
    world.advance(1000);
    world.runTasks();
    assertEquals(List.of(new Outcome(Outcome.Kind.INDETERMINATE, null)), outcomes);
    assertTrue(network.isClosed);
    assertEquals(0, world.periodicTasks());
  }

  /** Failures in the protocol: also those that are refusals elsewhere, and errors of the JVM. */
  private static Stream<Supplier<Throwable>> failures() {
    return Stream.of(
        () -> new IllegalStateException("on purpose"),
        () -> new FatalGridException("on purpose"),
        () -> new RetryableGridException("on purpose"),
        () -> new StackOverflowError("on purpose"));
  }

  private static CommittedEntries fail(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) failure;
  }

  @Test
  void invoke_whenApplyingFails_leavesNoLeaseBeforeThePortIsClosed() throws Exception {
    boolean[] isFailing = new boolean[1];
    ClusterDriver driver =
        driver(
            0,
            () ->
                new TestEntries(() -> {
                  if (isFailing[0]) {
                    throw new StackOverflowError("on purpose");
                  }
                }));
    world.advance(1000);
    assertTrue(driver.isLeased());
    boolean[] wasLeased = new boolean[1];
    network.whenClosed = () -> wasLeased[0] = driver.isLeased();
    isFailing[0] = true;
    Outcome put = driver.invoke(TestCommand.put(KEY, VALUE), 1, 1000);
    assertEquals(Outcome.Kind.INDETERMINATE, put.kind());
    assertFalse(driver.isLeased());
    assertFalse(network.isClosed, "by another thread, later");
    world.runTasks();
    assertTrue(network.isClosed);
    assertFalse(wasLeased[0]);
    assertThrows(
        FatalGridException.class,
        () -> driver.invoke(TestCommand.get(KEY), 1, 1000, outcomes::add));
  }

  /** A driver that another node, the only voter, gives a lease. */
  private ClusterDriver leased() {
    ClusterDriver driver = driver(3);
    List<Member> members =
        List.of(
            new Member(OTHER, 1, MemberProfile.ofCapacity(1)),
            new Member(SELF, 1, MemberProfile.ofCapacity(1)));
    network.bring(
        new Learn(new Topology(5, members, List.of(OTHER), List.of(), List.of(), List.of(), 0)));
    world.advance(200);
    grant();
    assertTrue(driver.isLeased());
    return driver;
  }

  private void grant() {
    Heartbeat last = network.heartbeats.getLast();
    network.bring(new Grant(last.epoch(), last.sentNanos()));
  }

  @ParameterizedTest
  @ValueSource(longs = {-250, 250, 2000})
  void lease_whenTheClocksDisagree_isVoid(long millis) {
    ClusterDriver driver = leased();
    wallAheadMillis += millis;
    int sent = network.heartbeats.size();
    Heartbeat before = network.heartbeats.getLast();
    world.advance(20);
    assertFalse(driver.isLeased());
    network.bring(new Grant(before.epoch(), before.sentNanos()));
    assertFalse(driver.isLeased(), "by a heartbeat of before");
    assertTrue(network.heartbeats.size() > sent, "one that is sent at once");
    grant();
    assertTrue(driver.isLeased());
    world.advance(100);
    assertTrue(driver.isLeased());
  }

  @Test
  void lease_whileTheWallClockIsSlewed_isHeld() {
    ClusterDriver driver = leased();
    for (int i = 0; i < 100; i++) {
      wallAheadMillis++;
      world.advance(20);
      grant();
      assertTrue(driver.isLeased());
    }
  }

  @Test
  void lease_whenTheClockStoodStillOftenForAShortTime_isVoid() {
    ClusterDriver driver = leased();
    for (int i = 0; i < 4; i++) {
      assertTrue(driver.isLeased());
      wallAheadMillis += 60;
      world.advance(20);
    }
    assertFalse(driver.isLeased());
  }

  @Test
  void close_leavesNoLeaseBeforeThePortIsClosed() {
    ClusterDriver driver = driver(0);
    world.advance(1000);
    assertTrue(driver.isLeased());
    boolean[] wasLeased = {true};
    network.whenClosed = () -> wasLeased[0] = driver.isLeased();
    driver.close();
    assertFalse(wasLeased[0]);
  }

  @Test
  void invoke_whenACallbackFails_tellsTheOthers() {
    ClusterDriver driver = driver(3);
    driver.invoke(
        TestCommand.put(KEY, VALUE),
        1,
        1000,
        _ -> {
          throw new StackOverflowError("on purpose");
        });
    driver.invoke(TestCommand.put(KEY, VALUE), 1, 1000, outcomes::add);
    driver.invoke(TestCommand.put(KEY, VALUE), 1, 1000, outcomes::add);
    world.advance(1010);
    assertEquals(2, outcomes.size());
  }
}
