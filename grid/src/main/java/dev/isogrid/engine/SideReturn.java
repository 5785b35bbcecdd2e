package dev.isogrid.engine;

import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.GridException;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.Env;
import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.HandOver.Ending;
import dev.isogrid.engine.SideWatch.Mode;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Hands over what a side kept apart, when its node has a lease again. Thread-safe. */
final class SideReturn {
  private static final System.Logger log = System.getLogger(SideReturn.class.getName());

  private static final int SETTLE = 66;

  /** Entries that are handed over at the same time. */
  private static final int WORKERS_MAX = 4;

  private static final long ATTEMPT_MILLIS = 500;

  private static final long PAUSE_MILLIS = 20;

  /** How often an entry is offered that there is no room for. */
  private static final int REFUSALS_MAX = 10;

  /** How long a keeper may be silent, and no member, until its copies are handed over. */
  private static final long SILENCE_NANOS = 3_000_000_000L;

  private final SideState state;
  private final ClusterDriver driver;
  private final NodeCalls calls;
  private final SideCodec codec;
  private final Env env;

  /** What somebody waits for. Guarded by the state's lock. */
  private final ArrayDeque<EntryKey> urgent = new ArrayDeque<>();

  /** What is being handed over. Guarded by the state's lock. */
  private final Set<EntryKey> claimed = new HashSet<>();

  /** Guarded by the state's lock. */
  private int workers;

  SideReturn(SideState state, ClusterDriver driver, NodeCalls calls, SideCodec codec, Env env) {
    this.state = state;
    this.driver = driver;
    this.calls = calls;
    this.codec = codec;
    this.env = env;
    calls.offer(SETTLE, (_, request) -> serveSettle(request));
  }

  private boolean isReturning() {
    return state.mode() == Mode.RETURNING && !state.isClosed;
  }

  // ---- one entry

  /** Begins what there is to do. Does not block. */
  void work() {
    state.lock.lock();
    try {
      while (workers < WORKERS_MAX && claimed.size() < state.writes.ownCount()) {
        workers++;
        env.scheduler().execute(this::handOverAll);
      }
    } catch (RejectedExecutionException closing) {
      workers--; // the node ends
    } finally {
      state.lock.unlock();
    }
    state.mates().forEach(this::askMate);
  }

  private void handOverAll() {
    try {
      KeptWrite write = claim();
      while (write != null) {
        try {
          handOver(write);
        } finally {
          unclaim(write.key());
        }
        write = claim();
      }
    } finally {
      workerEnded();
    }
  }

  private void workerEnded() {
    state.lock.lock();
    try {
      workers--;
    } finally {
      state.lock.unlock();
    }
  }

  private @Nullable KeptWrite claim() {
    state.lock.lock();
    try {
      if (!isReturning()) {
        return null;
      }
      KeptWrite first = null;
      while (first == null && !urgent.isEmpty()) {
        EntryKey key = urgent.remove();
        first = claimed.contains(key) ? null : state.writes.own(key);
      }
      first = first == null ? state.writes.first(claimed) : first;
      if (first != null) {
        claimed.add(first.key());
      }
      return first;
    } finally {
      state.lock.unlock();
    }
  }

  private void unclaim(EntryKey key) {
    state.lock.lock();
    try {
      claimed.remove(key);
      state.signal();
    } finally {
      state.lock.unlock();
    }
  }

  private void handOver(KeptWrite write) {
    AvailableEngine engine = state.engines.get(write.key().cacheId());
    if (engine == null) {
      settle(write, new HandOver.End(Ending.REFUSED, 0));
      return;
    }
    HandOver way = new HandOver(write, engine.nowMillis());
    HandOver.Step step = way.begin();
    int refusals = 0;
    while (isReturning()) {
      if (step instanceof HandOver.End end) {
        settle(write, end);
        return;
      }
      try {
        step = next(engine, write.key(), way, step);
      } catch (CacheFullException full) {
        refusals++;
        step = refusals < REFUSALS_MAX ? step : lost(way, full);
        state.awaitChange(PAUSE_MILLIS * REFUSALS_MAX);
      } catch (RetryableGridException failed) {
        log.log(Level.DEBUG, () -> "hand-over has to wait: " + failed.getMessage());
        state.awaitChange(PAUSE_MILLIS);
        step = way.begin();
      } catch (GridException impossible) {
        step = lost(way, impossible);
      }
    }
    KeptWrite.Ours ours = way.ours();
    if (ours != null) {
      unsettle(write, ours);
    }
  }

  private static HandOver.Step lost(HandOver way, GridException why) {
    log.log(Level.WARNING, "a write of a side is lost: " + why.getMessage());
    return way.onRefused();
  }

  private static HandOver.Step next(
      AvailableEngine engine, EntryKey key, HandOver way, HandOver.Step step) {
    return switch (step) {
      case HandOver.Read _ -> way.onRead(engine.clusters(key));
      case HandOver.Merge merge ->
          way.onMerged(engine.merged(key, merge.clusters(), merge.sides()));
      case HandOver.Write wanted -> written(engine, key, way, wanted);
      case HandOver.End end -> end;
    };
  }

