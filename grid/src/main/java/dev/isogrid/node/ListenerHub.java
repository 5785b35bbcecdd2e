package dev.isogrid.node;

import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.CacheListener;
import dev.isogrid.api.Subscription;
import dev.isogrid.base.Scheduler;
import dev.isogrid.engine.Change;
import dev.isogrid.engine.ChangeListener;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Brings the changes of a cache to the user's listeners. Thread-safe.
 *
 * @param <K> the user's keys
 * @param <V> the user's values
 * @param <S> the container's kind of key
 * @param <T> the container's kind of value
 */
final class ListenerHub<K, V, S, T> implements ChangeListener<S, T> {
  /*
   * Each segment has a lane: a queue of events that is filled under the segment's lock, so in
   * version order, and emptied after it was given back, so that no user code runs under it. One
   * thread at a time empties a lane; a writer that finds another one at it waits until its own
   * events are delivered. After TURN_EVENTS_MAX events it leaves the rest to a writer that waits. A
   * writer that is itself called by a listener does not wait, or two listeners that write to each
   * other's segments would wait for ever; whoever empties the lane delivers its events.
   */

  private static final System.Logger log = System.getLogger(ListenerHub.class.getName());

  /**
   * The events that a writer delivers before it lets another one do so: many, since to change turns
   * takes as long as some fast listeners, but few enough for a write to return soon.
   */
  private static final int TURN_EVENTS_MAX = 64;

  /** Events that wait in all lanes if those that bring them can't wait; about 4 MB. */
  private static final int WAITING_MAX = 65_536;

  /**
   * Bytes of the keys and values of events that wait in one place, so that a slow listener of large
   * values can't fill the heap.
   */
  static final long BYTES_MAX = 64 << 20;

  /** Bound while a thread runs listeners: true in the worker of an {@link EventQueue}. */
  static final ScopedValue<Boolean> IN_WORKER = ScopedValue.newInstance();

  /**
   * An event that waits, or a mark.
   *
   * @param event null in the place of events that are lost
   * @param bytes of its key and values, as far as a container keeps them as bytes
   */
  private record Waiting<K, V>(@Nullable CacheEvent<K, V> event, long bytes) {}

  private final Edge<K, V, S, T> edge;
  private final Scheduler scheduler;
  private final boolean mayLose;
  private final Lane[] lanes;

  /** The events in all lanes, and their bytes. */
  private final AtomicInteger waiting = new AtomicInteger();

  private final AtomicLong waitingBytes = new AtomicLong();

  private final List<Hearer<K, V>> hearers = new CopyOnWriteArrayList<>();

  /**
   * A hub without listeners.
   *
   * @param mayLose whether changes come from threads that can't wait for listeners
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of an inner class of a generic one
  ListenerHub(Edge<K, V, S, T> edge, int segments, Scheduler scheduler, boolean mayLose) {
    this.mayLose = mayLose;
    this.edge = edge;
    this.scheduler = scheduler;
    this.lanes = new ListenerHub.Lane[segments];
    for (int i = 0; i < segments; i++) {
      lanes[i] = new Lane(i);
    }
  }

  /**
   * A listener.
   *
   * @param after for each lane the number of its last event that is older than the listener
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by identity only
  private record Hearer<K, V>(Target<K, V> target, long[] after) {}

  /** Where events go. */
  interface Target<K, V> {
    /** Takes an event; {@code bytes} are those of its key and values. */
    void deliver(CacheEvent<K, V> event, long bytes);

    /** Events of a segment are lost. */
    void lose(int segment);
  }

  /** The user's listener. Goes on after its failures, and logs ever fewer of them. */
  private static final class Direct<K, V> implements Target<K, V> {
    private final CacheListener<? super K, ? super V> listener;
    private final AtomicLong failures = new AtomicLong();

    Direct(CacheListener<? super K, ? super V> listener) {
      this.listener = listener;
    }

