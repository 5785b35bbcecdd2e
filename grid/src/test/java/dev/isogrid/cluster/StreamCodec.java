package dev.isogrid.cluster;

import dev.isogrid.cluster.MembershipMessage.Prepare;
import dev.isogrid.topology.NodeId;
import java.util.HashSet;
import java.util.Set;

/** Takes requests to take part in a ballot for streams, since they can be made large. */
final class StreamCodec implements MessageCodec {
  private final MembershipCodec codec = new MembershipCodec();

  /** A message of a stream. */
  static Prepare large(int nodes) {
    Set<NodeId> ids = new HashSet<>();
    for (int i = 0; i < nodes; i++) {
      ids.add(new NodeId(0, i));
    }
    return new Prepare(1, Ballot.NONE, ids);
  }

  @Override
  public void encode(Message message, MessageWriter out) {
    codec.encode(message, out);
  }

  @Override
  public boolean isStream(Message message) {
    return message instanceof Prepare;
  }

  @Override
  public Message decode(byte[] array, int offset, int length) throws MalformedMessageException {
    return codec.decode(array, offset, length);
  }
}
