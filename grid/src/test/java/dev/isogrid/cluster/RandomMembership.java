package dev.isogrid.cluster;

import dev.isogrid.cluster.MembershipMessage.Accept;
import dev.isogrid.cluster.MembershipMessage.Accepted;
import dev.isogrid.cluster.MembershipMessage.AddIsr;
import dev.isogrid.cluster.MembershipMessage.Bid;
import dev.isogrid.cluster.MembershipMessage.Define;
import dev.isogrid.cluster.MembershipMessage.Drain;
import dev.isogrid.cluster.MembershipMessage.Fetch;
import dev.isogrid.cluster.MembershipMessage.Grant;
import dev.isogrid.cluster.MembershipMessage.Heartbeat;
import dev.isogrid.cluster.MembershipMessage.Join;
import dev.isogrid.cluster.MembershipMessage.Learn;
import dev.isogrid.cluster.MembershipMessage.Leave;
import dev.isogrid.cluster.MembershipMessage.LimitCopies;
import dev.isogrid.cluster.MembershipMessage.NameTaken;
import dev.isogrid.cluster.MembershipMessage.Offer;
import dev.isogrid.cluster.MembershipMessage.OtherVersion;
import dev.isogrid.cluster.MembershipMessage.Outvoted;
import dev.isogrid.cluster.MembershipMessage.Pause;
import dev.isogrid.cluster.MembershipMessage.Prepare;
import dev.isogrid.cluster.MembershipMessage.Promise;
import dev.isogrid.cluster.MembershipMessage.Proposal;
import dev.isogrid.cluster.MembershipMessage.Recall;
import dev.isogrid.cluster.MembershipMessage.Recollection;
import dev.isogrid.cluster.MembershipMessage.Recover;
import dev.isogrid.cluster.MembershipMessage.Recoverable;
import dev.isogrid.cluster.MembershipMessage.Released;
import dev.isogrid.cluster.MembershipMessage.RestartLost;
import dev.isogrid.cluster.MembershipMessage.Returned;
import dev.isogrid.cluster.MembershipMessage.SeedHere;
import dev.isogrid.cluster.MembershipMessage.Suspect;
import dev.isogrid.cluster.MembershipMessage.Undefine;
import dev.isogrid.cluster.MembershipMessage.Unreached;
import dev.isogrid.cluster.MembershipMessage.Vote;
import dev.isogrid.cluster.MembershipMessage.Wait;
import dev.isogrid.cluster.MembershipMessage.Withdraw;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Origin;
import dev.isogrid.topology.Pauses;
import dev.isogrid.topology.ProtocolVersions;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Draws messages of the membership. */
public final class RandomMembership {
  private static final int KINDS = 34;

  private final Random random;

  /** Draws from a generator. */
  public RandomMembership(Random random) {
    this.random = random;
  }

  /** A message of any kind. */
  public MembershipMessage message() {
    return switch (random.nextInt(KINDS)) {
      case 0 -> new Heartbeat(count(), random.nextLong(), new HashSet<>(nodes(3)));
      case 1 -> new Grant(count(), random.nextLong());
      case 2 -> new Prepare(count(), ballot(), new HashSet<>(nodes(10)));
      case 3 -> new Promise(count(), ballot(), ballot(), random.nextBoolean() ? proposal() : null);
      case 4 ->
          new Accept(count(), ballot(), proposal(), random.nextBoolean(), nodeSet(2), nodeSet(2));
      case 5 -> new Accepted(count(), ballot(), node(), nodeSet(3));
      case 6 -> new Wait(count(), ballot());
      case 7 -> new Outvoted(count(), ballot(), ballot());
      case 8 -> new Learn(topology());
      case 9 -> new Fetch(count());
      case 10 -> new Join(count(), node(), profile());
      case 11 -> new Leave(count(), node(), random.nextBoolean());
      case 12 -> new AddIsr(count(), segment(), count(), node());
      case 13 -> new Drain(count(), segment(), count());
      case 14 -> new Released(count(), segment(), count(), node());
      case 15 -> new SeedHere(random.nextLong(), random.nextInt(9) - 1, random.nextInt(9));
      case 16 -> new Bid(random.nextLong(Long.MAX_VALUE));
      case 17 -> new Vote(random.nextLong(Long.MAX_VALUE));
      case 18 -> new Define(count(), count(), request());
      case 19 -> new Undefine(count(), "cache", count());
      case 21 -> new Suspect(count(), node());
      case 22 -> new Unreached(count(), node(), node());
      case 23 -> new Pause(count(), count(), random.nextInt(9) - 1, random.nextBoolean());
      case 24 -> new RestartLost(count(), random.nextInt(9), count());
      case 25 -> new NameTaken(count(), "b@127.0.0.1:" + count());
      case 26 -> new Returned(node(), origin(), count());
      case 27 -> new Recall();
      case 28 -> recollection();
      case 29 -> new Recover(count(), random.nextLong(Long.MAX_VALUE), nodeSet(4));
      case 30 -> {
        Proposal accepted = random.nextBoolean() ? proposal() : null;
        yield new Recoverable(count(), random.nextLong(Long.MAX_VALUE), zone(), ballot(), accepted);
      }
      case 31 -> offer();
      case 32 -> new LimitCopies(count(), count(), speed());
      case 20 -> new OtherVersion(versions());
      default -> new Withdraw(random.nextLong(Long.MAX_VALUE));
    };
  }