    @Override
    @SuppressWarnings("unchecked") // an event is only read
    public void deliver(CacheEvent<K, V> event, long bytes) {
      try {
        ((CacheListener<K, V>) listener).onEvent(event);
      } catch (Exception failure) { // languages without checked exceptions throw any
        failed(event.kind().toString(), failure);
      }
    }

    private void failed(String what, Exception failure) {
      long count = failures.incrementAndGet();
      if (Long.bitCount(count) == 1) { // the first one, the second, the fourth and so on
        log.log(
            Level.WARNING,
            "a listener failed on %s; it goes on: failures=%d".formatted(what, count),
            failure);
      }
    }

    @Override
    public void lose(int segment) {
      try {
        listener.onGap(segment);
      } catch (Exception failure) {
        failed("a gap", failure);
      }
    }
  }

  /** Adds a listener, which does not hear of events that are in the lanes already. */
  Subscription add(CacheListener<? super K, ? super V> listener, CacheListener.Delivery delivery) {
    Target<K, V> direct = new Direct<>(listener);
    if (delivery == CacheListener.Delivery.SYNC) {
      Hearer<K, V> hearer = add(direct);
      return () -> hearers.remove(hearer);
    }
    EventQueue<K, V> queue = new EventQueue<>(direct, scheduler);
    Hearer<K, V> hearer = add(queue);
    return () -> {
      hearers.remove(hearer);
      queue.close();
    };
  }

  private Hearer<K, V> add(Target<K, V> target) {
    long[] after = new long[lanes.length];
    for (int i = 0; i < after.length; i++) {
      after[i] = lanes[i].added();
    }
    Hearer<K, V> hearer = new Hearer<>(target, after);
    hearers.add(hearer);
    return hearer;
  }

  /** Whether somebody listens. */
  boolean hasListeners() {
    return !hearers.isEmpty();
  }

  /** Drops all events that wait; nobody listens any more. */
  void forget() {
    for (Lane lane : lanes) {
      lane.forget();
    }
  }

  @Override
  public void onChange(Change<S, T> change) {
    if (hearers.isEmpty()) {
      return;
    }
    if (mayLose && (waiting.get() >= WAITING_MAX || waitingBytes.get() >= BYTES_MAX)) {
      lanes[change.segment()].lose();
      return;
    }
    T value = change.value();
    EntryView<S, T> before = change.before();
    T old = before.isPresent() ? before.value() : null;
    CacheEvent<K, V> event =
        new CacheEvent<>(
            change.kind(),
            edge.key(change.key()),
            value == null ? null : edge.value(value),
            old == null ? null : edge.value(old),
            change.version());
    lanes[change.segment()].add(event, bytesOf(change.key()) + bytesOf(value) + bytesOf(old));
  }

  private static long bytesOf(@Nullable Object stored) {
    return switch (stored) {
      case BinaryKey key -> key.length();
      case Bytes value -> value.length();
      case null, default -> 0;
    };
  }

  @Override
  public void onGap(int segment) {
    lanes[segment].lose();
  }

  @Override
  public void afterChange(int segment) {
    if (lanes[segment].filled) {
      lanes[segment].empty();
    }
  }

  /** The events of one segment that are on their way. */
  private final class Lane {
    private final int segment;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition progress = lock.newCondition();

    /**
     * Guarded by the lock. Holds an event a waiting writer at most, and those of listeners; where
     * nobody waits, up to {@link #WAITING_MAX}.
     */
    private final ArrayDeque<Waiting<K, V>> events = new ArrayDeque<>();

    /** How many events were ever added and delivered. Guarded by the lock. */
    private long added;

    private long delivered;
    private boolean emptying;

    /** The number of the event that is being delivered. Owned by the thread that empties. */
    private long number;

    /** How many writers wait. Guarded by the lock. */
    private int waitingWriters;

    /** Written under the lock; read without it to skip an empty lane. */
    private volatile boolean filled;

