package dev.isogrid.cluster;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a node finds the others. */
public sealed interface Discovery {
  /** Not at all: this node is alone until others come that know of it. */
  record Nobody() implements Discovery {}

  /**
   * A list of addresses, of which some are up.
   *
   * @param seeds the same on all nodes, in any order; not empty
   */
  record Seeds(List<SeedAddress> seeds) implements Discovery {
    /** Copies the list. */
    public Seeds {
      seeds = List.copyOf(seeds);
      if (seeds.isEmpty()) {
        throw new IllegalArgumentException("no seeds; give at least one address");
      }
    }
  }

  /**
   * By calling out in the local network.
   *
   * @param address an IP multicast address
   */
  record Multicast(String address, int port) implements Discovery {}

  /**
   * By a name that stands for all nodes, as that of a headless service of Kubernetes.
   *
   * @param query the name
   * @param recordType A or AAAA, whose nodes all listen at the same port; or SRV
   * @param server whom to ask, as {@code host:port}, or null to ask as the operating system does
   */
  record Dns(String query, String recordType, @Nullable String server) implements Discovery {
    /** Asks as the operating system does. */
    public Dns(String query, String recordType) {
      this(query, recordType, null);
    }
  }

  /** By files in a folder that all nodes share. */
  record SharedFolder(Path folder) implements Discovery {}

  /**
   * By a table in a database that all nodes reach.
   *
   * @param url for JDBC
   * @param driver the class of the driver
   */
  record Database(String url, String user, String password, String driver) implements Discovery {
    @Override
    public String toString() {
      return "Database[url=" + url + ", user=" + user + "]";
    }
  }

  /** All nodes of the cluster are in this JVM, and need no network: for tests. */
  record SameProcess() implements Discovery {}
}
