package dev.isogrid.chaos.cluster;

/**
 * The addresses of a node.
 *
 * @param index from 0
 * @param name the node's
 * @param host the address of all its ports
 * @param clientPort the port for Hot Rod
 * @param clusterPort the port for other nodes
 * @param healthPort the port for health queries over HTTP
 */
public record Place(
    int index, String name, String host, int clientPort, int clusterPort, int healthPort) {
  /** The address for the other nodes' list of seeds. */
  public String seed() {
    return host + ":" + clusterPort;
  }
}
