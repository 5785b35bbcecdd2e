package dev.isogrid.engine;

import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.base.Env;
import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.MessageReader;
import dev.isogrid.cluster.MessageWriter;
import dev.isogrid.codec.ByteString;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells the other nodes which entries of invalidation caches have changed here, and is told by
 * them. Thread-safe.
 */
public final class Invalidations {
  /*
   * A node answers when it has removed the entries. Who tells goes by the members of the topology:
   * one that does not answer is asked again, which does no harm, until it answers or is a member no
   * more. That is why a node may answer reads from its entries only under a lease, and not from
   * those of a time before which it was not a member: nobody waited for it then. It learns of that
   * from the topology that it gets, before it can have a lease again; so the entries are of an age,
   * and those of an earlier one are removed by another thread, since locks of entries may be held
   * by code of users that waits for the node's driver.
   *
   * A node that has not learned yet that the one that tells it became a member would tell it
   * nothing of its own writes. So it does not answer before it knows the epoch of that: what it
   * writes after its answer, it tells to that node.
   *
   *    request             layout, as in MessageLayout
   *    invalidate          joinedEpoch 4, cache text, all bool, count 4, each: key bytes; no keys
   *                        with all
   *
   * The answer is empty.
   */
  private static final int SERVICE = 61;

  private static final System.Logger log = System.getLogger(Invalidations.class.getName());

  /** How long one attempt waits, so that a member that is given up is soon not waited for. */
  private static final long ATTEMPT_MILLIS = 500;

  /** Between two attempts at a node that is busy, or has not learned that it is a member. */
  private static final long PAUSE_NANOS = 10_000_000;

  private final ClusterDriver driver;
  private final NodeCalls calls;
  private final long timeoutMillis;
  private final Env env;
  private final Map<String, InvalidatingEngine> engines = new ConcurrentHashMap<>();

  /** The epoch in which this node became a member; 0 if it is none. For the node's driver. */
  private int joinedEpoch;

  /** How often this node became a member, or ceased to be one. Written by the node's driver. */
  private volatile int age;

  private volatile boolean isClosed;

  /**
   * Begins without caches.
   *
   * @param timeoutMillis how long a write waits for the other nodes, 1 or more
   */
  public Invalidations(ClusterDriver driver, NodeCalls calls, long timeoutMillis, Env env) {
    this.driver = driver;
    this.calls = calls;
    this.timeoutMillis = timeoutMillis;
    this.env = env;
    calls.offer(SERVICE, this::serve);
  }

  /** A cache of this node begins; of two of one name the first one counts. */
  void begun(InvalidatingEngine engine) {
    engines.putIfAbsent(engine.name(), engine);
  }

  /** A cache of this node ends. */
  void ended(InvalidatingEngine engine) {
    engines.remove(engine.name(), engine);
  }

  /**
   * The cluster is another one: the entries are of no use any more if this node was not, or is not,
   * a member. For the thread that drives the node, before it takes the topology over.
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // the node's driver is the only one that writes
  public void onTopology(Topology now) {
    Member self = now.member(driver.self());
    int joined = self == null ? 0 : self.joinedEpoch();
    if (joined != joinedEpoch) {
      joinedEpoch = joined;
      age++;
      engines.values().forEach(InvalidatingEngine::dropLater);
    }
  }

  /** The age of entries that may be read. Takes no lock. */
  int age() {
    return age;
  }

  /**
   * Refuses an operation if this node ended. Takes no lock.
   *
   * @throws dev.isogrid.api.FatalGridException if it did
   */
  void checkNotEnded() {
    driver.checkNotEnded();
  }

  /** Whether the others take this node to keep what it keeps. Takes no lock. */
  boolean isLeased() {
    return driver.isLeased();
  }

