package dev.isogrid.structure;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.CacheListener;
import dev.isogrid.api.CounterConfig;
import dev.isogrid.api.CounterEvent;
import dev.isogrid.api.Counters;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.Subscription;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.ClientOperation;
import dev.isogrid.engine.EntryWalk;
import dev.isogrid.engine.FunctionWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.structure.CounterFunction.Action;
import dev.isogrid.structure.CounterFunction.Argument;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a grid, in a cache. Thread-safe. Operations fail as those of {@link CacheEngine}
 * do.
 *
 * <p>Each change is one write of one entry, decided on the primary of its segment (see {@link
 * FunctionWrite}): it takes effect at one moment, at most once, and its outcome is known or
 * reported as unknown. Nothing is retried here.
 */
public final class CounterTable {
  private final CacheEngine<BinaryKey, Bytes> engine;
  private final Cache<byte[], byte[]> events;

  /** The persistence of this node's counters, if it has one. Set once, at the node's start. */
  private final AtomicReference<@Nullable KeptCounters> kept;

  private final boolean mayWait;

  /**
   * The counters in a cache.
   *
   * @param engine the cache
   * @param events the same cache with raw keys and values
   */
  public CounterTable(CacheEngine<BinaryKey, Bytes> engine, Cache<byte[], byte[]> events) {
    this(engine, events, new AtomicReference<>(), true);
  }

  private CounterTable(
      CacheEngine<BinaryKey, Bytes> engine,
      Cache<byte[], byte[]> events,
      AtomicReference<@Nullable KeptCounters> kept,
      boolean mayWait) {
    this.engine = engine;
    this.events = events;
    this.kept = kept;
    this.mayWait = mayWait;
  }

  /**
   * The same counters for a thread that must not wait. It must not call operations for which {@link
   * #mayWait} is true. Other operations on one counter throw {@link
   * dev.isogrid.engine.WouldWaitException} if they would have to wait all the same.
   */
  public CounterTable withoutWaiting() {
    return new CounterTable(engine, events, kept, false);
  }

  /** The cache of the counters. */
  public CacheEngine<BinaryKey, Bytes> engine() {
    return engine;
  }

  /**
   * Whether an operation on a counter may at present have to wait for another node or a disk.
   *
   * @param isRead whether it is {@link #find}
   */
  public boolean mayWait(String name, boolean isRead) {
    return (!isRead && kept.get() != null)
        || engine.mayWait(CounterBucket.keyOf(name).hash(), isRead);
  }

  /** The outcome of an operation. */
  public enum Outcome {
    /** It was carried out. */
    DONE,
    /** A bound prevented it. */
    BOUND,
    /** There is no such counter. */
    UNKNOWN
  }

  /**
   * The answer to an operation.
   *
   * @param outcome the outcome
   * @param before the counter before, or null if there is none
   * @param after the counter afterwards, or null if there is none
   */
  public record Answer(
      Outcome outcome, @Nullable CounterState before, @Nullable CounterState after) {
    static final Answer UNKNOWN = new Answer(Outcome.UNKNOWN, null, null);

    /** Whether it concerns a persistent counter. */
    boolean isPersistent() {
      CounterState counter = after == null ? before : after;
      return counter != null && counter.isPersistent();
    }

    /** The value before; only if the counter existed. */
    public long valueBefore() {
      return Objects.requireNonNull(before).value();
    }

    /** The value afterwards; only if the counter existed. */
    public long valueAfter() {
      return Objects.requireNonNull(after).value();
    }
  }

  // ---- definitions

  /**
   * Defines a counter.
   *
   * @return false if a counter of this name exists
   * @throws InvalidRequestException if the name or the configuration is not allowed
   */
  public boolean define(String name, CounterConfig config) {
    if (name.isEmpty() || name.length() > Counters.NAME_LENGTH_MAX) {
      throw new InvalidRequestException(
          "invalid name of a counter: length=%d; allowed are 1 to %d characters"
              .formatted(name.length(), Counters.NAME_LENGTH_MAX));
    }
    CounterState defined = CounterState.of(config);
    if (defined.isPersistent()) {
      defined = CounterState.of(config, keeper(name).firstRevision());
    }
    return run(new Argument(Action.DEFINE, name, 0, 0, defined)).outcome() == Outcome.DONE;
  }

  private KeptCounters keeper(String name) {
    KeptCounters keeper = kept.get();
    if (keeper == null) {
      throw new InvalidRequestException(
          ("counter can't be kept: name=%s, storage=PERSISTENT; start the server with --data DIR,"
                  + " or use VOLATILE")
              .formatted(name));
    }
    keeper.checkRoom(name);
    return keeper;
  }

  /** Enables persistent counters with a keeper. */
  void keptBy(KeptCounters keeper) {
    kept.set(keeper);
  }

  /** A counter, or null. */
  public @Nullable CounterState find(String name) {
    if (name.length() > Counters.NAME_LENGTH_MAX) {
      return null;
    }
    BinaryKey key = CounterBucket.keyOf(name);
    byte[] bytes = engine.readBytes(key, key.hash(), mayWait);
    return bytes == null ? null : CounterBucket.of(bytes).find(name);
  }

