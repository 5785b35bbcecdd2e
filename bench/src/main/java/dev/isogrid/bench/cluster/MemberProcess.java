package dev.isogrid.bench.cluster;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.management.ThreadMXBean;
import dev.isogrid.bench.run.RealTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that runs a node. It reads commands from a connection, one per line, and answers each
 * with a line of numbers. It ends when the connection ends.
 */
final class MemberProcess {
  /** The beginning of the line that reports that the process is ready; the port follows. */
  static final String READY_TEXT = "member ready on ";

  /** Joins: {@code open NODES}. Answers when the cluster of that many nodes is complete. */
  static final String OPEN = "open";

  /** Waits until the cluster of that many nodes is complete: {@code complete NODES}. */
  static final String COMPLETE = "complete";

  /** Puts entries: {@code fill COUNT SIZE}. */
  static final String FILL = "fill";

  /** Runs operations: {@code run OPERATION THREADS MILLIS KEYS SIZE}. */
  static final String RUN = "run";

  /** Answers the numbers of {@link MemberCounts}: {@code counts}. */
  static final String COUNTS = "counts";

  /** Watches writes: {@code watch KEYS MILLIS}. */
  static final String WATCH = "watch";

  /** Puts numbers: {@code numbers COUNT}. */
  static final String NUMBERS = "numbers";

  /** Puts entries with lifespans: {@code mortal COUNT SIZE}. */
  static final String MORTAL = "mortal";

  /** Processes all entries: {@code stream MEASURE KEYS MILLIS}. */
  static final String STREAM = "stream";

  /** Puts texts: {@code texts COUNT}, and {@link WordTexts.Spec#line}. */
  static final String TEXTS = "texts";

  /** Counts words: {@code words WAY COUNT}, and {@link WordTexts.Spec#line}. */
  static final String COUNT_WORDS = "words";

  /** Runs a part of a trial: {@code trial STEP NUMBER}; see {@link TrialWork}. */
  static final String TRIAL = "trial";

  private static final int CONNECT_MILLIS_MAX = 60_000;
  private static final long COMPLETE_SECONDS_MAX = 600;
  private static final long POLL_MILLIS = 5;

  private final ClusterLibrary library;
  private final String name;
  private final int port;
  private final CacheKind kind;
  private final List<Integer> seeds = new ArrayList<>();
  private final WordLoops loops = new WordLoops();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private @Nullable ClusterMember member;
  private @Nullable TrialWork trial;

  private MemberProcess(String[] arguments) {
    int i = 0;
    this.library = ClusterLibrary.valueOf(arguments[i++]);
    this.name = arguments[i++];
    this.port = Integer.parseInt(arguments[i++]);
    this.kind = CacheKind.valueOf(arguments[i++]);
    for (String seed : arguments[i].split(",", -1)) {
      seeds.add(Integer.parseInt(seed));
    }
  }

