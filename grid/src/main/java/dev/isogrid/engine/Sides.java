package dev.isogrid.engine;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.SideCodec.Found;
import dev.isogrid.engine.SideWatch.Mode;
import dev.isogrid.engine.SideWrites.Status;
import dev.isogrid.engine.SideWrites.Wanted;
import dev.isogrid.store.Segment;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * This node's part in sides of a split: where it can't reach the majority of the cluster, the
 * caches that allow it go on, and what they write is kept apart until it can be handed over.
 * Thread-safe.
 */
public final class Sides implements AutoCloseable {
  /*
   * See docs/decisions/0012. SideWatch decides when the node is apart; SideKeeping reads and writes
   * then, in SideWrites; SideReturn hands over, each entry by HandOver. Nothing here takes part in
   * the protocol of the cluster: what is handed over are ordinary writes. An operation of such a
   * cache passes here first: it is done as in other caches unless the node is apart; it waits while
   * that is not clear, and until what the side made of its entry is handed over.
   *
   * Locks: the state's is taken with none other held but those of callers, and no lock of the node
   * is taken under it.
   */
  private static final System.Logger log = System.getLogger(Sides.class.getName());

  private static final int HELLO = 62;

  private static final long TICK_MILLIS = 50;

  /** How often other nodes are asked whether they have a lease, while this one has none. */
  private static final long HELLO_NANOS = 250_000_000;

  private static final long HELLO_MILLIS = 600;

  private static final long WAIT_MILLIS = 20;

  /** How long after its time is over an operation may take to say so. */
  private static final long PATIENCE_MILLIS = 1000;

  /** The bit of a version that was given on a side: no segment has so many writes. */
  static final long SIDE_BIT = (Segment.SEQUENCE_MAX >> 1) + 1;

  private record Waiting(boolean isRead, CompletableFuture<Outcome> outcome) {}

  private final ClusterDriver driver;
  private final NodeCalls calls;
  private final long timeoutMillis;
  private final Env env;
  private final SideCodec codec;
  private final SideState state;
  private final SideKeeping keeping;
  private final SideReturn back;
  private final SidePlaces places;
  private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();

  /** Guarded by the state's lock. */
  private final RandomGenerator random;

  /** Guarded by the state's lock. */
  private Scheduler.@Nullable Task ticks;

  /** For the task of the ticks. */
  private long greetedNanos;

  /** For the task of the ticks. */
  private SideCounts told = SideCounts.NOTHING;

  /**
   * Begins without caches.
   *
   * @param bytesMax what the node keeps apart at most, in bytes
   * @param timeoutMillis how long operations wait, 1 or more
   * @param entries how entries are sent to other nodes
   */
  // tidy: what it needs of the node
  public Sides(
      ClusterDriver driver,
      NodeCalls calls,
      ClusterTimes times,
      long bytesMax,
      long timeoutMillis,
      EntryCodec entries,
      Env env) {
    this.driver = driver;
    this.calls = calls;
    this.timeoutMillis = timeoutMillis;
    this.env = env;
    this.codec = new SideCodec(entries);
    this.random = new SplittableRandom(env.random().nextLong());
    long limitNanos = times.lease() + times.suspect();
    this.state =
        new SideState(
            new SideWatch(driver.self(), limitNanos), new SideWrites(bytesMax), env.nanoClock());
    this.keeping = new SideKeeping(state, driver, calls, codec, timeoutMillis, env);
    this.back = new SideReturn(state, driver, calls, codec, env);
    this.places = new SidePlaces(state, calls, env.nanoClock().nanoTime());
    this.greetedNanos = env.nanoClock().nanoTime() - HELLO_NANOS;
    calls.offerPrompt(HELLO, (_, _) -> codec.flag(driver.isLeased()));
  }

  /** A cache begins. */
  void begun(AvailableEngine engine) {
    state.engines.put(engine.id(), engine);
    state.lock.lock();
    try {
      if (ticks == null && !state.isClosed) {
        ticks = env.scheduler().every(TICK_MILLIS, this::tick);
      }
    } finally {
      state.lock.unlock();
    }
  }

  /** A cache ends. */
  void ended(AvailableEngine engine) {
    state.engines.remove(engine.id(), engine);
    if (!state.isClosed) {
      back.ended(engine);
    }
  }

  /** Counts of kept writes since the node started. */
  public SideCounts counts() {
    state.lock.lock();
    try {
      return state.counters.counts(state.mode() == Mode.APART, state.writes.bytes());
    } finally {
      state.lock.unlock();
    }
  }

  // ---- time

  private void tick() {
    long now = env.nanoClock().nanoTime();
    boolean isLeased = driver.isLeased();
    Mode before;
    Mode after;
    state.lock.lock();
    try {
      before = state.step(now, isLeased);
      after = state.mode();
    } finally {
      state.lock.unlock();
    }
    if (after != before) {
      changed(before, after);
    }
    if (after == Mode.RETURNING) {
      back.work();
    }
    if (after == Mode.JOINED) {
      places.ask(now);
    }
    if (after != Mode.JOINED && now - greetedNanos >= HELLO_NANOS) {
      greetedNanos = now;
      greet();
    }
  }

  private void changed(Mode before, Mode after) {
    if (after == Mode.APART) {
      log.log(
          Level.WARNING,
          "without the majority of the cluster, some caches go on apart: node={0}, caches={1}",
          driver.names().ofSelf(),
          state.engines.values().stream().map(CacheEngine::name).sorted().toList());
      for (Waiting each : waiting) {
        giveUp(each);
      }
    }
    if (before == Mode.RETURNING && after == Mode.JOINED) {
      tellCounts();
    }
  }

