package dev.isogrid.cluster;

/**
 * A rule of the protocol that safety rests on. Always obeyed, except where a simulation shows what
 * happens without it.
 */
public enum Rule {
  /** A primary answers reads only under a lease. */
  LEASE,
  /** A voter grants nothing to a node whose demotion it takes part in. */
  GRANT_STOP,
  /** A voter accepts a demotion only when the demoted node's lease is over or released. */
  ACCEPT_WAIT,
  /**
   * The only voter of two members decides on what the other one, its heir, accepted, or when its
   * last grant to the heir is over.
   */
  HEIR_ACCEPTS,
  /** An heir takes over only under a lease. */
  HEIR_LEASED,
  /** A decision counts when each voter accepted it or has no lease any more. */
  VOTERS_KNOW,
  /** A voter goes on without others only if they can have decided nothing without it. */
  SURVIVOR_LEASED,
  /** A node that is reported to be gone is dead. This one is assumed: no code of ours obeys it. */
  GONE_IS_DEAD,
  /** A lease counts from when the heartbeat was sent, not from when it was granted. */
  COUNT_FROM_SEND,
  /** A lease is shortened by what clocks may differ. */
  DRIFT_MARGIN,
  /** New voters assume that everybody has a lease of the old ones. */
  VOTER_HANDOVER,
  /** A proposer goes on with what may already be decided. */
  ADOPT_ACCEPTED,
  /** The primary is chosen from the in-sync replicas. */
  PROMOTE_IN_SYNC,
  /** A request to add a replica counts only for the segment epoch that it was made in. */
  ADD_IN_EPOCH,
  /** Messages of another segment epoch change nothing. */
  FENCE,
  /** A write is acknowledged when all in-sync replicas have it. */
  COMMIT_ALL,
  /** A write of several keys is one entry of the log: who keeps it keeps all of it. */
  KEEP_ALL_KEYS,
  /** Replicas that were asked to be added count as in sync. */
  UNION,
  /** A new primary makes the others equal before it serves. */
  SYNC_FIRST,
  /** A new primary keeps the writes that it doesn't know to be committed. */
  KEEP_SUFFIX,
  /** An operation that was carried out is not carried out again. */
  DEDUP,
  /** All replicas remember finished operations, not the primary alone. */
  REPLICATE_DEDUP,
  /** An operation that was sent more than once leaves a record even if it changes nothing. */
  RECORD_RETRIED,
  /** An operation whose record was forgotten for want of room is refused. */
  REFUSE_FORGOTTEN,
  /** The entry that a condition saw must be committed before the answer. */
  WAIT_FOR_SEEN,
  /** A learner remembers removals until it has everything. */
  LEARNER_TOMBSTONES,
  /** A copy begins with what is committed, and all later writes follow it. */
  COPY_FROM_COMMITTED,
  /** A replica that released a segment does not answer reads of it any more. */
  DRAIN,
  /** A replica answers reads only while it has nothing that it doesn't know to be committed. */
  READ_SETTLED,
  /** A node that is no in-sync replica any more is demoted, as one that is no primary is. */
  DEMOTE_REPLICA,
  /** A member that is removed is demoted, whatever it owned. */
  DEMOTE_REMOVED,
  /** A session ends with its member. */
  SESSION_END
}
