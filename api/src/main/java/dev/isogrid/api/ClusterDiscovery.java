package dev.isogrid.api;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a node finds the others of its cluster where it has no list of seeds. The first nodes found
 * the cluster once they saw all those that are being started for some seconds.
 */
public sealed interface ClusterDiscovery {
  /**
   * By calling out in the local network.
   *
   * @param address an IP multicast address, the same on all nodes
   * @param port the port for it, 1 to 65,535
   */
  record Multicast(String address, int port) implements ClusterDiscovery {}

  /**
   * By a name that stands for all nodes, as that of a headless service of Kubernetes.
   *
   * @param query the name
   * @param recordType A or AAAA, whose nodes all listen at the same port; or SRV
   * @param server whom to ask, as {@code host:port}, or null to ask as the operating system does
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
