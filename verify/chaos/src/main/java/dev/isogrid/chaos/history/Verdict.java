package dev.isogrid.chaos.history;

import java.util.List;

/** The result of checking the operations on a key. */
public sealed interface Verdict {
  /** A sequential order explains them. */
  record Explained() implements Verdict {}

  /**
   * No order explains them.
   *
   * @param reason a sentence that names the broken rule
   * @param core operations on the key that have no common explanation, whatever preceded them, in
   *     the order of their calls
   * @param left the number of other operations on the key
   */
  record Unexplained(String reason, List<Operation> core, int left) implements Verdict {
    /** Copies the list. */
    public Unexplained {
      core = List.copyOf(core);
    }
  }

  /**
   * The search exceeded its limit.
   *
   * @param reason the limit
   */
  record Undecided(String reason) implements Verdict {}
}
