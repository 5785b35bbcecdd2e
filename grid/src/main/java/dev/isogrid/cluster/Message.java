package dev.isogrid.cluster;

/** What one node sends to another one. It may be lost, come twice, late, or out of order. */
public interface Message {
  /** The epoch of the sender's topology. */
  int epoch();
}
