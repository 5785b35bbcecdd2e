package dev.isogrid.structure;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.CacheListener;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.GridException;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.Subscription;
import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import dev.isogrid.structure.HolderTable.Holder;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The permits of locks and semaphores, in a cache: an entry each. A lock is a semaphore of one
 * permit. Each change is one write of one entry, decided from its current content. Thread-safe.
 */
public final class PermitTable implements AutoCloseable {
  /*
   * A holder is a session and the number of an acquisition, so an acquisition can be checked and
   * undone any number of times. If the outcome of one is unknown, the caller gets a failure, and it
   * is undone in the background. That is repeated for a while, since the acquisition may still take
   * effect after the first check.
   *
   * The next acquisition drops holders whose session is gone. It reads the sessions before; a
   * session that is gone never comes back.
   */

  private static final System.Logger log = System.getLogger(PermitTable.class.getName());

  /** The number of renewals of a session, and of checks of other sessions, per lease. */
  private static final int TICKS_PER_LEASE = 4;

  /** The time for which an abandoned operation may still take effect. */
  private static final long UNDO_MILLIS = 60_000;

  /**
   * The wait after which threads check again, up to twice this time, so that not all check at once.
   */
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** The most acquisitions of one semaphore; more would make each operation on it slow. */
  static final int HOLDERS_MAX = 10_000;

  private final CacheEngine<BinaryKey, Bytes> engine;
  private final Env env;
  private final Sessions sessions;

  /** Guarded by the lock. */
  private final SplittableRandom random;

  private final Scheduler.Task ticking;
  private final Subscription listening;
  private final AtomicBoolean isTicking = new AtomicBoolean();
  private final AtomicLong numbers = new AtomicLong();
  private final ConcurrentLinkedQueue<Undo> undos = new ConcurrentLinkedQueue<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** The number of changes of entries. Guarded by the lock. */
  private long changes;

  /**
   * Permits that this node took.
   *
   * @param session the node's session
   * @param number the number of the acquisition on this node
   * @param fence greater than those of all earlier holders
   */
  public record Grant(String session, long number, long fence) {}

  private record Undo(String name, String session, long number, int count, long untilNanos) {}

  /**
   * Begins to take part.
   *
   * @param engine the cache of all locks and semaphores
   * @param events the same cache with raw keys and values
   * @param node this node's name
   * @param leaseMillis the time for which permits are held without a renewal
   */
  public PermitTable(
      CacheEngine<BinaryKey, Bytes> engine,
      Cache<byte[], byte[]> events,
      String node,
      long leaseMillis,
      Env env) {
    this.engine = engine;
    this.env = env;
    this.random = new SplittableRandom(env.random().nextLong());
    this.sessions = new Sessions(engine, node, leaseMillis, env, this::random);
    this.ticking = env.scheduler().every(leaseMillis / TICKS_PER_LEASE, this::tickAside);
    this.listening = events.addListener(this::onEvent, CacheListener.Delivery.ASYNC);
  }

  /** Stops all renewals: held permits are free when their lease is over. */
  @Override
  public void close() {
    ticking.close();
    listening.close();
  }

  private static BinaryKey key(String name) {
    return BinaryKey.of(name.getBytes(StandardCharsets.UTF_8));
  }

  // ---- permits

  /**
   * Takes permits if there are enough.
   *
   * @param name of the lock or semaphore, without the prefix of sessions
   * @param permits the number of its permits if it does not exist yet
   * @return null if there are not enough
   * @throws InvalidRequestException if there are never enough
   * @throws RetryableGridException if they were not taken, or will be released
   */
  public @Nullable Grant tryAcquire(String name, int permits, int count) {
    String session = session(name);
    Acquire acquire =
        new Acquire(permits, new Holder(session, numbers.incrementAndGet(), count), dead(name));
    BinaryKey key = key(name);
    try {
      engine.write(key, key.hash(), acquire);
    } catch (IndeterminateGridException failure) {
      undo(name, session, acquire.wanted.number(), 0);
      throw new RetryableGridException(
          "not known whether it was acquired; if so it is given back: name=%s; try again"
              .formatted(name),
          failure);
    }
    if (acquire.permitsThere < count) {
      throw new InvalidRequestException(
          "more permits than there are: wanted=%d, permits=%d"
              .formatted(count, acquire.permitsThere));
    }
    return acquire.fence == 0 ? null : new Grant(session, acquire.wanted.number(), acquire.fence);
  }

  /** The session of this node. One that may have begun has no permits, and ends by itself. */
  private String session(String name) {
    try {
      return sessions.live().id();
    } catch (IndeterminateGridException failure) {
      throw new RetryableGridException(
          "not acquired, since the cluster does not answer: name=%s; try again".formatted(name),
          failure);
    }
  }

  /** The sessions with permits that are gone. */
  private Set<String> dead(String name) {
    HolderTable table = find(name);
    Set<String> dead = new HashSet<>();
    if (table != null) {
      for (String session : table.sessions()) {
        if (!sessions.isThere(session)) {
          dead.add(session);
        }
      }
    }
    return dead;
  }

  /** The number of permits, taken or not; 0 if none was ever taken. */
  public int total(String name) {
    HolderTable table = find(name);
    return table == null ? 0 : table.permits();
  }

  private @Nullable HolderTable find(String name) {
    BinaryKey key = key(name);
    byte[] bytes = engine.readBytes(key, key.hash());
    return bytes == null ? null : HolderTable.of(bytes);
  }

  /** Takes permits. Used once; decides anew at each application. */
  private static final class Acquire implements Mutation<BinaryKey, Bytes> {
    private final int permits;
    private final Holder wanted;
    private final Set<String> dead;
    private int permitsThere;
    private long fence;

