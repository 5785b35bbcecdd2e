package dev.isogrid.bench.cluster;

import dev.isogrid.bench.process.Child;
import dev.isogrid.bench.process.Ports;
import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.run.Arguments;
import dev.isogrid.bench.run.Benchmark;
import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.run.Option;
import dev.isogrid.bench.run.RealTime;
import dev.isogrid.bench.server.Contestant;
import dev.isogrid.bench.server.Protocol;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.ClientIntelligence;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.commons.marshall.IdentityMarshaller;
import org.infinispan.commons.util.CloseableIterator;

/**
 * Operations on all entries of a cache: {@code ./isogrid bench stream}. Clusters of embedded nodes,
 * each in a process of its own, caches of one node, and a server with Infinispan's Hot Rod client.
 */
public final class StreamBenchmark implements Benchmark {
  private static final int MILLIS_MAX = 600_000;
  private static final int COUNT_MAX = 100_000_000;
  private static final int NODES_MAX = 16;

  /** Puts in flight while the server is filled. */
  private static final int PUTS_MAX = 100;

  /** Entries per request of the client. */
  private static final int BATCH = 4096;

  @Override
  public String name() {
    return "stream";
  }

  @Override
  public String summary() {
    return "size, iteration, streams over all entries, of one to four nodes";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option(
            "--rounds",
            Option.Kind.COUNT,
            "3",
            "1",
            "Rounds; in each, every library's nodes start anew."),
        new Option(
            "--millis",
            Option.Kind.MILLIS,
            "5000",
            "1000",
            "How long each thing is done again and again."),
        Option.of("--libraries", Option.Kind.WORDS, "isogrid,infinispan", "The libraries."),
        new Option("--nodes", Option.Kind.COUNTS, "1,2,3,4", "1,3", "Sizes of clusters."),
        new Option(
            "--entries", Option.Kind.COUNT, "50000", "10000", "Entries that are gone through."),
        Option.of("--value-size", Option.Kind.BYTES, "1000", "Bytes of a value."),
        new Option(
            "--numbers",
            Option.Kind.COUNT,
            "1000000",
            "50000",
            "Numbers that streams compute with."),
        Option.of("--heap", Option.Kind.HEAP, "768m", "Heap of a node."));
  }

  @Override
  public Report run(Arguments arguments, Checkout checkout)
      throws IOException, InterruptedException {
    List<ClusterLibrary> order = new ArrayList<>();
    arguments
        .words("--libraries")
        .forEach(word -> order.add(ClusterLibrary.of(word, ClusterLibrary.CURRENT)));
    StreamFigures figures = new StreamFigures(arguments.number("--value-size", COUNT_MAX));
    int rounds = arguments.number("--rounds", 1000);
    for (int round = 1; round <= rounds; round++) {
      for (ClusterLibrary library : order) {
        System.err.printf("round %d of %d, %s%n", round, rounds, library.label());
        new Round(arguments, checkout, library, figures).run();
      }
      Collections.rotate(order, 1);
    }
    return figures.report();
  }

  /** One library in one round. */
  private record Round(
      Arguments arguments, Checkout checkout, ClusterLibrary library, StreamFigures figures) {
    void run() throws IOException, InterruptedException {
      for (int nodes : arguments.numbers("--nodes", NODES_MAX)) {
        distributed(nodes, CacheKind.DISTRIBUTED);
        distributed(nodes, CacheKind.DISTRIBUTED_OFF_HEAP);
      }
      local(CacheKind.LOCAL);
      local(CacheKind.LOCAL_OFF_HEAP);
      if (library == ClusterLibrary.ISOGRID) { // the peer has but one kind of these
        local(CacheKind.LOCAL_OBJECTS);
        local(CacheKind.LOCAL_ONE_SEGMENT);
      }
      remote();
    }

    private int entries() {
      return arguments.number("--entries", COUNT_MAX);
    }

    private void distributed(int nodes, CacheKind kind) throws IOException, InterruptedException {
      List<MemberChild> members = new ArrayList<>();
      try {
        start(members, nodes, kind);
        fill(members.getFirst());
        if (nodes > 2) { // of two nodes each has a copy of everything
          measure(members, StreamMeasure.REMOTE_GET, kind);
        }
        measure(members, StreamMeasure.SIZE, kind);
        measure(members, StreamMeasure.ITERATE, kind);
        measure(members, StreamMeasure.FILTER_COUNT, kind);
        measure(members, StreamMeasure.SUM, kind);
        if (library == ClusterLibrary.ISOGRID) {
          measure(members, StreamMeasure.SUM_OF_BYTES, kind);
        }
        measure(members, StreamMeasure.GROUP_BY, kind);
        mortal(members.getFirst());
        measure(members, StreamMeasure.SIZE_WITH_LIFESPANS, kind);
        if (nodes > 1) {
          join(members, kind);
        }
      } finally {
        members.forEach(MemberChild::close);
      }
    }

    /** Starts the nodes of a cluster, and the process of one more. */
    private void start(List<MemberChild> members, int nodes, CacheKind kind)
        throws IOException, InterruptedException {
      List<Integer> ports = new ArrayList<>();
      while (ports.size() <= nodes) {
        ports.add(Ports.free());
      }
      MemberChild.Plan plan = new MemberChild.Plan(library, kind, arguments.text("--heap"), ports);
      for (int i = 0; i <= nodes; i++) {
        members.add(MemberChild.start(checkout, plan, i));
      }
      for (int i = 0; i < nodes; i++) {
        members.get(i).ask(MemberProcess.OPEN, i + 1);
      }
      for (int i = 0; i < nodes; i++) {
        members.get(i).ask(MemberProcess.COMPLETE, nodes);
      }
    }

    private void fill(MemberChild node) throws IOException {
      node.ask(MemberProcess.FILL, entries(), arguments.number("--value-size", COUNT_MAX));
      node.ask(MemberProcess.NUMBERS, arguments.number("--numbers", COUNT_MAX));
    }

    private void mortal(MemberChild node) throws IOException {
      node.ask(MemberProcess.MORTAL, entries(), arguments.number("--value-size", COUNT_MAX));
    }

    private void join(List<MemberChild> members, CacheKind kind) throws IOException {
      members.getLast().tell(MemberProcess.OPEN, members.size());
      measure(members, StreamMeasure.ITERATE_WHILE_JOINING, kind);
      members.getLast().answer();
    }

    private void measure(List<MemberChild> members, StreamMeasure measure, CacheKind kind)
        throws IOException {
      measure(members.getFirst(), measure, kind, members.size() - 1);
    }

    private void measure(MemberChild node, StreamMeasure measure, CacheKind kind, int nodes)
        throws IOException {
      long[] found =
          node.ask(
              MemberProcess.STREAM, measure, entries(), arguments.number("--millis", MILLIS_MAX));
      boolean isOfNumbers =
          switch (measure) {
            case FILTER_COUNT, SUM, SUM_OF_BYTES, GROUP_BY -> true;
            default -> false;
          };
      int count = isOfNumbers ? arguments.number("--numbers", COUNT_MAX) : entries();
      check(measure, found[1], count);
      add(measure, kind.label(), nodes, found[0], count);
    }

    /** Refuses the figure of an operation with a wrong result, and logs a join. */
    private static void check(StreamMeasure measure, long result, long count) {
      if (measure == StreamMeasure.ITERATE_WHILE_JOINING && result != count) {
        System.err.printf("  entries seen: %d, expected: %d%n", result, count);
        return;
      }
      long expected =
          switch (measure) {
            case REMOTE_GET, GET, PUT -> 1;
            case SIZE, SIZE_WITH_LIFESPANS, ITERATE, ITERATE_WHILE_JOINING -> count;
            case FILTER_COUNT -> (count + 1) / 2;
            case SUM, SUM_OF_BYTES -> count * (count - 1) / 2;
            case GROUP_BY -> Math.min(count, StreamWork.GROUPS);
          };
      if (result != expected) {
        throw new IllegalStateException(
            "wrong result: measure=%s, result=%d, expected=%d"
                .formatted(measure.label(), result, expected));
      }
    }

    private void add(StreamMeasure measure, String where, int nodes, long nanos, long entries) {
      figures.add(new StreamFigures.Row(measure, where, nodes, library), nanos, entries);
      System.err.printf(
          "  %s, %s, %d nodes: %,.0f µs%n", measure.label(), where, nodes, nanos / 1e3);
    }

    private void local(CacheKind kind) throws IOException, InterruptedException {
      List<Integer> ports = List.of(Ports.free());
      MemberChild.Plan plan = new MemberChild.Plan(library, kind, arguments.text("--heap"), ports);
      try (MemberChild node = MemberChild.start(checkout, plan, 0)) {
        node.ask(MemberProcess.OPEN, 1);
        fill(node);
        measure(node, StreamMeasure.GET, kind, 1);
        measure(node, StreamMeasure.PUT, kind, 1);
        measure(node, StreamMeasure.SIZE, kind, 1);
        measure(node, StreamMeasure.ITERATE, kind, 1);
        measure(node, StreamMeasure.FILTER_COUNT, kind, 1);
        measure(node, StreamMeasure.SUM, kind, 1);
        if (library == ClusterLibrary.ISOGRID && kind.isOffHeap()) { // others keep objects
          measure(node, StreamMeasure.SUM_OF_BYTES, kind, 1);
        }
        measure(node, StreamMeasure.GROUP_BY, kind, 1);
        mortal(node);
        measure(node, StreamMeasure.SIZE_WITH_LIFESPANS, kind, 1);
      }
    }

    // ---- Hot Rod

    private void remote() throws IOException, InterruptedException {
      String heap = arguments.text("--heap");
      Contestant contestant =
          switch (library) {
            case ISOGRID -> Contestant.isogrid(checkout, "-Xms" + heap + " -Xmx" + heap);
            case INFINISPAN ->
                Contestant.infinispan(checkout, List.of("-Xms" + heap, "-Xmx" + heap));
            case INFINISPAN_8, FLOOR -> throw new IllegalStateException("not measured: " + library);
          };
      String log = "stream-server-" + library.id() + ".log";
      try (Child _ = contestant.start(checkout.logs().resolve(log));
          RemoteCacheManager client =
              client(Objects.requireNonNull(contestant.ports().get(Protocol.HOT_ROD)))) {
        RemoteCache<byte[], byte[]> cache = client.getCache(Contestant.CACHE);
        fill(cache);
        long endNanos =
            RealTime.nanos()
                + TimeUnit.MILLISECONDS.toNanos(arguments.number("--millis", MILLIS_MAX));
        iterate(cache);
        List<Long> times = new ArrayList<>();
        do {
          long startNanos = RealTime.nanos();
          iterate(cache);
          times.add(RealTime.nanos() - startNanos);
        } while (RealTime.nanos() - endNanos < 0);
        times.sort(null);
        add(StreamMeasure.ITERATE, "Hot Rod", 1, times.get(times.size() / 2), entries());
      }
    }

    private static RemoteCacheManager client(int port) {
      return new RemoteCacheManager(
          new ConfigurationBuilder()
              .addServer()
              .host("127.0.0.1")
              .port(port)
              .clientIntelligence(ClientIntelligence.BASIC)
              .marshaller(IdentityMarshaller.INSTANCE)
              .build());
    }

    private void fill(RemoteCache<byte[], byte[]> cache) {
      int valueSize = arguments.number("--value-size", COUNT_MAX);
      List<CompletableFuture<byte[]>> puts = new ArrayList<>();
      for (int i = 0; i < entries(); i++) {
        byte[] key = ("key-" + i).getBytes(StandardCharsets.US_ASCII);
        puts.add(cache.putAsync(key, new byte[valueSize]));
        if (puts.size() == PUTS_MAX || i == entries() - 1) {
          puts.forEach(CompletableFuture::join);
          puts.clear();
        }
      }
    }

    private void iterate(RemoteCache<byte[], byte[]> cache) {
      int count = 0;
      try (CloseableIterator<Map.Entry<Object, Object>> entries =
          cache.retrieveEntries(null, BATCH)) {
        while (entries.hasNext()) {
          entries.next();
          count++;
        }
      }
      check(StreamMeasure.ITERATE, count, entries());
    }
  }
}
