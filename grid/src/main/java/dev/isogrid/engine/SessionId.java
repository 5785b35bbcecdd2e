package dev.isogrid.engine;

import dev.isogrid.topology.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * The source of numbered operations: a member from its joining to its removal, or a client of a
 * server.
 *
 * @param node the member, or the 128 bits that name a client's session
 * @param joinedEpoch that of the member; 0 for a client, since no member has it
 */
public record SessionId(NodeId node, int joinedEpoch) {
  private static final int OF_CLIENT = 0;

  /**
   * Names the session of a client.
   *
   * @param high the upper half of 128 bits that no other session has
   * @param low the lower half
   */
  public static SessionId ofClient(long high, long low) {
    return new SessionId(new NodeId(high, low), OF_CLIENT);
  }

  // Written out: linking the generated ones takes long in the start of a node.

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SessionId session
        && joinedEpoch == session.joinedEpoch
        && node.equals(session.node);
  }

  @Override
  public int hashCode() {
    return 31 * node.hashCode() + joinedEpoch;
  }

  /** Whether a client numbers the operations. */
  boolean isOfClient() {
    return joinedEpoch == OF_CLIENT;
  }
}
