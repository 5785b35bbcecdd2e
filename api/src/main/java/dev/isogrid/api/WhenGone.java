package dev.isogrid.api;

/**
 * What nodes make of a refused connection to where another one listened: it is taken for a proof
 * that its process is gone, which is wrong where something else refuses connections.
 */
public enum WhenGone {
  /** Nothing: for networks with firewalls that reject instead of dropping. */
  IGNORED,
  /** Of two nodes, the one that is left goes on at once. */
  OF_TWO,
  /** No cluster waits until the leases of a node that is gone are over. */
  ALWAYS
}