  private static void giveUp(Waiting each) {
    each.outcome.complete(
        new Outcome(each.isRead ? Outcome.Kind.FAILED : Outcome.Kind.INDETERMINATE, null));
  }

  private void tellCounts() {
    SideCounts all = counts();
    log.log(
        Level.INFO,
        "what was written apart is handed over: node={0}, entries={1}, same={2}, conflicts={3} (won"
            + " {4}, lost {5}, merged {6}, without an answer {7}), refused={8}",
        driver.names().ofSelf(),
        all.handedOver() - told.handedOver(),
        all.same() - told.same(),
        all.conflicts() - told.conflicts(),
        all.won() - told.won(),
        all.lost() - told.lost(),
        all.merged() - told.merged(),
        all.unanswered() - told.unanswered(),
        all.refused() - told.refused());
    told = all;
  }

  private void greet() {
    Topology known = driver.topology();
    if (known == null) {
      return;
    }
    ByteString hello = ByteString.of(new byte[0]);
    known.members().stream()
        .map(Member::id)
        .filter(node -> !node.equals(driver.self()))
        .forEach(node ->
            calls
                .call(node, HELLO, hello, HELLO_MILLIS)
                .whenComplete((answer, _) -> greeted(node, answer)));
  }

  private void greeted(NodeId node, @Nullable ByteString answer) {
    if (answer == null) {
      return;
    }
    state.lock.lock();
    try {
      state.watch.heard(node, codec.flag(answer), env.nanoClock().nanoTime());
    } catch (MalformedMessageException e) {
      log.log(Level.WARNING, "malformed greeting of a node: node=" + node, e);
    } finally {
      state.lock.unlock();
    }
  }

  // ---- operations

  /** Whether nothing is kept apart, so that an operation is done as in other caches. */
  boolean isJoined() {
    return state.mode() == Mode.JOINED;
  }

  /** Whether this node is apart from the majority. */
  boolean isApart() {
    return state.mode() == Mode.APART;
  }

  /**
   * Waits until it is clear how an operation is to be done.
   *
   * @param key what it is about, or null for all entries
   * @return whether on this node's side, since it is apart
   * @throws RetryableGridException if that is not clear in time
   * @throws dev.isogrid.api.FatalGridException if this node ended
   */
  boolean awaitApart(String cache, @Nullable EntryKey key) {
    long end = env.nanoClock().nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    while (true) {
      driver.checkNotEnded();
      Mode now = state.mode();
      if (now == Mode.JOINED || now == Mode.APART) {
        return now == Mode.APART;
      }
      if (now == Mode.RETURNING && key != null && back.isSettled(key)) {
        return false;
      }
      boolean isOver = env.nanoClock().nanoTime() - end >= 0;
      if (isOver || state.isClosed || Thread.currentThread().isInterrupted()) {
        throw new RetryableGridException(
            "not done: cache=%s, node=%s, waited=%d ms, since %s; try again"
                .formatted(
                    cache,
                    driver.names().ofSelf(),
                    isOver ? timeoutMillis : 0,
                    now == Mode.RETURNING
                        ? "what was written apart from the majority is not handed over yet"
                        : "it is not clear whether the majority can be reached"));
      }
      state.awaitChange(WAIT_MILLIS);
    }
  }

  /**
   * Sends an operation to the cluster, but does not wait for its answer when this node is apart.
   *
   * @param client that of a client that may repeat it, or null
   * @throws InterruptedException if interrupted; the operation may be done all the same
   */
  Outcome invoke(Command command, @Nullable ClientOperation client, int segment)
      throws InterruptedException {
    Waiting each = new Waiting(command.isRead(), new CompletableFuture<>());
    waiting.add(each);
    try {
      if (isApart()) {
        return new Outcome(Outcome.Kind.FAILED, null);
      }
      driver.invoke(
          new ClusterDriver.Invocation(command, client, segment, each.outcome::complete),
          timeoutMillis);
      return each.outcome.get(timeoutMillis + PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      giveUp(each);
      return Objects.requireNonNull(each.outcome.getNow(null));
    } catch (ExecutionException impossible) {
      throw new IllegalStateException("an outcome is never a failure", impossible);
    } finally {
      waiting.remove(each);
    }
  }

  /** A version that no other write has: some 1 in 270,000,000,000 that two are the same. */
  long newSequence() {
    state.lock.lock();
    try {
      return SIDE_BIT | random.nextLong(SIDE_BIT);
    } finally {
      state.lock.unlock();
    }
  }

  /** As {@link SideKeeping#read}. */
  @Nullable Found read(AvailableEngine engine, EntryKey key) {
    return keeping.read(engine, key);
  }

  /** As {@link SideKeeping#write}. */
  Status write(AvailableEngine engine, Wanted wanted) {
    return keeping.write(engine, wanted);
  }

  /** Ends it; what is not handed over is lost, and said to be. Calling it twice is harmless. */
  @Override
  public void close() {
    Scheduler.Task ended;
    int left;
    state.lock.lock();
    try {
      ended = state.isClosed ? null : ticks;
      left = state.writes.ownCount();
      state.isClosed = true;
      state.signal();
    } finally {
      state.lock.unlock();
    }
    if (ended != null) {
      ended.close();
      if (left > 0) {
        log.log(
            Level.WARNING,
            "closed with writes that were not handed over: node={0}, entries={1}",
            driver.names().ofSelf(),
            left);
      }
    }
  }
}
