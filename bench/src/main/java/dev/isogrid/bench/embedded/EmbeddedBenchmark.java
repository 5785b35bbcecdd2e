package dev.isogrid.bench.embedded;

import dev.isogrid.api.Cache;
import dev.isogrid.api.Compression;
import dev.isogrid.api.Grid;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.report.Samples;
import dev.isogrid.bench.report.Table;
import dev.isogrid.bench.run.Arguments;
import dev.isogrid.bench.run.Benchmark;
import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.run.Option;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls of embedded caches beside a {@code ConcurrentHashMap} in the same process. Each round calls
 * every map in turn, and comparisons stay within a round. So other load on the machine changes the
 * times, but hardly their ratios.
 */
public final class EmbeddedBenchmark implements Benchmark {
  private static final int THREADS_MAX = 64;

  /** Far more than a dictionary takes. */
  private static final int DICTIONARY_SECONDS = 10;

  @Override
  public String name() {
    return "embedded";
  }

  @Override
  public String summary() {
    return "get and put of embedded caches by ratio, in one JVM, and their exact allocation";
  }

  @Override
  public List<Option> options() {
    return List.of(
        Option.of("--entries", Option.Kind.COUNT, "100000", "Entries of a map."),
        Option.of("--value-size", Option.Kind.BYTES, "100", "Bytes of a text or an array."),
        Option.of(
            "--kinds",
            Option.Kind.WORDS,
            "string,bytes,long,record",
            "Classes of keys and values; json and order too."),
        Option.of("--stores", Option.Kind.WORDS, "all", "Some of " + labels() + "."),
        Option.of("--threads", Option.Kind.COUNTS, "1,2", "Numbers of threads that call at once."),
        new Option("--rounds", Option.Kind.COUNT, "9", "5", "Rounds that are counted."),
        new Option("--warmup", Option.Kind.COUNT, "5", "3", "Rounds before that."),
        new Option(
            "--millis",
            Option.Kind.MILLIS,
            "400",
            "200",
            "Milliseconds for which a round calls a map."));
  }

  private static String labels() {
    return Arrays.stream(Store.values()).map(Store::label).toList().toString();
  }

  @Override
  public Report run(Arguments arguments, Checkout checkout) throws InterruptedException {
    Report report = new Report();
    report.remark(
        "ns: processor time of one call. x object, x jdk: that time over the one of the cache of"
            + " objects, or of ConcurrentHashMap, in the same round. Median, smallest, largest"
            + " over the rounds.");
    report.remark(
        "B/op: bytes that the calling threads allocate per call, exact. Every get hits. Every put"
            + " replaces and returns the value before, as the interface of maps demands.");
    report.remark(
        "calls/us: calls of all threads per microsecond of the wall clock. x first: that over the"
            + " one of the first number of threads, in the same round.");
    for (String word : arguments.words("--kinds")) {
      Kind kind = oneOf(Kind.values(), Kind::label, word);
      report.add(table(report, arguments, kind));
    }
    return report;
  }

  private static <E> E oneOf(E[] all, Function<E, String> label, String word) {
    for (E each : all) {
      if (label.apply(each).equals(word)) {
        return each;
      }
    }
    throw new InvalidRequestException(
        "%s is not known; there are %s".formatted(word, Arrays.stream(all).map(label).toList()));
  }

  private static Table table(Report report, Arguments arguments, Kind kind)
      throws InterruptedException {
    Table table =
        new Table(
            "Keys and values: " + kind.label(),
            3,
            List.of(
                "call",
                "threads",
                "store",
                "ns",
                "min",
                "max",
                "x object",
                "min",
                "max",
                "x jdk",
                "min",
                "max",
                "calls/us",
                "x first",
                "min",
                "max",
                "B/op"));
    int size = arguments.number("--value-size", 4000);
    int entries = arguments.number("--entries", 10_000_000);
    try (Grid grid = Grid.start()) {
      Map<Store, ConcurrentMap<Object, Object>> maps = new EnumMap<>(Store.class);
      for (Store store : stores(arguments)) {
        ConcurrentMap<Object, Object> map = filled(store.open(grid, kind), kind, entries, size);
        maps.put(store, map);
        remarkMemory(report, kind, store, map);
      }
      Object[] keys = kind.keys(entries);
      Object[] values = kind.values(size);
      for (boolean isPut : new boolean[] {false, true}) {
        addRows(table, arguments, maps, new Calls(keys, values, isPut));
      }
    }
    return table;
  }

  private static List<Store> stores(Arguments arguments) {
    return arguments.text("--stores").equals("all")
        ? List.of(Store.values())
        : arguments.words("--stores").stream()
            .map(word -> oneOf(Store.values(), Store::label, word))
            .toList();
  }

  private static ConcurrentMap<Object, Object> filled(
      ConcurrentMap<Object, Object> map, Kind kind, int entries, int size) {
    put(map, kind, entries, size);
    if (map instanceof Cache<?, ?> cache
        && cache.config().compression() == Compression.DICTIONARY) {
      awaitDictionary(cache);
      put(map, kind, entries, size);
    }
    for (int i = 0; i < entries; i++) {
      Object value = map.get(kind.key(i));
      if (value == null || !Kind.isSame(kind.value(i % kind.valueCount(), size), value)) {
        throw new IllegalStateException("wrong value: key=" + kind.key(i) + ", value=" + value);
      }
    }
    return map;
  }

