package dev.isogrid.cluster;

/** A message from one node to another. It may be lost, come twice, late, or out of order. */
public interface Message {
  /** The epoch of the sender's topology. */
  int epoch();

  /**
   * Whether nobody needs it any more when the next one of its kind is sent, which is soon: so it is
   * neither confirmed nor sent again if it is lost.
   */
  default boolean isFleeting() {
    return false;
  }
}
