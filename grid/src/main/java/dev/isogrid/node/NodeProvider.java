package dev.isogrid.node;

import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.GridProvider;
import dev.isogrid.base.Env;

/** Makes nodes for {@link Grid#start()}. */
public final class NodeProvider implements GridProvider {
  /** For {@link java.util.ServiceLoader}. */
  public NodeProvider() {}

  @Override
  public Grid start(GridConfig config) {
    Node node = Node.start(config, Env.system());
    // Aside: JMX takes longer to come up than the node.
    node.env().scheduler().execute(() -> node.exportIfWanted(false));
    return node;
  }
}
