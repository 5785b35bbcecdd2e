package dev.isogrid.engine;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.GridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.Env;
import dev.isogrid.base.NanoClock;
import dev.isogrid.base.Scheduler;
import dev.isogrid.cluster.Ballot;
import dev.isogrid.cluster.FormerLives;
import dev.isogrid.cluster.Founding;
import dev.isogrid.cluster.MembershipMessage.Accepted;
import dev.isogrid.cluster.MembershipMessage.FoundingMessage;
import dev.isogrid.cluster.MembershipMessage.Learn;
import dev.isogrid.cluster.MembershipMessage.NameTaken;
import dev.isogrid.cluster.MembershipMessage.OtherVersion;
import dev.isogrid.cluster.MembershipMessage.Recall;
import dev.isogrid.cluster.MembershipMessage.Recollection;
import dev.isogrid.cluster.MembershipMessage.SeedHere;
import dev.isogrid.cluster.MembershipMessage.Suspect;
import dev.isogrid.cluster.Memory;
import dev.isogrid.cluster.Message;
import dev.isogrid.cluster.Reviving;
import dev.isogrid.cluster.SeedAddress;
import dev.isogrid.cluster.Transport;
import dev.isogrid.cluster.TransportHandler;
import dev.isogrid.cluster.ViewHint;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.NodeNames;
import dev.isogrid.topology.Origin;
import dev.isogrid.topology.Planner;
import dev.isogrid.topology.ProtocolVersions;
import dev.isogrid.topology.Topology;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link ClusterNode} in the real world: gives it what the transport brings, the time, and
 * what callers want done. One lock guards the node; whoever has something for it takes the lock, so
 * an operation on a segment that is served here is carried out by the thread that wants it.
 * Thread-safe.
 */
public final class ClusterDriver implements AutoCloseable {
  /*
   * Under the lock the node never blocks: the transport takes messages or drops them. What the
   * node sends to itself is delivered before the lock is given back. Callbacks of callers run
   * after that, on the thread that had the lock.
   *
   * Callers never queue for the lock: any number of them would be before the thread that receives
   * messages, and the node would lose its lease. They put their operations down (asked). If the
   * lock is free they take it and begin them, else the thread that has it does, before it gives the
   * lock back or right after that. It begins some at a time, and leaves the rest to the thread that
   * receives messages, which does its own work between them. Operations for which the node has no
   * room stay there until their time is over. Other steps that many callers may want at once take
   * turns (askers), so that one of them at most is before the node's own threads.
   *
   * A node that failed, with whatever a JVM throws, may be in a state that the protocol knows
   * nothing of. It stops, as if it had crashed, which the protocol is made for. A refused
   * connection is what others take for the proof that a process is dead, and they go on without
   * waiting for its lease. So a node that stops, for whatever reason, first makes its lease and its
   * stamps void, then refuses operations, and closes its port last.
   */
  private static final System.Logger log = System.getLogger(ClusterDriver.class.getName());

  /** A fraction of the shortest time in the protocol. */
  private static final long TICK_MILLIS = 10;

  /**
   * A tick of a quiet node. Four of them are one heartbeat, which so comes in time, and is missed
   * in time; waking a thread is most of what an idle node costs.
   */
  private static final long QUIET_TICK_MILLIS = 34;

  /** How long a node is quiet until it ticks less often: a put now and then starts no timers. */
  private static final long QUIET_AFTER_NANOS = 500_000_000;

  private static final long TICK_NANOS = TICK_MILLIS * 1_000_000;

  /** Ticks of a node without others in one hold: it asks, decides, and plans what follows. */
  private static final int TICKS_ALONE_MAX = 4;

  /** The part of the node's calls that its own upkeep may have at once. */
  private static final int ASIDE_FRACTION = 10;

  /** Operations of callers that are begun in one hold of the lock, at most. */
  private static final int BEGUN_MAX = 64;

  /** How long operations of callers are begun, and done if they are for this node, in one hold. */
  private static final long BEGUN_NANOS_MAX = 5_000_000;

  /** Holds in which a thread begins operations of others before it goes on with its own work. */
  private static final int HOLDS_MAX = 4;

  /** How often it is looked for operations whose time is over before there was room for them. */
  private static final long EXPIRY_NANOS = 50_000_000;

  /** What the node sends itself in one hold of the lock; the rest has to wait for the next one. */
  private static final int OWN_MESSAGES_MAX = 10_000;

  /** Nodes of which it is remembered that they were suspected. */
  private static final int SUSPECTS_MAX = 256;

  /** How long after its time is over the node may take to say so. */
  private static final long PATIENCE_MILLIS = 1000;

  /** A node that is in no cluster looks for others every second. */
  private static final long LOOK_NANOS = 1_000_000_000L;

  /** A wall clock that is set again and again is logged every 10 s. */
  private static final long CLOCKS_PAUSE_NANOS = 10_000_000_000L;

  /** Two clusters of one name are logged again as long as there are two. */
  private static final long FOREIGN_PAUSE_NANOS = 60_000_000_000L;

  /** A caller's wish can't be fulfilled; the node is as it was. */
  private static final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final GridException told;