    Acquire(int permits, Holder wanted, Set<String> dead) {
      this.permits = permits;
      this.wanted = wanted;
      this.dead = dead;
    }

    @Override
    public void apply(EntryView<BinaryKey, Bytes> current, Effect<Bytes> effect) {
      HolderTable table =
          current.isPresent()
              ? HolderTable.of(current.value().toByteArray())
              : new HolderTable(permits, 0, List.of());
      table = table.without(holder -> dead.contains(holder.session()));
      permitsThere = table.permits();
      fence = 0;
      if (table.available() >= wanted.count() && table.holders().size() < HOLDERS_MAX) {
        HolderTable next = table.plus(wanted);
        fence = next.fence();
        effect.store(Bytes.of(next.toBytes()), Expiry.UNLIMITED, Expiry.UNLIMITED);
      }
    }
  }

  /**
   * Releases permits; in the background, if the cluster does not answer.
   *
   * @param rest the number that is kept; 0 for none
   */
  public void release(String name, Grant grant, int rest) {
    try {
      keepAtMost(name, grant.session, grant.number, rest);
    } catch (RetryableGridException | IndeterminateGridException failure) {
      log.log(Level.DEBUG, "to be given back later: name=" + name, failure);
      undo(name, grant.session, grant.number, rest);
    }
  }

  private void keepAtMost(String name, String session, long number, int rest) {
    change(
        name,
        table -> {
          Holder holder = table.find(session, number);
          return holder == null || holder.count() <= rest
              ? table
              : table.with(session, number, rest);
        });
  }

  /** Releases the permits of all holders; returns whether there were any. */
  public boolean releaseAll(String name) {
    return change(name, table -> table.without(_ -> true));
  }

  /** Computes the new holders; the same object for no change. */
  private interface Change {
    HolderTable apply(HolderTable table);
  }

  private boolean change(String name, Change change) {
    BinaryKey key = key(name);
    boolean[] hasChanged = new boolean[1];
    engine.write(
        key,
        key.hash(),
        (current, effect) -> {
          hasChanged[0] = false;
          if (current.isPresent()) {
            HolderTable table = HolderTable.of(current.value().toByteArray());
            HolderTable next = change.apply(table);
            if (!next.equals(table)) {
              hasChanged[0] = true;
              effect.store(Bytes.of(next.toBytes()), Expiry.UNLIMITED, Expiry.UNLIMITED);
            }
          }
        });
    return hasChanged[0];
  }

  /**
   * The number of permits without a living holder.
   *
   * @param permits their number if it does not exist yet
   */
  public int available(String name, int permits) {
    HolderTable table = find(name);
    if (table == null) {
      return permits;
    }
    Set<String> dead = dead(name);
    return table.without(holder -> dead.contains(holder.session())).available();
  }

  /** Whether permits still belong to this node, by its own knowledge. */
  public boolean isLeased(Grant grant) {
    return sessions.isLive(grant.session);
  }

  /** Whether permits still belong to this node, as checked in the cluster. */
  public boolean isHeld(String name, Grant grant) {
    HolderTable table = isLeased(grant) ? find(name) : null;
    return table != null && table.find(grant.session, grant.number) != null && isLeased(grant);
  }

  // ---- waiting

  private long random() {
    lock.lock();
    try {
      return random.nextLong();
    } finally {
      lock.unlock();
    }
  }

  private void onEvent(CacheEvent<byte[], byte[]> event) {
    boolean isRenewal =
        event.kind() != CacheEvent.Kind.REMOVED
            && new String(event.key(), StandardCharsets.UTF_8).startsWith(Sessions.PREFIX);
    if (isRenewal) {
      return;
    }
    lock.lock();
    try {
      changes++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The number of changes, for {@link #awaitChange}. */
  public long changes() {
    lock.lock();
    try {
      return changes;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until something changed, but not for ever: a change may have been missed.
   *
   * @param since the value of {@link #changes} before the last check
   * @param nanos the longest wait
   * @throws RetryableGridException if the thread is interrupted
   */
  public void awaitChange(long since, long nanos) {
    lock.lock();
    try {
      long rest = Math.min(nanos, POLL_NANOS + random.nextLong(POLL_NANOS));
      while (changes == since && rest > 0) {
        rest = changed.awaitNanos(rest);
      }
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
      throw new RetryableGridException("interrupted while waiting for a lock; try again");
    } finally {
      lock.unlock();
    }
  }

  // ---- the background

  private void undo(String name, String session, long number, int rest) {
    long until = env.nanoClock().nanoTime() + TimeUnit.MILLISECONDS.toNanos(UNDO_MILLIS);
    undos.add(new Undo(name, session, number, rest, until));
  }

  private void tickAside() {
    if (engine.isClosed()) {
      ticking.close();
    } else if (isTicking.compareAndSet(false, true)) {
      try {
        env.scheduler().execute(this::tick);
      } catch (RejectedExecutionException closing) {
        isTicking.set(false); // the node ends, and its session with it
      }
    }
  }

  private void tick() {
    try {
      sessions.renew();
      sessions.sweep();
      undoAll();
    } catch (GridException failure) {
      log.log(Level.DEBUG, "locks not looked after this time", failure);
    } finally {
      isTicking.set(false);
    }
  }

  private void undoAll() {
    int count = undos.size();
    for (int i = 0; i < count; i++) {
      Undo undo = undos.poll();
      if (undo == null) {
        return;
      }
      if (undo.untilNanos - env.nanoClock().nanoTime() > 0) {
        undos.add(undo);
        keepAtMost(undo.name, undo.session, undo.number, undo.count);
      }
    }
  }
}
