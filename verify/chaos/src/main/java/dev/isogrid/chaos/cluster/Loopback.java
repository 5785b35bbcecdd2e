package dev.isogrid.chaos.cluster;

import java.util.List;

/** The loopback address, for all nodes. */
public final class Loopback implements Network {
  @Override
  public boolean canCut() {
    return false;
  }

  @Override
  public String host(int node) {
    return "127.0.0.1";
  }

  @Override
  public String clientHost() {
    return "127.0.0.1";
  }

  @Override
  public List<String> inside(int node, List<String> command) {
    return command;
  }

  @Override
  public void cut(int from, int to) {
    throw new UnsupportedOperationException("links of the loopback address can't be cut");
  }

  @Override
  public void heal() {
    // Nothing is ever cut.
  }

  @Override
  public void close() {
    // There is nothing to close.
  }
}
