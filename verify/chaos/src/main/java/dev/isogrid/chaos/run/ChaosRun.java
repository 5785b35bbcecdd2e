package dev.isogrid.chaos.run;

import dev.isogrid.chaos.cluster.Cluster;
import dev.isogrid.chaos.cluster.InfinispanProduct;
import dev.isogrid.chaos.cluster.IsogridProduct;
import dev.isogrid.chaos.cluster.Loopback;
import dev.isogrid.chaos.cluster.Namespaces;
import dev.isogrid.chaos.cluster.Network;
import dev.isogrid.chaos.cluster.Product;
import dev.isogrid.chaos.fault.Fault;
import dev.isogrid.chaos.fault.FaultKind;
import dev.isogrid.chaos.fault.Injector;
import dev.isogrid.chaos.fault.Schedule;
import dev.isogrid.chaos.history.History;
import dev.isogrid.chaos.history.HistoryFile;
import dev.isogrid.chaos.load.Access;
import dev.isogrid.chaos.load.EmbeddedAccess;
import dev.isogrid.chaos.load.HotRodAccess;
import dev.isogrid.chaos.load.IsogridAccess;
import dev.isogrid.chaos.load.Load;
import dev.isogrid.chaos.load.Probes;
import dev.isogrid.chaos.time.RealTime;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A run from start to summary. For one thread. */
public final class ChaosRun {
  private static final long COMPLETE_MILLIS_MAX = 90_000;
  private static final long GENERATION_MILLIS = 60_000;

  /** The least faults of a run, however short. */
  private static final int FAULTS_MIN = 2;

  private static final double TOKENS_A_SECOND = 20;
  private static final double INSERTS_A_SECOND = 50;
  private static final double PROBES_A_SECOND = 500;

  /** The time of probing before a fault, so that there is a last success. */
  private static final long PROBED_MILLIS = 500;

  /** JVMs that have just started are slow. */
  private static final long WARM_UP_MILLIS = 8_000;

  /**
   * The heap of a node: small, so that several fit on the machine, and large enough for the load.
   */
  private static final String HEAP = "-Xmx384m";

  /** Kept, so that the JVM does not drop the logger together with its level. */
  private static final Logger CLIENT_LOG = Logger.getLogger("org.infinispan");

  private final Options options;
  private final Path checkout;
  private final PrintStream out;
  private final RealTime time = new RealTime();
  private final List<Episode> episodes = new ArrayList<>();

  /** Makes a run that prints its progress to a stream. */
  public ChaosRun(Options options, Path checkout, PrintStream out) {
    this.options = options;
    this.checkout = checkout;
    this.out = out;
  }

  /** Runs; returns the summary. */
  public Summary run() throws IOException, InterruptedException {
    Path folder = options.folder();
    Files.createDirectories(folder);
    // Each failure reaches the caller of the operation, and is counted there.
    CLIENT_LOG.setLevel(Level.OFF);
    boolean canCut = Namespaces.isPossible();
    List<FaultKind> kinds =
        options.faults().stream().filter(kind -> canCut || !kind.needsCuts()).toList();
    if (options.nodes() == 1) {
      // The entries of a single node are lost with it, and no other node takes over.
      kinds = kinds.stream().filter(kind -> kind == FaultKind.PAUSE).toList();
    } else if (kinds.size() < options.faults().size()) {
      out.println("no network namespaces here: nodes are killed and paused, links are not cut");
    }
    Cluster.Size size = new Cluster.Size(options.nodes(), options.nodes() + 1);
    Network network = canCut ? Namespaces.make(size.most()) : new Loopback();
    try (Cluster cluster = Cluster.of(product(), network, size, folder, time);
        HistoryFile file = new HistoryFile(folder.resolve("history.tsv"))) {
      cluster.start(COMPLETE_MILLIS_MAX);
      say("%d nodes of %s are one cluster".formatted(options.nodes(), options.target()));
      return underLoad(cluster, kinds, new History(file));
    }
  }

