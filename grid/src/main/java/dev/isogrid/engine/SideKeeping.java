package dev.isogrid.engine;

import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.GridException;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.Env;
import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.SideCodec.Found;
import dev.isogrid.engine.SideWatch.Mode;
import dev.isogrid.engine.SideWrites.Status;
import dev.isogrid.engine.SideWrites.Wanted;
import dev.isogrid.store.DetachedEntry;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes entries on a side without the majority: each at the node that decides on it,
 * which has a second node keep each write before it is done. Thread-safe.
 */
final class SideKeeping {
  private static final int READ = 63;
  private static final int WRITE = 64;
  private static final int COPY = 65;

  /** How long one attempt waits: nodes of a side come and go. */
  private static final long ATTEMPT_MILLIS = 500;

  /** How long a keeper tries to find a second node that takes a copy. */
  private static final long COPY_MILLIS = 3000;

  private static final long PAUSE_MILLIS = 5;

  private final SideState state;
  private final ClusterDriver driver;
  private final NodeCalls calls;
  private final SideCodec codec;
  private final long timeoutMillis;
  private final Env env;

  // tidy: what it needs of the node
  SideKeeping(
      SideState state,
      ClusterDriver driver,
      NodeCalls calls,
      SideCodec codec,
      long timeoutMillis,
      Env env) {
    this.state = state;
    this.driver = driver;
    this.calls = calls;
    this.codec = codec;
    this.timeoutMillis = timeoutMillis;
    this.env = env;
    calls.offer(READ, (_, request) -> serveRead(request));
    calls.offer(WRITE, (_, request) -> serveWrite(request));
    calls.offer(COPY, this::serveCopy);
  }

  private long now() {
    return env.nanoClock().nanoTime();
  }

  private boolean isApart() {
    return state.mode() == Mode.APART && !state.isClosed;
  }

  /** The nodes that keep an entry, as far as this one knows, the first of which decides. */
  private List<NodeId> keepers(AvailableEngine engine, EntryKey key) {
    Topology known = driver.topology();
    List<NodeId> members =
        known == null
            ? List.of()
            : known.members().stream()
                .sorted(Comparator.comparingInt(Member::joinedEpoch))
                .map(Member::id)
                .toList();
    List<NodeId> copies = engine.copies(engine.segmentOf(key.hash()));
    state.lock.lock();
    try {
      return state.watch.keepers(copies, members, now());
    } finally {
      state.lock.unlock();
    }
  }

  private GridException notDone(AvailableEngine engine, EntryKey key, boolean isUnknown) {
    String text =
        "%s: cache=%s, segment=%d, node=%s, waited=%d ms, without the majority of the cluster"
            .formatted(
                isUnknown ? "may or may not have been done" : "not done",
                engine.name(),
                engine.segmentOf(key.hash()),
                driver.names().ofSelf(),
                timeoutMillis);
    return isUnknown
        ? new IndeterminateGridException(text + "; read the entry to find out")
        : new RetryableGridException(text + "; try again");
  }

  // ---- reads

  /**
   * Reads an entry of the side.
   *
   * @return null if this node is not apart any more
   */
  @Nullable Found read(AvailableEngine engine, EntryKey key) {
    long end = now() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    while (isApart()) {
      NodeId keeper = keepers(engine, key).getFirst();
      Found found = keeper.equals(driver.self()) ? readHere(engine, key) : ask(keeper, key);
      if (found.status() == Status.DONE) {
        return found;
      }
      if (now() - end >= 0) {
        throw notDone(engine, key, false);
      }
      state.awaitChange(PAUSE_MILLIS);
    }
    return null;
  }

  private Found readHere(AvailableEngine engine, EntryKey key) {
    DetachedEntry copy = engine.copy(key);
    state.lock.lock();
    try {
      if (!isApart()) {
        return new Found(Status.NOT_APART, null);
      }
      KeptWrite kept = state.writes.find(key);
      return new Found(Status.DONE, kept == null ? copy : kept.live(engine.nowMillis()));
    } finally {
      state.lock.unlock();
    }
  }

  private Found ask(NodeId keeper, EntryKey key) {
    dependOn(keeper);
    ByteString answer = call(keeper, READ, codec.key(key));
    try {
      return answer == null ? new Found(Status.UNKNOWN, null) : codec.found(answer);
    } catch (MalformedMessageException e) {
      throw malformed(keeper, e);
    }
  }

  private IllegalStateException malformed(NodeId from, MalformedMessageException e) {
    return new IllegalStateException(
        "malformed answer of a node: node=" + driver.names().of(from), e);
  }

  private void dependOn(NodeId keeper) {
    state.lock.lock();
    try {
      state.addMate(keeper, now());
    } finally {
      state.lock.unlock();
    }
  }

