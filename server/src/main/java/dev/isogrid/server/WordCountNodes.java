package dev.isogrid.server;

import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.ForeignConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The nodes of a word count, all in this process: a cluster of their own, or members of an existing
 * one. Members of an existing cluster keep no entries, so that none move to them.
 */
final class WordCountNodes implements AutoCloseable {
  static final int NODES_MAX = 16;
  private static final int USUAL_PORT = 7900;
  private static final String OWN_CLUSTER = "wordcount";
  private static final String LOOPBACK = "127.0.0.1";

  private final List<Grid> grids;
  private final boolean hasJoined;

  private WordCountNodes(List<Grid> grids, boolean hasJoined) {
    this.grids = grids;
    this.hasJoined = hasJoined;
  }

  /** Adds the options of {@link #start}. */
  static void declare(CommandSpec spec) {
    spec.addOption(
        WordCountCommand.option("--nodes", "N", "How many nodes of this process; default 1."));
    spec.addOption(
        WordCountCommand.option(
            "--port",
            "N",
            "The port of the first of several that are a cluster of their own; default "
                + USUAL_PORT
                + "."));
    spec.addOption(
        WordCountCommand.option(
            "--cluster-name", "NAME", "The name of the cluster to join, as its nodes have it."));
    OptionList cluster = new OptionList();
    ClusterOptionsParser.declare(cluster);
    PicocliSyntax.declare(spec, cluster);
  }

  /**
   * Starts the nodes.
   *
   * @throws InvalidRequestException if an option is wrong
   * @throws ExecutionException if a node can't be started
   */
  static WordCountNodes start(GivenOptions given) throws ExecutionException, InterruptedException {
    int count = WordCountCommand.number(given, "--nodes", 1);
    if (count < 1 || count > NODES_MAX) {
      throw new InvalidRequestException(
          "invalid option: --nodes %d; give 1 to %d".formatted(count, NODES_MAX));
    }
    ClusterOptions options = ClusterOptionsParser.read(given, System::getenv);
    if (options.seeds().isEmpty() && options.discovery() == null) {
      if (options.wantsCluster()) {
        throw new InvalidRequestException(
            "options of a cluster, but none to join; name its nodes with --join");
      }
      int port = WordCountCommand.number(given, "--port", USUAL_PORT);
      return new WordCountNodes(count == 1 ? List.of(Grid.start()) : own(count, port), false);
    }
    ClusterConfig.Builder config = ClusterSettings.of(options, LOOPBACK);
    if (options.capacity() == null) {
      config.capacity(0);
    }
    GridConfig.Builder node = GridConfig.builder().cluster(ForeignConfiguration.of(config::build));
    List<String> packages = options.allowedPackages();
    if (packages != null) {
      node.allowedPackages(packages);
    }
    String name = CommandLineParser.value(given, "--cluster-name");
    if (name != null) {
      node.clusterName(name);
    }
    String prefix = "wordcount-" + ProcessHandle.current().pid() + "-";
    return new WordCountNodes(
        all(
            IntStream.range(0, count)
                .mapToObj(index -> node.nodeName(prefix + index).build())
                .toList()),
        true);
  }

  private static List<Grid> own(int count, int port)
      throws ExecutionException, InterruptedException {
    List<String> seeds =
        IntStream.range(port, port + count).mapToObj(each -> LOOPBACK + ":" + each).toList();
    return all(
        IntStream.range(0, count)
            .mapToObj(index ->
                GridConfig.builder()
                    .nodeName("node" + index)
                    .clusterName(OWN_CLUSTER)
                    .cluster(
                        ClusterConfig.builder()
                            .bindAddress(LOOPBACK)
                            .bindPort(port + index)
                            .seeds(seeds)
                            .build())
                    .build())
            .toList());
  }

  /** Starts nodes, all at the same time: no seed is ready before a majority of the seeds. */
  private static List<Grid> all(List<GridConfig> configs)
      throws ExecutionException, InterruptedException {
    List<Grid> grids = new ArrayList<>();
    try (ExecutorService starters = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Grid>> started =
          configs.stream().map(config -> starters.submit(() -> Grid.start(config))).toList();
      for (Future<Grid> each : started) {
        grids.add(each.get());
      }
      return grids;
    } catch (ExecutionException | InterruptedException failure) {
      grids.forEach(Grid::close);
      throw failure;
    }
  }

  /** The node that starts the word count. */
  Grid first() {
    return grids.getFirst();
  }

  int count() {
    return grids.size();
  }

  /** Whether other nodes than these may have entries. */
  boolean hasJoined() {
    return hasJoined;
  }

  /** Whether they belong to a cluster. */
  boolean isClustered() {
    return hasJoined || grids.size() > 1;
  }

  @Override
  public void close() {
    grids.forEach(Grid::close);
  }
}
