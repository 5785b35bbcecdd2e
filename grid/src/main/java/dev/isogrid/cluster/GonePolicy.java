package dev.isogrid.cluster;

/**
 * What a node does when it is told that the process of another one is gone, which is what a refused
 * connection to where that one listened is taken for.
 */
public enum GonePolicy {
  /** Nothing: for networks where others refuse connections, such as firewalls that reject. */
  IGNORED,
  /** Of two members, the one that is left goes on at once. */
  OF_TWO,
  /** No cluster waits until the leases of a member that is gone are over. */
  ALWAYS
}
