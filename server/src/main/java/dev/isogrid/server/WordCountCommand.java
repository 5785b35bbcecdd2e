package dev.isogrid.server;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Collator;
import dev.isogrid.api.Collector;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.GridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.MapReduceJob;
import dev.isogrid.api.MapReduceNodeStats;
import dev.isogrid.api.MapReduceStats;
import dev.isogrid.api.StorageType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Counts the words of texts by a map/reduce, as a process: {@code isogrid wordcount}. */
public final class WordCountCommand {
  /** A text is cut into values of about this many characters, between lines. */
  private static final int VALUE_CHARACTERS = 8 << 10;

  private static final int NODES_MAX = 16;
  private static final int BAR_LENGTH = 30;
  private static final int EXIT_FAILURE = 1;
  private static final String USUAL_PORT = "7900";

  private final PrintStream out;
  private final PrintStream err;

  WordCountCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Runs the command and ends the process. */
  public static void main(String[] args) {
    System.exit(new WordCountCommand(System.out, System.err).run(args));
  }

  private static CommandSpec spec() {
    return CommandSpec.create()
        .name("isogrid wordcount")
        .mixinStandardHelpOptions(false)
        .addOption(option("--cache", String.class, "words", "The cache that gets the texts."))
        .addOption(option("--nodes", Integer.class, "1", "How many nodes, in this process."))
        .addOption(option("--port", Integer.class, USUAL_PORT, "The port of the first of several."))
        .addOption(option("--top", Integer.class, "10", "How many words to show."))
        .addOption(
            OptionSpec.builder("--help", "-h").usageHelp(true).description("Show this.").build())
        .addPositional(
            PositionalParamSpec.builder()
                .paramLabel("FILE")
                .type(List.class)
                .auxiliaryTypes(Path.class)
                .arity("1..*")
                .required(true)
                .description("Texts in UTF-8.")
                .build());
  }

  private static OptionSpec option(String name, Class<?> type, String usual, String text) {
    return OptionSpec.builder(name)
        .type(type)
        .defaultValue(usual)
        .paramLabel(type == Integer.class ? "N" : "NAME")
        .description(text + " Default ${DEFAULT-VALUE}.")
        .build();
  }

  /** Runs the command; returns the exit code. */
  int run(String[] args) {
    try {
      CommandLine commandLine = new CommandLine(spec());
      ParseResult parsed = commandLine.parseArgs(args);
      if (parsed.isUsageHelpRequested()) {
        commandLine.usage(out);
        return 0;
      }
      count(parsed);
      return 0;
    } catch (ParameterException | InvalidRequestException wrong) {
      err.println("isogrid wordcount: " + wrong.getMessage());
      return Main.EXIT_USAGE;
    } catch (IOException | ExecutionException | GridException failure) {
      err.println("isogrid wordcount: " + failure);
      return EXIT_FAILURE;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return EXIT_FAILURE;
    }
  }

  private void count(ParseResult parsed)
      throws IOException, ExecutionException, InterruptedException {
    int nodes = parsed.matchedOptionValue("--nodes", 1);
    int top = parsed.matchedOptionValue("--top", 10);
    if (nodes < 1 || nodes > NODES_MAX || top < 0) {
      throw new InvalidRequestException(
          "invalid options: nodes=%d, top=%d; allowed are 1 to %d nodes, and 0 words or more"
              .formatted(nodes, top, NODES_MAX));
    }
    List<Path> files = parsed.matchedPositionalValue(0, List.of());
    int port = parsed.matchedOptionValue("--port", Integer.parseInt(USUAL_PORT));
    List<Grid> grids = start(nodes, port);
    try {
      CacheConfig.Builder config = CacheConfig.builder().storage(StorageType.HEAP_BINARY);
      Cache<String, String> cache =
          grids
              .getFirst()
              .cache(
                  parsed.matchedOptionValue("--cache", "words"),
                  nodes == 1 ? config.build() : config.mode(CacheMode.DIST_SYNC).build());
      for (Path file : files) {
        load(file, cache);
      }
      err.printf("%,d values of %d files on %d nodes%n", cache.size(), files.size(), nodes);
      MapReduceJob<String, Long> job =
          grids
              .getFirst()
              .mapReduce(cache)
              .mappedWith(WordCountCommand::map)
              .combinedWith(Long::sum)
              .onProgress(this::show)
              .start();
      Map<String, Long> counts = job.result();
      err.println();
      print(counts, top, job.stats());
    } finally {
      grids.forEach(Grid::close);
    }
  }

