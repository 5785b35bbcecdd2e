package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isogrid.cluster.Ballot;
import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.FormerLives;
import dev.isogrid.cluster.MembershipMessage.Learn;
import dev.isogrid.cluster.MembershipMessage.Offer;
import dev.isogrid.cluster.MembershipMessage.Recollection;
import dev.isogrid.cluster.Memory;
import dev.isogrid.cluster.Message;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.SegmentMessage.Chunk;
import dev.isogrid.engine.SegmentMessage.CopiedEntry;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The entries on the disk of a node that came back, while the topology decides about them. */
class ReturnedReplicaTest {
  private static final NodeId SELF = new NodeId(0, 1);
  private static final NodeId FIRST = new NodeId(0, 2);
  private static final NodeId SECOND = new NodeId(0, 3);

  /** The id of this node in its former life. */
  private static final NodeId FORMER = new NodeId(0, 11);

  /** The node that followed it, which is dead. */
  private static final NodeId SUCCESSOR = new NodeId(0, 12);

  private static final ByteString KEY = RealCluster.bytes("key");
  private static final long DISK_PLACE = 1000;

  private static final int CACHE = 1;

  private final TestEntries entries = new TestEntries();
  private final List<Message> sent = new ArrayList<>();
  private final ClusterNode node =
      new ClusterNode(
          SELF,
          new ClusterNodeConfig(ClusterTimes.usual(), ReplicaLimits.usual(), 10),
          (_, message) -> sent.add(message),
          _ -> entries,
          (_, _, _) -> {},
          (_, _) -> {},
          new SplittableRandom(1));

  ReturnedReplicaTest() {
    entries.put(KEY, KEY, 7);
    entries.diskPlace = DISK_PLACE;
    Memory memory = new Memory(FORMER, topology(1, FORMER, FORMER, SUCCESSOR), Ballot.NONE, null);
    Map<Integer, List<Long>> places = Map.of(CACHE, List.of(DISK_PLACE));
    node.remember(new FormerLives(new Recollection(memory, places), _ -> true));
  }

  /** This node wants no segment, since it has no capacity. */
  private static Topology topology(int epoch, @Nullable NodeId primary, NodeId... isr) {
    return topology(epoch, new SegmentOwners(epoch, primary, List.of(isr), List.of()));
  }

  private static Topology topology(int epoch, SegmentOwners owners) {
    List<Member> members =
        List.of(
            new Member(SELF, 1, MemberProfile.ofCapacity(0)),
            new Member(FIRST, 1, MemberProfile.ofCapacity(1)),
            new Member(SECOND, 1, MemberProfile.ofCapacity(1)));
    return new Topology(
        epoch,
        members,
        List.of(FIRST),
        List.of(new CacheGroup(2, 1)),
        List.of(owners),
        List.of(new CacheDefinition(CACHE, "cache", 0, 1, "")),
        CACHE);
  }

  private void learn(int epoch, @Nullable NodeId primary, NodeId... isr) {
    node.onMessage(FIRST, new Learn(topology(epoch, primary, isr)), 1);
  }

  /** Returns what this node offers of its disk when nobody serves the segment from an epoch on. */
  private Offer.Held offeredFrom(int epoch) {
    sent.clear();
    learn(epoch, null, FIRST);
    node.tick(1);
    return sent.stream()
        .filter(Offer.class::isInstance)
        .map(message -> requireNonNull(((Offer) message).held().get(0)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void segmentThatNobodyServes_isOfferedAsTheDiskHasIt() {
    Offer.Held held = offeredFrom(3);
    assertEquals(FORMER, held.former());
    assertEquals(Map.of(CACHE, DISK_PLACE), held.places());
  }

  /** The entries of the copy are a part of the segment. */
  @Test
  void segmentOfWhichACopyWasBegun_isNotOfferedAsTheDiskHadIt() {
    SegmentOwners owners = new SegmentOwners(3, FIRST, List.of(FIRST), List.of(SELF));
    node.onMessage(FIRST, new Learn(topology(3, owners)), 1);
    List<CopiedEntry> part = List.of(new CopiedEntry(KEY, KEY, 8));
    Chunk chunk =
        new Chunk(3, 0, 3, 0, 8, new DedupTable(), part, List.of(), CopyDelta.NONE, false);
    node.onMessage(FIRST, chunk, 1);
    assertEquals(8, entries.seq(KEY));

    assertEquals(Map.of(CACHE, -1L), offeredFrom(4).places());
  }

  @Test
  void segmentThatWasDropped_isNotOfferedAsTheDiskHadIt() {
    learn(3, FIRST, FIRST, SECOND);
    assertNull(entries.value(KEY));
    assertEquals(Map.of(CACHE, -1L), offeredFrom(4).places());
  }

  @Test
  void segmentThatMayBeMadeRight_isOfferedUntilItIsDropped() {
    entries.base = new FormerEntries(0, List.of());
    learn(3, FIRST, FIRST);
    assertEquals(Map.of(CACHE, DISK_PLACE), offeredFrom(4).places());
    learn(5, FIRST, FIRST, SECOND);
    assertEquals(Map.of(CACHE, -1L), offeredFrom(6).places());
  }

  @Test
  void segmentThatWentOnHere_isNotOfferedAsTheDiskHadIt() {
    learn(3, null, SUCCESSOR);
    learn(4, SELF, SELF);
    assertEquals(Map.of(CACHE, -1L), offeredFrom(5).places());
  }

  @Test
  void segmentThatWaitsForAnother_mayGoOnWithThem() {
    learn(3, null, SUCCESSOR);
    assertEquals(KEY, entries.value(KEY));
    learn(4, SELF, SELF);
    assertEquals(KEY, entries.value(KEY));
    assertEquals(DISK_PLACE, entries.restartedSeq);
  }

  @Test
  void segmentThatOthersServe_hasNoUseForThem() {
    learn(3, FIRST, FIRST, SECOND);
    assertNull(entries.value(KEY));
  }

  @Test
  void entriesThatACopyCouldMakeRight_areKeptUntilTheSegmentHasAllCopies() {
    entries.base = new FormerEntries(0, List.of());
    learn(3, FIRST, FIRST);
    assertEquals(1, entries.clears, "all that is not on the disk");
    learn(4, FIRST, FIRST, SECOND);
    assertEquals(3, entries.clears, "all that is not on the disk, and the rest");
  }
}
