package dev.isogrid.mapreduce;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.Bulk;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.EntryWalk;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.engine.NodeCallException;
import dev.isogrid.engine.NodeCalls;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.SegmentSnapshot;
import dev.isogrid.topology.NodeId;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Removes the remaining entries of ended tasks from caches that users chose. Thread-safe. */
final class PairCleaning {
  /*
   * When a task ends, all its nodes stop writing first. Then each primary of a segment removes the
   * task's entries there, and reports the segments of which it was primary all the time. This node
   * itself walks through the others. So no entry of that time remains.
   *
   * If a node of the task is gone or silent, its writes may still arrive; if caches have trouble,
   * entries may stay. Then the cleaning is repeated at each call of sweep, for a while.
   *
   * The node that started a task cleans up. If it is gone, each participant does. A node that was
   * given up may only believe that the starter is gone. It must not clean up, since the task
   * continues.
   */
  private static final System.Logger log = System.getLogger(PairCleaning.class.getName());

  /** The numbers of the services between nodes. */
  static final int CLEAN = 42;

  static final int ASK = 43;

  /** The time-out of a node for its segments. */
  private static final long CLEAN_MILLIS = 20_000;

  private static final long ASK_MILLIS = 5_000;

  /** The most attempts, one per call of sweep. */
  private static final int TRIES_MAX = 30;

  /** The number of repetitions if writes may arrive late: longer than a silent node continues. */
  private static final int ROUNDS_UNSURE = 9;

  /** The number of unanswered queries after which a node that started a task counts as gone. */
  private static final int ASKED_MAX = 2;

  /** The most tasks with possible remains; for further ones, late entries stay. */
  private static final int LEFT_MAX = 1000;

  private static final ByteString NOTHING = ByteString.of(new byte[0]);

  private final NodeCalls calls;
  private final Function<String, @Nullable MapSource<?, ?>> sources;
  private final Queue<Left> left = new ConcurrentLinkedQueue<>();

  /** A task with possible remains. For one thread at a time. */
  private static final class Left {
    final UUID task;
    final String cache;

    /** The node that cleans up while it lives; null for this node. */
    final @Nullable NodeId starter;

    int rounds;
    int tries;
    int asked;

    Left(UUID task, String cache, @Nullable NodeId starter, int rounds) {
      this.task = task;
      this.cache = cache;
      this.starter = starter;
      this.rounds = rounds;
    }
  }

  /**
   * Begins to serve.
   *
   * @param sources the caches of this node by name; returns null for others
   * @param isRunning whether this node started a task that runs
   */
  PairCleaning(
      NodeCalls calls,
      Function<String, @Nullable MapSource<?, ?>> sources,
      Predicate<UUID> isRunning) {
    this.calls = calls;
    this.sources = sources;
    calls.offer(CLEAN, (_, request) -> cleanHere(request));
    calls.offer(ASK, (_, request) -> ByteString.of(new byte[] {isRunning(request, isRunning)}));
  }

  private static byte isRunning(ByteString request, Predicate<UUID> isRunning) {
    return (byte) (isRunning.test(task(request.asReadOnlyBuffer())) ? 1 : 0);
  }

  /**
   * Removes the entries of a task that this node started and that has ended on all others. Blocks,
   * for seconds if nodes are gone.
   *
   * @param isSure whether no node continues it
   */
  void ended(UUID task, String cache, boolean isSure) {
    Left ended = new Left(task, cache, null, isSure ? 1 : ROUNDS_UNSURE);
    if (!isDone(ended)) {
      keep(ended);
    }
  }

  /** Removes the entries of a task later, if the node that started it is gone. */
  void forgotten(UUID task, String cache, NodeId starter) {
    keep(new Left(task, cache, starter, ROUNDS_UNSURE));
  }

  private void keep(Left one) {
    if (left.size() < LEFT_MAX) {
      left.add(one);
    } else {
      warn(one, "too many at a time");
    }
  }

  private static void warn(Left one, String why) {
    log.log(
        Level.WARNING,
        "entries of a map/reduce that ended may be left: cache={0}, task={1}, {2}; clear the cache"
            + " when no task uses it",
        one.cache,
        one.task,
        why);
  }

  /** Retries failed cleanings. Call this every ten seconds; blocks. */
  void sweep() {
    for (int count = left.size(); count > 0; count--) {
      Left next = left.poll();
      if (next != null && !isDone(next)) {
        left.add(next);
      }
    }
  }

  /** Whether there are tasks with possible remains. */
  boolean hasLeft() {
    return !left.isEmpty();
  }

  /** Cleans up once; returns whether no repetition is needed. */
  private boolean isDone(Left one) {
    if (one.starter != null && one.asked < ASKED_MAX) {
      return isOthers(one, one.starter);
    }
    try {
      clean(one.task, one.cache);
      one.rounds--;
      return one.rounds == 0;
    } catch (FatalGridException closed) {
      log.log(Level.DEBUG, () -> "entries went with their cache: " + closed.getMessage());
      return true;
    } catch (RuntimeException trouble) { // of whatever kind, who ends a task must go on
      one.tries++;
      if (one.tries == TRIES_MAX) {
        warn(one, trouble.toString());
      }
      return one.tries == TRIES_MAX;
    }
  }

