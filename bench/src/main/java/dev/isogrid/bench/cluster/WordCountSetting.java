package dev.isogrid.bench.cluster;

import dev.isogrid.bench.run.Arguments;
import java.util.ArrayList;
import java.util.List;

/**
 * The texts to count and the nodes that count.
 *
 * @param label the varied quantity with its unit
 * @param nodes their number
 * @param megabytes the amount of text, in 1,000,000 bytes
 * @param texts the kind of text
 */
record WordCountSetting(
    WordCountExperiment experiment, String label, int nodes, int megabytes, WordTexts.Spec texts) {
  static final int KILOBYTE = 1000;
  static final int MEGABYTE = 1_000_000;
  static final int MEGABYTES_MAX = 100_000;

  private static final int USUAL_KILOBYTES = 8;
  private static final int NODES_MAX = 16;
  private static final int SIZE_MAX_KILOBYTES = 16_000;
  private static final int WORDS_MAX = 10_000_000;
  private static final int PERCENT = 100;

  /** The number of values, at least one. */
  int count() {
    return Math.max(1, (int) ((long) megabytes * MEGABYTE / texts.valueSize()));
  }

  /** The number of values whose words all fit into this many bytes of memory, at least one. */
  int countIn(long bytes) {
    return Math.clamp(bytes / texts.valueSize(), 1, count());
  }

  /** The texts as two arguments of a command of {@link MemberProcess}. */
  String line() {
    return count() + " " + texts.line();
  }

  /** The amount of text in this many values, in 1,000,000 bytes. */
  double exactMegabytes(int values) {
    return (double) values * texts.valueSize() / MEGABYTE;
  }

  /** The same words in values of the usual size. */
  static WordTexts.Spec usual(Arguments arguments) {
    return words(arguments, USUAL_KILOBYTES);
  }

  private static WordTexts.Spec words(Arguments arguments, int kilobytes) {
    return new WordTexts.Spec(
        kilobytes * KILOBYTE,
        1,
        arguments.number("--word-length", KILOBYTE),
        arguments.number("--words", WORDS_MAX));
  }

  /** The settings of an experiment; none if it is a trial. */
  static List<WordCountSetting> of(WordCountExperiment experiment, Arguments arguments) {
    int megabytes = arguments.number("--megabytes", MEGABYTES_MAX);
    return switch (experiment) {
      case FIXED -> ofNodes(experiment, arguments, megabytes, false);
      case GROWING -> ofNodes(experiment, arguments, megabytes, true);
      case HEAP -> ofHeap(arguments);
      case SIZES -> ofSizes(arguments, megabytes);
      case LONG -> List.of(ofLongWords(arguments, megabytes));
      case KILL, SPILL, PROGRESS -> List.of();
    };
  }

  private static List<WordCountSetting> ofNodes(
      WordCountExperiment experiment, Arguments arguments, int megabytes, boolean isGrowing) {
    List<WordCountSetting> all = new ArrayList<>();
    for (int nodes : arguments.numbers("--nodes", NODES_MAX)) {
      int amount = isGrowing ? megabytes * nodes : megabytes;
      all.add(new WordCountSetting(experiment, amount + " MB", nodes, amount, usual(arguments)));
    }
    return all;
  }

  private static List<WordCountSetting> ofHeap(Arguments arguments) {
    int heap = arguments.number("--heap-megabytes", MEGABYTES_MAX);
    List<WordCountSetting> all = new ArrayList<>();
    for (int share : arguments.numbers("--heap-shares", PERCENT)) {
      int amount = heap * share / PERCENT;
      all.add(
          new WordCountSetting(
              WordCountExperiment.HEAP, share + " %", 1, amount, usual(arguments)));
    }
    return all;
  }

  private static List<WordCountSetting> ofSizes(Arguments arguments, int megabytes) {
    List<WordCountSetting> all = new ArrayList<>();
    for (int size : arguments.numbers("--value-sizes", SIZE_MAX_KILOBYTES)) {
      for (int nodes : List.of(1, 2)) {
        all.add(
            new WordCountSetting(
                WordCountExperiment.SIZES, size + " kB", nodes, megabytes, words(arguments, size)));
      }
    }
    return all;
  }

  private static WordCountSetting ofLongWords(Arguments arguments, int megabytes) {
    int length = arguments.number("--long-word-length", KILOBYTE);
    int distinct = arguments.number("--long-words", WORDS_MAX);
    return new WordCountSetting(
        WordCountExperiment.LONG,
        distinct + " words of " + length + " characters",
        2,
        megabytes,
        new WordTexts.Spec(USUAL_KILOBYTES * KILOBYTE, length, length, distinct));
  }
}
