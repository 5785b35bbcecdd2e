package dev.isogrid.node;

import dev.isogrid.api.ClusterExecutor;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.ByteString;
import dev.isogrid.node.TaskSubmission.CollectedFailure;
import dev.isogrid.node.TaskSubmission.Failover;
import dev.isogrid.node.TaskSubmission.Place;
import dev.isogrid.topology.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Submits tasks to nodes. Immutable and thread-safe. */
final class EmbeddedExecutor implements ClusterExecutor {
  private static final long TIMEOUT_MILLIS = 60_000;

  /** Not one node but all that are chosen. */
  private static final int EACH = -1;

  /**
   * Which nodes.
   *
   * @param names those, or null for whichever pass
   * @param wanted which nodes pass
   * @param failovers for one node; {@link #EACH} for all
   * @param primary gives the only node, or null if it is not about a key
   */
  private record Choice(
      @Nullable Set<String> names,
      Predicate<String> wanted,
      int failovers,
      @Nullable Supplier<NodeId> primary) {}

  /**
   * Finds the node of a key.
   *
   * @see EmbeddedCache#primaryOf
   */
  @FunctionalInterface
  interface Whereabouts {
    NodeId primaryOf(String cache, Object key);
  }

  private final TaskSubmission.Means means;
  private final ClusterNodes nodes;
  private final Whereabouts whereabouts;
  private final AtomicInteger turns;
  private final Choice choice;
  private final long timeoutMillis;