  /** Whether its starter still runs it. */
  private boolean isOthers(Left one, NodeId starter) {
    PairBytes request = new PairBytes(2 * Long.BYTES);
    writeTask(one.task, request);
    try {
      byte[] answer =
          calls.call(starter, ASK, ByteString.of(request.copy()), ASK_MILLIS).get().toByteArray();
      if (answer[0] == 0) {
        one.asked = ASKED_MAX;
      }
      return answer[0] != 0;
    } catch (ExecutionException e) {
      boolean isSilent =
          e.getCause() instanceof NodeCallException failure
              && failure.reason() == NodeCallException.Reason.NO_ANSWER;
      one.asked += isSilent ? 1 : 0;
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  // ---- all nodes

  private void clean(UUID task, String cache) {
    CacheEngine<BinaryKey, Bytes> engine = engine(cache);
    if (engine == null) {
      return; // removed, with all that was in it
    }
    BitSet rest = new BitSet();
    rest.set(0, engine.segmentCount());
    List<CompletableFuture<ByteString>> answers = new ArrayList<>();
    PairBytes request = new PairBytes(64);
    writeTask(task, request);
    byte[] name = cache.getBytes(StandardCharsets.UTF_8);
    request.write(name, 0, name.length);
    for (NodeId node : primaries(engine)) {
      answers.add(calls.call(node, CLEAN, ByteString.of(request.copy()), CLEAN_MILLIS));
    }
    for (CompletableFuture<ByteString> answer : answers) {
      ByteString swept = answer.exceptionally(_ -> NOTHING).join();
      rest.andNot(BitSet.valueOf(swept.toByteArray()));
    }
    BitSet without = new BitSet();
    rest.stream().filter(segment -> isWithoutPrimary(engine, segment)).forEach(without::set);
    rest.andNot(without);
    if (!rest.isEmpty()) {
      walk(PairEntry.prefix(task), engine, rest);
    }
    if (!without.isEmpty()) {
      throw new RetryableGridException(
          "segments have no node: cache=%s, segments=%s".formatted(cache, without));
    }
  }

  private static boolean isWithoutPrimary(CacheEngine<?, ?> engine, int segment) {
    return engine.isClustered() && engine.primary(segment) == null;
  }

  private Set<NodeId> primaries(CacheEngine<?, ?> engine) {
    Set<NodeId> nodes = new HashSet<>();
    for (int segment = 0; segment < engine.segmentCount(); segment++) {
      NodeId primary = engine.isClustered() ? engine.primary(segment) : calls.self();
      if (primary != null) {
        nodes.add(primary);
      }
    }
    return nodes;
  }

  /** Removes the entries in segments that other nodes have not cleaned. */
  private static void walk(byte[] prefix, CacheEngine<BinaryKey, Bytes> engine, BitSet segments) {
    EntryView<BinaryKey, Bytes> view = engine.newView();
    Bulk<BinaryKey, Bytes> bulk = engine.bulk();
    try (EntryWalk<BinaryKey, Bytes> walk = engine.walk(segments, false)) {
      while (walk.next(view)) {
        removeIfOf(prefix, view, bulk);
      }
    } finally {
      view.release();
    }
    bulk.await();
  }

  private static void removeIfOf(
      byte[] prefix, EntryView<BinaryKey, Bytes> view, Bulk<BinaryKey, Bytes> bulk) {
    if (PairEntry.isOf(prefix, view.key())) {
      BinaryKey key = BinaryKey.of(view.key().toByteArray());
      bulk.write(key, key.hash(), new KeyWrite<BinaryKey, Bytes>().remove().silent(true));
    }
  }

  // ---- this node

  /**
   * Removes a task's entries from the segments of this node; returns the numbers of the segments.
   */
  private ByteString cleanHere(ByteString request) {
    ByteBuffer in = request.asReadOnlyBuffer();
    UUID task = task(in);
    CacheEngine<BinaryKey, Bytes> engine = engine(StandardCharsets.UTF_8.decode(in).toString());
    if (engine == null) {
      return NOTHING;
    }
    byte[] prefix = PairEntry.prefix(task);
    Bulk<BinaryKey, Bytes> bulk = engine.bulk();
    BitSet swept = new BitSet();
    for (int segment = 0; segment < engine.segmentCount(); segment++) {
      if (isSwept(prefix, engine, segment, bulk)) {
        swept.set(segment);
      }
    }
    bulk.await();
    return ByteString.of(swept.toByteArray());
  }

  private static boolean isSwept(
      byte[] prefix,
      CacheEngine<BinaryKey, Bytes> engine,
      int segment,
      Bulk<BinaryKey, Bytes> bulk) {
    long since = engine.serving(segment);
    if (since < 0) {
      return false;
    }
    EntryView<BinaryKey, Bytes> view = engine.newView();
    try {
      SegmentSnapshot<BinaryKey, Bytes> entries = engine.snapshot(segment);
      while (entries.next(view)) {
        removeIfOf(prefix, view, bulk);
      }
    } catch (RetryableGridException moved) {
      return false;
    } finally {
      view.release();
    }
    return engine.hasServed(segment, since);
  }

  @SuppressWarnings("unchecked") // it keeps bytes
  private @Nullable CacheEngine<BinaryKey, Bytes> engine(String cache) {
    MapSource<?, ?> source = sources.apply(cache);
    return source == null || !source.isBytes()
        ? null
        : (CacheEngine<BinaryKey, Bytes>) source.engine();
  }

  private static void writeTask(UUID task, PairBytes out) {
    out.writeLong(task.getMostSignificantBits());
    out.writeLong(task.getLeastSignificantBits());
  }

  private static UUID task(ByteBuffer in) {
    return new UUID(in.getLong(), in.getLong());
  }
}