  /** A number from 0, small or large. */
  public int count() {
    return random.nextInt(random.nextBoolean() ? 10 : Integer.MAX_VALUE);
  }

  /** The number of a segment. */
  public int segment() {
    return random.nextInt(Topology.SEGMENTS_MAX);
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

  private Set<NodeId> nodeSet(int countMax) {
    return new HashSet<>(nodes(countMax));
  }

  private Ballot ballot() {
    return random.nextInt(4) == 0 ? Ballot.NONE : new Ballot(count(), node());
  }

  private String zone() {
    return List.of("", "site/rack/machine", "größe\u2603\uD83D\uDE00").get(random.nextInt(3));
  }

  private MemberProfile profile() {
    return new MemberProfile(
        zone(),
        random.nextFloat() * 9,
        zone(),
        "host:" + random.nextInt(99),
        "seat" + zone(),
        versions());
  }

  private ProtocolVersions versions() {
    int oldest = 1 + random.nextInt(ProtocolVersions.VERSION_MAX);
    int above = random.nextInt(ProtocolVersions.VERSION_MAX - oldest + 1);
    return new ProtocolVersions(oldest, oldest + above);
  }

  private CacheRequest request() {
    int owners = random.nextInt(4) == 0 ? CacheGroup.EVERY_MEMBER : 1 + random.nextInt(9);
    int segmentCount = 1 + random.nextInt(CacheGroup.SEGMENT_COUNT_MAX);
    int versionEpoch = 1 + random.nextInt(CacheRequest.VERSION_EPOCH_MAX);
    return new CacheRequest(
        "name" + random.nextInt(9),
        new CacheGroup(owners, segmentCount, random.nextBoolean()),
        versionEpoch,
        "{}".repeat(random.nextInt(99)));
  }

  private List<CacheDefinition> caches(int groups) {
    List<CacheDefinition> caches = new ArrayList<>();
    int id = 0;
    for (int i = groups == 0 ? 0 : random.nextInt(5); i > 0; i--) {
      id += 1 + random.nextInt(9);
      caches.add(
          new CacheDefinition(
              id, "cache" + i, random.nextInt(groups), 1 + random.nextInt(9), zone()));
    }
    return caches;
  }

  private Pauses pauses(int groups) {
    Set<Integer> paused = new HashSet<>();
    for (int i = groups == 0 ? 0 : random.nextInt(3); i > 0; i--) {
      paused.add(random.nextInt(groups));
    }
    return new Pauses(count(), random.nextBoolean(), paused, speed());
  }

  private long speed() {
    return List.of(Pauses.AS_CONFIGURED, 1L, Long.MAX_VALUE).get(random.nextInt(3));
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
        members.add(new Member(node, 1 + count() / 2, profile()));
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
              count(),
              primary,
              nodes.subList(0, copies),
              nodes.subList(copies, learners),
              random.nextInt(4) == 0 ? random.nextInt(SegmentOwners.RESTARTS_MAX + 1) : 0));
    }
    List<CacheGroup> groups = new ArrayList<>();
    for (int rest = segments.size(); rest > 0; rest -= groups.getLast().segmentCount()) {
      groups.add(
          new CacheGroup(1 + random.nextInt(9), 1 + random.nextInt(rest), random.nextBoolean()));
    }
    List<CacheDefinition> caches = caches(groups.size());
    int lastCacheId = (caches.isEmpty() ? 0 : caches.getLast().id()) + random.nextInt(9);
    return new Topology(
        1 + count() / 2,
        members,
        nodes.subList(0, voters),
        groups,
        segments,
        caches,
        lastCacheId,
        pauses(groups.size()),
        origin());
  }

  private Origin origin() {
    return new Origin(
        random.nextLong(),
        random.nextLong(),
        1 + count() / 2,
        random.nextInt(SegmentOwners.RESTARTS_MAX + 1));
  }

  /** The memory of a node. */
  Memory memory() {
    Map<Integer, List<NodeId>> predecessors = new HashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      predecessors.put(segment(), nodes(2));
    }
    return new Memory(
        node(),
        nodes(3),
        predecessors,
        topology(),
        ballot(),
        random.nextBoolean() ? proposal() : null);
  }

  private Offer offer() {
    Map<Integer, Offer.Held> held = new HashMap<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      Map<Integer, Long> places = new HashMap<>();
      for (int j = random.nextInt(4); j > 0; j--) {
        places.put(count(), random.nextLong(1L << 40) - 1);
      }
      held.put(segment(), new Offer.Held(node(), places, nodes(2)));
    }
    Map<Integer, Boolean> own = new HashMap<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      own.put(segment(), random.nextBoolean());
    }
    return new Offer(count(), held, own, nodes(3));
  }

  private Recollection recollection() {
    Map<Integer, List<Long>> places = new HashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      places.put(1 + random.nextInt(99), List.of(-1L, random.nextLong(1L << 40), 0L));
    }
    return new Recollection(memory(), places);
  }
}
