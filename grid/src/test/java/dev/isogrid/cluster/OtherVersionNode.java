package dev.isogrid.cluster;

import dev.isogrid.base.Env;
import dev.isogrid.topology.ProtocolVersions;
import java.util.List;

/** A node that speaks another version of the protocol, and says so to whoever asks it. */
public final class OtherVersionNode implements AutoCloseable {
  /** The version of its protocol. */
  public static final int VERSION = 9;

  /** Says what version it is of, and can't read what others say. */
  private static final class OtherCodec implements MessageCodec {
    private final MembershipCodec codec = new MembershipCodec();

    @Override
    public void encode(Message message, MessageWriter out) {
      codec.encode(message, out);
    }

    @Override
    public boolean isStream(Message message) {
      return false;
    }

    @Override
    public Message decode(byte[] array, int offset, int length) {
      return new MembershipMessage.Fetch(1);
    }
  }

  private final Env env = Env.system();
  private final JGroupsTransport transport;

  /** Starts one, in a cluster of a name. */
  public OtherVersionNode(String cluster, SeedAddress at) {
    Discovery seeds = new Discovery.Seeds(List.of(at));
    TransportConfig config = new TransportConfig(cluster, at.host(), at.port(), seeds, null);
    transport = JGroupsTransport.open(config, new OtherCodec(), env);
    transport.start(
        new TransportHandler() {
          @Override
          public void onMessages(List<Received> messages) {
            for (Received each : messages) {
              transport.send(
                  each.from(), new MembershipMessage.OtherVersion(ProtocolVersions.only(VERSION)));
            }
            transport.flush(true);
          }

          @Override
          public void onView(ViewHint view) {}
        });
  }

  @Override
  public void close() {
    transport.close();
    env.scheduler().close();
  }
}
