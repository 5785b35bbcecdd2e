package dev.isogrid.engine;

import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.GonePolicy;
import dev.isogrid.cluster.MembershipMessage.Released;
import dev.isogrid.cluster.Message;
import dev.isogrid.cluster.Rule;
import dev.isogrid.engine.SegmentMessage.Operation;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Planner;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A cluster in one thread, on a network, with clocks and with bad luck, all decided by a seed. */
final class SimCluster {
  /*
   * One queue of events by time. Everything random comes from one generator, in the order of the
   * events, so that a seed gives the same run. The weather of a link loses, doubles or delays
   * messages. Late ones arrive out of order, and also after the end of a cut. A paused process
   * finds all its messages when it resumes, and its clock has continued. Another process replaces
   * one that crashes.
   */
  private static final long MILLI = 1_000_000;
  private static final long QUIET = 1000 * MILLI;
  private static final long DISCOVERY = 1000 * MILLI;
  private static final boolean LOG = Boolean.getBoolean("sim.log");
  private static final int NO_DELIVERY = -1;

  /** The time within which a cluster without faults has its caches and all copies. */
  private static final long SETTLED = 10_000 * MILLI;

  /** The longest time until user code reads the entry, and from then until it decides. */
  private static final long PREPARED_MAX = 150 * MILLI;

  private static final long CUT = 5000 * MILLI;

  /** Clients of servers, beside the callers on each node. */
  private static final int CLIENTS = 3;

  /**
   * The most messages per segment: a replica tells all voters, and each of them the others, once.
   */
  private static final long RELEASED_MAX = 100;

  private static final int READS_WHERE_LOST = 4;
  private static final long READS_WHERE_LOST_WITHIN = 150 * MILLI;

  /** The longest time until the end of a process is noticed. */
  private static final long NOTICE_MAX = 200 * MILLI;

  private static final long NOTICE_MIN = 1 * MILLI;

