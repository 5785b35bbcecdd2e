package dev.isogrid.config;

/** Counts what reading one document has cost so far, and stops it at the {@link Limits}. */
final class Budget {
  private int nodes;
  private long textSize;

  /** Accounts for an element or attribute at a depth, the outermost having depth 1. */
  void node(int depth, Position position) {
    if (depth > Limits.DEPTH_MAX) {
      throw Complaint.tooLarge("nesting depth", Limits.DEPTH_MAX, position);
    }
    nodes++;
    if (nodes > Limits.NODES_MAX) {
      throw Complaint.tooLarge("number of elements and attributes", Limits.NODES_MAX, position);
    }
  }

  /** Counts characters of a name or value; call this before they are copied. */
  void text(int length, Position position) {
    textSize += length;
    if (textSize > Limits.TEXT_SIZE_MAX) {
      throw Complaint.tooLarge("length of names and values", Limits.TEXT_SIZE_MAX, position);
    }
  }
}
