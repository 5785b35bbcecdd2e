package dev.isogrid.cluster;

import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Origin;
import dev.isogrid.topology.ProtocolVersions;
import dev.isogrid.topology.Topology;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Messages between nodes on members, leases and the next topology. */
public sealed interface MembershipMessage extends Message {
  /**
   * A topology as a candidate for being the next one.
   *
   * @param topology the candidate
   * @param released segments that all who lose them gave up by themselves, in the epoch before
   */
  record Proposal(Topology topology, Set<Integer> released) {
    /** Copies the set. */
    public Proposal {
      released = Set.copyOf(released);
    }

    /** The nodes that get no lease, and are waited for, if this comes after a topology. */
    Set<NodeId> demoted(Topology before, ClusterTimes times) {
      boolean withBackups = times.holds(Rule.DEMOTE_REPLICA);
      Set<NodeId> demoted = before.demotedBy(topology, released, withBackups);
      if (times.holds(Rule.DEMOTE_REMOVED)) {
        demoted.addAll(before.removedBy(topology, withBackups));
      }
      return demoted;
    }
  }

  /**
   * A member to a voter: I am here; may I serve?
   *
   * @param sentNanos when it was sent, by the sender's clock
   * @param silent members that the sender hears nothing of, if it is a voter
   */
  record Heartbeat(int epoch, long sentNanos, Set<NodeId> silent) implements MembershipMessage {
    /** Copies the set. */
    public Heartbeat {
      silent = Set.copyOf(silent);
    }

    @Override
    public boolean isFleeting() {
      return true;
    }
  }

  /**
   * A voter to a member: you may, for the length of a lease after you sent the heartbeat.
   *
   * @param sentNanos that of the heartbeat
   */
  record Grant(int epoch, long sentNanos) implements MembershipMessage {
    @Override
    public boolean isFleeting() {
      return true;
    }
  }

  /**
   * A proposer to a voter: take part in a ballot.
   *
   * @param demoted who is to lose segments, and gets no lease from now on
   */
  record Prepare(int epoch, Ballot ballot, Set<NodeId> demoted) implements MembershipMessage {
    /** Copies the set. */
    public Prepare {
      demoted = Set.copyOf(demoted);
    }
  }

  /**
   * A voter to a proposer: I do.
   *
   * @param acceptedBallot the ballot in which the voter accepted something, or NONE
   * @param accepted what it accepted, or null
   */
  record Promise(int epoch, Ballot ballot, Ballot acceptedBallot, @Nullable Proposal accepted)
      implements MembershipMessage {}

  /**
   * A proposer to a voter or to its heir: accept this. A voter passes it on to those that the
   * proposer does not reach.
   *
   * @param hasHeir whether the heir accepted it in this ballot, or is gone; see {@link
   *     Topology#heir}
   * @param accepted voters that accepted it in this ballot
   * @param behind voters that don't answer: accept when your last grant to them is over
   */
  record Accept(
      int epoch,
      Ballot ballot,
      Proposal proposal,
      boolean hasHeir,
      Set<NodeId> accepted,
      Set<NodeId> behind)
      implements MembershipMessage {
    /** Copies the sets. */
    public Accept {
      accepted = Set.copyOf(accepted);
      behind = Set.copyOf(behind);
    }
  }

  /**
   * A voter, or its heir, to a proposer, or to the voter that passed the proposal on: accepted.
   *
   * @param voter the voter or heir
   * @param behind voters to which the sender's last grant is over, as it was asked to make sure
   */
  record Accepted(int epoch, Ballot ballot, NodeId voter, Set<NodeId> behind)
      implements MembershipMessage {
    /** Copies the set. */
    public Accepted {
      behind = Set.copyOf(behind);
    }
  }

  /** A voter to a proposer: not now, since somebody has a lease of mine. Ask again. */
  record Wait(int epoch, Ballot ballot) implements MembershipMessage {}

