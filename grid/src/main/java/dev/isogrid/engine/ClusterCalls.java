package dev.isogrid.engine;

import dev.isogrid.api.GridException;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.NanoClock;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The way of one cache's operations to the primaries of its segments. Thread-safe. */
class ClusterCalls {
  private final ClusterDriver driver;
  private final int firstSegment;
  private final long timeoutMillis;

  /**
   * The way for a cache.
   *
   * @param firstSegment the number in the cluster of the cache's segment 0
   * @param timeoutMillis how long operations wait, 1 or more
   */
  ClusterCalls(ClusterDriver driver, int firstSegment, long timeoutMillis) {
    this.driver = driver;
    this.firstSegment = firstSegment;
    this.timeoutMillis = timeoutMillis;
  }

  /** The number in the cluster of the cache's segment 0. */
  final int firstSegment() {
    return firstSegment;
  }

  /** How long operations wait, in milliseconds. */
  long timeoutMillis() {
    return timeoutMillis;
  }

  /** Whether this node may serve what it is primary of. */
  boolean isLeased() {
    return driver.isLeased();
  }

  /** Whether this node was closed, or stopped by itself. */
  boolean isEnded() {
    return driver.isEnded();
  }

  /** Whether this node has a complete copy of a segment, as far as it knows. */
  boolean keeps(int index) {
    SegmentOwners owners = owners(index);
    return owners != null && owners.isr().contains(driver.self());
  }

  /** Whether this node answers for a segment, as far as it knows. */
  boolean isPrimary(int index) {
    return driver.self().equals(primary(index));
  }

  /** The nodes that have all of a segment, as far as this node knows. */
  final List<NodeId> inSync(int index) {
    SegmentOwners owners = owners(index);
    return owners == null ? List.of() : owners.isr();
  }

  /** The newest topology that this node knows, or null. */
  final @Nullable Topology topology() {
    return driver.topology();
  }

  /** Who answers for a segment, as far as this node knows, or null. */
  @Nullable NodeId primary(int index) {
    SegmentOwners owners = owners(index);
    return owners == null ? null : owners.primary();
  }

  /**
   * Has a command done, and waits for its answer.
   *
   * @param index the segment's number in the cache
   * @throws RetryableGridException if it was not done and will not be
   * @throws IndeterminateGridException if that is not known
   */
  @Nullable Object call(String cache, Command command, int index) {
    return call(cache, command, null, index);
  }

  /**
   * As {@link #call(String, Command, int)}, for an operation that a client may repeat.
   *
   * @param client the client's operation, or null if this node alone asks for it
   */
  @Nullable Object call(
      String cache, Command command, @Nullable ClientOperation client, int index) {
    Outcome outcome;
    try {
      outcome = invoke(command, client, firstSegment + index);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unknown(cache, command, index, "interrupted");
    }
    return result(cache, command, index, outcome);
  }

  /**
   * Has a command done, and waits for its outcome.
   *
   * @param client that of a client that may repeat it, or null
   * @param segment the segment's number in the cluster
   * @throws InterruptedException if interrupted; it may be done all the same
   */
  Outcome invoke(Command command, @Nullable ClientOperation client, int segment)
      throws InterruptedException {
    return driver.invoke(command, client, segment, timeoutMillis);
  }

  /**
   * Begins a write soon, on another thread. Does not block.
   *
   * @param client that of a client that may repeat it, or null
   * @return false if this node has no such thread; nothing was done then
   */
  boolean tryBeginSoon(SentWrite write, @Nullable ClientOperation client) {
    return driver.tryInvokeSoon(
        new ClusterDriver.Invocation(
            write.command(), client, firstSegment + write.index(), write::end),
        timeoutMillis);
  }

  /**
   * Begins commands, and does not wait for their answers.
   *
   * @param whenDone gets a command and its outcome; must be short and must not block
   */
  void beginAll(List<BulkCalls.Call> all, BiConsumer<BulkCalls.Call, Outcome> whenDone) {
    List<ClusterDriver.Invocation> invocations = new ArrayList<>(all.size());
    for (BulkCalls.Call each : all) {
      invocations.add(
          new ClusterDriver.Invocation(
              each.command(),
              firstSegment + each.index(),
              outcome -> whenDone.accept(each, outcome)));
    }
    driver.invokeAll(invocations, timeoutMillis);
  }