  private static HandOver.Step written(
      AvailableEngine engine, EntryKey key, HandOver way, HandOver.Write wanted) {
    try {
      WriteResult result = engine.handOver(key, wanted.seen(), wanted.value());
      return result.outcome() == KeyWrite.Outcome.DONE
          ? way.onWritten(result.sequence())
          : way.onOther();
    } catch (IndeterminateGridException noAnswer) {
      log.log(Level.DEBUG, () -> "hand-over without an answer: " + noAnswer.getMessage());
      return way.onUnknown();
    }
  }

  private void settle(KeptWrite write, HandOver.End end) {
    state.lock.lock();
    try {
      state.writes.settled(write, end.base());
      state.counters.count(end.ending());
    } finally {
      state.lock.unlock();
    }
  }

  private void unsettle(KeptWrite write, KeptWrite.Ours ours) {
    state.lock.lock();
    try {
      state.writes.unsettled(write, ours);
    } finally {
      state.lock.unlock();
    }
  }

  // ---- what others wait for

  /**
   * Whether all that this node and those of its side made of an entry is handed over, as far as
   * they can be asked. Asks other nodes; what is not yet handed over is next.
   */
  boolean isSettled(EntryKey key) {
    if (isOpen(key)) {
      return false;
    }
    for (NodeId mate : state.mates()) {
      Boolean isOpen = ask(mate, key);
      if (isOpen == null || isOpen) {
        return false;
      }
    }
    return true;
  }

  /** Whether an entry is to be handed over by this node; it is the next then. */
  private boolean isOpen(EntryKey key) {
    state.lock.lock();
    try {
      boolean isOpen = state.writes.isOpen(key);
      if (isOpen && !claimed.contains(key) && !urgent.contains(key)) {
        urgent.add(key);
      }
      return isOpen;
    } finally {
      state.lock.unlock();
    }
  }

  /** Asks a node whether it has to hand over an entry; null if it does not answer. */
  private @Nullable Boolean ask(NodeId node, EntryKey key) {
    try {
      return codec.flag(calls.call(node, SETTLE, codec.key(key), ATTEMPT_MILLIS).get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null; // the caller's wait ends
    } catch (ExecutionException | MalformedMessageException e) {
      log.log(Level.DEBUG, () -> "node of the side does not say what it has: " + e);
      return null;
    }
  }

  private ByteString serveSettle(ByteString request) throws MalformedMessageException {
    EntryKey key = codec.key(request);
    if (key != null) {
      return codec.flag(isOpen(key));
    }
    state.lock.lock();
    try {
      return codec.flag(state.writes.isOpen());
    } finally {
      state.lock.unlock();
    }
  }

  /** Asks a node of the side whether it is done, if it is not being asked. Does not block. */
  private void askMate(NodeId node) {
    state.lock.lock();
    try {
      SideState.Mate mate = state.mates.get(node);
      if (mate == null || mate.isAsked) {
        return;
      }
      mate.isAsked = true;
    } finally {
      state.lock.unlock();
    }
    ByteString all = codec.key((EntryKey) null);
    calls
        .call(node, SETTLE, all, ATTEMPT_MILLIS)
        .whenComplete((answer, _) -> answered(node, answer));
  }

  private void answered(NodeId node, @Nullable ByteString answer) {
    long now = env.nanoClock().nanoTime();
    state.lock.lock();
    try {
      SideState.Mate mate = state.mates.get(node);
      if (mate == null) {
        return;
      }
      mate.isAsked = false;
      if (answer != null) {
        mate.answeredNanos = now;
        if (!codec.flag(answer) && isReturning()) {
          state.mates.remove(node);
          state.writes.dropCopies(node);
          state.signal();
        }
      } else if (isReturning() && now - mate.answeredNanos > SILENCE_NANOS && !isMember(node)) {
        takeOver(node);
      }
    } catch (MalformedMessageException e) {
      log.log(Level.WARNING, "malformed answer of a node: node=" + node, e);
    } finally {
      state.lock.unlock();
    }
  }

  private boolean isMember(NodeId node) {
    Topology known = driver.topology();
    return known != null && known.member(node) != null;
  }

  /** A keeper is gone: this node hands over what it has copies of. Under the lock. */
  private void takeOver(NodeId keeper) {
    state.mates.remove(keeper);
    int taken = state.writes.takeOver(keeper);
    state.signal();
    log.log(
        Level.INFO,
        "handing over for a node of the side that is gone: node={0}, gone={1}, entries={2},"
            + " silent={3} s",
        driver.names().ofSelf(),
        keeper,
        taken,
        TimeUnit.NANOSECONDS.toSeconds(SILENCE_NANOS));
  }

  /** Forgets what was kept of a cache that is no more; says so if it was to be handed over. */
  void ended(AvailableEngine engine) {
    int dropped;
    state.lock.lock();
    try {
      dropped = state.writes.dropCache(engine.id());
      state.counters.add(Ending.REFUSED, dropped);
      state.signal();
    } finally {
      state.lock.unlock();
    }
    if (dropped > 0) {
      log.log(
          Level.WARNING,
          "writes of a side are lost, since their cache was removed: cache={0}, entries={1}",
          engine.name(),
          dropped);
    }
  }
}