  /**
   * A voter to a proposer: I take part in a greater ballot.
   *
   * @param promised that ballot
   */
  record Outvoted(int epoch, Ballot ballot, Ballot promised) implements MembershipMessage {}

  /** To anybody who is behind: what was decided. */
  record Learn(Topology topology) implements MembershipMessage {
    @Override
    public int epoch() {
      return topology.epoch();
    }
  }

  /** To somebody who is ahead: tell me. The epoch is 0 if the sender has no topology. */
  record Fetch(int epoch) implements MembershipMessage {}

  /**
   * To any member, or to all voters: take me in, or take me for what I am now.
   *
   * @param node who wants in, or is in
   * @param profile what it tells of itself
   */
  record Join(int epoch, NodeId node, MemberProfile profile) implements MembershipMessage {}

  /**
   * To all voters: let there be a cache.
   *
   * @param lastCacheId the number of the cache that was defined last, as the sender knows; the
   *     request counts only while that is so
   * @param request the cache
   */
  record Define(int epoch, int lastCacheId, CacheRequest request) implements MembershipMessage {}

  /** To all voters: remove the cache that has this name and this number. */
  record Undefine(int epoch, String name, int id) implements MembershipMessage {}

  /**
   * To all voters: hold the rebalancing of some caches back, or let it go on.
   *
   * @param changes those of {@link dev.isogrid.topology.Pauses} that the sender knows; the request
   *     counts only while they are so many
   * @param group the place of a group, or {@link dev.isogrid.topology.Pauses#ALL}
   */
  record Pause(int epoch, int changes, int group, boolean isPaused) implements MembershipMessage {}

  /**
   * To all voters: let each node send copies at another speed.
   *
   * @param changes as in {@link Pause}
   * @param bytesPerSecondMax as in {@link dev.isogrid.topology.Pauses}
   */
  record LimitCopies(int epoch, int changes, long bytesPerSecondMax) implements MembershipMessage {}

  /**
   * To all voters: begin segments anew, without their entries, since all who have these are gone
   * for good. It counts for those that were offline in an epoch and have been since.
   *
   * @param group the place of their group
   * @param inEpoch the epoch in which they were, and that the sender knew
   */
  record RestartLost(int epoch, int group, int inEpoch) implements MembershipMessage {}

  /**
   * To all voters: what I have of segments that nobody serves.
   *
   * @param held by segment, what the disk has, from when the sender had other ids
   * @param own by segment that waits for the sender, whether it has its copy of it
   * @param lives the other ids that the sender had
   */
  record Offer(int epoch, Map<Integer, Held> held, Map<Integer, Boolean> own, List<NodeId> lives)
      implements MembershipMessage {
    /**
     * A disk's copy of a segment.
     *
     * @param former the id that the sender had as an in-sync replica that the segment waits for, or
     *     its last one
     * @param places by cache the place up to which the disk has all writes, negative if it lacks
     *     some
     * @param predecessors as {@link Memory#predecessorsIn} of such a replica
     */
    public record Held(NodeId former, Map<Integer, Long> places, List<NodeId> predecessors) {
      /** Copies the collections. */
      public Held {
        places = Map.copyOf(places);
        predecessors = List.copyOf(predecessors);
      }
    }

    /** Copies the collections. */
    public Offer {
      held = Map.copyOf(held);
      own = Map.copyOf(own);
      lives = List.copyOf(lives);
    }
  }

  /**
   * To all members that stay: an operator says that others are gone for good; go on without them.
   *
   * @param attempt numbers what the sender was told
   * @param without the members that are gone
   */
  record Recover(int epoch, long attempt, Set<NodeId> without) implements MembershipMessage {
    /** Copies the set. */
    public Recover {
      without = Set.copyOf(without);
    }
  }

  /**
   * A member that stays, to the node that an operator told: I take part in nothing else for now, or
   * why not.
   *
   * @param attempt that of the question
   * @param refusal why not, or nothing
   * @param acceptedBallot the ballot in which the sender accepted something, or NONE
   * @param accepted what it accepted, or null
   */
  record Recoverable(
      int epoch, long attempt, String refusal, Ballot acceptedBallot, @Nullable Proposal accepted)
      implements MembershipMessage {}