  /** Asks a node; null if it does not answer. */
  private @Nullable ByteString call(NodeId node, int service, ByteString request) {
    try {
      return calls.call(node, service, request, Math.min(ATTEMPT_MILLIS, timeoutMillis)).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IndeterminateGridException(
          "interrupted while a node was asked: node=%s; read the entry to find out"
              .formatted(node));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof NodeCallException failed
          && failed.reason() != NodeCallException.Reason.FAILED) {
        return null;
      }
      throw new IllegalStateException(
          "failed on a node of the side: node=" + driver.names().of(node), e.getCause());
    }
  }

  private ByteString serveRead(ByteString request) throws MalformedMessageException {
    EntryKey key = codec.key(request);
    AvailableEngine engine = key == null ? null : state.engines.get(key.cacheId());
    return codec.found(
        engine == null || key == null ? new Found(Status.NOT_APART, null) : readHere(engine, key));
  }

  // ---- writes

  /**
   * Writes an entry on the side.
   *
   * @return DONE, CHANGED, or NOT_APART if this node is not apart any more and nothing was done
   * @throws CacheFullException if what the side keeps would be too much
   */
  Status write(AvailableEngine engine, Wanted wanted) {
    long end = now() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    boolean isUnknown = false;
    while (isApart()) {
      NodeId keeper = keepers(engine, wanted.key()).getFirst();
      Status status =
          keeper.equals(driver.self()) ? writeHere(engine, wanted) : ask(keeper, wanted);
      switch (status) {
        case DONE -> {
          return status;
        }
        case CHANGED -> {
          if (isUnknown) {
            throw notDone(engine, wanted.key(), true);
          }
          return status;
        }
        case FULL -> throw full(engine, keeper);
        case UNKNOWN -> isUnknown = true;
        case BUSY, NOT_APART, BEGUN -> {
          // asked again
        }
      }
      if (now() - end >= 0) {
        throw notDone(engine, wanted.key(), isUnknown);
      }
      state.awaitChange(PAUSE_MILLIS);
    }
    if (isUnknown) {
      throw notDone(engine, wanted.key(), true);
    }
    return Status.NOT_APART;
  }

  private CacheFullException full(AvailableEngine engine, NodeId keeper) {
    return new CacheFullException(
        ("too much is kept apart from the majority: cache=%s, node=%s, max=%d B; reconnect the"
                + " nodes, or raise the bound for what is written on a side of a split")
            .formatted(engine.name(), keeper, state.writes.bytesMax()));
  }

  private Status ask(NodeId keeper, Wanted wanted) {
    dependOn(keeper);
    ByteString answer = call(keeper, WRITE, codec.wanted(wanted));
    try {
      return answer == null ? Status.UNKNOWN : codec.status(answer);
    } catch (MalformedMessageException e) {
      throw malformed(keeper, e);
    }
  }

  private ByteString serveWrite(ByteString request) throws MalformedMessageException {
    Wanted wanted = codec.wanted(request);
    AvailableEngine engine = state.engines.get(wanted.key().cacheId());
    return codec.status(engine == null ? Status.NOT_APART : writeHere(engine, wanted));
  }

  /** Decides on a write, and has a second node keep it before it counts. */
  private Status writeHere(AvailableEngine engine, Wanted wanted) {
    EntryKey key = wanted.key();
    SideWrites.Seen base = engine.base(key);
    KeptWrite begun;
    state.lock.lock();
    try {
      if (!isApart()) {
        return Status.NOT_APART;
      }
      Status status = state.writes.begin(wanted, base, engine.nowMillis());
      if (status != Status.BEGUN) {
        return status;
      }
      begun = state.writes.begun(key);
    } finally {
      state.lock.unlock();
    }
    Status status = Status.UNKNOWN;
    try {
      status = copy(engine, begun);
    } finally {
      end(key, status == Status.DONE);
    }
    return status;
  }

  private void end(EntryKey key, boolean isDone) {
    state.lock.lock();
    try {
      if (isDone) {
        state.writes.commit(key);
      } else {
        state.writes.abort(key);
      }
      state.signal();
    } finally {
      state.lock.unlock();
    }
  }

  /** Sends a copy to the next node of the side, if there is one. */
  private Status copy(AvailableEngine engine, KeptWrite write) {
    long end = now() + TimeUnit.MILLISECONDS.toNanos(COPY_MILLIS);
    ByteString request = null;
    while (true) {
      NodeId second = second(engine, write.key());
      if (second == null) {
        return Status.DONE;
      }
      request = request == null ? codec.kept(write) : request;
      ByteString answer = call(second, COPY, request);
      Status status;
      try {
        status = answer == null ? Status.UNKNOWN : codec.status(answer);
      } catch (MalformedMessageException e) {
        throw malformed(second, e);
      }
      if (status == Status.DONE || status == Status.FULL) {
        return status;
      }
      if (now() - end >= 0) {
        return Status.UNKNOWN;
      }
      state.awaitChange(PAUSE_MILLIS);
    }
  }

  private @Nullable NodeId second(AvailableEngine engine, EntryKey key) {
    for (NodeId node : keepers(engine, key)) {
      if (!node.equals(driver.self())) {
        return node;
      }
    }
    return null;
  }

  private ByteString serveCopy(NodeId from, ByteString request) throws MalformedMessageException {
    KeptWrite write = codec.kept(request);
    state.lock.lock();
    try {
      boolean isOnSide = state.mode() == Mode.APART || state.mode() == Mode.WAITING;
      if (!isOnSide || !state.engines.containsKey(write.key().cacheId())) {
        return codec.status(Status.NOT_APART);
      }
      state.addMate(from, now());
      return codec.status(state.writes.tryCopy(from, write) ? Status.DONE : Status.FULL);
    } finally {
      state.lock.unlock();
    }
  }
}