  /** Starts nodes that know each other, all at a time: none is ready before there is a majority. */
  private static List<Grid> start(int count, int port)
      throws ExecutionException, InterruptedException {
    if (count == 1) {
      return List.of(Grid.start());
    }
    List<String> seeds =
        IntStream.range(port, port + count).mapToObj(each -> "127.0.0.1:" + each).toList();
    List<Grid> grids = new ArrayList<>();
    try (ExecutorService starters = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Grid>> started = new ArrayList<>();
      for (int index = 0; index < count; index++) {
        ClusterConfig cluster = ClusterConfig.builder().bindPort(port + index).seeds(seeds).build();
        GridConfig config =
            GridConfig.builder()
                .nodeName("node" + index)
                .clusterName("wordcount")
                .cluster(cluster)
                .build();
        started.add(starters.submit(() -> Grid.start(config)));
      }
      for (Future<Grid> each : started) {
        grids.add(each.get());
      }
    }
    return grids;
  }

  private static void load(Path file, Cache<String, String> cache) throws IOException {
    StringBuilder value = new StringBuilder();
    int number = 0;
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        value.append(line).append('\n');
        if (value.length() >= VALUE_CHARACTERS) {
          cache.put(file + "#" + number++, value.toString());
          value.setLength(0);
        }
      }
    }
    if (!value.isEmpty()) {
      cache.put(file + "#" + number, value.toString());
    }
  }

  /** Emits the words of a text, in lower case: letters and digits between others. */
  static void map(String key, String text, Collector<String, Long> collector) {
    int begin = -1;
    for (int at = 0; at <= text.length(); at++) {
      boolean isInWord = at < text.length() && Character.isLetterOrDigit(text.charAt(at));
      if (isInWord && begin < 0) {
        begin = at;
      } else if (!isInWord && begin >= 0) {
        collector.emit(text.substring(begin, at).toLowerCase(Locale.ROOT), 1L);
        begin = -1;
      }
    }
  }

  private void show(MapReduceStats stats) {
    int done = stats.segmentsTotal() == 0 ? 1 : stats.segmentsDone();
    int total = Math.max(1, stats.segmentsTotal());
    int full = BAR_LENGTH * done / total;
    err.printf(
        "\r[%s%s] %3d %%  %,d kB  %,d pairs",
        "#".repeat(full),
        " ".repeat(BAR_LENGTH - full),
        100 * done / total,
        stats.inputBytes() >> 10,
        stats.pairsEmitted());
    err.flush();
  }

  private void print(Map<String, Long> counts, int top, MapReduceStats stats) {
    for (Map.Entry<String, Long> word : Collator.<String, Long>top(top).collate(counts)) {
      out.printf("%,12d  %s%n", word.getValue(), word.getKey());
    }
    long millis = Math.max(1, stats.mapMillis() + stats.reduceMillis());
    out.printf(
        "%n%,d words, %,d different; %,d entries, %,d kB in %,d ms (%,d MB/s)%n",
        stats.pairsEmitted(),
        stats.distinctKeys(),
        stats.entries(),
        stats.inputBytes() >> 10,
        millis,
        stats.inputBytes() / 1000 / millis);
    out.printf(
        "map %,d ms, reduce %,d ms; %.1f pairs became one; sent %,d pairs, %,d kB; spilled %,d kB;"
            + " segments %d, repeated %d%n",
        stats.mapMillis(),
        stats.reduceMillis(),
        stats.reductionRatio(),
        stats.pairsSent(),
        stats.bytesSent() >> 10,
        stats.bytesSpilled() >> 10,
        stats.segmentsDone(),
        stats.segmentsRepeated());
    stats.nodes().forEach(this::print);
    stats.losses().forEach(loss -> out.println("lost time: " + loss));
  }

  private void print(MapReduceNodeStats node) {

    out.printf(
        "node %s: %,d entries, %,d pairs, %,d keys reduced, %d workers, collector of %,d keys"
            + " (%s)%n",
        node.node(),
        node.entries(),
        node.pairsEmitted(),
        node.distinctKeys(),
        node.workers(),
        node.collectorKeysMax(),
        node.tuning());
  }
}