  /** The names of all counters, sorted. Visits all segments. */
  public Set<String> names() {
    Set<String> names = new TreeSet<>();
    EntryView<BinaryKey, Bytes> view = engine.newView();
    try (EntryWalk<BinaryKey, Bytes> walk = engine.walk()) {
      while (walk.next(view)) {
        names.addAll(CounterBucket.of(view.value().toByteArray()).counters().keySet());
      }
    }
    return names;
  }

  // ---- changes

  /** Adds a number, at most up to the bound. */
  public Answer add(String name, long delta) {
    return change(Action.ADD, name, delta, 0);
  }

  /**
   * Sets a value if the counter has the expected value, and the new one is within the bounds.
   *
   * @throws InvalidRequestException if the counter is weak
   */
  public Answer compareAndSwap(String name, long expect, long update) {
    return change(Action.COMPARE_AND_SWAP, name, expect, update);
  }

  /**
   * Sets a value if it is within the bounds.
   *
   * @throws InvalidRequestException if the counter is weak
   */
  public Answer getAndSet(String name, long value) {
    return change(Action.GET_AND_SET, name, value, 0);
  }

  /** Sets the initial value. */
  public Answer reset(String name) {
    return change(Action.RESET, name, 0, 0);
  }

  /** Begins the counter's life anew, with the initial value; listeners are not notified. */
  public Answer remove(String name) {
    return change(Action.REMOVE, name, 0, 0);
  }

  /** Removes a counter and its definition; listeners are not notified. */
  public Answer undefine(String name) {
    return change(Action.UNDEFINE, name, 0, 0);
  }

  /** Changes that a client may repeat. Not thread-safe. */
  public final class Repeatable {
    private final ClientOperation.@Nullable Source client;

    private Repeatable(ClientOperation.@Nullable Source client) {
      this.client = client;
    }

    /** As {@link CounterTable#add}. */
    public Answer add(String name, long delta) {
      return change(Action.ADD, name, delta, 0);
    }

    /** As {@link CounterTable#compareAndSwap}. */
    public Answer compareAndSwap(String name, long expect, long update) {
      return change(Action.COMPARE_AND_SWAP, name, expect, update);
    }

    /** As {@link CounterTable#getAndSet}. */
    public Answer getAndSet(String name, long value) {
      return change(Action.GET_AND_SET, name, value, 0);
    }

    /** As {@link CounterTable#reset}. */
    public Answer reset(String name) {
      return change(Action.RESET, name, 0, 0);
    }

    /** As {@link CounterTable#remove}. */
    public Answer remove(String name) {
      return change(Action.REMOVE, name, 0, 0);
    }

    private Answer change(Action action, String name, long first, long second) {
      return name.length() > Counters.NAME_LENGTH_MAX
          ? Answer.UNKNOWN
          : run(new Argument(action, name, first, second, null), client);
    }
  }

  /**
   * The changes of the counters for one operation of a client.
   *
   * @param client identifies the operation; null if the client never repeats it
   */
  public Repeatable by(ClientOperation.@Nullable Source client) {
    return new Repeatable(client);
  }

  private Answer change(Action action, String name, long first, long second) {
    return name.length() > Counters.NAME_LENGTH_MAX
        ? Answer.UNKNOWN
        : run(new Argument(action, name, first, second, null));
  }

  /** Defines a counter in its stored state, unless a later state of it exists. */
  void restore(String name, CounterState state) {
    run(new Argument(Action.RESTORE, name, 0, 0, state));
  }

  /** Whether this node stores counters permanently. */
  public boolean isKept() {
    return kept.get() != null;
  }

  private Answer run(Argument argument) {
    return run(argument, null);
  }

  private Answer run(Argument argument, ClientOperation.@Nullable Source client) {
    BinaryKey key = CounterBucket.keyOf(argument.name());
    CounterWrite write = new CounterWrite(argument.toBytes(), client);
    engine.write(key, key.hash(), write, mayWait);
    Answer answer = CounterFunction.answer(write.answer());
    KeptCounters keeper = kept.get();
    if (keeper != null && answer.isPersistent()) {
      keeper.keep(argument.name(), answer);
    }
    return answer;
  }

  // ---- events

  /**
   * Reports changes of counters from now on, on threads of the grid; changes of one counter in
   * order.
   *
   * @param names selects the counters; called for each change
   */
  public Subscription listen(Predicate<String> names, Consumer<CounterEvent> listener) {
    return events.addListener(event -> tell(event, names, listener), CacheListener.Delivery.ASYNC);
  }

  private static void tell(
      CacheEvent<byte[], byte[]> event, Predicate<String> names, Consumer<CounterEvent> listener) {
    byte[] value = event.value();
    byte[] oldValue = event.oldValue();
    if (value == null || oldValue == null) {
      return; // counters came or went with the entry, and nobody is told of that
    }
    CounterBucket before = CounterBucket.of(oldValue);
    CounterBucket.of(value)
        .counters()
        .forEach((name, now) -> {
          CounterState then = before.find(name);
          if (then != null && isChange(then, now) && names.test(name)) {
            listener.accept(
                new CounterEvent(name, then.value(), then.state(), now.value(), now.state()));
          }
        });
  }

  private static boolean isChange(CounterState then, CounterState now) {
    boolean isSame = then.value() == now.value() && then.state() == now.state();
    return then.life() == now.life() && !isSame;
  }
}