  private record Event(long nanos, long order, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return nanos != other.nanos
          ? Long.compare(nanos, other.nanos)
          : Long.compare(order, other.order);
    }
  }

  private final SimConfig config;
  private final SplittableRandom random;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Map<NodeId, SimNode> nodes = new HashMap<>();
  private final List<SimNode> living = new ArrayList<>();
  private final Map<Long, Long> cutUntil = new HashMap<>();
  private final Set<NodeId> inherited = new HashSet<>();
  private final List<SimClient> clients = new ArrayList<>();
  private final SimOracle oracle;
  private final History history = new History();
  private final ClusterTimes times;
  private final ReplicaLimits limits;
  private final SimCaches caches;
  private final int size;
  private double lossRate;
  private double doubleRate;
  private long delayMax;
  private boolean isCalm;
  private boolean isQuiet;
  private boolean isExcused;
  private boolean wantsLast;
  private boolean isMajorityLost;
  private boolean mayLoseMajority;
  private long lastSeat;
  private int goneOn;
  private long now;
  private long order;
  private long lastNode;
  private long trace;
  private int readsHere;
  private long released;

  SimCluster(SimConfig config) {
    this.config = config;
    this.random = new SplittableRandom(config.seed());
    this.size = 2 + random.nextInt(5);
    this.caches = new SimCaches(random.split(), config.isAsync());
    this.oracle = new SimOracle(config.isAsync());
    this.limits =
        random.nextInt(3) == 0
            ? new ReplicaLimits(3, 300, 4, 2, 200, 1, 40, 1, 4, 600, 2, recordLimits(config.seed()))
            : new ReplicaLimits(
                64, 9000, 64, 8, 1000, 3, 80, 300, 64, 9000, 16, recordLimits(config.seed()));
    int drift = random.nextInt(3) == 0 ? 100 : 10;
    GonePolicy policy =
        switch (random.nextInt(4)) {
          case 0 -> GonePolicy.IGNORED;
          case 1 -> GonePolicy.ALWAYS;
          default -> GonePolicy.OF_TWO;
        };
    this.mayLoseMajority = policy != GonePolicy.IGNORED && random.nextInt(3) == 0;
    this.times =
        new ClusterTimes(800 * MILLI, drift, 700 * MILLI, 100 * MILLI, policy, config.off());
  }

  /** Limits for the records that replicas keep: few operations, few answers, or none. */
  private static RecordLimits recordLimits(long seed) {
    int answerBytes = seed % 8 == 2 ? Sized.SMALL_BYTES - 1 : Sized.SMALL_BYTES;
    long segmentBytes = seed % 8 == 4 ? 4 * DedupTable.FIXED_BYTES : 64 * DedupTable.FIXED_BYTES;
    return new RecordLimits(answerBytes, segmentBytes, 4 * segmentBytes, 4 * Sized.SMALL_BYTES);
  }

  /** Runs the whole simulation. */
  void run() {
    newWeather();
    found();
    scheduleClients();
    at(random.nextLong(1000 * MILLI), this::fault);
    at(DISCOVERY, this::discover);
    long calmFrom = config.weatherMillis() * MILLI;
    runUntil(calmFrom);
    calm();
    long quietFrom = calmFrom + config.calmMillis() * MILLI;
    runUntil(quietFrom);
    isQuiet = true;
    runUntil(quietFrom + QUIET);
    checkAlive();
    oracle.checkEqual(newestOfLiving(), living);
    String problem = config.isAsync() ? null : history.problem();
    SimOracle.check(problem == null, "P1: %s", String.valueOf(problem));
  }

  /**
   * The longest write, in nanoseconds, while its primary gets no answers from its other replica. A
   * third node calls, and all other nodes hear each other.
   *
   * @param isOneWay whether messages still arrive in the other direction
   * @param isLeaderCut whether the replica is the leading voter
   * @return -1 if the cluster has no such segment
   */
  long longestWriteWhileCut(boolean isOneWay, boolean isLeaderCut) {
    isCalm = true;
    isQuiet = true;
    delayMax = 2 * MILLI;
    found();
    runUntil(SETTLED);
    Topology topology = newestOfLiving();
    for (int i = 0; topology != null && i < topology.segments().size(); i++) {
      SegmentOwners owners = topology.segments().get(i);
      SimNode primary = nodes.get(owners.primary());
      SimNode third = living.stream().filter(n -> !owners.involves(n.id)).findFirst().orElse(null);
      NodeId backup = owners.isr().getLast();
      boolean isAsWanted = backup.equals(topology.voters().getFirst()) == isLeaderCut;
      if (owners.isr().size() == 2 && primary != null && third != null && isAsWanted) {
        cutUntil.put(link(primary.id, backup), SETTLED + CUT);
        if (!isOneWay) {
          cutUntil.put(link(backup, primary.id), SETTLED + CUT);
        }
        return longestWrite(third, topology, i);
      }
    }
    return -1;
  }

  private long longestWrite(SimNode third, Topology topology, int segment) {
    long[] longest = {0};
    int[] open = {0};
    for (long time = SETTLED; time < SETTLED + CUT; time += 50 * MILLI) {
      runUntil(time);
      long start = now;
      SimCaches.Call call;
      do {
        call = Objects.requireNonNull(caches.randomCall(topology));
      } while (call.segment() != segment || call.command().isRead());
      long deadline = third.clock(now) + 2 * CUT;
      open[0]++;
      boolean begun =
          third.core.tryInvoke(
              call.command(),
              segment,
              deadline,
              _ -> {
                longest[0] = Math.max(longest[0], now - start);
                open[0]--;
              },
              third.clock(now));
      SimOracle.check(begun, "too many writes without an answer: segment=%d", segment);
    }
    runUntil(SETTLED + 2 * CUT);
    SimOracle.check(
        released <= RELEASED_MAX * topology.segments().size(),
        "too many messages about segments that were given up: messages=%d, segments=%d",
        released,
        topology.segments().size());
    SimOracle.check(
        open[0] == 0,
        "writes without an answer: writes=%d, segment=%d, third=%s, topology=%s",
        open[0],
        segment,
        third.id,
        String.valueOf(newestOfLiving()));
    return longest[0];
  }

  private void found() {
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      float capacity = i < 2 ? 1 : randomCapacity();
      SimNode node = newNode(capacity, newSeat());
      members.add(new Member(node.id, 1, node.profile));
    }
    Topology first = Planner.first(members, List.of());
    for (SimNode node : List.copyOf(living)) {
      node.core.found(first, node.clock(now));
      after(node);
    }
  }

  private String newSeat() {
    return "seat-" + ++lastSeat;
  }

  private SimNode newNode(float capacity, String seat) {
    NodeId id = new NodeId(0, ++lastNode);
    SimContainers containers = new SimContainers(oracle);
    ClusterNode core =
        new ClusterNode(
            id,
            new ClusterNodeConfig(times, limits, 64),
            (to, message) -> send(id, to, message),
            containers,
            oracle::onCommit,
            containers,
            random.split());
    MemberProfile profile = new MemberProfile("", capacity, "", "", seat);
    core.updateProfile(profile);
    caches.defineAll(core);
    double worst = times.driftPerMille() / 1000.0;
    double drift =
        random.nextBoolean()
            ? (random.nextBoolean() ? worst : -worst)
            : (random.nextDouble() * 2 - 1) * worst;
    SimNode node = new SimNode(id, core, profile, 1 + drift, random.nextLong(1L << 40));
    nodes.put(id, node);
    living.add(node);
    scheduleTick(node);
    for (int i = 0; i < 2; i++) {
      scheduleClient(node);
    }
    return node;
  }

  // ---- time

  private void at(long nanos, Runnable action) {
    events.add(new Event(nanos, ++order, action));
  }

  private void runUntil(long end) {
    while (!events.isEmpty() && events.peek().nanos() <= end) {
      Event event = events.remove();
      now = event.nanos();
      event.action().run();
    }
    now = end;
  }

  private void scheduleTick(SimNode node) {
    at(
        now + 5 * MILLI + random.nextLong(10 * MILLI),
        () -> {
          if (node.isDead) {
            return;
          }
          if (node.runs(now)) {
            deliverArrived(node);
            node.core.tick(node.clock(now));
            after(node);
            if (random.nextInt(8) == 0) {
              oracle.checkLimits(node);
              oracle.checkCopies(node);
            }
            if (node.core.hasLeft()) {
              stop(node);
              return;
            }
          }
          scheduleTick(node);
        });
  }

  private void after(SimNode node) {
    boolean decided = oracle.after(node, living, now);
    Topology known = node.core.topology();
    if (decided && known != null && !isQuiet) {
      readWhereLost(known);
    }
    if (decided && !isCalm && known != null && isUnlucky(known)) {
      at(now, () -> crash(node));
    } else if (decided && known != null && random.nextInt(10) == 0) {
      at(now, this::crashMajority);
    }
  }

  /** Whether a node dies right after its decision; mostly if no other node took part in it. */
  private boolean isUnlucky(Topology decided) {
    return random.nextInt(decided.members().size() <= 3 ? 15 : 100) == 0;
  }

  // ---- network

  private void send(NodeId from, NodeId to, Message message) {
    released += message instanceof Released ? 1 : 0;
    SimNode source = nodes.get(from);
    SimNode target = nodes.get(to);
    if (source == null || target == null) {
      return;
    }
    long delay = delay(from, to);
    if (delay != NO_DELIVERY) {
      at(now + delay, () -> arrive(source, target, message));
    }
    if (random.nextDouble() < doubleRate) {
      long later = now + delayMax + random.nextLong(3000 * MILLI);
      at(later, () -> arrive(source, target, message));
    }
  }

  private long delay(NodeId from, NodeId to) {
    if (from.equals(to)) {
      return 1000;
    }
    long cut = cutUntil.getOrDefault(link(from, to), 0L);
    if (isCut(from, to)) {
      boolean comesLater = random.nextInt(20) == 0;
      return comesLater ? cut - now + random.nextLong(500 * MILLI) : NO_DELIVERY;
    }
    if (random.nextDouble() < lossRate) {
      return NO_DELIVERY;
    }
    long delay = 100_000 + random.nextLong(delayMax);
    return random.nextInt(200) == 0 && !isCalm ? delay + random.nextLong(3000 * MILLI) : delay;
  }

  private static long link(NodeId from, NodeId to) {
    return from.low() << 32 | to.low();
  }

  private void arrive(SimNode from, SimNode to, Message message) {
    if (to.isDead) {
      return;
    }
    if (!to.runs(now)) {
      to.arrived.add(new SimNode.Arrived(from, message));
      return;
    }
    deliverArrived(to);
    deliver(from, to, message);
  }

  private void deliverArrived(SimNode node) {
    while (!node.arrived.isEmpty()) {
      SimNode.Arrived next = node.arrived.removeFirst();
      deliver(next.from(), node, next.message());
    }
  }

  private void deliver(SimNode from, SimNode to, Message message) {
    if (LOG) {
      System.out.println(now / 1000 + " " + from.id + ">" + to.id + " " + message);
    }
    trace = trace * 31 + now;
    trace = trace * 31 + message.getClass().getSimpleName().hashCode() + to.id.low();
    if (message instanceof Operation operation
        && operation.command() instanceof SimCommand command
        && command.isUnprepared()) {
      prepare(from, to, operation);
      return;
    }
    to.core.onMessage(from.id, message, to.clock(now));
    after(to);
  }

  /**
   * Prepares as {@link EntryPreparation} does: it reads the entry, and later asks for the decision.
   */
  private void prepare(SimNode from, SimNode node, Operation operation) {
    if (node.preparing.put(operation.id(), operation) == null) {
      at(now + random.nextLong(PREPARED_MAX), () -> look(from, node, operation));
    }
  }

  private void look(SimNode from, SimNode node, Operation operation) {
    SimCommand command = (SimCommand) operation.command();
    int segment = operation.segment();
    SimCommand prepared =
        isServing(node, segment)
            ? command.prepared(node.core.replica(segment).log().committed(command.key()))
            : command;
    at(now + random.nextLong(PREPARED_MAX), () -> prepared(from, node, operation.id(), prepared));
  }

  private void prepared(SimNode from, SimNode node, OperationId id, SimCommand command) {
    if (!node.isDead && !node.runs(now)) {
      at(node.pausedUntil, () -> prepared(from, node, id, command));
      return;
    }
    Operation newest = node.preparing.remove(id);
    if (!node.isDead && newest != null) {
      deliverArrived(node);
      Operation decidable =
          new Operation(
              newest.epoch(),
              newest.segment(),
              newest.segEpoch(),
              id,
              newest.ackedUpTo(),
              newest.attempt(),
              newest.ageMillis(),
              command);
      node.core.onMessage(from.id, decidable, node.clock(now));
      after(node);
    }
  }

  // ---- clients

  private void scheduleClient(SimNode node) {
    long pause = isCalm ? 200 * MILLI : 60 * MILLI;
    at(now + random.nextLong(pause) + 1, () -> callFrom(node));
  }

  private void callFrom(SimNode node) {
    if (node.isDead || isQuiet) {
      return;
    }
    if (!node.runs(now)) {
      scheduleClient(node);
      return;
    }
    Topology seen = random.nextBoolean() ? oracle.newest() : node.core.topology();
    SimCaches.Call call = caches.randomCall(seen);
    if (call == null) {
      scheduleClient(node);
      return;
    }
    History.WhenDone whenDone = history.call(call.command().wanted(), call.keys(), now);
    if (call.command().isRead() && node.core.isReadable(call.segment(), node.clock(now))) {
      readHere(node, call, whenDone);
      scheduleClient(node);
      return;
    }
    long deadline = node.clock(now) + (500 + random.nextLong(4000)) * MILLI;
    boolean begun =
        node.core.tryInvoke(
            call.command(),
            call.segment(),
            deadline,
            outcome -> {
              Outcome told = told(call, outcome);
              oracle.onAnswer(call.command(), told);
              boolean isUndone = SimCommand.AGAIN.equals(told.result());
              whenDone.done(isUndone ? new Outcome(Outcome.Kind.FAILED, null) : told, now);
              scheduleClient(node);
            },
            node.clock(now));
    if (!begun) {
      whenDone.done(new Outcome(Outcome.Kind.FAILED, null), now);
      scheduleClient(node);
    }
  }

  /**
   * Returns what an answer proves. The entries of a removed cache are gone, and writes to it have
   * no effect any more.
   */
  private Outcome told(SimCaches.Call call, Outcome outcome) {
    if (!oracle.isRemoved(call.keys().getFirst())) {
      return outcome;
    }
    boolean isRead = call.command().isRead();
    return new Outcome(isRead ? Outcome.Kind.FAILED : Outcome.Kind.INDETERMINATE, null);
  }

  /** The number of repeated attempts of clients. */
  int repeatedByClients() {
    return clients.stream().mapToInt(SimClient::repeated).sum();
  }

  /** Clients of servers, whose connections break. */
  private void scheduleClients() {
    for (int i = 0; i < CLIENTS; i++) {
      SimClient client = new SimClient(random.split(), history, oracle);
      clients.add(client);
      scheduleNext(client);
    }
  }

  private void scheduleNext(SimClient client) {
    long pause = isCalm ? 200 * MILLI : 60 * MILLI;
    at(now + random.nextLong(pause) + 1, () -> begin(client));
  }

  private void begin(SimClient client) {
    SimCaches.Call call = isQuiet ? null : caches.randomCall(oracle.newest());
    if (call != null && !call.command().isRead()) {
      attempt(client, client.begin(call, now));
    } else if (!isQuiet) {
      scheduleNext(client);
    }
  }

  /** Sends an operation to some server, and to another one if the connection breaks meanwhile. */
  private void attempt(SimClient client, SimClient.Wanted wanted) {
    List<SimNode> servers = living.stream().filter(node -> node.runs(now)).toList();
    if (servers.isEmpty() || wanted.isOld(now)) {
      wanted.giveUp(now);
      scheduleNext(client);
      return;
    }
    SimNode server = servers.get(random.nextInt(servers.size()));
    int number = wanted.nextAttempt();
    long deadline = server.clock(now) + (500 + random.nextLong(4000)) * MILLI;
    boolean begun =
        server.core.tryInvoke(
            wanted.command(),
            wanted.operation(now),
            null,
            wanted.segment(),
            deadline,
            outcome -> {
              if (!server.isDead && wanted.end(number, told(wanted.call(), outcome), now)) {
                scheduleNext(client);
              }
            },
            server.clock(now));
    if (!begun) {
      wanted.giveUp(now);
      scheduleNext(client);
      return;
    }
    boolean isCut = random.nextInt(3) == 0;
    long patience = isCut ? random.nextLong(100 * MILLI) : 10_000 * MILLI;
    long next = now + 1 + patience;
    if (isCut) {
      at(next, () -> repeat(client, wanted, number));
    } else {
      at(now + 1000 * MILLI, () -> repeatIfDead(client, wanted, number, server));
    }
  }

  private void repeat(SimClient client, SimClient.Wanted wanted, int number) {
    if (wanted.waitsFor(number)) {
      attempt(client, wanted);
    }
  }

  private void repeatIfDead(SimClient client, SimClient.Wanted wanted, int number, SimNode server) {
    if (!wanted.waitsFor(number)) {
      return;
    }
    if (server.isDead) {
      attempt(client, wanted);
    } else {
      at(now + 1000 * MILLI, () -> repeatIfDead(client, wanted, number, server));
    }
  }

  private void readHere(SimNode node, SimCaches.Call call, History.WhenDone whenDone) {
    CommittedEntries committed = node.core.replica(call.segment()).log().committed();
    Outcome outcome = new Outcome(Outcome.Kind.DONE, call.command().read(committed));
    whenDone.done(told(call, outcome), now);
    readsHere++;
  }

  /** Queries nodes that lose segments for keys that others may change from now on. */
  private void readWhereLost(Topology decided) {
    Topology before = oracle.topology(decided.epoch() - 1);
    for (int i = 0; before != null && i < before.segments().size(); i++) {
      int segment = i;
      for (NodeId loser : before.segments().get(i).losers(decided.segments().get(i))) {
        SimNode node = nodes.get(loser);
        for (int read = 0; node != null && read < READS_WHERE_LOST; read++) {
          at(now + random.nextLong(READS_WHERE_LOST_WITHIN), () -> readFrom(node, segment));
        }
      }
    }
  }

  private void readFrom(SimNode node, int segment) {
    if (!node.runs(now) || !node.core.isReadable(segment, node.clock(now))) {
      return;
    }
    SimCaches.Call call = caches.randomRead(node.core.topology(), segment);
    if (call != null) {
      readHere(node, call, history.call(call.command(), call.keys(), now));
    }
  }

  // ---- weather

  private void newWeather() {
    lossRate = random.nextInt(3) == 0 ? random.nextDouble() * 0.1 : 0;
    doubleRate = random.nextInt(3) == 0 ? random.nextDouble() * 0.1 : 0.01;
    delayMax = random.nextInt(3) == 0 ? 50 * MILLI : 2 * MILLI;
  }

  private void fault() {
    if (isCalm) {
      return;
    }
    if (config.isHasty()) {
      hastyFault();
      return;
    }
    SimNode node = living.get(random.nextInt(living.size()));
    switch (random.nextInt(10)) {
      case 0, 1 -> {
        node.pausedUntil = now + random.nextLong(3000 * MILLI);
        lieOf(node);
      }
      case 2 -> {
        isolate(node, true, true);
        lieOf(node);
      }
      case 3 -> isolate(node, random.nextBoolean(), random.nextBoolean());
      case 4 -> cut(node, living.get(random.nextInt(living.size())));
      case 5 -> crash(node);
      case 9 -> crashMajority();
      case 6 -> newWeather();
      case 7 -> caches.change(node.core);
      default -> changeMembers(node);
    }
    at(now + random.nextLong(1500 * MILLI), this::fault);
  }

  /** Short faults while members come and go: some voters learn of decisions late. */
  private void hastyFault() {
    SimNode node = living.get(random.nextInt(living.size()));
    switch (random.nextInt(8)) {
      case 0 -> isolate(node, true, true, 600 * MILLI);
      case 1 -> isolate(node, random.nextBoolean(), random.nextBoolean(), 600 * MILLI);
      case 2 -> node.pausedUntil = now + random.nextLong(400 * MILLI);
      case 3 -> caches.change(node.core);
      case 4 -> crash(node);
      case 5 -> crashMajority();
      default -> changeMembers(node);
    }
    at(now + random.nextLong(300 * MILLI), this::fault);
  }

  private void isolate(SimNode node, boolean inward, boolean outward) {
    isolate(node, inward, outward, 4000 * MILLI);
  }

  private void isolate(SimNode node, boolean inward, boolean outward, long nanosMax) {
    long end = now + random.nextLong(nanosMax);
    for (SimNode other : living) {
      if (other != node) {
        if (inward) {
          cutUntil.put(link(other.id, node.id), end);
        }
        if (outward) {
          cutUntil.put(link(node.id, other.id), end);
        }
      }
    }
  }

  private void cut(SimNode one, SimNode other) {
    if (one != other) {
      cutUntil.put(link(one.id, other.id), now + random.nextLong(5000 * MILLI));
    }
  }

  private void crash(SimNode node) {
    Topology newest = oracle.newest();
    boolean isAnyStaying = living.stream().anyMatch(other -> other != node && !other.isLeaving);
    boolean mayDie =
        newest != null && isAnyStaying && (isSurvivable(newest, node) || isTheEnd(newest, node));
    if (mayDie) {
      stopAndRestart(node);
    }
  }

  /** Stops a process; another one takes its seat. */
  private void stopAndRestart(SimNode node) {
    stop(node);
    at(now + random.nextLong(2000 * MILLI), () -> join(node.profile.seat()));
  }

  /** Ends all voters but one at once; the remaining one mostly knows little. */
  private void crashMajority() {
    Topology newest = oracle.newest();
    if (isCalm || !mayLoseMajority || newest == null || newest.voters().size() < 3) {
      return;
    }
    List<SimNode> voters =
        new ArrayList<>(living.stream().filter(n -> newest.voters().contains(n.id)).toList());
    if (voters.size() == newest.voters().size()) {
      mayLoseMajority = false;
      isMajorityLost = true;
      SimNode left = voters.get(random.nextInt(voters.size()));
      for (SimNode node : voters) {
        left = epochOf(node) < epochOf(left) ? node : left;
      }
      voters.remove(left);
      voters.forEach(this::stopAndRestart);
    }
  }

  private static int epochOf(SimNode node) {
    Topology known = node.core.topology();
    return known == null ? 0 : known.epoch();
  }

  /** Whether a segment may have entries. */
  private static boolean hasCaches(Topology topology, int segment) {
    return topology.hasCaches(topology.groups().indexOf(topology.groupOf(segment)));
  }

  /**
   * Whether a crash leaves a majority of voters, or an heir, and a replica of each segment that
   * caches have.
   */
  private boolean isSurvivable(Topology newest, SimNode node) {
    for (int i = 0; i < newest.segments().size(); i++) {
      if (hasCaches(newest, i) && !isAnyAlive(newest.segments().get(i).isr(), node)) {
        return false;
      }
    }
    long voters = newest.voters().stream().filter(id -> isAnyAlive(List.of(id), node)).count();
    NodeId heir = newest.heir();
    boolean isInherited =
        heir != null && times.gone() != GonePolicy.IGNORED && isAnyAlive(List.of(heir), node);
    return newest.isMajority((int) voters) || isInherited;
  }

  /** Ends, now and then, a voter that continued without the others, so that none may continue. */
  private boolean isTheEnd(Topology newest, SimNode node) {
    return newest.members().size() == 1 && newest.member(node.id) != null && random.nextInt(3) == 0;
  }

  private void stop(SimNode node) {
    node.isDead = true;
    living.remove(node);
    living.forEach(other -> noticeLater(other, node));
  }

  private void noticeLater(SimNode node, SimNode dead) {
    long delay = random.nextInt(4) == 0 ? NOTICE_MIN : random.nextLong(NOTICE_MAX);
    at(now + delay, () -> notice(node, dead));
  }

  /**
   * Notices a dead node when connecting to it: the connection is refused, or gets no answer if the
   * node is cut off.
   */
  private void notice(SimNode node, SimNode dead) {
    if (node.isDead) {
      return;
    }
    boolean isCut = isCut(node.id, dead.id) || isCut(dead.id, node.id);
    if (isCut || !node.runs(now)) {
      noticeLater(node, dead);
      return;
    }
    Topology known = node.core.topology();
    if (known != null && node.core.isLeased(node.clock(now))) {
      if (node.knownDeadEpoch != known.epoch()) {
        node.knownDead.clear();
      }
      node.knownDeadEpoch = known.epoch();
      node.knownDead.add(dead.id);
    }
    long refusedNanos = node.clock(now);
    if (random.nextInt(4) == 0) {
      at(now + random.nextLong(2 * times.lease()), () -> tell(node, dead, refusedNanos));
    } else {
      tell(node, dead, refusedNanos);
    }
  }

  /** Notifies a node of a refused connection, perhaps late: it lacks processor time. */
  private void tell(SimNode node, SimNode dead, long refusedNanos) {
    if (node.isDead) {
      return;
    }
    if (!node.runs(now)) {
      at(now + NOTICE_MIN, () -> tell(node, dead, refusedNanos));
      return;
    }
    Topology known = node.core.topology();
    boolean inherits =
        known != null
            && node.id.equals(known.heir())
            && dead.isDead
            && known.voters().contains(dead.id)
            && times.gone() != GonePolicy.IGNORED
            && node.core.isLeased(node.clock(now));
    if (inherits) {
      inherited.add(dead.id);
    }
    node.core.gone(Map.of(dead.id, refusedNanos));
    node.core.tick(node.clock(now));
    after(node);
  }

  private boolean isCut(NodeId from, NodeId to) {
    return now < cutUntil.getOrDefault(link(from, to), 0L);
  }

  /** Reports a living node as dead, if no assumption holds. */
  private void lieOf(SimNode node) {
    if (!times.holds(Rule.GONE_IS_DEAD)) {
      for (SimNode other : living) {
        if (other != node) {
          at(
              now + random.nextLong(NOTICE_MAX),
              () -> other.core.gone(Map.of(node.id, other.clock(now))));
        }
      }
    }
  }

  private boolean isAnyAlive(List<NodeId> ids, SimNode except) {
    return living.stream().anyMatch(node -> node != except && ids.contains(node.id));
  }

  private void join(String seat) {
    newNode(randomCapacity(), seat).core.discovered(livingIds());
  }

  /** A random capacity; some nodes own nothing. */
  private float randomCapacity() {
    return random.nextInt(4) == 0 ? 0 : 1;
  }

  private List<NodeId> livingIds() {
    return living.stream().map(node -> node.id).toList();
  }

  /** Lets nodes discover each other, whatever the cluster decided. */
  private void discover() {
    living.forEach(node -> node.core.discovered(livingIds()));
    at(now + DISCOVERY, this::discover);
  }

  private void changeMembers(SimNode node) {
    if (living.size() < 7 && random.nextBoolean()) {
      join(newSeat());
    } else if (living.size() > 2 && random.nextBoolean()) {
      node.isLeaving = true;
      node.core.leave();
    } else {
      String endpoint = "host:" + random.nextInt(9);
      node.profile = new MemberProfile("", randomCapacity(), "", endpoint, node.profile.seat());
      node.core.updateProfile(node.profile);
    }
  }

  private void calm() {
    isCalm = true;
    lossRate = 0;
    doubleRate = 0;
    delayMax = 2 * MILLI;
    cutUntil.clear();
    living.forEach(node -> node.pausedUntil = 0);
    for (SimNode node : living) {
      if (!node.isLeaving) {
        caches.defineLast(node.core);
        wantsLast = true;
      }
    }
  }

  /**
   * Checks that everything is served again, except segments that died with the majority of the
   * voters or with all of their replicas. A crash may come between a decision and its announcement.
   */
  private void checkAlive() {
    Topology newest = newestOfLiving();
    Topology known = oracle.newest();
    boolean isInherited = known != null && inherited.containsAll(known.voters());
    SimOracle.check(
        !isInherited, "P16: heir did not take over: topology=%s", String.valueOf(known));
    if (newest == null || !newest.isMajority(aliveOf(newest.voters()))) {
      isExcused = true;
      SimOracle.check(
          newest == null || living.stream().noneMatch(node -> shouldGoOn(node, newest)),
          "P16: a survivor did not go on: topology=%s",
          String.valueOf(newest));
      return;
    }
    goneOn += isMajorityLost ? 1 : 0;
    checkAskedFor(newest);
    for (int i = 0; i < newest.segments().size(); i++) {
      SegmentOwners segment = newest.segments().get(i);
      if (aliveOf(segment.isr()) == 0) {
        isExcused |= !isMajorityLost && hasCaches(newest, i);
        continue;
      }
      NodeId primary = segment.primary();
      SimNode node = primary == null ? null : nodes.get(primary);
      boolean serves = node != null && !node.isDead && isServing(node, i);
      SimOracle.check(
          serves,
          "P16: not served after the calm: segment=%d, owners=%s, epoch=%d",
          i,
          segment,
          newest.epoch());
    }
  }

  /** Whether a voter knew in time that all others were dead, and their seats are taken again. */
  private boolean shouldGoOn(SimNode node, Topology newest) {
    boolean isCertain = newest.voters().contains(node.id) && node.knownDeadEpoch == newest.epoch();
    for (NodeId voter : newest.voters()) {
      String seat = Objects.requireNonNull(nodes.get(voter)).profile.seat();
      boolean isTaken =
          living.stream().anyMatch(n -> !n.isLeaving && n.profile.seat().equals(seat));
      isCertain &= voter.equals(node.id) || (isTaken && node.knownDead.contains(voter));
    }
    return isCertain;
  }

  /** Checks that the requests of nodes are fulfilled. */
  private void checkAskedFor(Topology newest) {
    boolean isPossible =
        wantsLast
            && living.stream().anyMatch(node -> !node.isLeaving && node.profile.capacity() > 0);
    SimOracle.check(
        !isPossible || SimCaches.hasLast(newest), "a cache is missing: topology=%s", newest);
    for (SimNode node : living) {
      Member member = newest.member(node.id);
      SimOracle.check(
          member == null || node.isLeaving || member.profile().equals(node.profile),
          "told in vain: node=%s, profile=%s, topology=%s",
          node,
          node.profile,
          newest);
    }
  }

  private @Nullable Topology newestOfLiving() {
    Topology newest = null;
    for (SimNode node : living) {
      Topology topology = node.core.topology();
      if (topology != null && (newest == null || topology.epoch() > newest.epoch())) {
        newest = topology;
      }
    }
    return newest;
  }

  private int aliveOf(List<NodeId> ids) {
    return (int) living.stream().filter(node -> ids.contains(node.id)).count();
  }

  /** The number of reads that nodes answered by themselves. */
  int readsHere() {
    return readsHere;
  }

  /** 1 if a majority of the voters died together and the cluster continued in the end, else 0. */
  int goneOn() {
    return goneOn;
  }

  /** How often a lost segment began anew. */
  int restarts() {
    return oracle.restarts();
  }

  /** Whether more nodes died than the cluster tolerates. */
  boolean isExcused() {
    return isExcused;
  }

  private boolean isServing(@Nullable SimNode node, int segment) {
    return node != null && node.core.isServing(segment, node.clock(now));
  }

  /** All events as one number. */
  long trace() {
    return trace;
  }

  @Override
  public String toString() {
    return "nodes=%d of %d, %s, epoch=%d, commits=%d, answers=%d, unknown=%d"
        .formatted(
            size,
            lastNode,
            caches,
            oracle.newestEpoch(),
            oracle.commits(),
            history.known(),
            history.unknown());
  }
}
