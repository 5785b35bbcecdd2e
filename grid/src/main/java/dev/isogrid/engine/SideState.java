package dev.isogrid.engine;

import dev.isogrid.base.NanoClock;
import dev.isogrid.engine.SideWatch.Mode;
import dev.isogrid.topology.NodeId;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What the parts of {@link Sides} share, and the lock that guards it. */
final class SideState {
  /** Another node that may have to hand over something that this one wrote or read. */
  static final class Mate {
    /** When it last said anything. */
    long answeredNanos;

    /** Whether it is being asked. */
    boolean isAsked;

    Mate(long nowNanos) {
      answeredNanos = nowNanos;
    }
  }

  private final NanoClock clock;

  final ReentrantLock lock = new ReentrantLock();

  /** Signalled when the mode changes or something was handed over. */
  private final Condition changed = lock.newCondition();

  /** How often it was signalled. Guarded by the lock. */
  private long changes;

  /** Guarded by the lock. */
  final SideWatch watch;

  /** Guarded by the lock. */
  final SideWrites writes;

  /** Guarded by the lock. */
  final Map<NodeId, Mate> mates = new HashMap<>();

  final Map<Integer, AvailableEngine> engines = new ConcurrentHashMap<>();

  final SideCounters counters = new SideCounters();

  /** That of the watch. Written under the lock, read by any thread. */
  private volatile Mode mode = Mode.JOINED;

  /** Written by {@link Sides#close}. */
  volatile boolean isClosed;

  SideState(SideWatch watch, SideWrites writes, NanoClock clock) {
    this.watch = watch;
    this.writes = writes;
    this.clock = clock;
  }

  /** How the node takes part in the cluster. Any thread. */
  Mode mode() {
    return mode;
  }

  /** Lets the watch decide on the mode; returns the one before. Under the lock. */
  Mode step(long nowNanos, boolean isLeased) {
    Mode before = mode;
    boolean isOpen = writes.isOpen() || !mates.isEmpty();
    mode = watch.step(nowNanos, isLeased, isOpen);
    if (mode != before) {
      if (mode == Mode.RETURNING) {
        mates.values().forEach(mate -> mate.answeredNanos = nowNanos);
      }
      signal();
    }
    return before;
  }

  /** This node depends on what another one keeps. Under the lock. */
  void addMate(NodeId node, long nowNanos) {
    mates.computeIfAbsent(node, _ -> new Mate(nowNanos));
  }

  /** The nodes that this one depends on. */
  Set<NodeId> mates() {
    lock.lock();
    try {
      return Set.copyOf(mates.keySet());
    } finally {
      lock.unlock();
    }
  }

  /** Wakes the threads that wait for a change. Under the lock. */
  void signal() {
    changes++;
    changed.signalAll();
  }

  /** Waits for a change, no longer than a time; returns at once if the thread is interrupted. */
  void awaitChange(long millisMax) {
    long rest = TimeUnit.MILLISECONDS.toNanos(millisMax);
    lock.lock();
    try {
      long seen = changes;
      while (changes == seen && rest > 0) {
        rest = clock.await(changed, rest);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }
}
