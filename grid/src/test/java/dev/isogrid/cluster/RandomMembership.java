package dev.isogrid.cluster;

import dev.isogrid.cluster.MembershipMessage.Accept;
import dev.isogrid.cluster.MembershipMessage.Accepted;
import dev.isogrid.cluster.MembershipMessage.AddIsr;
import dev.isogrid.cluster.MembershipMessage.Bid;
import dev.isogrid.cluster.MembershipMessage.Drain;
import dev.isogrid.cluster.MembershipMessage.Fetch;
import dev.isogrid.cluster.MembershipMessage.Grant;
import dev.isogrid.cluster.MembershipMessage.Heartbeat;
import dev.isogrid.cluster.MembershipMessage.Join;
import dev.isogrid.cluster.MembershipMessage.Learn;
import dev.isogrid.cluster.MembershipMessage.Leave;
import dev.isogrid.cluster.MembershipMessage.Outvoted;
import dev.isogrid.cluster.MembershipMessage.Prepare;
import dev.isogrid.cluster.MembershipMessage.Promise;
import dev.isogrid.cluster.MembershipMessage.Proposal;
import dev.isogrid.cluster.MembershipMessage.Released;
import dev.isogrid.cluster.MembershipMessage.SeedHere;
import dev.isogrid.cluster.MembershipMessage.Vote;
import dev.isogrid.cluster.MembershipMessage.Wait;
import dev.isogrid.cluster.MembershipMessage.Withdraw;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Draws messages of the membership. */
public final class RandomMembership {
  private static final int KINDS = 19;

  private final Random random;

  /** Draws from a generator. */
  public RandomMembership(Random random) {
    this.random = random;
  }

  /** A message of any kind. */
  public MembershipMessage message() {
    return switch (random.nextInt(KINDS)) {
      case 0 -> new Heartbeat(count(), random.nextLong());
      case 1 -> new Grant(count(), random.nextLong());
      case 2 -> new Prepare(count(), ballot(), new HashSet<>(nodes(10)));
      case 3 -> new Promise(count(), ballot(), ballot(), random.nextBoolean() ? proposal() : null);
      case 4 -> new Accept(count(), ballot(), proposal());
      case 5 -> new Accepted(count(), ballot());
      case 6 -> new Wait(count(), ballot());
      case 7 -> new Outvoted(count(), ballot(), ballot());
      case 8 -> new Learn(topology());
      case 9 -> new Fetch(count());
      case 10 -> new Join(count(), node(), random.nextFloat() * 9, zone());
      case 11 -> new Leave(count(), node());
      case 12 -> new AddIsr(count(), segment(), count(), node());
      case 13 -> new Drain(count(), segment(), count());
      case 14 -> new Released(count(), segment(), count());
      case 15 -> new SeedHere(random.nextLong(), random.nextInt(9) - 1, random.nextInt(9));
      case 16 -> new Bid(random.nextLong(Long.MAX_VALUE));
      case 17 -> new Vote(random.nextLong(Long.MAX_VALUE));
      default -> new Withdraw(random.nextLong(Long.MAX_VALUE));
    };
  }

  /** A number from 0, small or large. */
  public int count() {
    return random.nextInt(random.nextBoolean() ? 10 : Integer.MAX_VALUE);
  }

  /** The number of a segment. */
  public int segment() {
    return random.nextInt(MessageLayout.SEGMENTS_MAX);
  }

  /** A node. */
  public NodeId node() {
    return new NodeId(random.nextLong(), random.nextLong());
  }

  private List<NodeId> nodes(int countMax) {
    List<NodeId> nodes = new ArrayList<>();
    for (int i = random.nextInt(countMax + 1); i > 0; i--) {
      nodes.add(node());
    }
    return nodes;
  }

  private Ballot ballot() {
    return random.nextInt(4) == 0 ? Ballot.NONE : new Ballot(count(), node());
  }

  private String zone() {
    return List.of("", "site/rack/machine", "größe\u2603\uD83D\uDE00").get(random.nextInt(3));
  }

  private Proposal proposal() {
    Topology topology = topology();
    Set<Integer> released = new HashSet<>();
    for (int i = 0; i < topology.segments().size(); i++) {
      if (random.nextInt(4) == 0) {
        released.add(i);
      }
    }
    return new Proposal(topology, released);
  }

  private Topology topology() {
    List<NodeId> nodes = nodes(12);
    nodes.add(node());
    List<Member> members = new ArrayList<>();
    for (NodeId node : nodes) {
      if (random.nextInt(5) > 0) {
        members.add(new Member(node, 1 + count() / 2, random.nextInt(3), zone()));
      }
    }
    int voters = nodes.size() >= 3 && random.nextBoolean() ? 3 : 1;
    List<SegmentOwners> segments = new ArrayList<>();
    for (int i = random.nextInt(40); i > 0; i--) {
      Collections.shuffle(nodes, random);
      int copies = 1 + random.nextInt(nodes.size());
      int learners = copies + random.nextInt(nodes.size() - copies + 1);
      NodeId primary = random.nextInt(5) == 0 ? null : nodes.get(random.nextInt(copies));
      segments.add(
          new SegmentOwners(
              count(), primary, nodes.subList(0, copies), nodes.subList(copies, learners)));
    }
    return new Topology(1 + count() / 2, members, nodes.subList(0, voters), segments);
  }
}
