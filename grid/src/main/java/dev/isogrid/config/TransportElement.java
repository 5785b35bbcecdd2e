package dev.isogrid.config;

import dev.isogrid.api.ClusterDiscovery;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.config.Section.ValueType;
import dev.isogrid.config.ServerSecurity.Realm;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads how nodes reach each other: the element {@code transport}, and that of JGroups. */
final class TransportElement {
  /** The mark of a missing part of a zone above an existing one: the same everywhere. */
  private static final String UNNAMED = "-";

  /** The property with the DNS name of all nodes, for the built-in stack for Kubernetes. */
  private static final String DNS_QUERY = "jgroups.dns.query";

  /** The content of an element. The realm is looked up later, when the realms are known. */
  record Read(
      @Nullable String clusterName,
      @Nullable String nodeName,
      ClusterTransport transport,
      @Nullable Section section,
      @Nullable String realm) {
    static final Read NOTHING = new Read(null, null, ClusterTransport.NONE, null, null);

    /** The complete settings, with the realm of a name. */
    ClusterTransport with(Map<String, Realm> realms) {
      if (section == null || realm == null) {
        return transport;
      }
      Realm found = realms.get(realm);
      if (found == null) {
        throw section.undefined("security-realm", realm, realms.keySet());
      }
      if (found.key() == null || found.trust() == null) {
        throw section.invalid(
            "security-realm",
            "a realm with a keystore and a truststore, since each node shows a certificate");
      }
      if (transport.secretFile() != null) {
        throw section.invalid("secret-file", "no secret beside a security-realm");
      }
      return transport.with(found);
    }
  }

  private TransportElement() {}

  /** Reads the element of JGroups to its end: files of stacks by their names. */
  static Map<String, String> stackFiles(Section root) {
    Map<String, String> files = new LinkedHashMap<>();
    for (Section jgroups : root.children("jgroups")) {
      jgroups.ignore(ValueType.TEXT, "transport");
      for (ServerElement.Item item :
          jgroups.children("stack-file").stream()
              .flatMap(list -> ServerElement.items(list, "stack-file").stream())
              .toList()) {
        String path = item.section().name("path");
        item.section().finish();
        if (path == null) {
          throw item.section().invalid("path", "the name of a file");
        }
        if (files.putIfAbsent(item.name(), path) != null) {
          throw ServerElement.twice(item);
        }
      }
      jgroups.refuse("stack", "remote-sites");
      jgroups.finish();
    }
    return files;
  }

  /** Reads an element to its end. */
  static Read read(Section transport, Map<String, String> stackFiles, PropertyLookup properties) {
    transport.ignore(ValueType.TIME, "lock-timeout");
    transport.only("initial-cluster-size", "-1");
    transport.refuse("raft-members");
    String stack = transport.name("stack");
    String stackFile = stack == null ? null : stackFiles.get(stack);
    ClusterDiscovery discovery = discovery(transport);
    boolean isUsualStack = "tcp".equals(stack) && stackFile == null && discovery == null;
    if (stack != null && stackFile == null && discovery == null) {
      discovery = builtIn(transport, stack, stackFiles, properties);
    }
    List<String> seeds = seeds(transport);
    if (!seeds.isEmpty() && discovery != null) {
      throw transport.invalid("initial-hosts", "no list of hosts beside another discovery");
    }
    long timeout = transport.timeMillis("initial-cluster-timeout", 1, -1);
    Read read =
        new Read(
            transport.name("cluster"),
            transport.name("node-name"),
            new ClusterTransport(
                discovery,
                seeds,
                zone(transport),
                stackFile,
                null,
                transport.name("secret-file"),
                timeout < 0 ? null : timeout,
                isUsualStack),
            transport,
            transport.name("security-realm"));
    transport.finish();
    return read;
  }

  private static @Nullable ClusterDiscovery discovery(Section transport) {
    String text = transport.name("discovery");
    DiscoveryText.Login login =
        new DiscoveryText.Login(
            transport.name("discovery-user"),
            transport.text("discovery-password"),
            transport.name("discovery-driver"));
    if (text == null) {
      if (!login.isEmpty()) {
        throw transport.invalid("discovery", DiscoveryText.FORM);
      }
      return null;
    }
    try {
      return DiscoveryText.read(text, login);
    } catch (InvalidRequestException wrong) {
      throw new InvalidRequestException(
          transport.path() + "@discovery: " + wrong.getMessage(), wrong);
    }
  }

  /** The discovery of a stack without a file. */
  private static ClusterDiscovery builtIn(
      Section transport, String stack, Map<String, String> files, PropertyLookup properties) {
    if (stack.equals("tcp")) {
      return DiscoveryText.read("multicast", DiscoveryText.Login.NONE);
    }
    if (!stack.equals("kubernetes")) {
      List<String> known =
          Stream.concat(Stream.of("tcp", "kubernetes"), files.keySet().stream()).toList();
      throw transport.undefined("stack", stack, known);
    }
    String query = properties.value(DNS_QUERY);
    if (query == null) {
      throw transport.invalid("stack", "kubernetes only with the system property " + DNS_QUERY);
    }
    return DiscoveryText.read("dns:" + query, DiscoveryText.Login.NONE);
  }

  private static List<String> seeds(Section transport) {
    String hosts = transport.name("initial-hosts");
    if (hosts == null) {
      return List.of();
    }
    List<List<String>> seeds = Stream.of(hosts.split(",", -1)).map(CacheElement::words).toList();
    if (seeds.contains(List.<String>of())) {
      throw transport.invalid("initial-hosts", "HOST:PORT,HOST:PORT");
    }
    return seeds.stream().flatMap(List::stream).toList();
  }

  private static @Nullable String zone(Section transport) {
    String site = transport.name("site");
    String rack = transport.name("rack");
    String machine = transport.name("machine");
    if (site == null && rack == null && machine == null) {
      return null;
    }
    String zone = site == null ? UNNAMED : site;
    if (rack != null || machine != null) {
      zone += "/" + (rack == null ? UNNAMED : rack);
    }
    return machine == null ? zone : zone + "/" + machine;
  }
}
