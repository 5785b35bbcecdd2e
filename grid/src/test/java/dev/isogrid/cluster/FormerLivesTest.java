package dev.isogrid.cluster;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.MembershipMessage.Offer;
import dev.isogrid.cluster.MembershipMessage.Recollection;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.DiskCopy;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FormerLivesTest {
  private static final int CACHE = 1;
  private static final NodeId PRIMARY = new NodeId(0, 1);
  private static final NodeId BACKUP = new NodeId(0, 2);
  private static final NodeId VOTER = new NodeId(0, 3);

  /** The member with the disk of the former node. */
  private static final NodeId NOW = new NodeId(0, 12);

  private static Member member(NodeId id) {
    return new Member(id, 1, new MemberProfile("n" + id.low(), 1, "", "", ""));
  }

  private static Topology topology(
      int epoch, List<NodeId> members, @Nullable NodeId primary, NodeId... isr) {
    return new Topology(
        epoch,
        members.stream().map(FormerLivesTest::member).toList(),
        List.of(VOTER),
        List.of(new CacheGroup(2, 1)),
        List.of(new SegmentOwners(epoch, primary, List.of(isr), List.of())),
        List.of(new CacheDefinition(CACHE, "kept", 0, 1, "")),
        CACHE);
  }

  private static final Topology WHOLE =
      topology(3, List.of(PRIMARY, BACKUP, VOTER), PRIMARY, PRIMARY, BACKUP);

  /** It waits for the backup, which followed the primary. */
  private static final Topology WAITING = topology(5, List.of(VOTER, NOW), null, BACKUP);

  private static Memory memory(NodeId self, Map<Integer, List<NodeId>> predecessors) {
    return new Memory(self, List.of(), predecessors, WHOLE, Ballot.NONE, null);
  }

  private static FormerLives lives(Memory memory, long place) {
    return new FormerLives(new Recollection(memory, Map.of(CACHE, List.of(place))), _ -> true);
  }

  private static @Nullable Offer offer(FormerLives lives) {
    lives.install(WAITING);
    return lives.next(WAITING.epoch(), Map.of());
  }

  @Test
  void offer_ofABackup_namesThePrimariesThatItsDiskMayBeBehind() {
    NodeId earlier = new NodeId(0, 9);
    FormerLives backup = lives(memory(BACKUP, Map.of(0, List.of(earlier))), 7);
    Offer offer = requireNonNull(offer(backup));
    assertEquals(
        Map.of(0, new Offer.Held(BACKUP, Map.of(CACHE, 7L), List.of(earlier, PRIMARY))),
        offer.held());
    assertEquals(List.of(BACKUP), offer.lives());
    assertEquals(Map.of(0, List.of(earlier, PRIMARY)), backup.predecessors());
  }

  @Test
  void offer_ofTheFormerPrimary_isMadeThoughNobodyWaitsForIt() {
    FormerLives primary = lives(memory(PRIMARY, Map.of()), 8);
    Offer offer = requireNonNull(offer(primary));
    assertEquals(Map.of(0, new Offer.Held(PRIMARY, Map.of(CACHE, 8L), List.of())), offer.held());
    assertEquals(Map.of(), primary.predecessors());

    FormerLives.Offers offers = new FormerLives.Offers();
    assertTrue(offers.add(WAITING, NOW, offer));
    assertFalse(offers.add(WAITING, NOW, offer));
    DiskCopy copy = new DiskCopy(NOW, List.of(PRIMARY), Map.of(CACHE, 8L), List.of());
    assertEquals(Map.of(0, Map.of(PRIMARY, copy)), offers.all());
  }

  @Test
  void offer_ofADiskWithoutTheSegment_isNotMade() {
    assertNull(offer(lives(memory(PRIMARY, Map.of()), -1)));
    assertNull(offer(FormerLives.none()));
  }

  @Test
  void offers_ofASegmentThatIsServed_areForgotten() {
    Offer offer = requireNonNull(offer(lives(memory(PRIMARY, Map.of()), 8)));
    FormerLives.Offers offers = new FormerLives.Offers();
    offers.add(WAITING, NOW, offer);
    offers.install(topology(6, List.of(VOTER, NOW), NOW, NOW));
    assertEquals(Map.of(), offers.all());
  }

  @Test
  void predecessors_ofAMemory_areThePrimariesThatItKnew() {
    assertEquals(List.of(PRIMARY), memory(BACKUP, Map.of()).predecessorsIn(0));
    assertEquals(List.of(), memory(PRIMARY, Map.of()).predecessorsIn(0));
    assertEquals(List.of(), memory(BACKUP, Map.of()).predecessorsIn(1));
    assertEquals(
        List.of(VOTER, PRIMARY),
        memory(BACKUP, Map.of(0, List.of(VOTER, BACKUP))).startedAs(NOW).predecessorsIn(0));
  }
}
