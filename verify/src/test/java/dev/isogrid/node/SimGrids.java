package dev.isogrid.node;

import static dev.isogrid.base.SimTime.MILLI;

import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.GridException;
import dev.isogrid.api.WhenGone;
import dev.isogrid.base.SimProcess;
import dev.isogrid.base.SimTime;
import dev.isogrid.cluster.SimNetwork;
import dev.isogrid.engine.ClusterDriver;
import dev.isogrid.engine.KeyHistory;
import dev.isogrid.engine.ReplicaContents;
import dev.isogrid.testkit.MemoryFolders;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Planner;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of whole nodes in one thread: {@link Node} with all its parts. Threads, clocks and the
 * network are simulated, see {@link SimProcess} and {@link SimNetwork}.
 */
final class SimGrids {
  /*
   * The course of a run, its processes and its checks are in one class, since all of them look at
   * the same members and the newest topology at moments that the course decides.
   *
   * A process that is killed leaves its files as they are at that moment. They are copied before
   * its node is closed, which is to release the memory of this JVM: closing writes what a killed
   * process could not write any more. The next process of its host gets the copy.
   */

  /** A promise was broken. */
  static final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The promise, as tests name it. */
    final SimPromise promise;

    Violation(SimPromise promise, String message) {
      super(promise + ": " + message);
      this.promise = promise;
    }
  }

  /** The time within which a cluster without faults has all nodes and caches. */
  private static final long FOUNDED_MAX = 20_000 * MILLI;

  /** The time after all faults within which the cluster is complete and balanced. */
  private static final long WHOLE_MAX = 20_000 * MILLI;

  /** The same where processes may have given up to wait for others, and begun again. */
  private static final long WHOLE_MAX_KEPT = 60_000 * MILLI;

  /** The time-out of operations. */
  private static final long OPERATION_MILLIS = 4000;

  /** The limit of an answer: the time-out of operations and a margin. */
  private static final long ANSWER_MAX = (OPERATION_MILLIS + 2000) * MILLI;

  private static final long JOIN_MILLIS = 30_000;
  private static final long LEAVE_MILLIS = 5000;
  private static final long LOOK = 5 * MILLI;
  private static final long STEP = 50 * MILLI;
  private static final int SEEDS = 3;
  private static final int CLIENTS = 2;
  private static final double DRIFT = 0.01;

  private final SimPlan plan;
  private final SimTime time;
  private final SimNetwork network;
  private final SplittableRandom random;
  private final List<SimMember> members = new ArrayList<>();
  private final List<SimCache> caches = new ArrayList<>();
  private final SimFaults faults;
  private final int hosts;
  private final WhenGone whenGone;
  private @Nullable Topology newest;
  private boolean isQuiet;
  private boolean isExcused;
  private final Map<Integer, Topology> topologies = new HashMap<>();

  /** The nodes that founded a cluster of their own. */
  private final Set<NodeId> founders = new TreeSet<>();

  private int started;
  private long simulatedMillis;

  /** The folder of the nodes' stores; null if no cache has one. */
  private final @Nullable Path folder;

  /** Whether processes restart with the folders that those before on their hosts left. */
  private final boolean isKept;

  /** By host, what the last process there left. */
  private final Map<Integer, Path> left = new HashMap<>();

  SimGrids(SimPlan plan) {
    this.plan = plan;
    this.time = new SimTime(plan.seed());
    this.random = time.random().split();
    this.network = new SimNetwork(time);
    this.hosts = SEEDS + random.nextInt(2);
    List<WhenGone> policies = List.of(WhenGone.values());
    this.whenGone = policies.get(random.nextInt(policies.size()));
    for (SimCache.Kind kind : SimCache.Kind.values()) {
      if (plan.caches().contains(kind)) {
        caches.add(new SimCache(kind, time));
      }
    }
    this.faults = new SimFaults(this, plan.faults(), time);
    boolean hasStores = plan.caches().stream().anyMatch(SimCache.Kind::hasStore);
    this.folder = hasStores ? newFolder() : null;
    this.isKept = plan.faults().contains(SimFault.KILL);
  }

  private static Path newFolder() {
    try {
      return MemoryFolders.create();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Keeps the files of a process that ends now, as its system has them. */
  private void keep(SimMember member) {
    Path from = member.folder;
    if (!isKept || from == null) {
      return;
    }
    Path to = from.resolveSibling(from.getFileName() + "-left");
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
      left.put(member.host, to);
    } catch (NoSuchFileException nothing) {
      left.remove(member.host);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  // ---- the course of a run

  /**
   * Runs the whole simulation.
   *
   * @throws Violation if a promise was broken
   */
  void run() {
    try {
      IntStream.range(0, hosts).forEach(this::start);
      look();
      await(SimPromise.FOUNDED, FOUNDED_MAX, this::isWhole);
      faults.begin();
      runFor(plan.weatherMillis() * MILLI);
      faults.end();
      long calm = time.nanos();
      awaitWholeAgain();
      isQuiet = true;
      runFor(ANSWER_MAX);
      if (!isExcused) {
        checkAnswers(calm);
        checkContents();
      }
      if (!isExcused) {
        checkHistories();
      }
    } finally {
      simulatedMillis = time.nanos() / MILLI;
      end();
    }
  }

  private void awaitWholeAgain() {
    try {
      await(SimPromise.WHOLE_AGAIN, isKept ? WHOLE_MAX_KEPT : WHOLE_MAX, this::isWhole);
    } catch (Violation late) {
      isExcused |= !isKept && isTooMuchLost();
      if (!isExcused) {
        throw late;
      }
    }
  }

  /**
   * Whether the copies of a segment or the majority of the voters are dead: a crash may come
   * between a decision and its announcement.
   */
  private boolean isTooMuchLost() {
    Topology known = newest;
    if (known == null) {
      return false;
    }
    Set<NodeId> alive =
        members.stream()
            .filter(each -> each.node != null)
            .map(SimMember::id)
            .collect(Collectors.toSet());
    long voters = known.voters().stream().filter(alive::contains).count();
    return !known.isMajority((int) voters)
        || IntStream.range(0, known.segments().size())
            .filter(segment -> isNeeded(known, segment) && !wasLostBefore(known, segment))
            .mapToObj(known.segments()::get)
            .anyMatch(each -> each.isr().stream().noneMatch(alive::contains));
  }

  /** Whether a segment was lost before any of its caches was defined. */
  private boolean wasLostBefore(Topology known, int segment) {
    SegmentOwners owners = known.segments().get(segment);
    return owners.isOffline()
        && cachesOf(known, segment)
            .mapToInt(CacheDefinition::id)
            .allMatch(id ->
                topologies.values().stream()
                    .anyMatch(each -> each.epoch() >= owners.segEpoch() && each.cache(id) == null));
  }

  private static Stream<CacheDefinition> cachesOf(Topology known, int segment) {
    CacheGroup group = known.groupOf(segment);
    return known.caches().stream().filter(cache -> known.groups().get(cache.group()).equals(group));
  }

  /** Whether a segment may have entries that clients want. */
  boolean isNeeded(Topology known, int segment) {
    return cachesOf(known, segment)
        .anyMatch(cache -> caches.stream().noneMatch(each -> each.isEnded(cache)));
  }

  /** How often lost segments began anew. */
  int restarts() {
    Topology known = newest;
    return known == null ? 0 : known.segments().stream().mapToInt(SegmentOwners::restarts).sum();
  }

  /** Begins to remove a cache that clients use, which comes back; returns whether it does. */
  boolean tryRemove() {
    List<SimCache> used = caches.stream().filter(cache -> !cache.isEnding()).toList();
    return !used.isEmpty()
        && new SimRemoval(this, used.get(random.nextInt(used.size())), time, random).tryBegin();
  }

  private void runFor(long nanos) {
    time.runUntil(time.nanos() + nanos);
  }

  private void await(SimPromise promise, long nanos, BooleanSupplier condition) {
    long end = time.nanos() + nanos;
    while (!condition.getAsBoolean()) {
      if (time.nanos() > end) {
        throw new Violation(promise, "waited=%d ms, %s".formatted(nanos / MILLI, state()));
      }
      runFor(STEP);
    }
  }

  /** Closes all nodes, so that they release their memory. */
  private void end() {
    isQuiet = true;
    for (SimMember member : List.copyOf(members)) {
      member.process.recover();
      bury(member, true);
    }
    runFor(JOIN_MILLIS * MILLI);
    time.end();
    if (folder != null) {
      delete(folder);
    }
  }

  // ---- processes

  /** Starts a process on a host. */
  void start(int host) {
    String name = "p" + ++started;
    double rate = 1 + (random.nextDouble() * 2 - 1) * DRIFT;
    SimMember member = new SimMember(host, new SimProcess(time, name, rate));
    members.add(member);
    member.process.runAfter(random.nextLong(300 * MILLI), () -> live(member));
  }

  private void live(SimMember member) {
    ClusterConfig cluster =
        ClusterConfig.builder()
            .seeds(IntStream.range(0, SEEDS).mapToObj(SimGrids::seed).toList())
            .whenGone(whenGone)
            .operationTimeout(OPERATION_MILLIS, TimeUnit.MILLISECONDS)
            .joinTimeout(JOIN_MILLIS, TimeUnit.MILLISECONDS)
            .leaveTimeout(leaveMillis(), TimeUnit.MILLISECONDS)
            .build();
    GridConfig.Builder config =
        GridConfig.builder()
            .nodeName(isKept ? "h" + member.host : member.process.toString())
            .offHeapMax(16 << 20)
            .cluster(cluster);
    if (folder != null) {
      Path own = folder.resolve(member.process.toString()); // a new one, so it is empty
      member.folder = left.getOrDefault(member.host, own);
      config.dataFolder(member.folder);
    }
    while (!member.isDead && member.node == null) {
      try {
        member.node =
            Node.start(
                config.build(),
                network.opener(member.process, address(member.host)),
                member.process.env());
      } catch (GridException failure) {
        if (!member.isDead) {
          end(member, failure);
        }
        return;
      }
    }
    if (member.isDead) {
      close(member);
    } else {
      use(member);
    }
  }

  /** Nodes that only die do not try to leave then. */
  private long leaveMillis() {
    return plan.faults().contains(SimFault.LEAVE) ? LEAVE_MILLIS : 0;
  }

  private static String address(int host) {
    return "10.0.0." + (host + 1);
  }

  private static String seed(int host) {
    return address(host) + ":7800";
  }

  /** Ends a process that can't join, and restarts it. */
  private void end(SimMember member, GridException reason) {
    time.note(reason.getClass().getSimpleName().hashCode());
    keep(member);
    member.isDead = true;
    members.remove(member);
    start(member.host);
  }

  private void use(SimMember member) {
    for (SimCache cache : caches) {
      while (!member.isDead && !isOpen(member, cache)) {
        member.process.env().nanoClock().pause(STEP);
      }
    }
    member.isReady = true;
    for (int i = 0; i < CLIENTS; i++) {
      member.process.run(() -> beClient(member));
    }
  }

  /** Opens a cache, which makes it if there is none; returns whether it could. */
  static boolean isOpen(SimMember member, SimCache cache) {
    try {
      member.grid().cache(cache.name, cache.kind.config());
      return true;
    } catch (GridException notYet) {
      return false;
    }
  }

  private void beClient(SimMember member) {
    SplittableRandom chance = random.split();
    while (!member.isDead && !member.isLeaving && !isQuiet) {
      caches.get(chance.nextInt(caches.size())).operate(member);
      member.process.env().nanoClock().pause(chance.nextLong(40 * MILLI));
    }
  }

  /** The processes that are alive. */
  List<SimMember> living() {
    return members;
  }

  /** Kills a process. */
  void crash(SimMember member, boolean isRefused) {
    keep(member);
    bury(member, isRefused);
    faults.restart(member.host);
  }

  /** Lets a node leave; its process ends after that, which {@link #look} sees, and restarts. */
  void leave(SimMember member) {
    member.isLeaving = true;
    member.process.run(() -> close(member));
  }

  /** Kills all processes and restarts them empty. */
  void crashAll() {
    for (SimMember member : List.copyOf(members)) {
      crash(member, true);
    }
    newest = null;
    topologies.clear();
    founders.clear();
    for (SimCache cache : caches) {
      cache.lose();
    }
  }

  /** Releases the memory of a dead process; the other processes do not notice that. */
  private void bury(SimMember member, boolean isRefused) {
    member.isDead = true;
    members.remove(member);
    member.process.recover();
    network.crash(member.process, isRefused);
    member.process.run(() -> close(member));
  }

  private static void close(SimMember member) {
    if (member.node != null) {
      member.node.close();
    }
  }

  SimNetwork network() {
    return network;
  }

  @Nullable Topology newest() {
    return newest;
  }

  // ---- checks

  /** Checks from time to time that no forbidden state occurs. */
  private void look() {
    for (SimMember member : members) {
      Topology known = member.topology();
      if (known != null) {
        learn(known);
      }
    }
    members.forEach(this::checkLease);
    members.stream().filter(SimMember::hasStopped).toList().forEach(each -> crash(each, true));
    if (!isQuiet) {
      time.after(LOOK, this::look);
    }
  }

  private void learn(Topology known) {
    known.members().stream()
        .filter(member -> member.joinedEpoch() == 1)
        .forEach(member -> founders.add(member.id()));
    Topology other = topologies.putIfAbsent(known.epoch(), known);
    boolean isOne = founders.size() <= 1 && (other == null || other.equals(known));
    if (!isOne && plan.holes().contains(SimHole.FOUNDED_TWICE)) {
      isExcused = true;
    }
    check(
        isOne || isExcused,
        SimPromise.ONE_CLUSTER,
        "founders=%s, one=%s, other=%s",
        founders,
        other,
        known);
    if (newest == null || known.epoch() > newest.epoch()) {
      newest = known;
    }
  }

  private void checkLease(SimMember member) {
    ClusterDriver driver = member.node == null ? null : member.node.driver();
    boolean isOutside = driver != null && newest != null && newest.member(driver.self()) == null;
    check(
        !isOutside || isExcused || !ReplicaContents.isLeased(Objects.requireNonNull(driver)),
        SimPromise.LEASED_MEMBERS,
        "member=%s, epoch=%d",
        member,
        newest == null ? 0 : newest.epoch());
  }

  /** Whether all nodes know the same topology, in which nothing is missing. */
  private boolean isWhole() {
    Topology known = newest;
    return known != null
        && members.size() == hosts
        && known.members().size() == hosts
        && members.stream().allMatch(each -> each.isReady && !each.isLeaving)
        && members.stream().allMatch(each -> known.equals(each.topology()))
        && caches.stream().noneMatch(SimCache::isEnding)
        && IntStream.range(0, known.segments().size())
            .allMatch(i -> known.segments().get(i).primary() != null || !isNeeded(known, i))
        && known.segments().stream().allMatch(each -> each.learners().isEmpty())
        && Arrays.stream(missing(known)).allMatch(missing -> missing == 0);
  }

  private static int[] missing(Topology known) {
    return Planner.missingCopies(known, Set.of());
  }

  /** Whether more nodes died than the cluster tolerates. */
  boolean isExcused() {
    return isExcused;
  }

  private void checkAnswers(long beforeNanos) {
    for (SimCache cache : caches) {
      List<String> open = cache.unanswered(beforeNanos);
      check(open.isEmpty(), SimPromise.ANSWERED, "cache=%s, calls=%s", cache.name, open);
    }
  }

  private void checkContents() {
    for (SimCache cache : caches) {
      for (String key : cache.keys()) {
        for (SimMember member : members) {
          member.process.run(() -> cache.get(member, key));
        }
      }
    }
    runFor(ANSWER_MAX);
    for (SimCache cache : caches) {
      List<String> open = cache.unanswered(time.nanos());
      check(open.isEmpty(), SimPromise.ANSWERED, "cache=%s, calls=%s", cache.name, open);
      if (cache.isReplicated()) {
        new SimReplicas(cache, members).check();
      }
    }
  }

  private void checkHistories() {
    for (SimCache cache : caches) {
      boolean isOwn = cache.kind == SimCache.Kind.INVALIDATED;
      SimPromise promise = isOwn ? SimPromise.NOTHING_STALE : SimPromise.LINEARIZABLE;
      for (KeyHistory history : cache.histories()) {
        String problem = isOwn ? history.staleRead() : history.problem();
        check(problem == null, promise, "cache=%s, %s", cache.name, problem);
      }
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency of its own
  static void check(boolean holds, SimPromise promise, String format, @Nullable Object... values) {
    if (!holds) {
      throw new Violation(promise, format.formatted(values));
    }
  }

  // ---- for human readers

  private String state() {
    StringBuilder text = new StringBuilder();
    text.append("hosts=").append(hosts).append(", topology=").append(newest);
    for (SimMember member : List.copyOf(members)) {
      Node node = member.node;
      text.append('\n')
          .append(member)
          .append(": ready=")
          .append(member.isReady)
          .append(", obstacle=")
          .append(node == null ? "not started" : obstacle(member, node))
          .append(", failures=")
          .append(member.process.failures());
    }
    return text.toString();
  }

  /** Runs on a thread of the node, since it takes a lock that may be held for ever. */
  private String obstacle(SimMember member, Node node) {
    String[] answer = {"no answer"};
    member.process.run(() -> answer[0] = String.valueOf(node.obstacle()));
    runFor(STEP);
    return answer[0];
  }

  /** All events as one number. */
  long trace() {
    return time.trace();
  }

  /** The length of the run, in milliseconds of the simulated world. */
  long simulatedMillis() {
    return simulatedMillis;
  }

  @Override
  public String toString() {
    List<KeyHistory> histories =
        caches.stream().flatMap(cache -> cache.histories().stream()).toList();
    int known = histories.stream().mapToInt(KeyHistory::known).sum();
    int unknown = histories.stream().mapToInt(KeyHistory::unknown).sum();
    return "hosts=%d, started=%d, whenGone=%s, epoch=%d, answers=%d, unknown=%d, messages=%d, %s"
        .formatted(
            hosts,
            started,
            whenGone,
            newest == null ? 0 : newest.epoch(),
            known,
            unknown,
            network.delivered(),
            faults);
  }
}
