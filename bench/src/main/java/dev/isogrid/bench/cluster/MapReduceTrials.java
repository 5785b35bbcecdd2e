package dev.isogrid.bench.cluster;

import dev.isogrid.bench.run.Arguments;
import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.run.RealTime;
import java.io.IOException;
import java.lang.System.Logger.Level;

/** The experiments in which something happens during our map/reduce. */
record MapReduceTrials(Arguments arguments, Checkout checkout, TrialFigures figures) {
  static final int KILL_NODES = 3;
  private static final int KILLS_MAX = 1000;

  /** Makes the task last some seconds: progress is reported about once per second only. */
  private static final int SLOW_PASSES = 20;

  private static final long POLL_MILLIS = 2;
  private static final int SPILL_TEXT_PERCENT = 30;
  private static final int SPILL_TIMES = 3;
  private static final int PERCENT = 100;
  private static final int EXECUTIONS_MAX = 1000;
  private static final int WATCH_WARM_UPS = 5;

  /** The least bytes of the number in a pair of key and number. */
  private static final int NUMBER_BYTES = 1;

  private static final System.Logger log = System.getLogger(MapReduceTrials.class.getName());

  /**
   * Runs a trial; does nothing for an experiment that is not a trial. A failure is reported and
   * logged.
   */
  void run(WordCountExperiment experiment) throws InterruptedException {
    try {
      switch (experiment) {
        case KILL -> {
          for (int i = 0; i < arguments.number("--kills", KILLS_MAX); i++) {
            kill();
          }
        }
        case SPILL -> spill();
        case PROGRESS -> progress();
        case FIXED, GROWING, HEAP, SIZES, LONG -> {}
      }
    } catch (IOException | IllegalStateException failure) {
      figures.failed(experiment);
      log.log(Level.WARNING, "a trial failed: " + experiment.id(), failure);
    }
  }

  private WordCountSetting setting(WordCountExperiment experiment, int nodes, int megabytes) {
    return new WordCountSetting(
        experiment, megabytes + " MB", nodes, megabytes, WordCountSetting.usual(arguments));
  }

  private MapReduceNodes start(int nodes, String heap) throws IOException, InterruptedException {
    int megabytes = arguments.number(heap, WordCountSetting.MEGABYTES_MAX);
    return MapReduceNodes.start(checkout, ClusterLibrary.ISOGRID, nodes, megabytes);
  }

  private static long[] step(MapReduceNodes nodes, TrialWork.Step step, int number)
      throws IOException {
    return nodes.first().ask(MemberProcess.TRIAL, step, number);
  }

  private void kill() throws IOException, InterruptedException {
    int megabytes = arguments.number("--megabytes", WordCountSetting.MEGABYTES_MAX) * KILL_NODES;
    WordCountSetting setting = setting(WordCountExperiment.KILL, KILL_NODES, megabytes);
    System.err.println(setting.experiment().heading());
    try (MapReduceNodes nodes = start(KILL_NODES, "--heap-megabytes")) {
      long digest = nodes.fill(setting)[0];
      long undisturbedNanos = 0;
      for (int i = 0; i < 2; i++) { // the first time is for the compilers
        step(nodes, TrialWork.Step.BEGIN, SLOW_PASSES);
        undisturbedNanos = result(nodes, digest)[0];
      }
      step(nodes, TrialWork.Step.BEGIN, SLOW_PASSES);
      double done = awaitHalf(nodes);
      nodes.killLast();
      long[] found = result(nodes, digest);
      int i = 2;
      TrialFigures.Kill kill =
          new TrialFigures.Kill(
              undisturbedNanos,
              done,
              found[0],
              (double) found[i++] / setting.count() - 1,
              found[i++],
              found[i]);
      figures.add(kill);
      System.err.println("  " + kill);
    }
  }

  private static long[] result(MapReduceNodes nodes, long digest) throws IOException {
    long[] found = step(nodes, TrialWork.Step.END, 0);
    if (found[1] != digest) {
      throw new IllegalStateException(
          "wrong counts: digest=%d, expected=%d".formatted(found[1], digest));
    }
    return found;
  }

  /** Waits until half of the segments are done; returns the part that is done. */
  private static double awaitHalf(MapReduceNodes nodes) throws IOException, InterruptedException {
    while (true) {
      long[] progress = step(nodes, TrialWork.Step.PROGRESS, 0);
      if (progress[1] > 0 && progress[0] * 2 >= progress[1]) {
        if (progress[0] == progress[1]) {
          throw new IllegalStateException(
              "all was done at once, nothing could be killed halfway; give more --megabytes");
        }
        return (double) progress[0] / progress[1];
      }
      RealTime.pause(POLL_MILLIS);
    }
  }

  private void spill() throws IOException, InterruptedException {
    int heap = arguments.number("--spill-megabytes", WordCountSetting.MEGABYTES_MAX);
    WordCountSetting setting =
        setting(WordCountExperiment.SPILL, 1, Math.max(1, heap * SPILL_TEXT_PERCENT / PERCENT));
    System.err.println(setting.experiment().heading());
    try (MapReduceNodes one = start(1, "--spill-megabytes")) {
      long words = one.fill(setting)[1];
      long wanted = (long) heap * WordCountSetting.MEGABYTE * SPILL_TIMES;
      int keyLength = (int) Math.max(1, (wanted + words - 1) / words - NUMBER_BYTES);
      long[] found = step(one, TrialWork.Step.EXPAND, keyLength);
      if (found[1] != words) {
        throw new IllegalStateException(
            "wrong number of pairs: found=%d, expected=%d".formatted(found[1], words));
      }
      TrialFigures.Spill spill = TrialFigures.Spill.of(heap, setting.megabytes(), found);
      figures.add(spill);
      System.err.println("  " + spill);
    }
  }

  private void progress() throws IOException, InterruptedException {
    int megabytes = arguments.number("--megabytes", WordCountSetting.MEGABYTES_MAX);
    WordCountSetting setting = setting(WordCountExperiment.PROGRESS, 1, megabytes);
    System.err.println(setting.experiment().heading());
    try (MapReduceNodes one = start(1, "--heap-megabytes")) {
      long digest = one.fill(setting)[0];
      for (int i = 0; i < WATCH_WARM_UPS; i++) {
        seconds(one, TrialWork.Step.UNWATCHED, digest);
        seconds(one, TrialWork.Step.WATCHED, digest);
      }
      for (int i = 0; i < arguments.number("--executions", EXECUTIONS_MAX); i++) {
        double unwatched = setting.megabytes() / seconds(one, TrialWork.Step.UNWATCHED, digest);
        double watched = setting.megabytes() / seconds(one, TrialWork.Step.WATCHED, digest);
        figures.add(new TrialFigures.Watching(unwatched, watched));
      }
    }
  }

  private static double seconds(MapReduceNodes one, TrialWork.Step step, long digest)
      throws IOException {
    long[] found = step(one, step, 0);
    if (found[1] != digest) {
      throw new IllegalStateException("wrong counts: step=" + step);
    }
    return found[0] / 1e9;
  }
}
