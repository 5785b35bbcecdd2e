package dev.isogrid.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jgroups.conf.ProtocolConfiguration;
import org.jgroups.conf.ProtocolStackConfigurator;

/** The usual stack of JGroups protocols, from the network upwards. */
final class ProtocolStack implements ProtocolStackConfigurator {
  /*
   * JGroups finds the nodes, agrees on views and notices who is gone. FD_SOCK2 notices a dead
   * process at once, if it is bound to the same address as the transport; FD_ALL3 notices one that
   * stands still. The messages of the cluster go past it by the same connections, unless all nodes
   * are in one process: flow control and fragments are for that, and for stacks of files.
   */

  /** How long a node waits for answers that nobody can give. */
  static final long NOBODY_MILLIS = 1;

  private final List<ProtocolConfiguration> protocols = new ArrayList<>();

  ProtocolStack(TransportConfig config) {
    boolean isInProcess = config.discovery() instanceof Discovery.SameProcess;
    String joinTimeout = config.tls() == null ? "1s" : "2s"; // handshakes both ways are part of it
    if (config.discovery() instanceof Discovery.Nobody) {
      joinTimeout = NOBODY_MILLIS + "ms";
    }
    if (isInProcess) {
      add("SHARED_LOOPBACK", Map.of("diag.enabled", "false"));
    } else {
      add(LinkProtocol.class.getName(), network(config));
    }
    addDiscovery(config);
    add("MERGE3", Map.of("min_interval", "2s", "max_interval", "6s"));
    if (!isInProcess) {
      add("FD_SOCK2", Map.of("bind_addr", config.bindAddress()));
    }
    add("FD_ALL3", Map.of("timeout", "8s", "interval", "2s"));
    add("VERIFY_SUSPECT2", Map.of("timeout", "500ms"));
    // Our own connections lose nothing, and none of our messages is sent by these protocols then.
    String resendInterval = isInProcess ? "100ms" : "500ms";
    add("pbcast.NAKACK2", Map.of("use_mcast_xmit", "false", "xmit_interval", resendInterval));
    add("UNICAST3", Map.of("xmit_interval", resendInterval));
    add("pbcast.STABLE", Map.of("desired_avg_gossip", "5s", "max_bytes", "1M"));
    add(
        "pbcast.GMS",
        Map.of(
            "join_timeout", joinTimeout,
            "view_ack_collection_timeout", "1s",
            "stats", "false", // the names of months and days for its list of views take long
            "print_local_addr", "false"));
    add("UFC", Map.of("max_credits", "2m", "min_threshold", "0.4"));
    add("MFC", Map.of("max_credits", "2m", "min_threshold", "0.4"));
    add("FRAG4", Map.of("frag_size", "60k"));
  }

  private static Map<String, String> network(TransportConfig config) {
    return Map.of(
        "bind_addr", config.bindAddress(),
        "bind_port", Integer.toString(config.bindPort()),
        "port_range", Integer.toString(config.morePorts()),
        "bundler_type", "no-bundler",
        "diag.enabled", "false");
  }

  private void addDiscovery(TransportConfig config) {
    switch (config.discovery()) {
      case Discovery.Nobody _ -> addSeeds("");
      case Discovery.Seeds list ->
          addSeeds(
              list.seeds().stream().map(SeedAddress::inBrackets).collect(Collectors.joining(",")));
      case Discovery.Multicast group ->
          add(
              "MPING",
              Map.of(
                  "bind_addr", config.bindAddress(),
                  "mcast_addr", group.address(),
                  "mcast_port", Integer.toString(group.port())));
      case Discovery.Dns dns -> addDns(dns);
      case Discovery.SharedFolder shared ->
          add("FILE_PING", Map.of("location", shared.folder().toString()));
      case Discovery.Database database ->
          add(
              "JDBC_PING2",
              Map.of(
                  "connection_url", database.url(),
                  "connection_username", database.user(),
                  "connection_password", database.password(),
                  "connection_driver", database.driver()));
      case Discovery.SameProcess _ -> add("SHARED_LOOPBACK_PING", Map.of());
    }
  }

  private void addDns(Discovery.Dns dns) {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("dns_query", dns.query());
    attributes.put("dns_record_type", dns.recordType());
    if (dns.server() != null) {
      attributes.put("dns_address", dns.server());
    }
    add("dns.DNS_PING", attributes);
  }

  private void addSeeds(String hosts) {
    add("TCPPING", Map.of("initial_hosts", hosts, "port_range", "0"));
  }

  private void add(String protocol, Map<String, String> attributes) {
    protocols.add(new ProtocolConfiguration(protocol, new LinkedHashMap<>(attributes)));
  }

  @Override
  public String getProtocolStackString() {
    return protocols.stream()
        .map(ProtocolConfiguration::getProtocolName)
        .collect(Collectors.joining(":"));
  }

  @Override
  public List<ProtocolConfiguration> getProtocolStack() {
    return List.copyOf(protocols);
  }
}
