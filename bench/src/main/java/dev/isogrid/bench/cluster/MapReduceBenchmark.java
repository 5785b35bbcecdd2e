package dev.isogrid.bench.cluster;

import dev.isogrid.bench.process.Ports;
import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.run.Arguments;
import dev.isogrid.bench.run.Benchmark;
import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.run.Option;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Word count on embedded nodes, each in a process of its own: {@code ./isogrid bench mapreduce}.
 */
public final class MapReduceBenchmark implements Benchmark {
  private static final int NODES_MAX = 16;
  private static final int WARM_UPS_MIN = 2;
  private static final int MEGABYTES_MAX = 100_000;
  private static final int SIZE_MAX = 16 << 20;
  private static final int WORDS_MAX = 10_000_000;
  private static final int KILOBYTE = 1000;
  private static final int MEGABYTE = 1_000_000;
  private static final int PERCENT = 100;

  @Override
  public String name() {
    return "mapreduce";
  }

  @Override
  public String summary() {
    return "word count: nodes, amounts, sizes of values, long words; beside a plain loop";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option("--rounds", "3", "1", "Rounds; in each, all nodes start anew."),
        new Option("--executions", "10", "3", "Executions that count, after some that don't."),
        new Option("--warm-up-seconds", "5", "2", "Executions before these; two at least."),
        Option.of("--libraries", "isogrid,infinispan", "The libraries."),
        new Option("--nodes", "1,2,4,8", "1,2", "Sizes of clusters."),
        new Option("--megabytes", "200", "20", "Texts, of one node where they grow with them."),
        new Option("--heap-shares", "5,10,20,30", "10", "Texts in per cent of a node's heap."),
        new Option("--value-sizes", "1,8,32,128,512,2048", "1,32,512", "Sizes of texts, in kB."),
        Option.of("--words", "1000", "Different words, of 8 characters."),
        Option.of("--long-words", "10000", "Different words in the experiment with long ones."),
        Option.of("--long-word-length", "80", "Characters of such a word."),
        Option.of("--heap-megabytes", "1000", "Heap of a node."));
  }

  @Override
  public Report run(Arguments arguments, Checkout checkout)
      throws IOException, InterruptedException {
    List<ClusterLibrary> libraries =
        arguments.words("--libraries").stream().map(ClusterLibrary::of).toList();
    MapReduceFigures figures = new MapReduceFigures();
    int rounds = arguments.number("--rounds", 1000);
    for (int round = 1; round <= rounds; round++) {
      System.err.printf("round %d of %d%n", round, rounds);
      new Round(arguments, checkout, libraries, figures).run();
    }
    return figures.report();
  }

  /**
   * What is counted where.
   *
   * @param experiment the heading of its table
   * @param setting what is varied
   * @param nodes how many
   * @param megabytes how much text
   */
  private record Setting(
      String experiment, String setting, int nodes, int megabytes, WordTexts.Spec texts) {
    int count() {
      return Math.max(1, (int) ((long) megabytes * MEGABYTE / texts.valueSize()));
    }
  }

  private record Round(
      Arguments arguments,
      Checkout checkout,
      List<ClusterLibrary> libraries,
      MapReduceFigures figures) {
    void run() throws IOException, InterruptedException {
      for (Setting setting : settings()) {
        System.err.printf(
            "%s, %s, nodes: %d%n", setting.experiment, setting.setting, setting.nodes);
        loop(setting);
        for (ClusterLibrary library : libraries) {
          count(setting, library);
        }
      }
    }

    private List<Setting> settings() {
      int megabytes = arguments.number("--megabytes", MEGABYTES_MAX);
      int heap = arguments.number("--heap-megabytes", MEGABYTES_MAX);
      int words = arguments.number("--words", WORDS_MAX);
      WordTexts.Spec usual = new WordTexts.Spec(8 * KILOBYTE, 8, words);
      List<Setting> all = new ArrayList<>();
      List<Integer> nodes = arguments.numbers("--nodes", NODES_MAX);
      for (int count : nodes) {
        all.add(new Setting("A fixed amount of text", megabytes + " MB", count, megabytes, usual));
      }
      for (int count : nodes) {
        int grown = megabytes * count;
        all.add(new Setting("Text that grows with the nodes", grown + " MB", count, grown, usual));
      }
      for (int share : arguments.numbers("--heap-shares", PERCENT)) {
        all.add(
            new Setting(
                "Text in per cent of the heap", share + " %", 1, heap * share / PERCENT, usual));
      }
      for (int size : arguments.numbers("--value-sizes", SIZE_MAX / KILOBYTE)) {
        WordTexts.Spec sized = new WordTexts.Spec(size * KILOBYTE, 8, words);
        for (int count : List.of(1, 2)) {
          all.add(new Setting("Sizes of values", size + " kB", count, megabytes, sized));
        }
      }
      int length = arguments.number("--long-word-length", KILOBYTE);
      int distinct = arguments.number("--long-words", WORDS_MAX);
      all.add(
          new Setting(
              "Long words",
              distinct + " words of " + length + " characters",
              2,
              megabytes,
              new WordTexts.Spec(8 * KILOBYTE, length, distinct)));
      return all;
    }

    private void loop(Setting setting) throws IOException, InterruptedException {
      List<MemberChild> one = start(ClusterLibrary.ISOGRID, 1);
      try {
        for (WordCountWay way : List.of(WordCountWay.LOOP, WordCountWay.BYTE_LOOP)) {
          measure(
              one,
              setting,
              way,
              new MapReduceFigures.Row(setting.setting, 1, way, ClusterLibrary.ISOGRID));
        }
      } finally {
        one.forEach(MemberChild::close);
      }
    }

    private void count(Setting setting, ClusterLibrary library)
        throws IOException, InterruptedException {
      List<MemberChild> members = start(library, setting.nodes);
      try {
        members.getFirst().ask(words(MemberProcess.TEXTS, setting));
        for (WordCountWay way : WordCountWay.of(library)) {
          measure(
              members,
              setting,
              way,
              new MapReduceFigures.Row(setting.setting, setting.nodes, way, library));
        }
      } finally {
        members.forEach(MemberChild::close);
      }
    }

    private static Object[] words(Object command, Setting setting) {
      WordTexts.Spec texts = setting.texts;
      return new Object[] {
        command, setting.count(), texts.valueSize(), texts.wordLength(), texts.distinctWords()
      };
    }

    private List<MemberChild> start(ClusterLibrary library, int nodes)
        throws IOException, InterruptedException {
      List<Integer> ports = new ArrayList<>();
      while (ports.size() < nodes) {
        ports.add(Ports.free());
      }
      CacheKind kind = nodes == 1 ? CacheKind.LOCAL : CacheKind.DISTRIBUTED;
      String heap = arguments.text("--heap-megabytes") + "m";
      MemberChild.Plan plan = new MemberChild.Plan(library, kind, heap, ports);
      List<MemberChild> members = new ArrayList<>();
      try {
        for (int i = 0; i < nodes; i++) {
          members.add(MemberChild.start(checkout, plan, i));
          members.get(i).ask(MemberProcess.OPEN, i + 1);
        }
        for (MemberChild member : members) {
          member.ask(MemberProcess.COMPLETE, nodes);
        }
        return members;
      } catch (IOException | InterruptedException | RuntimeException failure) {
        members.forEach(MemberChild::close);
        throw failure;
      }
    }

    private void measure(
        List<MemberChild> members, Setting setting, WordCountWay way, MapReduceFigures.Row row)
        throws IOException {
      Object[] order = words(MemberProcess.COUNT_WORDS + " " + way, setting);
      MapReduceFigures.Figures found = figures.of(setting.experiment, row);
      double megabytes = (double) setting.count() * setting.texts.valueSize() / MEGABYTE;
      long words = warmUp(members.getFirst(), order);
      for (int i = 0; i < arguments.number("--executions", KILOBYTE); i++) {
        double before = processorSeconds(members);
        long[] result = members.getFirst().ask(order);
        if (result[1] != words) {
          throw new IllegalStateException(
              "not the same result each time: words=%d, before=%d".formatted(result[1], words));
        }
        found.speed().add(megabytes / (result[0] / 1e9));
        if (!way.isLoop()) { // which makes its texts first
          found.cost().add((processorSeconds(members) - before) * KILOBYTE / megabytes);
        }
      }
      System.err.printf(
          "  %s, %s: %.0f MB/s%n", row.library().label(), way.label(), found.speed().median());
    }

    /** Executes until compilers have had their time; tells how many words there are. */
    private long warmUp(MemberChild first, Object[] order) throws IOException {
      double rest = arguments.number("--warm-up-seconds", KILOBYTE);
      long[] result = first.ask(order);
      for (int i = 1; i < WARM_UPS_MIN || rest > 0; i++) {
        rest -= result[0] / 1e9;
        result = first.ask(order);
      }
      return result[1];
    }

    private static double processorSeconds(List<MemberChild> members) throws IOException {
      double sum = 0;
      for (MemberChild member : members) {
        sum += member.processorSeconds();
      }
      return sum;
    }
  }
}