  private static void put(ConcurrentMap<Object, Object> map, Kind kind, int entries, int size) {
    for (int i = 0; i < entries; i++) {
      map.put(kind.key(i), kind.value(i % kind.valueCount(), size));
    }
  }

  /** Waits for the first dictionary of a cache; values of some kinds are too small for one. */
  private static void awaitDictionary(Cache<?, ?> cache) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DICTIONARY_SECONDS);
    while (cache.memoryUse().dictionaryBytes() == 0 && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  private static void remarkMemory(
      Report report, Kind kind, Store store, ConcurrentMap<Object, Object> map) {
    if (map instanceof Cache<?, ?> cache && store != Store.OBJECT) {
      report.remark(
          "%s, %s: %.1f B per entry with its key."
              .formatted(
                  kind.label(),
                  store.label(),
                  (double) cache.memoryUse().liveBytes() / cache.size()));
    }
  }

  /** Calls of one kind. */
  private static final class Calls {
    private final Object[] keys;
    private final Object[] values;
    private final boolean isPut;

    Calls(Object[] keys, Object[] values, boolean isPut) {
      this.keys = keys;
      this.values = values;
      this.isPut = isPut;
    }

    String name() {
      return isPut ? "put" : "get";
    }

    Round round(ConcurrentMap<Object, Object> map, long nanos) {
      return new Round(map, keys, values, isPut, nanos);
    }
  }

  /** Runs the rounds with all numbers of threads and all stores in turns. */
  private static void addRows(
      Table table, Arguments arguments, Map<Store, ConcurrentMap<Object, Object>> maps, Calls calls)
      throws InterruptedException {
    int warmup = arguments.number("--warmup", 1000);
    int rounds = arguments.number("--rounds", 1000);
    long nanos = TimeUnit.MILLISECONDS.toNanos(arguments.number("--millis", 60_000));
    List<Integer> threads = arguments.numbers("--threads", THREADS_MAX);
    List<Map<Store, Figures>> figures =
        threads.stream().map(_ -> figuresOf(maps.keySet())).toList();
    for (int number = -warmup; number < rounds; number++) {
      Map<Store, Round.Work> first = Map.of();
      for (int i = 0; i < threads.size(); i++) {
        Map<Store, Round.Work> works = new EnumMap<>(Store.class);
        for (Map.Entry<Store, ConcurrentMap<Object, Object>> each : maps.entrySet()) {
          Round round = calls.round(each.getValue(), nanos);
          works.put(each.getKey(), round.run(threads.get(i)));
        }
        Map<Store, Round.Work> ofFewest = first.isEmpty() ? works : first;
        first = ofFewest;
        if (number >= 0) {
          figures.get(i).forEach((store, of) -> of.add(store, works, ofFewest));
        }
      }
    }
    for (int i = 0; i < threads.size(); i++) {
      for (Map.Entry<Store, Figures> of : figures.get(i).entrySet()) {
        List<String> cells =
            new ArrayList<>(
                List.of(calls.name(), String.valueOf(threads.get(i)), of.getKey().label()));
        cells.addAll(of.getValue().cells());
        table.add(cells);
        System.err.println("  " + String.join("  ", cells));
      }
    }
  }

  private static Map<Store, Figures> figuresOf(Set<Store> stores) {
    Map<Store, Figures> figures = new EnumMap<>(Store.class);
    stores.forEach(store -> figures.put(store, new Figures()));
    return figures;
  }

  /** The figures of one map over the rounds. */
  private static final class Figures {
    private final Samples nanos = new Samples();
    private final Samples ofObject = new Samples();
    private final Samples ofJdk = new Samples();
    private final Samples rate = new Samples();
    private final Samples ofFewestThreads = new Samples();
    private final Samples bytes = new Samples();

    void add(Store store, Map<Store, Round.Work> works, Map<Store, Round.Work> ofFewest) {
      Round.Work own = Objects.requireNonNull(works.get(store));
      nanos.add(own.cpuNanosPerCall());
      addRatio(ofObject, own, works.get(Store.OBJECT));
      addRatio(ofJdk, own, works.get(Store.JDK));
      rate.add(own.callsPerMicro());
      ofFewestThreads.add(
          own.callsPerMicro() / Objects.requireNonNull(ofFewest.get(store)).callsPerMicro());
      bytes.add(own.bytesPerCall());
    }

    private static void addRatio(Samples target, Round.Work own, Round.@Nullable Work other) {
      if (other != null) {
        target.add(own.cpuNanosPerCall() / other.cpuNanosPerCall());
      }
    }

    List<String> cells() {
      List<String> cells = new ArrayList<>(nanos.cells());
      cells.addAll(ofObject.cells());
      cells.addAll(ofJdk.cells());
      cells.add(Samples.text(rate.median()));
      cells.addAll(ofFewestThreads.cells());
      cells.add(Samples.text(bytes.median()));
      return cells;
    }
  }
}
