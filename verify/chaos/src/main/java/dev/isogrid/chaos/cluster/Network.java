package dev.isogrid.chaos.cluster;

import java.io.IOException;
import java.util.List;

/** The network between nodes. For one thread. */
public interface Network extends AutoCloseable {
  /** Whether links can be cut. */
  boolean canCut();

  /** The address of a node. */
  String host(int node);

  /** The address of this process, as nodes see it. */
  String clientHost();

  /** The command that runs {@code command} in the namespace of a node. */
  List<String> inside(int node, List<String> command);

  /** Drops all frames from one node to another from now on; neither gets an error. */
  void cut(int from, int to) throws IOException, InterruptedException;

  /** Ends all cuts. */
  void heal() throws IOException, InterruptedException;

  @Override
  void close();
}