  /**
   * Runs until the connection ends.
   *
   * @param arguments a library, the node's name and port, the kind of its caches, and the ports of
   *     the seeds
   */
  public static void main(String[] arguments) throws Exception {
    MemberProcess process = new MemberProcess(arguments);
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      server.setSoTimeout(CONNECT_MILLIS_MAX);
      System.out.println(READY_TEXT + server.getLocalPort());
      try (Socket socket = server.accept()) {
        process.serve(socket);
      }
    }
    System.exit(0); // libraries leave threads behind
  }

  private void serve(Socket socket) throws Exception {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
    OutputStream out = socket.getOutputStream();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      out.write((answer(line.split(" ", -1)) + "\n").getBytes(US_ASCII));
      out.flush();
    }
  }

  private String answer(String[] words)
      throws IOException, InterruptedException, ExecutionException {
    if (words[0].equals(OPEN)) {
      return open(Integer.parseInt(words[1]));
    }
    MemberWork work = new MemberWork(opened(), threads);
    return switch (words[0]) {
      case COMPLETE -> {
        awaitComplete(Integer.parseInt(words[1]));
        yield "0";
      }
      case FILL -> {
        work.fill(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        yield "0";
      }
      case RUN -> run(work, words);
      case COUNTS -> counts().line();
      case NUMBERS -> {
        new StreamWork(opened()).fillNumbers(Integer.parseInt(words[1]));
        yield "0";
      }
      case MORTAL -> {
        new StreamWork(opened()).fillMortal(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        yield "0";
      }
      case STREAM -> {
        StreamMeasure measure = StreamMeasure.valueOf(words[1]);
        int keys = Integer.parseInt(words[2]);
        long[] found = new StreamWork(opened()).run(measure, keys, Integer.parseInt(words[3]));
        yield found[0] + " " + found[1];
      }
      case TEXTS -> {
        WordTexts texts = new WordTexts(WordTexts.Spec.parse(words, 2));
        long[] found = new WordCountWork(opened()).fill(texts, Integer.parseInt(words[1]));
        yield found[0] + " " + found[1];
      }
      case COUNT_WORDS -> countWords(words);
      case TRIAL -> trial().step(TrialWork.Step.valueOf(words[1]), Integer.parseInt(words[2]));
      case WATCH -> {
        long[] found = work.watch(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        yield found[0] + " " + found[1];
      }
      default -> throw new IOException("not understood: " + String.join(" ", words));
    };
  }

  private String countWords(String[] words) throws InterruptedException, ExecutionException {
    WordCountWay way = WordCountWay.valueOf(words[1]);
    long[] found =
        way.isLoop()
            ? loops.count(way, WordTexts.Spec.parse(words, 3), Integer.parseInt(words[2]))
            : new WordCountWork(opened()).count(way);
    return found[0] + " " + found[1];
  }

  private TrialWork trial() {
    if (trial == null) {
      trial = new TrialWork(opened());
    }
    return trial;
  }

  private ClusterMember opened() {
    if (member == null) {
      throw new IllegalStateException("the node is not open yet");
    }
    return member;
  }

  private MemberCounts counts() {
    long allocated =
        ManagementFactory.getPlatformMXBean(ThreadMXBean.class).getTotalThreadAllocatedBytes();
    return opened().counts().plus(new MemberCounts(allocated, 0, 0, 0));
  }

  private static String run(MemberWork work, String[] words)
      throws InterruptedException, ExecutionException {
    int i = 1;
    MemberWork.Order order =
        new MemberWork.Order(
            MapOperation.valueOf(words[i++]),
            Integer.parseInt(words[i++]),
            Integer.parseInt(words[i++]),
            Integer.parseInt(words[i++]),
            Integer.parseInt(words[i]));
    Latencies latencies = work.run(order);
    return latencies.count() + " " + latencies.quantile(0.5) + " " + latencies.quantile(0.99);
  }

  /**
   * Joins. Answers the nanoseconds from the first received entries to the last, the number of
   * received segments, and the number of all segments.
   */
  private String open(int nodes) throws IOException, InterruptedException {
    ClusterMember opened = library.open(name, port, seeds, kind);
    member = opened;
    long endNanos = RealTime.nanos() + TimeUnit.SECONDS.toNanos(COMPLETE_SECONDS_MAX);
    long firstNanos = RealTime.nanos();
    long lastNanos = firstNanos;
    long size = opened.localSize();
    boolean hasBegun = size > 0;
    while (!opened.isComplete(nodes)) {
      failIfAfter(endNanos, nodes);
      RealTime.pause(POLL_MILLIS);
      long now = opened.localSize();
      if (now != size) {
        lastNanos = RealTime.nanos();
        firstNanos = hasBegun ? firstNanos : lastNanos;
        hasBegun = true;
        size = now;
      }
    }
    return (lastNanos - firstNanos) + " " + opened.localSegments() + " " + opened.segments();
  }

  private void awaitComplete(int nodes) throws IOException, InterruptedException {
    long endNanos = RealTime.nanos() + TimeUnit.SECONDS.toNanos(COMPLETE_SECONDS_MAX);
    while (!opened().isComplete(nodes)) {
      failIfAfter(endNanos, nodes);
      RealTime.pause(POLL_MILLIS);
    }
  }

  private static void failIfAfter(long endNanos, int nodes) throws IOException {
    if (RealTime.nanos() - endNanos > 0) {
      throw new IOException(
          "not complete: nodes=%d, waited=%d s".formatted(nodes, COMPLETE_SECONDS_MAX));
    }
  }
}
