package dev.isogrid.node;

/** The promises that the simulation of whole nodes checks. */
enum SimPromise {
  /** Nodes that hear each other found a cluster. */
  FOUNDED,
  /** There is one cluster, and one topology of each epoch. */
  ONE_CLUSTER,
  /** A sequential order explains the history of each key. */
  LINEARIZABLE,
  /** No node reads its own entry after the answer to a write elsewhere that replaced it. */
  NOTHING_STALE,
  /** All in-sync copies are equal when there is no activity. */
  COPIES_EQUAL,
  /** Soon after the faults, every copy is complete and every node a member. */
  WHOLE_AGAIN,
  /** Every operation is answered in time. */
  ANSWERED,
  /** No node outside the newest topology may serve. */
  LEASED_MEMBERS
}
