package dev.isogrid.cluster;

import dev.isogrid.testkit.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jgroups.protocols.DISCARD;
import org.jgroups.stack.ProtocolStack;
import org.jgroups.util.Util;

/** Ports, stacks and faults for tests with real channels. */
public final class RealNetwork {
  private RealNetwork() {}

  /** Ends a transport without a word to the others. */
  public static void kill(JGroupsTransport transport) throws Exception {
    Util.shutdown(transport.channel());
  }

  /** Closes the port of a node that goes on, as an Error while it accepts would. */
  public static void closePort(JGroupsTransport transport) {
    Objects.requireNonNull(transport.links()).server().close().awaitUninterruptibly();
  }

  /** Cuts a node off: no message comes to it or from it until {@link #heal}. */
  public static void cut(JGroupsTransport transport) throws Exception {
    Links links = transport.links();
    if (links != null) {
      links.lose(true);
      return;
    }
    ProtocolStack stack = transport.channel().getProtocolStack();
    stack.insertProtocol(
        new DISCARD().discardAll(true),
        ProtocolStack.Position.ABOVE,
        stack.getTransport().getClass());
  }

  /** Ends a cut. */
  public static void heal(JGroupsTransport transport) {
    Links links = transport.links();
    if (links != null) {
      links.lose(false);
    }
    transport.channel().getProtocolStack().removeProtocol(DISCARD.class);
  }

  /**
   * Writes a stack of JGroups, whose nodes find each other by the folder it is in.
   *
   * @param transport its first protocol, such as {@code TCP}
   */
  static Path stackFile(Path folder, String transport, int port) throws IOException {
    return Files.writeString(
        folder.resolve("stack-" + transport + "-" + port + ".xml"),
        """
        <config xmlns="urn:org:jgroups">
          <%s bind_addr="127.0.0.1" bind_port="%d" diag.enabled="false"/>
          <FILE_PING location="%s"/>
          <MERGE3/>
          <FD_ALL3/>
          <pbcast.NAKACK2 use_mcast_xmit="false"/>
          <UNICAST3/>
          <pbcast.STABLE/>
          <pbcast.GMS print_local_addr="false" join_timeout="1s"/>
          <FRAG4/>
        </config>
        """
            .formatted(transport, port, folder));
  }

  /**
   * Addresses on the loopback interface that are free, as are those for the failure detection of
   * nodes.
   */
  public static List<SeedAddress> freeAddresses(int count) {
    List<SeedAddress> free = new ArrayList<>();
    while (free.size() < count) {
      free.add(new SeedAddress("127.0.0.1", FreePorts.one()));
    }
    return free;
  }
}
