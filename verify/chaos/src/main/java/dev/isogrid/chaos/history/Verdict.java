package dev.isogrid.chaos.history;

import java.util.List;

/** Whether the operations on a key can be explained. */
public sealed interface Verdict {
  /** Some order one after the other explains them. */
  record Explained() implements Verdict {}

  /**
   * No order explains them.
   *
   * @param reason a sentence that names the rule that is broken
   * @param core operations on the key that cannot be explained together, whatever was before them,
   *     in the order of their calls
   * @param left how many other operations on the key there are
   */
  record Unexplained(String reason, List<Operation> core, int left) implements Verdict {
    /** Copies the list. */
    public Unexplained {
      core = List.copyOf(core);
    }
  }

  /**
   * The search was given up.
   *
   * @param reason what limit it met
   */
  record Undecided(String reason) implements Verdict {}
}
