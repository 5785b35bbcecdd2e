package dev.isogrid.chaos.cluster;

/**
 * Where a node is.
 *
 * @param index from 0
 * @param name the node's
 * @param host the address of all its ports
 * @param clientPort the port for Hot Rod
 * @param clusterPort the port for other nodes
 * @param healthPort the port for questions after its health, over HTTP
 */
public record Place(
    int index, String name, String host, int clientPort, int clusterPort, int healthPort) {
  /** As the other nodes are told it. */
  public String seed() {
    return host + ":" + clusterPort;
  }
}