  /**
   * What an operation gave.
   *
   * @throws RetryableGridException if it was not done and will not be
   * @throws IndeterminateGridException if that is not known
   */
  @Nullable Object result(String cache, Command command, int index, Outcome outcome) {
    return switch (outcome.kind()) {
      case DONE -> outcome.result();
      case FAILED -> throw failed(cache, index, outcome.result());
      case INDETERMINATE -> {
        Object reason = outcome.result();
        String text = reason == null ? "no answer in " + timeoutMillis + " ms" : reason.toString();
        throw unknown(cache, command, index, text);
      }
    };
  }

  private RetryableGridException failed(String cache, int index, @Nullable Object reason) {
    String obstacle = obstacle(index);
    return new RetryableGridException(
        "not done: %s, waited=%d ms%s; try again"
            .formatted(
                place(cache, index),
                timeoutMillis,
                obstacle.isEmpty() && reason != null ? ", " + reason : obstacle));
  }

  /** That it is not known what became of an operation. */
  GridException unknown(String cache, Command command, int index, String reason) {
    String place = place(cache, index);
    return command.isRead()
        ? new RetryableGridException(
            "not read: %s, %s%s; try again".formatted(place, reason, obstacle(index)))
        : new IndeterminateGridException(
            "may or may not have been done: %s, %s%s; read the entry to find out"
                .formatted(place, reason, obstacle(index)));
  }

  /** Why nothing is done in a segment, as far as that is known. */
  private String obstacle(int index) {
    String obstacle = driver.sharedObstacle();
    SegmentOwners owners = owners(index);
    if (obstacle != null) {
      return ", since " + obstacle;
    }
    return owners == null || !owners.isOffline()
        ? ""
        : (", since all nodes that have its entries are gone: nodes=%s; bring one of them back, or"
                + " if they are dead, give the entries up (Rebalancing.restartLost, or"
                + " set-availability by REST)")
            .formatted(owners.isr().stream().map(driver.names()::of).toList());
  }

  private String primary(SegmentOwners owners) {
    NodeId primary = owners.primary();
    return primary == null ? "none" : driver.names().of(primary);
  }

  /** The owners of a segment as far as this node knows, or null. */
  private @Nullable SegmentOwners owners(int index) {
    Topology topology = driver.topology();
    int segment = firstSegment + index;
    return topology == null || segment >= topology.segments().size()
        ? null
        : topology.segments().get(segment);
  }

  /** Where an operation was to be done, as this node sees it. */
  private String place(String cache, int index) {
    Topology topology = driver.topology();
    int segment = firstSegment + index;
    if (topology == null || segment >= topology.segments().size()) {
      return "cache=%s, segment=%d, in no cluster".formatted(cache, index);
    }
    SegmentOwners owners = topology.segments().get(segment);
    return "cache=%s, segment=%d, epoch=%d, primary=%s, node=%s"
        .formatted(cache, index, topology.epoch(), primary(owners), driver.names().ofSelf());
  }

  /**
   * Writes to several segments at once, and waits for all answers.
   *
   * @param indexes the segments' numbers in the cache
   * @param doneHere other segments of the cache in which it is done already
   * @throws RetryableGridException if it was done in none of the segments and will not be
   * @throws IndeterminateGridException if it was done in some of them only, or that is not known
   */
  void callAll(String cache, Command command, int[] indexes, int doneHere) {
    AtomicReferenceArray<@Nullable Outcome> outcomes = new AtomicReferenceArray<>(indexes.length);
    CountDownLatch open = new CountDownLatch(indexes.length);
    GridException refused = null;
    for (int i = 0; i < indexes.length; i++) {
      if (refused == null) {
        refused = begin(command, indexes[i], i, outcomes, open);
      }
      if (refused != null) {
        outcomes.set(i, new Outcome(Outcome.Kind.FAILED, null));
        open.countDown();
      }
    }
    try {
      open.await(); // each has a deadline of its own
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unknown(cache, command, 0, "interrupted");
    }
    int done = doneHere;
    GridException gravest = null;
    for (int i = 0; i < indexes.length; i++) {
      GridException failure = failure(cache, command, indexes[i], outcomes.get(i));
      done += failure == null ? 1 : 0;
      gravest =
          gravest == null || failure instanceof IndeterminateGridException ? failure : gravest;
    }
    if (gravest != null) {
      boolean isGravest = gravest instanceof IndeterminateGridException || refused == null;
      GridException why = isGravest ? gravest : refused;
      throw told(Objects.requireNonNull(why), done, indexes.length + doneHere);
    }
  }