    Refusal(GridException told) {
      super(told);
      this.told = told;
    }
  }

  /** An operation that somebody waits for. Guarded by the lock. */
  private static final class Pending {
    private final boolean isRead;
    private final boolean isAside;
    private final Consumer<Outcome> whenDone;

    Pending(boolean isRead, boolean isAside, Consumer<Outcome> whenDone) {
      this.isRead = isRead;
      this.isAside = isAside;
      this.whenDone = whenDone;
    }
  }

  /** An operation that waits to be begun. */
  private record Asked(Invocation invocation, @Nullable CallTrace trace, long deadlineNanos) {}

  /** Waits for one outcome. */
  private static final class Waiter implements Consumer<Outcome> {
    private final CountDownLatch done = new CountDownLatch(1);
    // written by: accept, before the latch opens
    private volatile @Nullable Outcome outcome;

    @Override
    public void accept(Outcome of) {
      outcome = of;
      done.countDown();
    }
  }

  private final Env env;
  private final Transport transport;
  private final DriverConfig config;
  private final ClusterNode node;
  private final TopologyListener topologies;
  private final Founding founding;
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Message> ownMessages = new ArrayDeque<>();
  private final Set<Pending> pending = new HashSet<>();

  /**
   * Operations to be begun by the next thread that has the lock; each one is of a thread that waits
   * for it, or of a request that the server counts. Removed under the lock.
   */
  private final ConcurrentLinkedQueue<Asked> asked = new ConcurrentLinkedQueue<>();

  /** Whether a thread of the node was asked to see to them. */
  private final AtomicBoolean isSoonAwaited = new AtomicBoolean();

  /** Whether those that wait have to wait for the end of others. Written under the lock. */
  private volatile boolean isFull;

  /** Taken before the lock by callers, which may be many. */
  private final ReentrantLock askers = new ReentrantLock();

  private final SharedAnswer<String> obstacles = new SharedAnswer<>(askers, this::obstacle);

  private final Set<NodeId> suspects = new HashSet<>();

  /** Those of {@link #pending} that are the node's own upkeep. Guarded by the lock. */
  private int asideCount;

  /** How often a thread found the lock taken. */
  private final LongAdder lockWaits = new LongAdder();

  private List<Runnable> callbacks = new ArrayList<>();
  private long tickedNanos;
  private long expiredNanos;
  private long lookedNanos;

  /** When it may be logged again that clocks disagree. */
  private long toldClocksNanos;

  /** Those of a quiet node, which go on while it is busy. */
  private Scheduler.@Nullable Task ticks;

  /** Those of a node that has something to do, or null. Guarded by the lock. */
  private Scheduler.@Nullable Task busyTicks;

  /** When the node last had something to do. Guarded by the lock. */
  private long busyNanos;

  private boolean isClosed;

  /** Whether all is done that follows from a failure. Guarded by the lock. */
  private boolean hasStopped;

  /** Whether this node answers for nothing any more. Written under the lock. */
  private volatile boolean isEnded;

  /** Why it ended by itself. Written under the lock. */
  private volatile @Nullable Throwable failure;

  /** Written before the start. */
  private @Nullable ClusterFeeds feeds;

  /** Written before the start. */
  private @Nullable NodeCalls calls;

  /** Written before the start. */
  private @Nullable EntryPreparation preparation;

  /** Connects operations with traces; null if nobody wants any. */
  private volatile @Nullable CallTraces traces;

  /** Guarded by the lock. */
  private final TracedParts tracedParts = new TracedParts();

  /** That of the node. Written under the lock, read by any thread. */
  private volatile @Nullable Topology topology;

  private final NodeNames names;

  private long loggedForeign;

  /** When it was last logged that there is another cluster. */
  private long toldForeignNanos;

  private @Nullable String refusal;

  /** Written before the start. */
  private @Nullable ClusterMemory memory;

  /** Null if this node keeps no memory of its cluster. Written before the start. */
  private @Nullable Remembering remembering;

  /** Null if this node remembers no cluster. Written before the start. */
  private @Nullable Reviving reviving;

  /** What this node remembers from its start on, if it remembers a cluster. Written before it. */
  private @Nullable Memory started;

  /** Whether its disk has that. Guarded by the lock. */
  private boolean isStartKept;

  /** The seat of the member that has this node's name, if it was told since the last look. */
  private volatile @Nullable String nameTakenBy;

  /**
   * Prepares to take part; {@link #start} begins.
   *
   * @param transport closed by this driver
   * @param containers makes the empty container of a segment, when a topology first has it; called
   *     under the lock of this driver
   * @param listener is told of what is committed here, under the lock of this driver
   * @param topologies is told of what the cluster becomes, under the lock of this driver and, when
   *     {@link #topology} gives it, without
   * @param env gives time, randomness and the scheduler
   */
  public ClusterDriver(
      Transport transport,
      DriverConfig config,
      IntFunction<CommittedEntries> containers,
      CommitListener listener,
      TopologyListener topologies,
      Env env) {
    this.env = env;
    this.transport = transport;
    this.topologies = topologies;
    this.config = config;
    this.names = new NodeNames(transport.self(), config.profile().name());
    this.node =
        new ClusterNode(
            transport.self(),
            config.node(),
            this::send,
            containers,
            listener,
            topologies,
            new SplittableRandom(env.random().nextLong()));
    this.node.updateProfile(config.profile());
    this.founding = new Founding(transport.self(), config.founding(), this::send);
    this.tickedNanos = env.nanoClock().nanoTime() - TICK_NANOS;
    this.expiredNanos = tickedNanos;
    this.lookedNanos = tickedNanos;
    this.toldClocksNanos = tickedNanos;
  }

  /** Called under the lock, since only the node and the founding send. */
  void send(NodeId to, Message message) {
    if (!tracedParts.isEmpty() && message instanceof SegmentMessage.Reply reply) {
      report(tracedParts.end(reply, topology, names.ofSelf(), env.nanoClock().nanoTime()));
    }
    Remembering by = remembering;
    if (by != null && message instanceof Accepted && by.isConcerned(node)) {
      by.hold(to, message);
    } else {
      sendNow(to, message);
    }
  }

  private void sendNow(NodeId to, Message message) {
    if (to.equals(transport.self())) {
      ownMessages.add(message);
    } else {
      transport.send(to, message);
    }
  }

  /** This node. */
  public NodeId self() {
    return transport.self();
  }

  /** What people call the nodes, for messages. */
  public NodeNames names() {
    return names;
  }

  /** Says where messages about changes go; before {@link #start}. */
  void attach(ClusterFeeds attached) {
    feeds = attached;
  }

  /** Sets what prepares operations that the primary can't decide yet; before {@link #start}. */
  void attach(EntryPreparation attached) {
    preparation = attached;
  }

  /** Sets what connects operations with traces from now on; null for nothing. Any thread. */
  public void trace(@Nullable CallTraces wanted) {
    traces = wanted;
  }

  private @Nullable CallTrace currentTrace() {
    CallTraces known = traces;
    return known == null ? null : known.current();
  }

  /** Reports a part of a trace, if there is one, after the lock is given back. */
  private void report(CallTraces.@Nullable Part part) {
    CallTraces known = traces;
    if (part != null && known != null) {
      callbacks.add(() -> known.report(part));
    }
  }

  /** Sets the dispatcher of calls that are not entry operations; before {@link #start}. */
  public void attach(NodeCalls attached) {
    calls = attached;
  }

  /**
   * Begins to wait until the listeners of a cache have heard of all that was committed before.
   *
   * @throws RetryableGridException if there is no such cache
   */
  FeedFence fence(int cacheId) {
    FeedFence[] begun = new FeedFence[1];
    stepOfCaller(now -> {
      checkOpen();
      FeedFollower follower = follower(cacheId);
      if (follower == null) {
        throw new Refusal(
            new RetryableGridException(
                "cache came and went: id=%d, node=%s; try again"
                    .formatted(cacheId, names.ofSelf())));
      }
      follower.update(now);
      begun[0] = follower.fence(now);
    });
    checkNotEnded(); // if it failed, there is none
    return Objects.requireNonNull(begun[0]);
  }

  /** The clock that waits are measured by. */
  NanoClock clock() {
    return env.nanoClock();
  }

  /** Nobody waits for a fence any more. */
  void forget(int cacheId, FeedFence fence) {
    stepOfCaller(_ -> {
      FeedFollower follower = follower(cacheId);
      if (follower != null) {
        follower.forget(fence);
      }
    });
  }

  /** Begins or ends to follow a cache's changes, if listeners came or went. */
  void updateFeed(int cacheId) {
    stepOfCaller(now -> {
      FeedFollower follower = follower(cacheId);
      if (follower != null) {
        follower.update(now);
      }
    });
  }

  private @Nullable FeedFollower follower(int cacheId) {
    return feeds == null ? null : feeds.follower(cacheId);
  }

  /**
   * Has this node remember its cluster; before {@link #start}.
   *
   * @param remembered what it remembers and has of an earlier life, or null
   */
  public void attach(ClusterMemory attached, @Nullable Recollection remembered) {
    memory = attached;
    remembering = new Remembering(attached, number -> step(_ -> keptUpTo(number)));
    if (remembered != null) {
      node.remember(new FormerLives(remembered, attached::isKept));
      started = remembered.memory().startedAs(self());
      reviving =
          new Reviving(
              self(),
              config.profile(),
              new Recollection(started, remembered.places()),
              config.founding(),
              attached::isKept,
              this::send);
    }
  }

  private void keptUpTo(long number) {
    if (!isClosed) {
      Objects.requireNonNull(remembering).kept(number, this::sendNow);
    }
  }

  /** More is on the disk of a cache. Any thread. */
  void forced(ReplicatedEngine engine) {
    step(_ -> {
      if (!isClosed) {
        node.forced(engine.firstSegment(), engine.segmentCount());
      }
    });
  }

  /** Runs a task with the node, under the lock; not at all if this is closed. */
  void run(LongConsumer task) {
    step(now -> {
      if (!isClosed) {
        task.accept(now);
      }
    });
  }

  /** Begins to listen to the other nodes. To be called once. */
  public void start() {
    lock.lock();
    try {
      ticks = env.scheduler().every(QUIET_TICK_MILLIS, this::tick);
    } finally {
      lock.unlock();
    }
    keepStart(); // before anything newer is to be kept
    transport.start(new Handler());
    List<SeedAddress> peers = config.founding().peers();
    if (!peers.isEmpty() && reviving == null) {
      log.log(
          Level.INFO,
          "looking for the cluster where its members listened: node={0}, peers={1}",
          names.ofSelf(),
          peers);
      env.scheduler().execute(() -> lookFor(peers));
    }
  }

  private void keepStart() {
    Memory first = started;
    if (first != null) {
      Objects.requireNonNull(memory).keep(first, () -> step(_ -> isStartKept = true));
    }
  }

  private void lookFor(List<SeedAddress> peers) {
    for (SeedAddress peer : peers) {
      if (transport.isRefused(peer)) {
        step(_ -> founding.peerGone(peer));
      }
    }
  }

  /** Whether this node may serve what it is primary of. Takes no lock. */
  public boolean isLeased() {
    return node.isLeased(env.nanoClock().nanoTime());
  }

  /**
   * Refuses to answer for anything if this node has ended. Takes no lock.
   *
   * @throws FatalGridException if this driver is closed, or failed
   */
  void checkNotEnded() {
    if (isEnded) {
      throw ended();
    }
  }

  private FatalGridException ended() {
    Throwable reason = failure;
    return reason == null
        ? new FatalGridException("node closed: node=%s; use another one".formatted(names.ofSelf()))
        : new FatalGridException(failed(reason), reason);
  }

  private String failed(Throwable reason) {
    return "node failed and stopped: node=%s, reason=%s; start it anew, and use another one"
        .formatted(names.ofSelf(), reason);
  }

  /** Why this node stopped by itself, or null if it did not. Takes no lock. */
  public @Nullable Throwable failure() {
    return failure;
  }

  /** Whether this node was closed, or stopped by itself. Takes no lock. */
  public boolean isEnded() {
    return isEnded;
  }

  /** The newest topology that this node knows, or null if it knows of no cluster. */
  public @Nullable Topology topology() {
    return topology;
  }

  /** Whether this node answers for a segment now. */
  public boolean isServing(int segment) {
    return ask(() -> !isClosed && node.isServing(segment, env.nanoClock().nanoTime()));
  }

  /** How often a topology came that is not of this node's cluster, and was not taken over. */
  public long foreignTopologies() {
    return ask(() -> node.foreignTopologies());
  }

  /** Why this node was not let in since the last call, or null if nobody said so. */
  public @Nullable String pollNameTaken() {
    String by = nameTakenBy;
    nameTakenBy = null;
    return by == null
        ? null
        : "name taken in the cluster: name=%s, by=%s, here=%s; give this node another name, or end"
                .formatted(config.profile().name(), by, config.profile().seat())
            + " the other";
  }

  /**
   * Why this node can't be in the cluster that it found, or null if nothing is known against it.
   */
  public @Nullable String refusal() {
    return ask(() -> refusal);
  }

  /**
   * Why this node does not serve now, in words, or null if it does. It may be that it is refused by
   * the cluster that it found, or that others may be serving.
   */
  public @Nullable String obstacle() {
    Throwable reason = failure;
    if (reason != null) {
      return failed(reason);
    }
    return ask(() -> {
      Reviving by = node.topology() == null ? reviving : null;
      long now = env.nanoClock().nanoTime();
      String ofNode = by == null ? node.obstacle(now) : by.obstacle(now);
      return ofNode != null && refusal != null ? refusal : ofNode;
    });
  }

  /**
   * As {@link #obstacle}, for callers that failed, which may be thousands at the same time: they
   * share an answer that was begun after their question.
   */
  @Nullable String sharedObstacle() {
    return obstacles.ask();
  }

  /** Changes the profile of this node; the others learn it. */
  public void updateProfile(MemberProfile profile) {
    step(_ -> node.updateProfile(profile));
  }

  /**
   * Asks for a cache, from now on until the topology has one of that name, which may be another
   * one: the first one counts. Does not wait; the {@link TopologyListener} sees it come.
   *
   * @throws RetryableGridException if this node asks for too many already, or if the cluster as it
   *     is known here can't have it, see {@link Topology#refusal}
   * @throws FatalGridException if this driver is closed
   */
  public void define(CacheRequest request) {
    step(_ -> {
      checkOpen();
      Topology known = node.topology();
      String reason =
          known == null || known.cache(request.name()) != null ? null : known.refusal(request);
      if (reason != null) {
        throw new Refusal(new RetryableGridException("cache not defined: " + reason));
      }
      checkAsking(node.tryDefine(request), request.name());
    });
  }

  /**
   * Asks for a cache to be removed, from now on until it is not in the topology. Does not wait.
   *
   * @param id its number; another cache of that name stays
   * @throws RetryableGridException if this node asks for too many already
   * @throws FatalGridException if this driver is closed
   */
  public void undefine(String name, int id) {
    step(_ -> {
      checkOpen();
      checkAsking(node.tryUndefine(name, id), name);
    });
  }

  private static void checkAsking(boolean isAsking, String name) {
    if (!isAsking) {
      throw new Refusal(
          new RetryableGridException(
              "too many caches are asked for: name=%s; try again later".formatted(name)));
    }
  }

  /** Asks nothing of the caches of a name any more; what was sent may still be done. */
  public void forget(String name) {
    step(_ -> node.forget(name));
  }

  /**
   * Asks for rebalancing to pause or to go on, from now on until the topology shows it. Does not
   * wait.
   *
   * @param group the place of a group, or {@link dev.isogrid.topology.Pauses#ALL}
   * @throws FatalGridException if this driver is closed
   */
  public void pause(int group, boolean isPaused) {
    step(_ -> {
      checkOpen();
      node.pause(group, isPaused);
    });
  }

  /** Asks for neither any more; what was sent may still be done. */
  public void forgetPause(int group) {
    step(_ -> node.forgetPause(group));
  }

  /**
   * Asks for copies to have a speed, from now on until the topology shows it. Does not wait.
   *
   * @param bytesPerSecondMax as in {@link dev.isogrid.topology.Pauses}
   * @throws FatalGridException if this driver is closed
   */
  public void limitCopies(long bytesPerSecondMax) {
    step(_ -> {
      checkOpen();
      node.limitCopies(bytesPerSecondMax);
    });
  }

  /** Asks for no other speed any more; what was sent may still be done. */
  public void forgetLimit() {
    step(_ -> node.forgetLimit());
  }

  /**
   * Asks for the segments of a group that are offline to be begun anew, without their entries, from
   * now on until the topology shows it. Does not wait.
   *
   * @param group the place of a group in the topology
   * @param inEpoch the epoch in which they are; those that are offline later are not meant
   * @throws FatalGridException if this driver is closed
   */
  public void restartLost(int group, int inEpoch) {
    step(_ -> {
      checkOpen();
      node.restartLost(group, inEpoch);
    });
  }

  /** Does not ask for it any more; what was sent may still be done. */
  public void forgetRestart(int group) {
    step(_ -> node.forgetRestart(group));
  }

  /**
   * Begins to recover the majority, since an operator says that members are gone for good. Does not
   * wait: the topology shows it, or {@link #recoveryRefusal} says why not.
   *
   * @param without the members that are gone; what only they know is given up by that
   * @throws FatalGridException if this driver is closed
   */
  public void recover(Set<NodeId> without) {
    step(now -> {
      checkOpen();
      node.recover(without, now);
    });
  }

  /** Gives that up, unless it is decided already. */
  public void forgetRecovery() {
    step(_ -> node.forgetRecovery());
  }

  /** Returns why the last recovery that began here failed, or null if it did not yet. */
  public @Nullable String recoveryRefusal() {
    return ask(() -> node.recoveryRefusal());
  }

  /** Returns whether this node knows all that was decided before these nodes died. */
  public boolean knowsEndOf(Set<NodeId> nodes) {
    return ask(() -> node.knowsEndOf(nodes));
  }

  /** What this node is to do with copies. Costs what a plan does. */
  public CopyState copyState() {
    return ask(() -> node.copyState());
  }

  /** Bytes that this node has sent of copies since it started. */
  public long copiedBytes() {
    return node.copiedBytes();
  }

  /** Begins to hand over what this node owns; see {@link #hasLeft}. */
  public void leave() {
    step(_ -> node.leave());
  }

  /** Whether nobody needs this node any more after {@link #leave}. */
  public boolean hasLeft() {
    return ask(() -> node.hasLeft());
  }

  /** Whether there is a member that could take over what this node keeps. */
  public boolean hasHeirs() {
    return ask(() -> node.hasHeirs());
  }

  /**
   * Has an operation done. Blocks until there is an outcome, little longer than the time given.
   *
   * @param segment the number of the key's segment in the cluster; the operation waits if there is
   *     none yet
   * @param timeoutMillis after which it is given up, 1 or more
   * @throws InterruptedException if interrupted; the operation may be done all the same
   * @throws FatalGridException if this driver is closed
   */
  public Outcome invoke(Command command, int segment, long timeoutMillis)
      throws InterruptedException {
    return invoke(command, null, segment, timeoutMillis);
  }

  /**
   * As {@link #invoke(Command, int, long)}, for an operation that a client may repeat.
   *
   * @param client the client's operation, or null if this node alone asks for it
   */
  Outcome invoke(Command command, @Nullable ClientOperation client, int segment, long timeoutMillis)
      throws InterruptedException {
    Waiter waiter = new Waiter();
    invoke(new Invocation(command, client, segment, waiter), timeoutMillis);
    long patienceNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis + PATIENCE_MILLIS);
    boolean isDone = env.nanoClock().await(waiter.done, patienceNanos);
    Outcome outcome = waiter.outcome;
    return isDone && outcome != null ? outcome : unknown(command.isRead());
  }

  private static Outcome unknown(boolean isRead) {
    return new Outcome(isRead ? Outcome.Kind.FAILED : Outcome.Kind.INDETERMINATE, null);
  }

  /**
   * Has an operation done, without waiting for its answer; where other nodes are slow to take
   * messages this thread may have to wait for that, some seconds.
   *
   * @param segment the number of the key's segment in the cluster; the operation waits if there is
   *     none yet
   * @param timeoutMillis after which it is given up, 1 or more
   * @param whenDone gets the outcome, once, by the calling thread or another one; must be short and
   *     must not block
   * @throws FatalGridException if this driver is closed
   */
  public void invoke(Command command, int segment, long timeoutMillis, Consumer<Outcome> whenDone) {
    invoke(new Invocation(command, segment, whenDone), timeoutMillis);
  }

  /** As {@link #invoke(Command, int, long, Consumer)}. */
  void invoke(Invocation invocation, long timeoutMillis) {
    int segment = invocation.segment;
    if (segment < 0 || segment >= Topology.SEGMENTS_MAX) {
      throw new IllegalArgumentException(
          "no number of a segment: segment=%d, max=%d"
              .formatted(segment, Topology.SEGMENTS_MAX - 1));
    }
    checkNotEnded();
    long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    long deadlineNanos = env.nanoClock().nanoTime() + timeoutNanos;
    asked.add(new Asked(invocation, currentTrace(), deadlineNanos));
    beginHere();
  }

  /**
   * An operation to be done.
   *
   * @param client that of a client that may repeat it, or null
   * @param segment as in {@link #invoke(Command, int, long, Consumer)}
   * @param whenDone as in {@link #invoke(Command, int, long, Consumer)}
   */
  record Invocation(
      Command command, @Nullable ClientOperation client, int segment, Consumer<Outcome> whenDone) {
    Invocation(Command command, int segment, Consumer<Outcome> whenDone) {
      this(command, null, segment, whenDone);
    }
  }

  /**
   * Does operations, mostly begun in one go, so that those for one node travel together. Waits as
   * {@link #invoke(Command, int, long, Consumer)} does.
   *
   * @throws FatalGridException if this driver is closed; none is begun then
   */
  void invokeAll(List<Invocation> all, long timeoutMillis) {
    checkNotEnded();
    long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    long deadlineNanos = env.nanoClock().nanoTime() + timeoutNanos;
    CallTrace trace = currentTrace();
    all.forEach(invocation -> asked.add(new Asked(invocation, trace, deadlineNanos)));
    beginHere();
  }

  /**
   * Begins operations of the node's own upkeep in one go, as long as they are a small part of what
   * the node keeps. Does not block.
   *
   * @return how many were begun, the first ones
   * @throws FatalGridException if this driver is closed
   */
  int tryInvokeAside(List<Invocation> all, long timeoutMillis) {
    long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    int countMax = Math.max(1, config.node().callsMax() / ASIDE_FRACTION);
    int[] begun = new int[1];
    enter();
    stepLocked(
        now -> {
          checkOpen();
          while (begun[0] < all.size()
              && asideCount < countMax
              && tryBegin(new Asked(all.get(begun[0]), null, now + timeoutNanos), true, now)) {
            begun[0]++;
          }
        },
        false);
    return begun[0];
  }

  /**
   * Lets the thread that receives messages begin an operation, and send it at once. Does not block,
   * and takes no lock.
   *
   * @return false if there is no such thread; nothing was done then
   * @throws FatalGridException if this driver is closed
   */
  boolean tryInvokeSoon(Invocation invocation, long timeoutMillis) {
    checkNotEnded();
    if (!transport.runsTasks()) {
      return false;
    }
    long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    long deadlineNanos = env.nanoClock().nanoTime() + timeoutNanos;
    asked.add(new Asked(invocation, currentTrace(), deadlineNanos));
    beginSoon();
    if (isEnded) {
      beginHere(); // nobody else may come any more
    }
    return true;
  }

  /** Begins what was asked for if the lock is free; else whoever has it does. */
  private void beginHere() {
    if (lock.tryLock()) {
      stepLocked(_ -> {}, true);
    } else {
      lockWaits.increment();
    }
  }

  /** Lets a thread of the node begin what was asked for. Any thread, takes no lock. */
  private void beginSoon() {
    if (isSoonAwaited.get() || !isSoonAwaited.compareAndSet(false, true)) {
      return;
    }
    if (transport.runsTasks()) {
      transport.execute(this::beginAwaited);
      return;
    }
    try {
      env.scheduler().execute(this::beginAwaited);
    } catch (RejectedExecutionException closing) {
      isSoonAwaited.set(false); // this driver is closed already, which has ended them
    }
  }

  private void beginAwaited() {
    isSoonAwaited.set(false);
    step(_ -> {});
  }

  /** Whether something waits that could be begun now. */
  private boolean hasAsked() {
    return !asked.isEmpty() && (!isFull || isClosed);
  }

  /**
   * Begins what was asked for, some of it; under the lock. Ends what there was no room for in time.
   */
  private void beginAsked(long nowNanos) {
    for (int i = 0; i < BEGUN_MAX || isClosed; i++) {
      Asked next = asked.peek();
      if (next == null || (i > 0 && !isClosed && isLong(nowNanos))) {
        break;
      }
      if (isClosed) {
        refuse(next, ended().getMessage());
      } else if (nowNanos - next.deadlineNanos >= 0) {
        refuse(next, noRoom());
      } else if (!tryBegin(next, nowNanos)) {
        isFull = true;
        expireAsked(nowNanos);
        return;
      }
      asked.remove();
      if (!isClosed && !isEnded) {
        deliverOwn();
      }
    }
    isFull = false;
  }

  private boolean tryBegin(Asked next, long nowNanos) {
    try {
      return tryBegin(next, false, nowNanos);
    } catch (RuntimeException | Error unexpected) {
      asked.remove(); // the node stops, and ends it as one that was begun
      throw unexpected;
    }
  }

  private boolean isLong(long beganNanos) {
    return env.nanoClock().nanoTime() - beganNanos >= BEGUN_NANOS_MAX;
  }

  private void expireAsked(long nowNanos) {
    if (nowNanos - expiredNanos < EXPIRY_NANOS) {
      return;
    }
    expiredNanos = nowNanos;
    for (Iterator<Asked> i = asked.iterator(); i.hasNext(); ) {
      Asked each = i.next();
      if (nowNanos - each.deadlineNanos >= 0) {
        refuse(each, noRoom());
        i.remove();
      }
    }
  }

  private void refuse(Asked never, @Nullable String reason) {
    Outcome outcome = new Outcome(Outcome.Kind.FAILED, reason);
    callbacks.add(() -> never.invocation.whenDone.accept(outcome));
  }

  private String noRoom() {
    return "since this node waits for the answers of earlier operations: node=%s, max=%d"
        .formatted(names.ofSelf(), config.node().callsMax());
  }

  private void checkOpen() {
    if (isClosed) {
      throw new Refusal(ended());
    }
  }

  private boolean tryBegin(Asked next, boolean isAside, long nowNanos) {
    Invocation invocation = next.invocation;
    Command command = invocation.command;
    Pending call = new Pending(command.isRead(), isAside, invocation.whenDone);
    pending.add(call);
    asideCount += isAside ? 1 : 0;
    boolean isBegun =
        node.tryInvoke(
            command,
            invocation.client,
            next.trace,
            invocation.segment,
            next.deadlineNanos,
            outcome -> end(call, outcome),
            nowNanos);
    if (!isBegun) {
      remove(call);
    }
    return isBegun;
  }

  private void end(Pending call, Outcome outcome) {
    if (remove(call)) {
      isFull = false;
      callbacks.add(() -> call.whenDone.accept(outcome));
    }
  }

  private boolean remove(Pending call) {
    boolean isRemoved = pending.remove(call);
    asideCount -= isRemoved && call.isAside ? 1 : 0;
    return isRemoved;
  }

  /** Something that is done with the node, at a time. */
  @FunctionalInterface
  private interface Step {
    void run(long nowNanos);
  }

  private void step(Step step) {
    enter();
    stepLocked(step, false);
  }

  /** A step that many callers may want at once: one of them at a time waits for the lock. */
  private void stepOfCaller(Step step) {
    askers.lock();
    try {
      enter();
    } finally {
      askers.unlock();
    }
    stepLocked(step, false);
  }

  /** Takes the lock for a step, and counts if that takes a wait. */
  private void enter() {
    if (!lock.tryLock()) {
      lockWaits.increment();
      lock.lock();
    }
  }

  /** Looks at the node. */
  private <T extends @Nullable Object> T ask(Supplier<T> question) {
    enter();
    try {
      return question.get();
    } finally {
      lock.unlock();
      goOn();
    }
  }

  /** Lets what was asked for meanwhile be begun; called without the lock. */
  private void goOn() {
    if (hasAsked()) {
      beginSoon();
    }
  }

  /** How often a step had to wait for the node's lock since the node started. */
  public long lockWaits() {
    return lockWaits.sum();
  }

  private void tick() {
    NodeCalls attached = calls;
    if (attached != null) {
      try {
        attached.expire();
      } catch (Throwable unexpected) { // tidy: it is logged, and ends the node
        fail(unexpected);
      }
    }
    // If it is taken, whoever has it ticks.
    if (lock.tryLock()) {
      stepLocked(_ -> {}, false);
    }
  }

  /**
   * Does a step and what follows from it; gives the lock back.
   *
   * @param mayBlock whether this thread may wait for other nodes to take messages
   */
  private void stepLocked(Step step, boolean mayBlock) {
    try {
      holdLocked(step, mayBlock);
      for (int i = 1; i < HOLDS_MAX && hasAsked() && lock.tryLock(); i++) {
        holdLocked(_ -> {}, mayBlock);
      }
    } finally {
      goOn();
    }
  }

  private void holdLocked(Step step, boolean mayBlock) {
    List<Runnable> ended = List.of();
    Refusal refusal = null;
    try {
      runLocked(step);
    } catch (Refusal refused) {
      refusal = refused;
    } catch (Throwable unexpected) { // tidy: it is logged, and ends the node
      node.end();
      isEnded = true;
      if (failure == null) {
        failure = unexpected;
      }
    }
    try {
      ended = endStepLocked();
    } finally {
      lock.unlock();
    }
    transport.flush(mayBlock);
    ended.forEach(ClusterDriver::call);
    if (refusal != null) {
      throw refusal.told;
    }
  }

  private void runLocked(Step step) {
    long nowNanos = env.nanoClock().nanoTime();
    try {
      step.run(nowNanos);
      beginAsked(nowNanos);
      if (!isClosed && !isEnded) {
        tickIfDue(nowNanos);
        remember();
        deliverOwn();
        remember();
        decideAlone();
        stepFeeds(nowNanos);
        updateTicks();
      }
    } finally {
      if (node.isNewerThan(topology)) {
        learn(node.topology());
        callbacks.add(topologies::afterTopology);
      }
    }
  }

  /** Ticks often while the node has something to do, and for some time after that. */
  private void updateTicks() {
    boolean isTicking = busyTicks != null;
    if (isTicking && tickedNanos - busyNanos < QUIET_AFTER_NANOS / 2) {
      return; // it was looked at not long ago
    }
    if (!node.isQuiet(tickedNanos)) {
      busyNanos = tickedNanos;
      if (!isTicking) {
        busyTicks = env.scheduler().every(TICK_MILLIS, this::tick);
      }
    } else if (isTicking && tickedNanos - busyNanos >= QUIET_AFTER_NANOS) {
      endBusyTicks();
    }
  }

  private void endBusyTicks() {
    Scheduler.Task ended = busyTicks;
    if (ended != null) {
      busyTicks = null;
      ended.close();
    }
  }

  private void remember() {
    Remembering by = remembering;
    if (by != null) {
      by.update(node, this::sendNow);
    }
  }

  /** Stops the node if it failed, and returns the callbacks to be run. */
  private List<Runnable> endStepLocked() {
    Throwable reason = failure;
    if (reason != null && !hasStopped) {
      if (!isClosed) {
        log.log(Level.ERROR, "node failed and stops: node=" + names.ofSelf(), reason);
      }
      stopLocked();
      env.scheduler().execute(transport::abort);
      endBusyTicks();
      if (ticks != null) {
        ticks.close(); // last: if anything of this fails, the next tick tries again
      }
      hasStopped = true;
    }
    if (callbacks.isEmpty()) {
      return List.of();
    }
    List<Runnable> ended = callbacks;
    callbacks = new ArrayList<>();
    return ended;
  }

  /** Ends the node, since something outside of its steps failed that must not. */
  private void fail(Throwable unexpected) {
    step(_ -> {
      throw new IllegalStateException("failed outside of the protocol", unexpected);
    });
  }

  private void learn(@Nullable Topology newest) {
    topology = newest;
    if (newest != null) {
      names.learn(newest);
      transport.learn(newest);
    }
  }

  private void stepFeeds(long nowNanos) {
    if (feeds != null) {
      feeds.step(node.topology(), nowNanos);
    }
  }

  private static void call(Runnable callback) {
    try {
      callback.run();
    } catch (Throwable unexpected) { // tidy: it is logged, and the others are to be told
      log.log(Level.ERROR, "the callback of an operation failed", unexpected);
    }
  }

  /**
   * Ticks if it is time.
   *
   * @param nowNanos some moment of this step, so that the clock is read again only for a tick
   */
  private void tickIfDue(long nowNanos) {
    if (nowNanos - tickedNanos >= TICK_NANOS) {
      tickNow();
    }
  }

  /**
   * Lets the only member of a cluster decide at once what it wants, such as a cache: that takes
   * some ticks otherwise, since the wishes of several nodes are to be decided together.
   */
  private void decideAlone() {
    for (int i = 0; i < TICKS_ALONE_MAX && node.isDueAlone(); i++) {
      tickNow();
      remember();
      deliverOwn();
      remember();
    }
  }

  private void tickNow() {
    long now = env.nanoClock().nanoTime();
    tickedNanos = now;
    if (node.topology() == null) {
      tickWithoutCluster(now);
    }
    if (node.compareClocks(now, env.epochClock().millis()) && now - toldClocksNanos >= 0) {
      toldClocksNanos = now + CLOCKS_PAUSE_NANOS;
      log.log(
          Level.WARNING,
          "the wall clock was set, or this machine stood still; the lease is obtained anew:"
              + " node={0}",
          names.ofSelf());
    }
    listen();
    node.tick(now);
    node.newlyMissed(now).forEach(transport::probe);
  }

  private void tickWithoutCluster(long now) {
    if (now - lookedNanos >= LOOK_NANOS) {
      lookedNanos = now;
      transport.look();
    }
    Reviving by = reviving;
    if (by == null) {
      if (founding.tick(now)) {
        log.log(
            founding.isInDoubt() ? Level.WARNING : Level.INFO,
            "founding a cluster: node={0}, since {1}",
            names.ofSelf(),
            founding.reason());
        node.found(first(), now);
      }
      return;
    }
    Topology revived = by.tick(now);
    if (revived != null) {
      revive(by, revived);
    }
    tellConflict(by);
    String news = by.pollNews(now);
    if (news != null) {
      log.log(Level.WARNING, "waiting for the cluster to come back: {0}", news);
    }
  }

  /** Founds the cluster anew when the disk has its topology. */
  private void revive(Reviving by, Topology revived) {
    log.log(
        Level.INFO,
        "the cluster comes back from its disks: node={0}, epoch={1}, members={2}",
        names.ofSelf(),
        revived.epoch(),
        revived.members().size());
    List<Integer> lost = by.lost(revived);
    if (!lost.isEmpty()) {
      log.log(
          Level.WARNING,
          "segments begin without entries, since no server is there that keeps them: segments={0}",
          lost);
    }
    Memory first = new Memory(self(), revived, Ballot.NONE, null);
    Runnable founds =
        () ->
            step(now -> {
              if (!isClosed && node.topology() == null) {
                node.found(revived, now);
              }
            });
    Objects.requireNonNull(memory).keep(first, founds);
  }

  private void tellConflict(Reviving by) {
    if (by.conflict() != null) {
      refusal = by.conflict();
    }
  }

  /** Messages that came and still wait are signs of life too. */
  private void listen() {
    Topology known = node.topology();
    if (known != null) {
      for (Member member : known.members()) {
        Long arrived = transport.lastArrivalNanos(member.id());
        if (arrived != null && node.onArrival(member.id(), arrived)) {
          revoke(member.id());
        }
      }
    }
  }

  /** A node is alive that was taken for dead; it may be dead all the same, or soon. */
  private void revoke(NodeId alive) {
    log.log(
        Level.WARNING,
        "process is not gone: node={0}, other={1}; connections to it were refused for some time,"
            + " and it is heard again",
        names.ofSelf(),
        names.of(alive));
    suspects.remove(alive);
    if (calls != null) {
      calls.heard(alive);
    }
    transport.probe(alive);
  }

  private Topology first() {
    Origin origin = Origin.founded(env.random().nextLong(), env.random().nextLong());
    return Planner.first(List.of(new Member(transport.self(), 1, config.profile())), List.of())
        .of(origin);
  }

  private void deliverOwn() {
    for (int i = 0; i < OWN_MESSAGES_MAX && !ownMessages.isEmpty(); i++) {
      toNode(transport.self(), ownMessages.remove(), env.nanoClock().nanoTime());
    }
  }

  private void toNode(NodeId from, Message message, long nowNanos) {
    boolean isTaken =
        preparation != null
            && message instanceof SegmentMessage.Operation operation
            && !node.isToBeRelayed(from, operation)
            && preparation.tryTake(operation, (id, command) -> prepared(from, id, command));
    if (!isTaken) {
      node.onMessage(from, message, nowNanos);
    }
  }

  private void prepared(NodeId from, OperationId id, ProcessEntry command) {
    step(now -> {
      SegmentMessage.Operation operation = Objects.requireNonNull(preparation).taken(id, command);
      if (!isClosed && operation != null) {
        node.onMessage(from, operation, now);
      }
    });
  }

  private void deliver(NodeId from, Message message, long nowNanos) {
    if (isClosed || message instanceof CallMessage) {
      return;
    }
    if (message instanceof OtherVersion other) {
      onOtherVersion(from, other);
    } else if (message instanceof NameTaken taken) {
      nameTakenBy = taken.seat();
    } else if (message instanceof FeedMessage ofFeed) {
      if (feeds != null) {
        feeds.onMessage(from, ofFeed, node.topology(), nowNanos);
      }
    } else if (message instanceof Suspect suspect) {
      remember(suspect.node());
      transport.probe(suspect.node());
    } else if (node.topology() == null && message instanceof FoundingMessage founds) {
      onFounding(from, founds, nowNanos);
    } else if (node.topology() == null
        && message instanceof Learn learn
        && reviving != null
        && !reviving.isIn(from, learn.topology(), nowNanos)) {
      tellConflict(reviving);
    } else {
      toNode(
          from,
          message instanceof TracedOperation traced ? noted(from, traced) : message,
          nowNanos);
      deliverOwn();
      logForeign(from);
    }
  }

  /** Notes the beginning of an operation in a trace, unless another node executes it. */
  private SegmentMessage.Operation noted(NodeId from, TracedOperation traced) {
    if (traces != null && !node.isToBeRelayed(from, traced.operation())) {
      long nowNanos = env.nanoClock().nanoTime();
      report(tracedParts.begin(traced, topology, names.ofSelf(), nowNanos));
    }
    return traced.operation();
  }

  private void onFounding(NodeId from, FoundingMessage message, long nowNanos) {
    Reviving by = reviving;
    if (by == null) {
      SeedAddress at = message instanceof SeedHere ? transport.listensAt(from) : null;
      if (at != null) {
        founding.peerGone(at);
      }
      founding.onMessage(from, message, nowNanos);
    } else if (isStartKept || !(message instanceof Recall)) {
      by.onMessage(from, message);
    } // else it is asked again: nobody counts on this process before its disk has its name
  }

  /** Without the lock: what waits for an answer may go on at once. */
  private void deliverCall(NodeId from, CallMessage message) {
    NodeCalls attached = calls;
    if (attached != null) {
      attached.onMessage(from, message);
    }
  }

  /** Those of some nodes that were not heard since connections to them were refused. */
  private Map<NodeId, Long> unheard(Map<NodeId, Long> refusedNanos) {
    Map<NodeId, Long> unheard = new LinkedHashMap<>(refusedNanos);
    unheard
        .entrySet()
        .removeIf(each -> {
          Long arrived = transport.lastArrivalNanos(each.getKey());
          return arrived != null && arrived - each.getValue() > 0;
        });
    return unheard;
  }

  /** Nodes are gone: the others are to see for themselves, unless they said so first. */
  private void onGone(Map<NodeId, Long> refusedNanos) {
    node.gone(refusedNanos);
    Set<NodeId> gone = refusedNanos.keySet();
    Topology known = node.topology();
    if (known == null) {
      return;
    }
    for (NodeId dead : gone) {
      if (known.member(dead) != null && remember(dead)) {
        log.log(Level.INFO, "process gone: node={0}, gone={1}", names.ofSelf(), names.of(dead));
        Suspect suspect = new Suspect(known.epoch(), dead);
        known.members().stream()
            .map(Member::id)
            .filter(member -> !member.equals(self()) && !gone.contains(member))
            .forEach(member -> send(member, suspect));
      }
    }
  }

  /** Remembers that a node is suspected; returns whether it was not before. */
  private boolean remember(NodeId suspect) {
    if (suspects.size() >= SUSPECTS_MAX) {
      suspects.clear();
    }
    return suspects.add(suspect);
  }

  /**
   * A node can't read this one's messages, or does not let it in. That of a node that wants in
   * itself says nothing new: it is told as well.
   */
  private void onOtherVersion(NodeId from, OtherVersion other) {
    Topology known = node.topology();
    ProtocolVersions own = config.profile().speaks();
    ProtocolVersions others = other.speaks();
    if (known != null && known.member(self()) != null) {
      return;
    }
    if (own.overlap(others)) {
      transport.write(Math.max(own.oldest(), others.oldest()));
      return;
    }
    String reason =
        ("the cluster speaks another version of the protocol: node=%s, speaks=%s, other=%s,"
                + " speaks=%s; %s")
            .formatted(
                names.ofSelf(),
                own,
                names.of(from),
                others,
                own.newest() < others.oldest()
                    ? "this node is too old for it: start a later version here"
                    : "this node is too new for it: upgrade the others first, one version after the"
                        + " other");
    if (refusal == null) {
      log.log(Level.ERROR, reason);
    }
    refusal = reason;
  }

  private void logForeign(NodeId from) {
    long foreign = node.foreignTopologies();
    Topology known = node.topology();
    long now = env.nanoClock().nanoTime();
    boolean isTime = loggedForeign == 0 || now - toldForeignNanos >= FOREIGN_PAUSE_NANOS;
    if (foreign > loggedForeign && isTime && known != null) {
      loggedForeign = foreign;
      toldForeignNanos = now;
      log.log(
          Level.ERROR,
          "two clusters of one name reach each other, and each serves its own entries: node={0},"
              + " its cluster={1}, other cluster={2}, told by={3}; stop the nodes of one of them,"
              + " and start them again to join the other one",
          names.ofSelf(),
          known.origin().identity(),
          node.foreignIdentity(),
          names.of(from));
    }
  }

  private final class Handler implements TransportHandler {
    @Override
    public void onMessages(List<Received> messages) {
      boolean areAllCalls = true;
      for (Received each : messages) {
        if (each.message() instanceof CallMessage call) {
          deliverCall(each.from(), call);
        } else {
          areAllCalls = false;
        }
      }
      if (!areAllCalls) {
        step(_ -> {
          for (Received each : messages) {
            long now = env.nanoClock().nanoTime();
            deliver(each.from(), each.message(), now);
            tickIfDue(now); // many messages must not keep this node from being heard of
          }
        });
      }
    }

    @Override
    public void onFailure(Error unexpected) {
      fail(unexpected);
    }

    @Override
    public void onView(ViewHint view) {
      Map<NodeId, Long> gone = unheard(view.gone());
      if (calls != null && !gone.isEmpty()) {
        calls.gone(gone.keySet());
      }
      step(_ -> {
        founding.onDiscovered(view.present());
        if (reviving != null) {
          reviving.onDiscovered(view.present());
        }
        onGone(gone);
        node.discovered(view.present().stream().filter(other -> !other.equals(self())).toList());
      });
    }
  }

  /** Ends all that waits; the outcome of what may have been done is not known. */
  private void stopLocked() {
    isClosed = true;
    ownMessages.clear();
    for (Pending call : List.copyOf(pending)) {
      end(call, unknown(call.isRead));
    }
    beginAsked(env.nanoClock().nanoTime()); // ends them
    node.awaitWriters();
  }

  /**
   * Leaves without handing over, which {@link #leave} is for. Refuses operations from now on, ends
   * those that wait, and then closes the transport; bounded in time as that is. Calling it twice is
   * harmless.
   */
  @Override
  public void close() {
    step(nowNanos -> {
      node.settle(nowNanos);
      remember();
      node.end();
      isEnded = true;
      stopLocked();
      endBusyTicks();
      if (ticks != null) {
        ticks.close();
      }
    });
    transport.close();
  }
}
