package dev.isogrid.server;

import dev.isogrid.api.BytesMapper;
import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Collator;
import dev.isogrid.api.Collector;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridException;
import dev.isogrid.api.InvalidConfigurationException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.LongCombiner;
import dev.isogrid.api.MapReduceInput;
import dev.isogrid.api.MapReduceJob;
import dev.isogrid.api.MapReduceNodeStats;
import dev.isogrid.api.MapReduceStats;
import dev.isogrid.api.MapReduceTask;
import dev.isogrid.api.StorageType;
import dev.isogrid.server.task.WordCountTask;
import dev.isogrid.wire.MediaTypes;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Counts the words of texts by a map/reduce, as a process: {@code isogrid wordcount}. */
public final class WordCountCommand {
  private static final int BAR_LENGTH = 30;
  private static final int EXIT_FAILURE = 1;
  private static final int USUAL_TOP = 10;
  private static final String USUAL_CACHE = "words";

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
    CommandSpec spec =
        CommandSpec.create()
            .name("isogrid wordcount")
            .mixinStandardHelpOptions(false)
            .addOption(
                option(
                    "--cache",
                    "NAME",
                    "The cache that gets the texts of the files, or whose texts are counted without"
                        + " files; default "
                        + USUAL_CACHE
                        + "."))
            .addOption(option("--top", "N", "How many words to show; default " + USUAL_TOP + "."));
    WordCountNodes.declare(spec);
    return spec.addOption(
            OptionSpec.builder("--help", "-h").usageHelp(true).description("Show this.").build())
        .addPositional(
            PositionalParamSpec.builder()
                .paramLabel("FILE")
                .type(List.class)
                .auxiliaryTypes(Path.class)
                .arity("0..*")
                .description("Texts in UTF-8.")
                .build());
  }

  static OptionSpec option(String name, String label, String text) {
    return OptionSpec.builder(name).type(String.class).paramLabel(label).description(text).build();
  }

  /** The number of an option. */
  static int number(GivenOptions given, String name, int usual) {
    String text = CommandLineParser.value(given, name);
    try {
      return text == null ? usual : Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new InvalidRequestException(
          "malformed option: %s %s; give a number".formatted(name, text), e);
    }
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
    } catch (ParameterException | InvalidRequestException | InvalidConfigurationException wrong) {
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
    GivenOptions given = PicocliSyntax.given(parsed);
    int top = number(given, "--top", USUAL_TOP);
    if (top < 0) {
      throw new InvalidRequestException("invalid option: --top %d; give 0 or more".formatted(top));
    }
    List<Path> files = parsed.matchedPositionalValue(0, List.of());
    String name = CommandLineParser.value(given, "--cache");
    if (files.isEmpty() && (name == null || !isToJoin(parsed))) {
      throw new InvalidRequestException(
          "no texts; name files, or a cluster and its cache with --join and --cache");
    }
    try (WordCountNodes nodes = WordCountNodes.start(given)) {
      Grid grid = nodes.first();
      Cache<String, String> cache = cache(nodes, name == null ? USUAL_CACHE : name, files);
      TextLoader loader = new TextLoader(cache);
      for (Path file : files) {
        loader.load(file);
      }
      err.printf(
          "%,d values, %d files loaded, %d nodes here%s%n",
          cache.size(),
          files.size(),
          nodes.count(),
          nodes.hasJoined() ? ", members of a cluster" : "");
      MapReduceJob<String, Long> job = task(grid, cache).onProgress(this::show).start();
      Map<String, Long> counts = job.result();
      err.println();
      print(counts, top, job.stats());
    }
  }

  private static boolean isToJoin(ParseResult parsed) {
    return parsed.hasMatchedOption("--join") || parsed.hasMatchedOption("--discovery");
  }

  private static Cache<String, String> cache(WordCountNodes nodes, String name, List<Path> files) {
    Cache<String, String> known = nodes.first().findCache(name);
    if (known != null) {
      if (!files.isEmpty()) {
        requireObjects(known.config().keyMediaType(), name);
        requireObjects(known.config().valueMediaType(), name);
      }
      return known;
    }
    if (files.isEmpty()) {
      throw new InvalidRequestException(
          "no such cache in the cluster: name=%s; it has %s"
              .formatted(name, nodes.first().cacheNames()));
    }
    CacheConfig.Builder config = CacheConfig.builder().storage(StorageType.HEAP_BINARY);
    return nodes
        .first()
        .cache(
            name, nodes.isClustered() ? config.mode(CacheMode.DIST_SYNC).build() : config.build());
  }

  /**
   * Refuses a cache of another format: this node puts values in ProtoStream's form, which clients
   * of other formats can't read.
   */
  private static void requireObjects(String mediaType, String cache) {
    if (!mediaType.equals(MediaTypes.PROTOSTREAM)
        && !mediaType.equals(CacheConfig.UNKNOWN_MEDIA_TYPE)) {
      throw new InvalidRequestException(
          "files can't be put into the cache, which keeps %s: name=%s; let a client put them, or"
                  .formatted(mediaType, cache)
              + " name another cache with --cache");
    }
  }

  private static MapReduceTask<String, Long> task(Grid grid, Cache<String, String> cache) {
    MapReduceInput<String, String> input = grid.mapReduce(cache);
    MapReduceTask<String, Long> mapped =
        cache.config().storage() == StorageType.HEAP_OBJECT
            ? input.mappedWith(WordCountCommand::map)
            : input.mappedByBytesWith(
                BytesMapper.<String, Long>splitting(
                    WordCountCommand::mapBytes, WordCountTask::wordEnd));
    return mapped.combinedWith(LongCombiner.SUM);
  }

  /** As {@link #map}, for a text in the form of clients or of ProtoStream. */
  private static void mapBytes(ByteBuffer key, ByteBuffer value, Collector<String, Long> out) {
    ByteBuffer text = value.duplicate();
    if (value.position() == 0) {
      text.position(WordCountTask.textBegin(value));
    }
    map("", StandardCharsets.UTF_8.decode(text).toString(), out);
  }

  /** Emits the words of a text in lower case: sequences of letters and digits. */
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
            + " segments %d, repeated %d; skew of pairs %.2f, of nodes %.2f%n",
        stats.mapMillis(),
        stats.reduceMillis(),
        stats.reductionRatio(),
        stats.pairsSent(),
        stats.bytesSent() >> 10,
        stats.bytesSpilled() >> 10,
        stats.segmentsDone(),
        stats.segmentsRepeated(),
        stats.skew(),
        stats.mapSkew());
    stats.nodes().forEach(this::print);
    stats.losses().forEach(loss -> out.println("lost time: " + loss));
  }

  private void print(MapReduceNodeStats node) {
    out.printf(
        "node %s: %,d entries, %,d pairs; %,d keys of %d partitions reduced, %,d kB came, %,d kB to"
            + " one; workers mapped %s ms; collector of %,d keys (%s)%n",
        node.node(),
        node.entries(),
        node.pairsEmitted(),
        node.distinctKeys(),
        node.partitions(),
        node.bytesReceived() >> 10,
        node.partitionBytesMax() >> 10,
        node.workerNanos().stream()
            .map(nanos -> "%,d".formatted(TimeUnit.NANOSECONDS.toMillis(nanos)))
            .collect(Collectors.joining(" + ")),
        node.collectorKeysMax(),
        node.tuning());
  }
}
