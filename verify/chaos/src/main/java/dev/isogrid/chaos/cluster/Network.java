package dev.isogrid.chaos.cluster;

import java.io.IOException;
import java.util.List;

/** The network that nodes talk over. For one thread. */
public interface Network extends AutoCloseable {
  /** Whether links can be cut. */
  boolean canCut();

  /** The address of a node. */
  String host(int node);

  /** The address of this process, as nodes see it. */
  String clientHost();

  /** The command that runs {@code command} where a node is. */
  List<String> inside(int node, List<String> command);

  /** From now on nothing that one node sends arrives at the other; nobody is told. */
  void cut(int from, int to) throws IOException, InterruptedException;

  /** Ends all cuts. */
  void heal() throws IOException, InterruptedException;

  @Override
  void close();
}
