package dev.isogrid.api;

/**
 * The meaning of a refused connection to the address of another node. It can count as a proof that
 * the node's process is gone, which is wrong if something else refuses connections.
 */
public enum WhenGone {
  /** Nothing: for networks with firewalls that reject instead of dropping. */
  IGNORED,
  /** Of two nodes, the one that is left continues at once. */
  OF_TWO,
  /** No cluster waits until the leases of a node that is gone are over. */
  ALWAYS
}
