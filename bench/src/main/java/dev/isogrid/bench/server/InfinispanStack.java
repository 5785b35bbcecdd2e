package dev.isogrid.bench.server;

import java.util.List;
import java.util.stream.Collectors;

/** Infinispan's TCP stack with a list of seeds in the place of multicast. */
public final class InfinispanStack {
  /** The name of the stack. */
  public static final String NAME = "seeds";

  private InfinispanStack() {}

  /**
   * The element {@code jgroups} of a configuration.
   *
   * @param seeds the ports of nodes on the loopback address
   */
  public static String element(List<Integer> seeds) {
    return """

    <jgroups>
      <stack name="%s" extends="tcp">
        %s
      </stack>
    </jgroups>\
    """
        .formatted(NAME, discovery(seeds, " stack.combine=\"REPLACE\" stack.position=\"MPING\""));
  }

  /** JGroups' protocol that finds other nodes by their ports, with more attributes if not empty. */
  public static String discovery(List<Integer> seeds, String attributes) {
    String hosts =
        seeds.stream().map(seed -> "127.0.0.1[" + seed + "]").collect(Collectors.joining(","));
    return "<TCPPING initial_hosts=\"%s\" port_range=\"0\"%s/>".formatted(hosts, attributes);
  }

  /** Makes the node of this process listen for others at a port of the loopback address. */
  public static void bind(int port) {
    System.setProperty("jgroups.bind.address", "127.0.0.1");
    System.setProperty("jgroups.bind.port", String.valueOf(port));
  }
}