    Lane(int segment) {
      this.segment = segment;
    }

    /** The number of the last event that came. */
    long added() {
      lock.lock();
      try {
        return added;
      } finally {
        lock.unlock();
      }
    }

    void add(CacheEvent<K, V> event, long bytes) {
      lock.lock();
      try {
        addLocked(new Waiting<>(event, bytes));
      } finally {
        lock.unlock();
      }
    }

    private void addLocked(Waiting<K, V> event) {
      events.add(event);
      waiting.incrementAndGet();
      waitingBytes.addAndGet(event.bytes);
      added++;
      filled = true;
    }

    void lose() {
      lock.lock();
      try {
        Waiting<K, V> last = events.peekLast();
        if (last == null || last.event != null) {
          addLocked(new Waiting<>(null, 0));
        }
      } finally {
        lock.unlock();
      }
    }

    void forget() {
      lock.lock();
      try {
        waiting.addAndGet(-events.size());
        events.forEach(event -> waitingBytes.addAndGet(-event.bytes));
        events.clear();
        filled = false;
        progress.signalAll();
      } finally {
        lock.unlock();
      }
    }

    void empty() {
      long mine;
      lock.lock();
      try {
        mine = added;
        awaitDelivery(mine);
        boolean othersTurn = delivered >= mine && waitingWriters > 0;
        if (emptying || events.isEmpty() || othersTurn) {
          return;
        }
        emptying = true;
      } finally {
        lock.unlock();
      }
      if (IN_WORKER.isBound()) {
        deliverAll(mine);
      } else {
        ScopedValue.where(IN_WORKER, false).run(() -> deliverAll(mine));
      }
    }

    /** Waits until some events are delivered or nobody is at the lane; not in a listener. */
    private void awaitDelivery(long mine) {
      waitingWriters++;
      while (emptying && delivered < mine && !IN_WORKER.isBound()) {
        progress.awaitUninterruptibly();
      }
      waitingWriters--;
    }

    /** Delivers events. An error in a listener ends the thread, but after all listeners' turns. */
    private void deliverAll(long mine) {
      Error first = null;
      boolean ended = false;
      try {
        int count = 0;
        Waiting<K, V> event = next(mine, false);
        while (event != null) {
          for (Hearer<K, V> hearer : hearers) {
            if (number > hearer.after()[segment]) {
              Error failure = deliver(event, hearer.target());
              first = first == null ? failure : first;
            }
          }
          count++;
          event = next(mine, count >= TURN_EVENTS_MAX);
        }
        ended = true;
      } finally {
        if (!ended) {
          giveBack(); // a failure must not block the segment's writers for ever
        }
      }
      if (first != null) {
        throw first;
      }
    }

    /** Delivers an event to a listener; returns an error in it, or null. */
    private @Nullable Error deliver(Waiting<K, V> each, Target<K, V> target) {
      CacheEvent<K, V> event = each.event;
      try {
        if (event == null) {
          target.lose(segment);
        } else {
          target.deliver(event, each.bytes);
        }
        return null;
      } catch (Error failure) {
        return failure;
      }
    }

    /** The next event; null, and the lane given back, if there is none or the turn is over. */
    private @Nullable Waiting<K, V> next(long mine, boolean turnIsOver) {
      lock.lock();
      try {
        delivered = added - events.size();
        if (events.isEmpty() || (turnIsOver && delivered >= mine && waitingWriters > 0)) {
          giveBack();
          return null;
        }
        progress.signalAll();
        waiting.decrementAndGet();
        number = delivered + 1;
        Waiting<K, V> event = events.remove();
        waitingBytes.addAndGet(-event.bytes);
        return event;
      } finally {
        lock.unlock();
      }
    }

    private void giveBack() {
      lock.lock();
      try {
        delivered = added - events.size();
        emptying = false;
        filled = !events.isEmpty();
        progress.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
