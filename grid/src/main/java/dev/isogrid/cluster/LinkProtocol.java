package dev.isogrid.cluster;

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jgroups.PhysicalAddress;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The lowest protocol of JGroups, which sends by the connections between nodes that messages go by
 * as well: one port serves both. Public for JGroups, which makes it.
 */
public final class LinkProtocol extends TP {
  private static final short ID = 1700;

  static {
    ClassConfigurator.addProtocol(ID, LinkProtocol.class);
  }

  private @Nullable Links links;

  /** Where other nodes are looked for; empty if they are found in another way. */
  private List<SeedAddress> seeds = List.of();

  /** For JGroups. */
  public LinkProtocol() {}

  /** Sets the links that it sends by, and the seeds, if there are any; called before it starts. */
  void use(Links sending, List<SeedAddress> lookedFor) {
    links = sending;
    seeds = lookedFor;
  }

  /** The connections. */
  Links links() {
    return Objects.requireNonNull(links, "used before");
  }

  @Override
  public boolean supportsMulticasting() {
    return false;
  }

  @Override
  protected @Nullable PhysicalAddress getPhysicalAddress() {
    InetSocketAddress address = links == null ? null : links.address();
    return address == null ? null : new IpAddress(address);
  }

  @Override
  public void start() throws Exception {
    links().bind(bind_addr, bind_port, port_range);
    super.start();
  }

  @Override
  protected void handleConnect() throws Exception {
    links()
        .start(
            JGroupsReceiver.node(local_addr),
            node -> {
              PhysicalAddress found =
                  getPhysicalAddressFromCache(new UUID(node.high(), node.low()));
              return found instanceof IpAddress ip ? socketAddress(ip) : null;
            });
    if (isOnlySeed(links().address())) {
      GMS membership = getProtocolStack().findProtocol(GMS.class);
      membership.setJoinTimeout(ProtocolStack.NOBODY_MILLIS);
    }
    super.handleConnect();
  }

  /** Whether all seeds are this node itself, so that there is nobody whose answer could come. */
  private boolean isOnlySeed(@Nullable InetSocketAddress at) {
    if (at == null || seeds.isEmpty()) {
      return false;
    }
    SeedAddress own = new SeedAddress(at.getAddress().getHostAddress(), at.getPort());
    return seeds.stream().allMatch(seed -> seed.isAt(own));
  }

  @Override
  public void stop() {
    links().close();
    super.stop();
  }

  /** A packet came. */
  void take(InetSocketAddress from, byte[] packet) {
    receive(new IpAddress(from), packet, 0, packet.length);
  }

  @Override
  public void sendUnicast(PhysicalAddress to, byte[] data, int offset, int length) {
    if (to instanceof IpAddress ip) {
      byte[] packet = Arrays.copyOfRange(data, offset, offset + length);
      if (to.equals(getPhysicalAddress())) {
        receive(to, packet, 0, length);
      } else if (links().tryAdd(socketAddress(ip), packet)) {
        links().flush();
      }
    }
  }

  private static InetSocketAddress socketAddress(IpAddress ip) {
    return new InetSocketAddress(ip.getIpAddress(), ip.getPort());
  }
}
