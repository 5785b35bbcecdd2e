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
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a grid, in a cache. Thread-safe. Operations fail as those of {@link CacheEngine}
 * do.
 *
 * <p>Each change is one write of one entry, decided where the primary of its segment is (see {@link
 * FunctionWrite}): it takes effect at one moment, at most once, and its outcome is told or said to
 * be unknown. Nothing is tried again here.
 */
public final class CounterTable {
  private final CacheEngine<BinaryKey, Bytes> engine;
  private final Cache<byte[], byte[]> events;

  /** Null if this node keeps no counters. Written once, at the node's start. */
  private volatile @Nullable KeptCounters kept;

  /**
   * The counters in a cache.
   *
   * @param engine the cache
   * @param events the same cache, of keys and values as they are
   */
  public CounterTable(CacheEngine<BinaryKey, Bytes> engine, Cache<byte[], byte[]> events) {
    this.engine = engine;
    this.events = events;
  }

  /** The cache that the counters are in. */
  public CacheEngine<BinaryKey, Bytes> engine() {
    return engine;
  }

  /**
   * Whether an operation on a counter may have to wait for another node or a disk as things are.
   *
   * @param isRead whether it is {@link #find}
   */
  public boolean mayWait(String name, boolean isRead) {
    return (!isRead && kept != null) || engine.mayWait(CounterBucket.keyOf(name).hash(), isRead);
  }

  /** How an operation ended. */
  public enum Outcome {
    /** It was carried out. */
    DONE,
    /** A bound was in the way. */
    BOUND,
    /** There is no such counter. */
    UNKNOWN
  }

  /**
   * The answer to an operation.
   *
   * @param outcome how it ended
   * @param before the counter before, or null if there is none
   * @param after the counter afterwards, or null if there is none
   */
  public record Answer(
      Outcome outcome, @Nullable CounterState before, @Nullable CounterState after) {
    static final Answer UNKNOWN = new Answer(Outcome.UNKNOWN, null, null);

    /** Whether it is about a persistent counter. */
    boolean isPersistent() {
      CounterState counter = after == null ? before : after;
      return counter != null && counter.isPersistent();
    }

    /** The value before; only if the counter was there. */
    public long valueBefore() {
      return Objects.requireNonNull(before).value();
    }

    /** The value afterwards; only if the counter was there. */
    public long valueAfter() {
      return Objects.requireNonNull(after).value();
    }
  }

  // ---- definitions

  /**
   * Defines a counter.
   *
   * @return false if there is one of this name
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
    KeptCounters keeper = kept;
    if (keeper == null) {
      throw new InvalidRequestException(
          ("counter can't be kept: name=%s, storage=PERSISTENT; start the server with --data DIR,"
                  + " or use VOLATILE")
              .formatted(name));
    }
    keeper.checkRoom(name);
    return keeper;
  }

  /** From now on persistent counters can be defined, and are kept. */
  void keptBy(KeptCounters keeper) {
    kept = keeper;
  }

  /** A counter, or null. */
  public @Nullable CounterState find(String name) {
    if (name.length() > Counters.NAME_LENGTH_MAX) {
      return null;
    }
    BinaryKey key = CounterBucket.keyOf(name);
    byte[] bytes = engine.readBytes(key, key.hash());
    return bytes == null ? null : CounterBucket.of(bytes).find(name);
  }

  /** The names of all counters, sorted. Goes through all segments. */
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

  /** Adds a number; at most up to the bound. */
  public Answer add(String name, long delta) {
    return change(Action.ADD, name, delta, 0);
  }

  /**
   * Sets a value if the current one is another, and it is within the bounds.
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

  /** Begins the counter's life anew, with the initial value; listeners are told nothing. */
  public Answer remove(String name) {
    return change(Action.REMOVE, name, 0, 0);
  }

  /** Removes a counter and its definition; listeners are told nothing. */
  public Answer undefine(String name) {
    return change(Action.UNDEFINE, name, 0, 0);
  }

  private Answer change(Action action, String name, long first, long second) {
    return name.length() > Counters.NAME_LENGTH_MAX
        ? Answer.UNKNOWN
        : run(new Argument(action, name, first, second, null));
  }

  /** Defines a counter as it was kept, unless a later state of it is there. */
  void restore(String name, CounterState state) {
    run(new Argument(Action.RESTORE, name, 0, 0, state));
  }

  private Answer run(Argument argument) {
    BinaryKey key = CounterBucket.keyOf(argument.name());
    FunctionWrite write = new FunctionWrite(CounterFunction.INSTANCE, argument.toBytes());
    engine.write(key, key.hash(), write);
    Answer answer = CounterFunction.answer(write.answer());
    KeptCounters keeper = kept;
    if (keeper != null && answer.isPersistent()) {
      keeper.keep();
    }
    return answer;
  }

  // ---- events

  /**
   * Tells of the changes of counters from now on, on threads of the grid; of one counter in their
   * order.
   *
   * @param names of which counters; asked for each change
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