  private Product product() throws IOException {
    String processors =
        options.processors() == 0 ? "" : " -XX:ActiveProcessorCount=" + options.processors();
    String javaOptions = HEAP + processors;
    if (options.target().equals("infinispan")) {
      return InfinispanProduct.of(checkout, javaOptions);
    }
    boolean areMany = options.faults().stream().anyMatch(FaultKind::needsCopiesEverywhere);
    Path config =
        areMany
            ? IsogridProduct.config(options.folder().resolve("caches.xml"), options.owners())
            : null;
    return new IsogridProduct(checkout.resolve("isogrid"), javaOptions, config);
  }

  private Summary underLoad(Cluster cluster, List<FaultKind> kinds, History history)
      throws IOException, InterruptedException {
    Load.Rate rate =
        new Load.Rate(
            options.threads(), options.rate(), TOKENS_A_SECOND, INSERTS_A_SECOND, PROBES_A_SECOND);
    try (Load load = new Load(access(cluster), history, time, rate, options.seed())) {
      load.start();
      RealTime.pauseMillis(WARM_UP_MILLIS);
      long startNanos = time.nanos();
      String incomplete = "";
      try {
        faults(cluster, load, kinds);
      } catch (NotComplete failure) {
        // The history until then still counts, and is checked.
        incomplete = String.valueOf(failure.getMessage());
        say(incomplete);
      }
      double seconds = (double) (time.nanos() - startNanos) / TimeUnit.SECONDS.toNanos(1);
      say("the load ends; what clients saw is checked");
      long checkNanos = time.nanos();
      Load.Findings findings = load.stop();
      say("checked in %d ms".formatted(TimeUnit.NANOSECONDS.toMillis(time.nanos() - checkNanos)));
      return new Summary(options, seconds, List.copyOf(episodes), findings, incomplete);
    }
  }

  private Access access(Cluster cluster) {
    if (options.client().equals(Options.EMBEDDED)) {
      cluster.guests(EmbeddedAccess.NODES);
    }
    return switch (options.client()) {
      case Options.EMBEDDED ->
          new EmbeddedAccess(cluster.places(), cluster.clientHost(), options.owners());
      case Options.ISOGRID -> new IsogridAccess(cluster.places());
      default -> new HotRodAccess(cluster.places(), options.retries());
    };
  }

  /** The cluster did not recover from a fault. */
  private static final class NotComplete extends Exception {
    private static final long serialVersionUID = 1;

    NotComplete(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private void faults(Cluster cluster, Load load, List<FaultKind> kinds)
      throws IOException, InterruptedException, NotComplete {
    long endMillis = time.millis() + TimeUnit.SECONDS.toMillis(options.seconds());
    long generationMillis = time.millis();
    if (kinds.isEmpty()) {
      load.probe();
      RealTime.pauseMillis(TimeUnit.SECONDS.toMillis(options.seconds()));
      return;
    }
    Schedule schedule = new Schedule(options.seed(), options.nodes(), kinds);
    Injector injector = new Injector(cluster);
    while (time.millis() < endMillis || episodes.size() < FAULTS_MIN) {
      RealTime.pauseMillis(schedule.calmMillis());
      // Only now do clients surely know the owners since the fault before.
      List<Probes.Target> targets = load.probe();
      RealTime.pauseMillis(PROBED_MILLIS);
      Fault fault = schedule.next();
      say(fault.toString());
      long startNanos = time.nanos();
      try {
        injector.inject(fault);
        long endNanos = time.nanos();
        long millis = cluster.awaitComplete(COMPLETE_MILLIS_MAX);
        say("  over; complete %d ms later".formatted(millis));
        episodes.add(new Episode(fault, startNanos, endNanos, time.nanos(), targets));
      } catch (IOException failure) {
        episodes.add(new Episode(fault, startNanos, time.nanos(), time.nanos(), targets));
        throw new NotComplete("after %s: %s".formatted(fault, failure.getMessage()), failure);
      }
      load.check();
      if (time.millis() - generationMillis > GENERATION_MILLIS) {
        load.nextGeneration();
        generationMillis = time.millis();
      }
    }
  }

  private void say(String text) {
    out.printf("%8.1f s  %s%n", time.millis() / 1e3, text);
  }
}
