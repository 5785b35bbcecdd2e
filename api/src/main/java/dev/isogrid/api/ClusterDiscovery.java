package dev.isogrid.api;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The way in which a node without a list of seeds finds the other nodes of its cluster. The first
 * nodes found the cluster after they have seen the same set of starting nodes for some seconds.
 */
public sealed interface ClusterDiscovery {
  /**
   * By multicast in the local network.
   *
   * @param address an IP multicast address, the same on all nodes
   * @param port the port for it, 1 to 65,535
   */
  record Multicast(String address, int port) implements ClusterDiscovery {}

  /**
   * By a DNS name that stands for all nodes, such as that of a headless service of Kubernetes.
   *
   * @param query the name
   * @param recordType A or AAAA, whose nodes all listen at the same port; or SRV
   * @param server the name server, as {@code host:port}, or null for that of the operating system
   */
  record Dns(String query, String recordType, @Nullable String server)
      implements ClusterDiscovery {}

  /** By files in a folder that all nodes share. */
  record SharedFolder(Path folder) implements ClusterDiscovery {}

  /**
   * By a table in a database that all nodes reach.
   *
   * @param url for JDBC
   * @param driver the class of the driver, which is on the class path
   */
  record Database(String url, String user, String password, String driver)
      implements ClusterDiscovery {
    /** Without the password. */
    @Override
    public String toString() {
      return "Database[url=" + url + ", user=" + user + "]";
    }
  }
}