  /** Returns why a command could not be begun, or null if it was. */
  private @Nullable GridException begin(
      Command command,
      int index,
      int place,
      AtomicReferenceArray<@Nullable Outcome> outcomes,
      CountDownLatch open) {
    try {
      driver.invoke(
          command,
          firstSegment + index,
          timeoutMillis,
          outcome -> {
            outcomes.set(place, outcome);
            open.countDown();
          });
      return null;
    } catch (GridException tooMany) {
      return tooMany;
    }
  }

  private @Nullable GridException failure(
      String cache, Command command, int index, @Nullable Outcome outcome) {
    if (outcome == null) {
      throw new AssertionError("an answer without an outcome: segment=" + index);
    }
    try {
      if (result(cache, command, index, outcome) instanceof WriteResult written) {
        ReplicatedEngine.checkRefusal(written);
      }
      return null;
    } catch (GridException failure) {
      return failure;
    }
  }

  private static GridException told(GridException why, int done, int all) {
    if (done == 0 && !(why instanceof IndeterminateGridException)) {
      return why;
    }
    return new IndeterminateGridException(
        "%s; of %d segments %d were done, %d were not or perhaps; repeat it"
            .formatted(why.getMessage(), all, done, all - done));
  }

  /** The clock that waits are measured by. */
  NanoClock clock() {
    return driver.clock();
  }

  /**
   * Has the listeners of a cache hear of all that was committed before, or begin to.
   *
   * @throws RetryableGridException if they have not in time
   */
  void fence(String cache, int cacheId) {
    FeedFence fence = driver.fence(cacheId);
    boolean isHeard = false;
    try {
      isHeard = fence.await(clock(), timeoutMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (!isHeard) {
        driver.forget(cacheId, fence);
      }
    }
    if (!isHeard) {
      int open = Math.max(0, fence.nextOpen(0));
      throw new RetryableGridException(
          "changes not heard of: %s, waited=%d ms%s; try again"
              .formatted(place(cache, open), timeoutMillis, obstacle(open)));
    }
  }

  /** Begins or ends to follow the changes of a cache, if listeners came or went. */
  void updateFeed(int cacheId) {
    driver.updateFeed(cacheId);
  }

  /**
   * Begins commands of the node's own upkeep, as many as leave room for those of callers. Does not
   * block, and reports no outcomes.
   *
   * @param whenDone called once, when all that were begun are done or given up; must be short and
   *     must not block
   * @return false if none was begun; {@code whenDone} is not called then
   * @throws dev.isogrid.api.FatalGridException if the node is closed
   */
  boolean tryBeginAside(List<? extends Command> commands, int index, Runnable whenDone) {
    // Those that are begun can end before it is known how many they are.
    AtomicInteger open = new AtomicInteger(commands.size());
    List<ClusterDriver.Invocation> invocations = new ArrayList<>(commands.size());
    for (Command command : commands) {
      invocations.add(
          new ClusterDriver.Invocation(command, firstSegment + index, _ -> end(open, 1, whenDone)));
    }
    int begun = driver.tryInvokeAside(invocations, timeoutMillis);
    if (begun > 0) {
      end(open, commands.size() - begun, whenDone);
    }
    return begun > 0;
  }

  private static void end(AtomicInteger open, int ended, Runnable whenDone) {
    if (ended > 0 && open.addAndGet(-ended) == 0) {
      whenDone.run();
    }
  }
}
