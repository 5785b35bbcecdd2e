package dev.isogrid.store;

import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.Outcome;

/**
 * What the stress tests may see: two reads of one thread, then what is there at the end. Whatever
 * is not listed is forbidden: a torn value, one of another key, an entry that is missing although
 * it was there all the time, and a second read that goes back behind the first.
 */
final class StressOutcomes {
  private StressOutcomes() {}

  /** The entry gets a new value. */
  @Outcome(id = "old, old, new", expect = Expect.ACCEPTABLE, desc = "Both before the write.")
  @Outcome(id = "old, new, new", expect = Expect.ACCEPTABLE, desc = "The write is in between.")
  @Outcome(id = "new, new, new", expect = Expect.ACCEPTABLE, desc = "Both after the write.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Torn, of another key, missing, or going back.")
  public static final class Overwritten {}

  /** The entry goes. */
  @Outcome(id = "old, old, absent", expect = Expect.ACCEPTABLE, desc = "Both before the removal.")
  @Outcome(
      id = "old, absent, absent",
      expect = Expect.ACCEPTABLE,
      desc = "The removal is in between.")
  @Outcome(id = "absent, absent, absent", expect = Expect.ACCEPTABLE, desc = "Both after it.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Torn, of another key, or coming back.")
  public static final class Removed {}

  /** The entry stays as it is; others come, go or move it. */
  @Outcome(id = "old, old, old", expect = Expect.ACCEPTABLE, desc = "Before, in and after it.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Torn, of another key, or missing.")
  public static final class Kept {}
}
