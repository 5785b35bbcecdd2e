package dev.isogrid.api;

/**
 * Says on which node an exception was thrown that came from there: it is among the suppressed ones
 * of that exception. Never thrown itself.
 */
public final class NodeFailureNote extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String node;

  /** A note for a node of this name. */
  public NodeFailureNote(String node) {
    super("thrown on a node: node=" + node, null, false, false);
    this.node = node;
  }

  /** The node's name. */
  public String node() {
    return node;
  }
}