  /**
   * Waits until the others were told of what was written here and nobody waited for, as long as
   * this node is a member. What is left then is logged.
   *
   * @param timeoutMillis how long to wait at most, for all caches together
   */
  public void flush(long timeoutMillis) {
    long end = env.nanoClock().nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    for (InvalidatingEngine engine : engines.values()) {
      int left;
      try {
        left = engine.awaitTold(end - env.nanoClock().nanoTime());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      if (left > 0) {
        log.log(
            Level.WARNING,
            "left before other nodes were told of all changes: cache={0}, node={1}, keys={2}; they"
                + " may have old entries",
            engine.name(),
            driver.self(),
            left);
      }
    }
  }

  /** Tells nobody any more. Calling it twice is harmless. */
  public void close() {
    isClosed = true;
  }

  boolean isClosed() {
    return isClosed;
  }

  /** Whether there may be others. Takes no lock. */
  boolean hasOthers() {
    Topology known = driver.topology();
    return known == null || known.members().size() > 1;
  }

  long timeoutMillis() {
    return timeoutMillis;
  }

  // ---- telling

  /**
   * Asks all other members to remove entries, and waits until they have.
   *
   * @param keys which ones; null for all
   * @throws IndeterminateGridException if a member did not say in time that it has
   */
  void tell(String cache, @Nullable List<BinaryKey> keys) {
    long deadline = env.nanoClock().nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    Set<NodeId> done = new HashSet<>();
    while (true) {
      Topology known = driver.topology();
      Member self = known == null ? null : known.member(driver.self());
      if (known != null && self != null) {
        List<NodeId> rest = others(known, done);
        if (rest.isEmpty()) {
          return;
        }
        ask(cache, rest, request(self.joinedEpoch(), cache, keys), done);
      }
      if (isClosed || env.nanoClock().nanoTime() - deadline >= 0) {
        throw new IndeterminateGridException(
            ("written here, but not known to be removed elsewhere: cache=%s, node=%s, missing=%s,"
                    + " waited=%d ms; write or remove it again")
                .formatted(cache, driver.names().ofSelf(), missing(done), timeoutMillis));
      }
      List<NodeId> missing = others(done);
      if (missing == null || !missing.isEmpty()) {
        env.nanoClock().pause(PAUSE_NANOS);
      }
    }
  }

  /** The other members that are not among some; null if this node is no member itself. */
  private @Nullable List<NodeId> others(Set<NodeId> done) {
    Topology known = driver.topology();
    if (known == null || known.member(driver.self()) == null) {
      return null;
    }
    return others(known, done);
  }

  /** The names of the other members that are not among some. */
  private List<String> missing(Set<NodeId> done) {
    List<NodeId> others = others(done);
    return others == null ? List.of() : others.stream().map(driver.names()::of).toList();
  }

  private List<NodeId> others(Topology known, Set<NodeId> done) {
    return known.members().stream()
        .map(Member::id)
        .filter(node -> !node.equals(driver.self()) && !done.contains(node))
        .toList();
  }

  /** Asks nodes once, all at the same time, and notes those that have done it. */
  private void ask(String cache, List<NodeId> nodes, ByteString request, Set<NodeId> done) {
    Map<NodeId, CompletableFuture<ByteString>> asked = new LinkedHashMap<>();
    for (NodeId node : nodes) {
      asked.put(node, calls.call(node, SERVICE, request, Math.min(ATTEMPT_MILLIS, timeoutMillis)));
    }
    asked.forEach((node, answer) -> {
      if (hasDone(cache, node, answer)) {
        done.add(node);
      }
    });
  }

  private boolean hasDone(String cache, NodeId node, CompletableFuture<ByteString> answer) {
    try {
      answer.get();
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unknown(cache, node, "interrupted", e);
    } catch (ExecutionException e) {
      boolean mayComeYet =
          e.getCause() instanceof NodeCallException failed
              && failed.reason() != NodeCallException.Reason.FAILED;
      if (!mayComeYet) {
        throw unknown(cache, node, "failed there", e);
      }
      return false;
    }
  }

  private IndeterminateGridException unknown(
      String cache, NodeId node, String why, Exception cause) {
    IndeterminateGridException unknown =
        new IndeterminateGridException(
            "written here, but not known to be removed elsewhere: cache=%s, node=%s, %s; try again"
                .formatted(cache, driver.names().of(node), why));
    unknown.addSuppressed(cause);
    return unknown;
  }

  private static ByteString request(int joinedEpoch, String cache, @Nullable List<BinaryKey> keys) {
    MessageWriter out = new MessageWriter();
    out.putInt(joinedEpoch);
    out.putText(cache);
    out.putBoolean(keys == null);
    out.putInt(keys == null ? 0 : keys.size());
    if (keys != null) {
      keys.forEach(key -> out.putBytes(ByteString.of(key.toByteArray())));
    }
    return ByteString.of(out.toByteArray());
  }

  // ---- being told

  private ByteString serve(NodeId from, ByteString request) throws MalformedMessageException {
    byte[] bytes = request.toByteArray();
    MessageReader in = new MessageReader(bytes, 0, bytes.length);
    checkKnown(from, in.int32("joinedEpoch"));
    InvalidatingEngine engine = engines.get(in.text("cache"));
    boolean isAll = in.bool("all");
    int count = in.countOf("keys", Integer.BYTES);
    List<BinaryKey> keys = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      keys.add(BinaryKey.of(in.bytes("key").toByteArray()));
    }
    in.end();
    if (engine != null && !engine.isClosed()) {
      if (isAll) {
        engine.clearLocally();
      } else {
        keys.forEach(engine::invalidate);
      }
    }
    return ByteString.of(new byte[0]);
  }

  /** Makes a node ask again if this one may not know yet that it is a member. */
  private void checkKnown(NodeId from, int joinedEpoch) {
    Topology known = driver.topology();
    if (known == null || known.epoch() < joinedEpoch) {
      throw new NodeCallException(
          NodeCallException.Reason.BUSY,
          "member not known yet: node=%s, member=%s, joinedEpoch=%d; ask again"
              .formatted(driver.names().ofSelf(), driver.names().of(from), joinedEpoch),
          null);
    }
  }
}