  private EmbeddedExecutor(EmbeddedExecutor other, Choice choice, long timeoutMillis) {
    this.means = other.means;
    this.nodes = other.nodes;
    this.whereabouts = other.whereabouts;
    this.turns = other.turns;
    this.choice = choice;
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * The one without choices.
   *
   * @param firstTurn any number: where to begin, when one node of several is taken
   */
  EmbeddedExecutor(
      TaskSubmission.Means means, ClusterNodes nodes, Whereabouts whereabouts, int firstTurn) {
    this.means = means;
    this.nodes = nodes;
    this.whereabouts = whereabouts;
    this.turns = new AtomicInteger(firstTurn);
    this.choice = new Choice(null, _ -> true, EACH, null);
    this.timeoutMillis = TIMEOUT_MILLIS;
  }

  @Override
  public List<String> nodes() {
    return List.copyOf(nodes.byName().keySet());
  }

  private EmbeddedExecutor with(Choice other) {
    return new EmbeddedExecutor(this, other, timeoutMillis);
  }

  @Override
  public ClusterExecutor timeout(long timeout, TimeUnit unit) {
    long millis = unit.toMillis(timeout);
    if (millis < 1) {
      throw new InvalidRequestException(
          "invalid time-out of a task: timeout=%d ms; give 1 ms or more".formatted(millis));
    }
    return new EmbeddedExecutor(this, choice, millis);
  }

  @Override
  public ClusterExecutor onAllNodes() {
    return with(new Choice(null, _ -> true, EACH, null));
  }

  @Override
  public ClusterExecutor onNodes(Collection<String> names) {
    return with(new Choice(Set.copyOf(names), _ -> true, failovers(), null));
  }

  @Override
  public ClusterExecutor onNodesThat(Predicate<String> wanted) {
    Objects.requireNonNull(wanted, "wanted");
    return with(new Choice(null, wanted, failovers(), null));
  }

  /** How many of the nodes that are chosen now; the one of a key is no choice among several. */
  private int failovers() {
    return choice.primary == null ? choice.failovers : EACH;
  }

  @Override
  public ClusterExecutor onOneNode(int failovers) {
    if (failovers < 0) {
      throw new InvalidRequestException(
          "invalid number of other tries: failovers=%d; give 0 or more".formatted(failovers));
    }
    return with(new Choice(choice.names, choice.wanted, failovers, null));
  }

  @Override
  public ClusterExecutor onPrimaryOf(String cache, Object key) {
    Objects.requireNonNull(cache, "cache");
    Objects.requireNonNull(key, "key");
    return with(new Choice(null, _ -> true, 1, () -> whereabouts.primaryOf(cache, key)));
  }

  // ---- where

  private List<Place> chosen() {
    Map<String, NodeId> all = nodes.byName();
    Set<String> names = choice.names;
    if (names != null && !all.keySet().containsAll(names)) {
      throw new InvalidRequestException(
          "no such nodes: asked=%s, there=%s".formatted(names, all.keySet()));
    }
    return chosen(Set.of());
  }

  private List<Place> chosen(Set<NodeId> failed) {
    Set<String> names = choice.names;
    List<Place> places = new ArrayList<>();
    nodes
        .byName()
        .forEach((name, node) -> {
          boolean isChosen = (names == null || names.contains(name)) && choice.wanted.test(name);
          if (isChosen && !failed.contains(node)) {
            places.add(new Place(name, node));
          }
        });
    return places;
  }

  private @Nullable Place any(Set<NodeId> failed) {
    List<Place> rest = failed.isEmpty() ? chosen() : chosen(failed);
    return rest.isEmpty() ? null : rest.get(Math.floorMod(turns.getAndIncrement(), rest.size()));
  }

  private @Nullable Place primary(Supplier<NodeId> where, Set<NodeId> failed) {
    NodeId node = where.get();
    return failed.contains(node) ? null : new Place(nodes.nameOf(node), node);
  }

  private Failover failover() {
    Supplier<NodeId> primary = choice.primary;
    if (primary != null) {
      return new Failover(choice.failovers, failed -> primary(primary, failed));
    }
    return choice.failovers == EACH ? Failover.NONE : new Failover(choice.failovers, this::any);
  }

  private List<Place> places(Failover failover) {
    List<Place> places;
    if (choice.failovers == EACH) {
      places = chosen();
    } else {
      Place one = failover.others().apply(Set.of());
      places = one == null ? List.of() : List.of(one);
    }
    if (places.isEmpty()) {
      throw new InvalidRequestException("no node is chosen: there=" + nodes());
    }
    return places;
  }

  // ---- submitting

  private <T extends @Nullable Object, R extends @Nullable Object> CompletableFuture<R> begin(
      Object task, ResultConsumer<? super T> consumer, Supplier<R> finish) {
    ByteString bytes = means.shipping().toBytes(task, "a task");
    Failover failover = failover();
    List<Place> places = places(failover);
    return new TaskSubmission<T, R>(means, bytes, timeoutMillis, failover, consumer, finish)
        .begin(places);
  }

  @Override
  public CompletableFuture<@Nullable Void> submit(Action action) {
    Failures failures = new Failures();
    return this.<@Nullable Object, @Nullable Void>begin(
        action, (_, _, failure) -> failures.add(failure), failures::check);
  }

  @Override
  @SuppressWarnings("unchecked") // what the task gave
  public <T extends @Nullable Object> CompletableFuture<Map<String, T>> submit(Task<T> task) {
    Failures failures = new Failures();
    Map<String, Result> results = new ConcurrentHashMap<>();
    return this.<@Nullable Object, Map<String, T>>begin(
        task,
        (node, result, failure) -> {
          failures.add(failure);
          results.put(node, new Result(result));
        },
        () -> {
          failures.check();
          Map<String, @Nullable Object> values = new HashMap<>();
          results.forEach((node, result) -> values.put(node, result.value()));
          return (Map<String, T>) values;
        });
  }

  private record Result(@Nullable Object value) {}

  @Override
  public <T extends @Nullable Object> CompletableFuture<@Nullable Void> submit(
      Task<T> task, ResultConsumer<? super T> consumer) {
    Objects.requireNonNull(consumer, "consumer");
    return this.<T, @Nullable Void>begin(task, consumer, () -> null);
  }

  /** Exceptions of nodes: the first, with the others. Thread-safe. */
  private static final class Failures {
    private final ConcurrentLinkedQueue<Throwable> all = new ConcurrentLinkedQueue<>();

    void add(@Nullable Throwable failure) {
      if (failure != null) {
        all.add(failure);
      }
    }

    /** Throws a {@link CollectedFailure} if there are any. */
    @Nullable Void check() {
      Throwable first = all.poll();
      if (first == null) {
        return null;
      }
      all.forEach(first::addSuppressed);
      throw new CollectedFailure(first);
    }
  }
}
