package dev.isogrid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.Seeds;
import dev.isogrid.cluster.MembershipMessage.Bid;
import dev.isogrid.cluster.MembershipMessage.FoundingMessage;
import dev.isogrid.cluster.MembershipMessage.SeedHere;
import dev.isogrid.cluster.MembershipMessage.Vote;
import dev.isogrid.cluster.MembershipMessage.Withdraw;
import dev.isogrid.topology.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FoundingTest {
  private static final long LIST = 77;
  private static final long RESEND = 100;
  private static final List<SeedAddress> PEERS =
      List.of(new SeedAddress("peer", 7800), new SeedAddress("peer", 7801));
  private static final NodeId SMALL = new NodeId(0, 1);
  private static final NodeId MIDDLE = new NodeId(0, 2);
  private static final NodeId GREAT = new NodeId(0, 3);

  private final List<FoundingMessage> sent = new ArrayList<>();

  private Founding founding(NodeId self, int seeds, int position) {
    FoundingRules rules = new FoundingRules(LIST, seeds, position, false, 1000, RESEND);
    Founding founding =
        new Founding(self, rules, (_, message) -> sent.add((FoundingMessage) message));
    founding.onDiscovered(List.of(SMALL, MIDDLE, GREAT));
    return founding;
  }

  private static boolean runUntil(Founding founding, long from, long to) {
    boolean founds = false;
    for (long now = from; now <= to; now += RESEND) {
      founds |= founding.tick(now);
    }
    return founds;
  }

  @Test
  void tick_ofLoneNodeWithoutSeeds_foundsAfterDiscovery() {
    Founding founding = founding(SMALL, 0, -1);
    founding.onDiscovered(List.of());
    assertEquals(false, runUntil(founding, 0, 900));
    assertTrue(founding.tick(1000));
    assertEquals(false, founding.tick(1100));
  }

  private Founding looking(int seeds, int position) {
    FoundingRules rules = new FoundingRules(LIST, seeds, position, false, 300, 1000, PEERS, RESEND);
    Founding founding =
        new Founding(SMALL, rules, (_, message) -> sent.add((FoundingMessage) message));
    founding.onDiscovered(List.of(SMALL));
    return founding;
  }

  @Test
  void tick_ofNodeWithPeers_foundsWhenNoneLetItInForSomeTime() {
    Founding founding = looking(0, -1);
    assertEquals(false, runUntil(founding, 0, 900));
    assertTrue(founding.tick(1000));
    assertTrue(founding.isInDoubt());
    assertTrue(founding.reason().contains("some peers may be alive"), founding.reason());
  }

  @Test
  void tick_ofNodeWhosePeersAreGone_foundsAtOnce() {
    Founding founding = looking(0, -1);
    assertEquals(false, runUntil(founding, 0, 300));
    founding.peerGone(PEERS.getFirst());
    assertEquals(false, founding.tick(400));
    founding.peerGone(PEERS.getLast());
    assertTrue(founding.tick(500));
    assertEquals(false, founding.isInDoubt());
  }

  @Test
  void onBid_whileItsPeersAreLookedFor_getsNoVote() {
    Founding founding = looking(3, 0);
    founding.onDiscovered(List.of(SMALL, MIDDLE));
    founding.onMessage(MIDDLE, new SeedHere(LIST, 1, 2), 0);
    runUntil(founding, 0, 900);
    founding.onMessage(MIDDLE, new Bid(1), 900);
    assertEquals(null, founding.votedFor());
    runUntil(founding, 1000, 1000);
    founding.onMessage(MIDDLE, new Bid(1), 1000);
    assertTrue(founding.votedFor() != null);
  }

  @Test
  void tick_besideNodesThatWaitForIt_doesNotWaitForThem() {
    Founding founding = looking(0, -1);
    founding.onDiscovered(List.of(SMALL, MIDDLE));
    founding.onMessage(MIDDLE, new SeedHere(LIST + 1, -1, 0), 0);
    assertEquals(false, runUntil(founding, 0, 900));
    assertTrue(founding.tick(1000));
  }

  @Test
  void tick_ofLoneSeedOfThree_neverFounds() {
    Founding founding = founding(SMALL, 3, 0);
    assertEquals(false, runUntil(founding, 0, 100_000));
  }

  @Test
  void tick_ofNodeThatIsNoSeed_neverFounds() {
    Founding founding = founding(GREAT, 1, -1);
    founding.onMessage(SMALL, new SeedHere(LIST, 0, 1), 0);
    assertEquals(false, runUntil(founding, 0, 100_000));
  }

  @Test
  void tick_whenToldToFoundAlone_founds() {
    FoundingRules rules = new FoundingRules(LIST, 3, 0, true, 0, RESEND);
    assertTrue(new Founding(SMALL, rules, (_, _) -> {}).tick(5));
  }

  @Test
  void tick_withVotesOfMajority_foundsOnce() {
    Founding founding = founding(SMALL, 3, 0);
    runUntil(founding, 0, 900);
    founding.onMessage(MIDDLE, new SeedHere(LIST, 1, 2), 900);
    assertEquals(false, founding.tick(1000));
    assertTrue(sent.contains(new Bid(1)));
    founding.onMessage(MIDDLE, new Vote(1), 1050);
    assertTrue(founding.tick(1100));
    assertEquals(false, founding.tick(1200));
  }

  @Test
  void onBid_ofSecondBidder_votesOnlyAfterTheFirstWithdrew() {
    Founding founding = founding(SMALL, 3, 0);
    founding.onMessage(MIDDLE, new SeedHere(LIST, 1, 2), 0);
    founding.onMessage(GREAT, new SeedHere(LIST, 2, 2), 0);
    founding.onMessage(GREAT, new Bid(1), 1);
    founding.onMessage(MIDDLE, new Bid(1), 2);
    assertEquals(GREAT, founding.votedFor());
    assertEquals(List.of(new Vote(1)), sent);
    founding.onMessage(GREAT, new Withdraw(1), 3);
    founding.onMessage(GREAT, new Bid(1), 4);
    founding.onMessage(MIDDLE, new Bid(1), 5);
    assertEquals(MIDDLE, founding.votedFor());
  }

  @Test
  void onSeedHere_ofNextLifeOfTheBidder_freesTheVote() {
    Founding founding = founding(SMALL, 3, 0);
    founding.onMessage(MIDDLE, new SeedHere(LIST, 1, 2), 0);
    founding.onMessage(MIDDLE, new Bid(1), 1);
    assertEquals(MIDDLE, founding.votedFor());
    founding.onMessage(GREAT, new SeedHere(LIST, 1, 2), 2);
    assertEquals(null, founding.votedFor());
    founding.onMessage(MIDDLE, new SeedHere(LIST, 1, 2), 3);
    founding.onMessage(MIDDLE, new Bid(1), 3);
    assertEquals(null, founding.votedFor());
  }

  @Test
  void onSeedHere_ofOtherList_isCountedAndNotHeard() {
    Founding founding = founding(SMALL, 3, 0);
    founding.onMessage(MIDDLE, new SeedHere(LIST + 1, 1, 3), 0);
    founding.onMessage(MIDDLE, new Bid(1), 1);
    assertEquals(1, founding.otherLists());
    assertEquals(List.of(), sent);
  }

  @Test
  void manySeeds_onBadNetwork_haveOneFounder() {
    Seeds.run(300, random -> new Network(random).run());
  }

  /** Seeds on a network that loses, doubles and delays messages, and is cut in two for a while. */
  private static final class Network {
    private record Event(long millis, long order, Runnable action) implements Comparable<Event> {
      @Override
      public int compareTo(Event other) {
        return millis != other.millis
            ? Long.compare(millis, other.millis)
            : Long.compare(order, other.order);
      }
    }

    private static final long CALM_FROM = 5000;
    private static final long END = 12_000;

    private final Random random;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Map<NodeId, Founding> seeds = new HashMap<>();
    private final Set<NodeId> sides = new HashSet<>();
    private final List<NodeId> founders = new ArrayList<>();
    private long now;
    private long order;

    Network(Random random) {
      this.random = random;
    }

    void run() {
      int count = 1 + random.nextInt(7);
      for (int i = 0; i < count; i++) {
        start(i, count);
      }
      while (!events.isEmpty() && now < END) {
        Event next = events.remove();
        now = next.millis;
        next.action.run();
        assertTrue(founders.size() <= 1, () -> "founders=" + founders);
      }
      assertEquals(1, founders.size(), "founders of " + count);
    }

    private void start(int position, int count) {
      NodeId node = new NodeId(0, 1 + random.nextInt(1_000_000));
      long look = random.nextBoolean() ? 0 : 300 + random.nextInt(2000);
      FoundingRules rules =
          new FoundingRules(LIST, count, position, false, 300, look, List.of(), RESEND);
      Founding founding = new Founding(node, rules, (to, message) -> send(node, to, message));
      seeds.put(node, founding);
      if (random.nextBoolean()) {
        sides.add(node);
      }
      at(random.nextInt(3000), () -> tick(node, founding));
    }

    private void tick(NodeId node, Founding founding) {
      founding.onDiscovered(List.copyOf(seeds.keySet()));
      if (founding.tick(now)) {
        founders.add(node);
      }
      at(now + 20 + random.nextInt(50), () -> tick(node, founding));
    }

    private void send(NodeId from, NodeId to, Message message) {
      boolean isCalm = now >= CALM_FROM;
      boolean isCut = !isCalm && sides.contains(from) != sides.contains(to);
      for (int i = isCalm ? 1 : random.nextInt(3); i > 0; i--) {
        long delay = 1 + random.nextLong(random.nextInt(10) == 0 ? 2000 : 30);
        long arrival = isCut ? CALM_FROM + delay : now + delay;
        at(arrival, () -> arrive(from, to, message));
      }
    }

    private void arrive(NodeId from, NodeId to, Message message) {
      Founding seed = seeds.get(to);
      boolean isOver = founders.contains(to) || founders.contains(from);
      if (seed != null && !isOver) {
        seed.onMessage(from, (FoundingMessage) message, now);
      }
    }

    private void at(long millis, Runnable action) {
      events.add(new Event(millis, order++, action));
    }
  }
}
