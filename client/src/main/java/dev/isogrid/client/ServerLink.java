package dev.isogrid.client;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The way to one server: takes operations from any thread, and has them sent. The client is made of
 * {@link PipelinedLink}s; another way to use connections is another subclass.
 */
abstract class ServerLink {
  /*
   * Callers put operations on a stack; who finds it empty wakes the event loop. That takes the
   * whole stack at once and turns it round: the more callers, the larger the batches, and a lone
   * caller waits for nobody. All but the stack, the permits and the volatile fields belongs to the
   * event loop.
   */
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final ServerAddress address;
  private final Router router;
  private final EventLoop loop;
  private final Permits permits;

  /** Written before another thread knows of the link. */
  private @Nullable Future<?> ticks;

  private final AtomicReference<@Nullable Operation<?>> arrivals = new AtomicReference<>();

  /** Written by the event loop. */
  private volatile boolean isDown;

  /** Written by who leaves the cluster. */
  private volatile boolean isLeft;

  private @Nullable Operation<?> first;
  private @Nullable Operation<?> last;

  ServerLink(ServerAddress address, Router router, EventLoop loop) {
    this.address = address;
    this.router = router;
    this.loop = loop;
    this.permits = new Permits(router.config().limits());
  }

  /**
   * Begins to look after it. Once, before it is used. All links tick at the same time, so that a
   * thread which has several wakes up once for them.
   */
  final void beginTicks() {
    long first = TICK_NANOS - Math.floorMod(Nanos.now(), TICK_NANOS);
    ticks = loop.scheduleAtFixedRate(this::tick, first, TICK_NANOS, TimeUnit.NANOSECONDS);
  }

  // ---- for any thread ---------------------------------------------------------------------------

  final ServerAddress address() {
    return address;
  }

  final Router router() {
    return router;
  }

  final Permits permits() {
    return permits;
  }

  final EventLoop loop() {
    return loop;
  }

  /** Whether an operation is more likely to get through than not. */
  abstract boolean isUsable();

  /** Whether it is not used any more. */
  abstract boolean isRetired();

  /** Whether its cluster is not used any more. */
  final boolean isLeft() {
    return isLeft;
  }

  /** Whether the last attempt to connect failed. */
  final boolean isDown() {
    return isDown;
  }

  /** Ends the link since its cluster is not used any more, as {@link #retire}. */
  final void leave() {
    isLeft = true;
    retire(false);
  }

  /** Takes an operation that holds a permit. */
  final void submit(Operation<?> operation) {
    Operation<?> head;
    do {
      head = arrivals.get();
      operation.next = head;
    } while (!arrivals.compareAndSet(head, operation));
    if (head == null) {
      loop.execute(this::drain);
    }
  }

  /** Connects if that was not tried yet. */
  abstract void start();

  /** Ends the link as soon as nothing is under way, or at once. */
  abstract void retire(boolean atOnce);

  // ---- for connections ------------------------------------------------------------------------

  /** How many requests a connection may have unanswered, 1 or more. */
  abstract int unansweredMax();

  /** The version of the protocol that a connection's first ping is sent in. */
  abstract int versionFirst();

  /** Whether older versions are tried when one is refused. */
  abstract boolean triesVersions();

  /** The next older version to be tried after one was refused, or 0 if there is none. */
  abstract int versionBelow(int refused);

  /**
   * The version to be spoken.
   *
   * @param pinged the version of a ping that was answered
   * @param told the newest one of the server, as far as its answer tells
   * @return 0 if there is none
   */
  abstract int versionOf(int pinged, int told);

  /** The operation that a connection is to send next, or null. */
  abstract @Nullable Operation<?> firstFor(Connection connection);

  /** Takes off what {@link #firstFor} returned. */
  abstract void removeFirst(Operation<?> operation);

  /** A connection may be used. */
  abstract void ready(Connection connection);

  /** Answers came through a connection, so there is room for more on it. */
  abstract void answered(Connection connection);

  /** A connection is gone, or did not come about; who waits for it goes elsewhere. */
  abstract void lost(Connection gone, HotRodClientException cause);

  // ---- for subclasses, by the event loop ------------------------------------------------------

  /** Sends what has arrived, or sees to it that it can be. */
  abstract void drain();

  /** Looks after connections, now and then. */
  abstract void tick(long nowNanos);

  final void isDown(boolean down) {
    isDown = down;
  }

  /** Ends the ticks. */
  final void stopTicks() {
    Future<?> ending = ticks;
    if (ending != null) {
      ending.cancel(false);
    }
  }

  /** Takes what has arrived, as a list by {@link Operation#next}. */
  final @Nullable Operation<?> takeArrived() {
    return reversed(arrivals.getAndSet(null));
  }

  private static @Nullable Operation<?> reversed(@Nullable Operation<?> list) {
    Operation<?> reversed = null;
    Operation<?> rest = list;
    while (rest != null) {
      Operation<?> below = rest.next;
      rest.next = reversed;
      reversed = rest;
      rest = below;
    }
    return reversed;
  }

  /** Lets what has arrived wait. */
  final void waitForArrived() {
    Operation<?> newest = arrivals.getAndSet(null);
    if (newest == null) {
      return;
    }
    Operation<?> oldest = reversed(newest);
    if (last == null) {
      first = oldest;
    } else {
      last.next = oldest;
    }
    last = newest;
  }

  /** The operation that waits longest, or null. */
  final @Nullable Operation<?> firstWaiting() {
    return first;
  }

  /** Takes the first one off. */
  final void removeFirstWaiting(Operation<?> operation) {
    first = operation.next;
    operation.next = null;
    if (first == null) {
      last = null;
    }
  }

  /** Takes all that wait out, as a list by {@link Operation#next}. */
  final @Nullable Operation<?> takeWaiting() {
    Operation<?> all = first;
    first = null;
    last = null;
    return all;
  }

  /** Lets one wait, as the last one. */
  final void addWaiting(Operation<?> operation) {
    operation.next = null;
    if (last == null) {
      first = operation;
    } else {
      last.next = operation;
    }
    last = operation;
  }

  /** Retries all waiting operations on other servers. */
  final void failOverWaiting(HotRodClientException cause) {
    failOver(takeWaiting(), cause);
  }

  /** Retries all operations of a list on other servers. */
  final void failOver(@Nullable Operation<?> list, HotRodClientException cause) {
    Operation<?> operation = list;
    while (operation != null) {
      Operation<?> following = operation.next;
      operation.next = null;
      router.failOver(operation, this, cause);
      operation = following;
    }
  }

  private void tick() {
    long now = Nanos.now();
    for (Operation<?> operation = first; operation != null; operation = operation.next) {
      if (now - operation.deadlineNanos > 0 && !operation.isDone()) {
        operation.expire();
      }
    }
    tick(now);
  }

  /** Lets go of those whose callers gave up, since nothing is sent for now. */
  final void dropExpired() {
    Operation<?> operation = takeWaiting();
    while (operation != null) {
      Operation<?> following = operation.next;
      if (operation.isDone()) {
        operation.next = null;
        permits.release(operation.permitBytes);
      } else {
        addWaiting(operation);
      }
      operation = following;
    }
  }
}
