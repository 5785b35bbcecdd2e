package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.GonePolicy;
import dev.isogrid.cluster.Message;
import dev.isogrid.cluster.MessageLayout;
import dev.isogrid.codec.ByteString;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.Link;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Planner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** Nodes that are run step by step, by a clock of their own, with messages that take no time. */
final class SteppedNodes {
  static final long MILLI = 1_000_000;
  static final long STEP_MILLIS = 5;

  private record Sent(NodeId from, NodeId to, Message message) {}

  /** Those that there are. One that is removed is dead. */
  final Map<NodeId, ClusterNode> nodes = new LinkedHashMap<>();

  /** Those that hear nobody but themselves. */
  final Set<NodeId> cutOff = new HashSet<>();

  /** Those whose messages come, but wait to be looked at. */
  final Set<NodeId> waiting = new HashSet<>();

  /** Ways on which messages are lost. */
  final Set<Link> cutLinks = new HashSet<>();

  /** The outcomes of the requests. */
  final List<Outcome> outcomes = new ArrayList<>();

  private final int segments;
  private final CommitListener commits;
  private final ArrayDeque<Sent> sent = new ArrayDeque<>();
  private long now;

  /** Begins without nodes, for a cache of two owners. */
  SteppedNodes(int segments) {
    this(segments, (_, _, _) -> {});
  }

  /** The same with somebody who is told what nodes commit. */
  SteppedNodes(int segments, CommitListener commits) {
    this.segments = segments;
    this.commits = commits;
  }

  /** Starts nodes that found a cluster, the first of them the oldest. */
  void start(GonePolicy policy, NodeId... ids) {
    List<Member> members = new ArrayList<>();
    for (NodeId id : ids) {
      members.add(
          new Member(id, 1, create(policy, id, new MemberProfile("", 1, "", "", "seat" + id))));
    }
    nodes.values().forEach(node -> node.found(Planner.first(members, List.of()), now));
    run(1000);
    assertEquals(segments, servedBy(nodes.keySet()));
  }

  /** Starts a node that asks to be let in. */
  void join(GonePolicy policy, NodeId id, String seat) {
    join(policy, id, new MemberProfile("", 1, "", "", seat));
  }

  /** The same, with a longer profile. */
  void join(GonePolicy policy, NodeId id, MemberProfile profile) {
    List<NodeId> contacts = List.copyOf(nodes.keySet());
    create(policy, id, profile);
    node(id).discovered(contacts);
  }

  private MemberProfile create(GonePolicy policy, NodeId id, MemberProfile profile) {
    ClusterNode node =
        new ClusterNode(
            id,
            new ClusterNodeConfig(ClusterTimes.usual(policy), ReplicaLimits.usual(), 100),
            (to, message) -> sent.add(new Sent(id, to, message)),
            _ -> new TestEntries(),
            commits,
            (_, _) -> {},
            new SplittableRandom(id.low()));
    node.updateProfile(profile);
    assertTrue(node.tryDefine(new CacheRequest("cache", 2, segments, 1, "")));
    nodes.put(id, node);
    return profile;
  }

  /** Starts a node that asks the others to let it in. */
  void join(GonePolicy policy, NodeId id) {
    join(policy, id, "seat" + id);
  }

  /** The time, in nanoseconds. */
  long now() {
    return now;
  }

  ClusterNode node(NodeId id) {
    return requireNonNull(nodes.get(id));
  }

  void run(long millis) {
    for (long end = now + millis * MILLI; now < end; now += STEP_MILLIS * MILLI) {
      nodes
          .values()
          .forEach(node -> {
            waiting.forEach(other -> node.onArrival(other, now));
            node.tick(now);
          });
      while (!sent.isEmpty()) {
        Sent next = sent.remove();
        ClusterNode to = nodes.get(next.to);
        boolean isCut = cutOff.contains(next.from) || cutOff.contains(next.to);
        isCut |= waiting.contains(next.from);
        isCut |= cutLinks.contains(new Link(next.from, next.to));
        boolean isHere = next.from.equals(next.to);
        if (to != null && (isHere || (!isCut && fits(next.message)))) {
          to.onMessage(next.from, next.message, now);
        }
      }
    }
  }

  /** Networks drop what is larger than a message may be. */
  private static boolean fits(Message message) {
    long bytes =
        switch (message) {
          case SegmentMessage.Append append -> bytes(append.entries());
          case SegmentMessage.Sync sync -> bytes(sync.tail());
          case SegmentMessage.Reply reply -> Sized.of(reply.result());
          default -> 0;
        };
    return bytes < MessageLayout.MESSAGE_BYTES_MAX;
  }

  private static long bytes(List<LogEntry> entries) {
    return entries.stream().mapToLong(LogEntry::sizeBytes).sum();
  }

  /** How many segments some nodes serve. */
  int servedBy(Set<NodeId> ids) {
    int served = 0;
    for (int segment = 0; segment < segments; segment++) {
      for (NodeId id : ids) {
        served += node(id).isServing(segment, now) ? 1 : 0;
      }
    }
    return served;
  }

  /** Runs until some nodes serve everything; returns the milliseconds that took. */
  long untilAllServedBy(Set<NodeId> ids) {
    long start = now;
    while (servedBy(ids) < segments) {
      run(STEP_MILLIS);
      assertTrue(now - start < 10_000 * MILLI, "not served");
    }
    return (now - start) / MILLI;
  }

  /** Asks a node to store an entry, whose key and value are the same. */
  void put(NodeId at, int segment, ByteString key) {
    long deadline = now + 2000 * MILLI;
    assertTrue(
        node(at).tryInvoke(TestCommand.put(key, key), segment, deadline, outcomes::add, now));
  }
}
