package dev.isogrid.client;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The way to one server: takes operations from any thread, and has them sent. The client is made of
 * {@link PipelinedLink}s; another way to use connections is another subclass.
 */
abstract class ServerLink {
  /*
   * Callers put operations on a stack; the caller that finds it empty tells the event loop, most
   * often by doing its work. The loop takes the whole stack at once and turns it round: the more
   * callers, the larger the batches, and a lone caller does not wait. All but the stack, the
   * permits and the volatile fields belongs to the turn of the event loop.
   */
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final ServerAddress address;
  private final Router router;
  private final EventLoop loop;
  private final Permits permits;

  /** Written before another thread knows of the link. */
  private EventLoop.@Nullable Timer ticks;

  private final AtomicReference<@Nullable Operation<?>> arrivals = new AtomicReference<>();

  /** Whether the event loop is going to look at the arrivals. */
  private final AtomicBoolean isAnnounced = new AtomicBoolean();

  /** The next one of the loop's list of links to be looked at; belongs to it. */
  @Nullable ServerLink nextArrivedAt;

  /** Written by the event loop. */
  private volatile boolean isDown;

  /** Written by the thread that leaves the cluster. */
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
    ticks = loop.scheduleAtFixedRate(this::tick, first, TICK_NANOS);
  }

  // ---- for any thread ---------------------------------------------------------------------------

  public final ServerAddress address() {
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
  public final boolean isLeft() {
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
    boolean isAwaited = operation.is(Operation.AWAITED);
    Operation<?> head;
    do {
      head = arrivals.get();
      operation.next = head;
    } while (!arrivals.compareAndSet(head, operation));
    if (head == null && isAnnounced.compareAndSet(false, true)) {
      loop.arrived(this);
    }
    if (head == null || isAwaited) {
      loop.look(isAwaited);
    }
  }

  /** Handles the operations that have arrived. */
  final void drainArrived() {
    isAnnounced.set(false); // before it looks: what arrives later is announced again
    drain();
  }

  /** Connects soon if that was not tried yet. Callers may hold locks. */
  abstract void start();

  /**
   * Ends the link as soon as nothing is under way, or at once. Callers may hold locks unless it is
   * to end at once.
   */
  abstract void retire(boolean atOnce);

  // ---- for connections ------------------------------------------------------------------------

  /** The most unanswered requests of a connection, 1 or more. */
  abstract int unansweredMax();

  /** The version of the protocol that a connection's first ping is sent in. */
  abstract int versionFirst();

  /** Whether older versions are tried when one is refused. */
  public abstract boolean triesVersions();

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

  /** A connection is lost, or could not be made; operations that wait for it go elsewhere. */
  abstract void lost(Connection gone, HotRodClientException cause);

  // ---- for subclasses, by the event loop ------------------------------------------------------

  /** Sends the operations that have arrived, or makes a connection for them. */
  abstract void drain();

  /** Looks after connections, now and then. */
  abstract void tick(long nowNanos);

  final void isDown(boolean down) {
    isDown = down;
  }

  /** Ends the ticks. */
  public final void stopTicks() {
    EventLoop.Timer ending = ticks;
    if (ending != null) {
      ending.cancel();
    }
  }

  /** Takes the operations that have arrived, as a list by {@link Operation#next}. */
  public final @Nullable Operation<?> takeArrived() {
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

  /** Puts the operations that have arrived into the queue. */
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
  public final @Nullable Operation<?> firstWaiting() {
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
  public final @Nullable Operation<?> takeWaiting() {
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
  public final void failOverWaiting(HotRodClientException cause) {
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
        loop.fail(operation, operation.timeout());
      }
    }
    tick(now);
  }

  /** Drops the operations whose callers gave up, since nothing is sent for now. */
  public final void dropExpired() {
    Operation<?> operation = takeWaiting();
    while (operation != null) {
      Operation<?> following = operation.next;
      if (operation.isDone()) {
        operation.next = null;
        operation.endNumber();
        permits.release(operation.permitBytes);
      } else {
        addWaiting(operation);
      }
      operation = following;
    }
  }
}
