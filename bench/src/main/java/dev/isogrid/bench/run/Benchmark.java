package dev.isogrid.bench.run;

import dev.isogrid.bench.report.Report;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A benchmark that the command line can run. */
public interface Benchmark {
  /** The word that selects it. */
  String name();

  /** A sentence that says what it measures. */
  String summary();

  /** Its options, apart from those that all benchmarks have. */
  List<Option> options();

  /** Its options without a value, with their descriptions. */
  default Map<String, String> flags() {
    return Map.of(Arguments.QUICK, "Rough results soon.");
  }

  /**
   * Runs it. All its threads and processes have ended afterwards, also after a failure.
   *
   * @throws IOException if a connection, process or file fails
   * @throws InterruptedException if the thread is interrupted
   */
  Report run(Arguments arguments, Checkout checkout) throws IOException, InterruptedException;
}