  /**
   * To all members: connections to this node are refused where I am; see for yourself.
   *
   * @param node who seems to be dead
   */
  record Suspect(int epoch, NodeId node) implements MembershipMessage {}

  /**
   * To a node that wants in: a living member has the name that it was given.
   *
   * @param seat that of the member
   */
  record NameTaken(int epoch, String seat) implements MembershipMessage {}

  /**
   * To a node that sent a message of another version of the protocol, or wants in without speaking
   * that of the cluster: the versions that this side understands.
   *
   * @param speaks those of the sender, or of its cluster
   */
  record OtherVersion(ProtocolVersions speaks) implements MembershipMessage {
    @Override
    public int epoch() {
      return 0;
    }
  }

  /**
   * To all members, of which the voters decide: let me go, when somebody else has my segments.
   *
   * @param isUnleased whether the node gave its lease up, and takes none in this epoch
   */
  record Leave(int epoch, NodeId node, boolean isUnleased) implements MembershipMessage {}

  /** A primary to all voters: a learner has caught up; make it an in-sync replica. */
  record AddIsr(int epoch, int segment, int segEpoch, NodeId learner)
      implements MembershipMessage {}

  /**
   * A primary to all voters, and each of them to the others: it gets no answers from this node, as
   * a replica of its own. It may be just the voter that leads which the primary can't tell.
   *
   * @param primary who gets no answers
   * @param node who is a member and does not answer it
   */
  record Unreached(int epoch, NodeId primary, NodeId node) implements MembershipMessage {}

  /** A voter to a replica: finish what you began and give the segment up. */
  record Drain(int epoch, int segment, int segEpoch) implements MembershipMessage {}

  /**
   * A replica to all voters, and each of them to the others if its primary does not reach it: it
   * gave the segment up and won't answer reads of it in this segment epoch.
   *
   * @param node the replica
   */
  record Released(int epoch, int segment, int segEpoch, NodeId node) implements MembershipMessage {}

  /**
   * Of a node that is in no cluster yet: how one comes to be, see {@link Founding}, or back, see
   * {@link Reviving}.
   */
  sealed interface FoundingMessage extends MembershipMessage {
    @Override
    default int epoch() {
      return 0;
    }
  }

  /**
   * To every node that is discovered: I am here, in no cluster.
   *
   * @param list stands for the list of seeds that the sender was given
   * @param position the sender's place in it, or -1
   * @param reaches how many seeds the sender hears of, itself included
   */
  record SeedHere(long list, int position, int reaches) implements FoundingMessage {}

  /**
   * To a seed: let me found the cluster.
   *
   * @param attempt numbers the sender's attempts
   */
  record Bid(long attempt) implements FoundingMessage {}

  /**
   * To a bidder: do, and until you withdraw nobody else gets this from me.
   *
   * @param attempt that of the bid
   */
  record Vote(long attempt) implements FoundingMessage {}

  /**
   * From a bidder: I will not found by this attempt or an earlier one.
   *
   * @param attempt the last one that is void
   */
  record Withdraw(long attempt) implements FoundingMessage {}

  /**
   * To every node that is discovered: I am in no cluster, and remember one.
   *
   * @param former what the sender was called in it
   * @param origin that of the last topology that the sender remembers
   * @param lastEpoch the epoch of that
   */
  record Returned(NodeId former, Origin origin, int lastEpoch) implements FoundingMessage {}

  /** To a node that remembers a cluster: tell me. */
  record Recall() implements FoundingMessage {}

  /**
   * The memory of a node.
   *
   * @param memory of the cluster
   * @param places by cache and segment the place up to which its disk has all writes, negative if
   *     it lacks some
   */
  record Recollection(Memory memory, Map<Integer, List<Long>> places) implements FoundingMessage {
    /** Copies the map. */
    public Recollection {
      places = Map.copyOf(places);
    }
  }
}
