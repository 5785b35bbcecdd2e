package dev.isogrid.api;

/**
 * Names the node on which an exception was thrown. It is one of the suppressed exceptions of that
 * exception, and is never thrown itself.
 */
public final class NodeFailureNote extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String node;

  /** A note for a node of this name. */
  public NodeFailureNote(String node) {
    super("thrown on a node: node=" + node, null, false, false);
    this.node = node;
  }

  /**
   * A note for a node of this name, and a place on it.
   *
   * @param place for readers, such as a cache and a segment
   */
  public NodeFailureNote(String node, String place) {
    super("thrown on a node: node=%s, %s".formatted(node, place), null, false, false);
    this.node = node;
  }

  /** The node's name. */
  public String node() {
    return node;
  }
}
