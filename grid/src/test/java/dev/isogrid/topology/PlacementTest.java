package dev.isogrid.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlacementTest {
  private static final int CLUSTERS = 60;
  private static final int SMALL_CLUSTERS = 300;
  private static final int CHANGES = 10;

  @Test
  void wanted_ofNoCapacity_isRefused() {
    RandomCluster cluster = new RandomCluster(new Random(1), 8, 2);
    cluster.add(0, "");

    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> cluster.wanted());

    assertTrue(refusal.toString().contains("give one a capacity above 0"), refusal.toString());
  }

  @Test
  void wanted_ofFewerMembersThanOwners_usesAll() {
    RandomCluster cluster = new RandomCluster(new Random(1), 5, 3);
    cluster.add(1, "");
    cluster.add(2, "");
    cluster.add(0, "");

    for (List<NodeId> owners : cluster.wanted()) {
      assertEquals(Set.of(new NodeId(0, 1), new NodeId(0, 2)), Set.copyOf(owners));
    }
  }

  @Test
  void wanted_whenOneMemberJoins_movesItsShareOnly() {
    RandomCluster cluster = new RandomCluster(new Random(1), 256, 2);
    for (int i = 0; i < 9; i++) {
      cluster.add(1, "");
    }
    cluster.move();
    cluster.add(1, "");

    assertEquals(256 * 2 / 10, cluster.move());
    assertTrue(cluster.primariesChanged() <= 256 / 10 + 1, "" + cluster.primariesChanged());
  }

  @Test
  void wanted_whenOneMemberIsGone_restoresItsCopiesOnly() {
    RandomCluster cluster = new RandomCluster(new Random(1), 256, 2);
    for (int i = 0; i < 10; i++) {
      cluster.add(1, "");
    }
    cluster.move();
    NodeId gone = cluster.members().getFirst().id();
    int lost = (int) cluster.segments().stream().filter(owners -> owners.involves(gone)).count();
    long led = cluster.segments().stream().filter(one -> gone.equals(one.primary())).count();
    cluster.remove(gone);

    assertEquals(lost, cluster.move());
    assertTrue(cluster.primariesChanged() <= led + 2, "" + cluster.primariesChanged());
  }

  @Test
  void wanted_spreadsTheCopiesThatAreLeftOverManyMembers() {
    RandomCluster cluster = new RandomCluster(new Random(1), 256, 2);
    for (int i = 0; i < 10; i++) {
      cluster.add(1, "");
    }
    cluster.move();
    for (Member member : cluster.members()) {
      Map<NodeId, Integer> beside = new HashMap<>();
      for (SegmentOwners owners : cluster.segments()) {
        if (owners.isr().contains(member.id())) {
          owners.isr().forEach(node -> beside.merge(node, 1, Integer::sum));
        }
      }
      beside.remove(member.id());
      assertTrue(beside.size() >= 8, member + " " + beside);
      assertTrue(Collections.max(beside.values()) <= 15, member + " " + beside);
    }
  }

  @Test
  void wanted_whenThreeSitesHoldEnough_putsACopyInEach() {
    RandomCluster cluster = new RandomCluster(new Random(1), 100, 3);
    for (int i = 0; i < 9; i++) {
      cluster.add(1, "site" + i % 3 + "/rack" + i % 2 + "/m" + i);
    }

    for (List<NodeId> owners : cluster.wanted()) {
      Set<Long> sites = new HashSet<>();
      owners.forEach(node -> sites.add((node.low() - 1) % 3));
      assertEquals(3, sites.size());
    }
  }

  @Test
  void wanted_whenZonesBecomeKnownByNewMembers_separatesCopies() {
    RandomCluster cluster = new RandomCluster(new Random(1), 100, 2);
    for (int i = 0; i < 4; i++) {
      cluster.add(1, "a/1/m");
    }
    cluster.move();
    for (int i = 0; i < 4; i++) {
      cluster.add(1, "a/1/n");
    }

    assertEquals(100, cluster.move());
    assertEquals(0, cluster.sharing(3));
  }

  @Test
  void wanted_ofMembersInAnotherOrder_isTheSame() {
    Seeds.run(
        20,
        random -> {
          RandomCluster cluster = RandomCluster.any(random, true);
          cluster.move();
          cluster.change();
          List<Member> members = new ArrayList<>(cluster.members());
          Collections.shuffle(members, random);

          assertEquals(
              cluster.wanted(), Placement.wanted(cluster.segments(), members, cluster.owners()));
        });
  }

  @Test
  void wanted_ofManyClusters_movesLittleMoreThanItMust() {
    long moved = 0;
    long least = 0;
    for (int seed = 0; seed < CLUSTERS; seed++) {
      RandomCluster cluster = RandomCluster.any(new Random(seed), false);
      cluster.move();
      for (int i = 0; i < CHANGES; i++) {
        cluster.change();
        least += cluster.leastMoves();
        moved += cluster.move();
      }
    }
    assertTrue(moved <= least * 1.02, "moved " + moved + ", at least " + least);
  }

  @Test
  void wanted_ofAnyCluster_isBalancedAndStable() {
    Seeds.run(CLUSTERS, random -> runHistory(RandomCluster.any(random, false)));
  }

  @Test
  void wanted_ofAnyClusterWithZones_isBalancedStableAndFarApart() {
    Seeds.run(CLUSTERS, random -> runHistory(RandomCluster.any(random, true)));
  }

  private static void runHistory(RandomCluster cluster) {
    for (int i = 0; i < CHANGES; i++) {
      cluster.move();
      cluster.checkBalance();
      cluster.checkZones();
      assertEquals(0, cluster.move());
      assertEquals(0, cluster.primariesChanged());
      cluster.change();
    }
  }

  @Test
  void wanted_ofAnySmallCluster_isTheCheapestOfAll() {
    Seeds.run(SMALL_CLUSTERS, random -> new SmallCluster(random).check());
  }
}
