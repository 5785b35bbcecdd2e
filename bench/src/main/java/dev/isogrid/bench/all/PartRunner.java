package dev.isogrid.bench.all;

import java.io.IOException;
import java.time.Duration;

/** Runs parts, each in a process of its own. */
@FunctionalInterface
interface PartRunner {
  /**
   * How a part ended.
   *
   * @param isDone whether there is a report
   * @param text the name of the report, or why there is none
   */
  record Ending(boolean isDone, String text) {}

  /**
   * Runs a part. Its processes have ended afterwards.
   *
   * @param limit the time after which it is given up
   * @throws IOException if the process can't be started, or its output not be read
   * @throws InterruptedException if the thread is interrupted
   */
  Ending run(Part part, Duration limit) throws IOException, InterruptedException;
}
