package dev.isogrid.store;

import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.Outcome;

/**
 * The permitted outcomes of the stress tests: two reads of one thread, then the final state. All
 * others are forbidden: a torn value, a value of another key, a missing entry that existed all the
 * time, and a second read that is older than the first.
 */
final class StressOutcomes {
  private StressOutcomes() {}

  /** The entry gets a new value. */
  @Outcome(id = "old, old, new", expect = Expect.ACCEPTABLE, desc = "Both before the write.")
  @Outcome(id = "old, new, new", expect = Expect.ACCEPTABLE, desc = "The write is in between.")
  @Outcome(id = "new, new, new", expect = Expect.ACCEPTABLE, desc = "Both after the write.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Torn, of another key, missing, or going back.")
  public static final class Overwritten {}

  /** The entry is removed. */
  @Outcome(id = "old, old, absent", expect = Expect.ACCEPTABLE, desc = "Both before the removal.")
  @Outcome(
      id = "old, absent, absent",
      expect = Expect.ACCEPTABLE,
      desc = "The removal is in between.")
  @Outcome(id = "absent, absent, absent", expect = Expect.ACCEPTABLE, desc = "Both after it.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Torn, of another key, or coming back.")
  public static final class Removed {}

  /** The entry stays unchanged; others are inserted, removed, or move it. */
  @Outcome(id = "old, old, old", expect = Expect.ACCEPTABLE, desc = "Before, in and after it.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Torn, of another key, or missing.")
  public static final class Kept {}
}
