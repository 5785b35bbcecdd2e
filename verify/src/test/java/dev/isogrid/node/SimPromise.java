package dev.isogrid.node;

/** What the simulation of whole nodes looks at. */
enum SimPromise {
  /** Nodes that hear each other found a cluster. */
  FOUNDED,
  /** There is one cluster, and one topology of each epoch. */
  ONE_CLUSTER,
  /** Some order one after the other explains what clients of a key did and saw. */
  LINEARIZABLE,
  /** No node reads its own entry after a write elsewhere that replaced it was answered. */
  NOTHING_STALE,
  /** All in-sync copies have the same entries when nothing happens. */
  COPIES_EQUAL,
  /** Soon after the faults every copy is complete, and every node a member. */
  WHOLE_AGAIN,
  /** Every operation is answered in its time. */
  ANSWERED,
  /** No node outside the newest topology may serve. */
  LEASED_MEMBERS
}
