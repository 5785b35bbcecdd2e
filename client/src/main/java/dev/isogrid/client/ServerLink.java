package dev.isogrid.client;

import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The way to one server: at most one connection, and the operations that are to go through it. */
final class ServerLink {
  /*
   * Callers put operations on a stack; who finds it empty wakes the event loop. That takes the
   * whole stack at once, turns it round, and encodes all into one buffer with one flush: the more
   * callers, the larger the batches, and a lone caller waits for nobody. All but the stack, the
   * permits and the volatile fields belongs to the event loop.
   *
   * While there is no connection, operations wait for the attempt that is under way, within their
   * deadlines; when it fails, they go to other servers, or fail. After a failure further attempts
   * are made in the background, later and later, at random times so that many clients don't come
   * back at once.
   */
  private static final long RETRY_FIRST_MILLIS = 50;
  private static final long RETRY_MAX_MILLIS = 5_000;
  private static final int RETRY_SHIFT_MAX = 10;
  private static final long TICK_MILLIS = 50;

  /** What the link is about. */
  private enum State {
    /** Nothing was tried yet. */
    IDLE,
    /** A connection is being made. */
    CONNECTING,
    /** There is a connection. */
    READY,
    /** The last attempt failed, or the connection was lost; another attempt comes by itself. */
    FAILED,
    /** Not to be used any more. */
    RETIRED
  }

  private final ServerAddress address;
  private final Router router;
  private final EventLoop loop;
  private final Permits permits;
  private final Future<?> ticks;
  private final AtomicReference<@Nullable Operation<?>> arrivals = new AtomicReference<>();

  /** Written by the event loop. */
  private volatile State state = State.IDLE;

  /** Written by the event loop. */
  private volatile boolean isDown;

  /** Written by who leaves the cluster. */
  private volatile boolean isLeft;

  private @Nullable Operation<?> first;
  private @Nullable Operation<?> last;
  private @Nullable Connection connection;
  private @Nullable HotRodClientException lastFailure;
  private int failures;
  private boolean attemptIsDue;

  ServerLink(ServerAddress address, Router router, EventLoop loop) {
    this.address = address;
    this.router = router;
    this.loop = loop;
    this.permits = new Permits(router.config().limits());
    this.ticks =
        loop.scheduleAtFixedRate(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  ServerAddress address() {
    return address;
  }

  Router router() {
    return router;
  }

  Permits permits() {
    return permits;
  }

  EventLoop loop() {
    return loop;
  }

  /** Whether an operation is more likely to get through than not. Any thread. */
  boolean isUsable() {
    State now = state;
    return !isLeft && now != State.FAILED && now != State.RETIRED;
  }

  boolean isRetired() {
    return isLeft || state == State.RETIRED;
  }

  /** Whether the last attempt to connect failed. Any thread. */
  boolean isDown() {
    return isDown;
  }

  /** Ends the link since its cluster is not used any more, as {@link #retire}. Any thread. */
  void leave() {
    isLeft = true;
    retire(false);
  }

  /** Takes an operation that holds a permit. Any thread. */
  void submit(Operation<?> operation) {
    Operation<?> head;
    do {
      head = arrivals.get();
      operation.next = head;
    } while (!arrivals.compareAndSet(head, operation));
    if (head == null) {
      loop.execute(this::drain);
    }
  }

  /** Connects if that was not tried yet. Any thread. */
  void start() {
    loop.execute(() -> {
      if (state == State.IDLE) {
        connect();
      }
    });
  }

  private void drain() {
    takeArrivals();
    switch (state) {
      case IDLE -> connect();
      case READY -> write();
      case RETIRED -> failOverAll(new TransportException("server left: " + address, null));
      case CONNECTING -> {}
      case FAILED -> {
        if (!attemptIsDue) {
          failOverAll(failure());
        }
      }
    }
  }

  private void takeArrivals() {
    Operation<?> stack = arrivals.getAndSet(null);
    Operation<?> newest = stack;
    Operation<?> reversed = null;
    while (stack != null) {
      Operation<?> below = stack.next;
      stack.next = reversed;
      reversed = stack;
      stack = below;
    }
    if (last == null) {
      first = reversed;
    } else {
      last.next = reversed;
    }
    if (newest != null) {
      last = newest;
    }
  }

  private void write() {
    if (connection != null) {
      connection.write();
    }
  }

  /** The operation that is to be sent next, or null. */
  @Nullable Operation<?> firstWaiting() {
    return first;
  }

  /** Takes the first one off. */
  void removeFirst(Operation<?> operation) {
    first = operation.next;
    operation.next = null;
    if (first == null) {
      last = null;
    }
  }

  private HotRodClientException failure() {
    return new TransportException("server can't be reached: server=" + address, lastFailure);
  }

  private void connect() {
    state = State.CONNECTING;
    attemptIsDue = false;
    Connection made = new Connection(this);
    connection = made;
    ChannelFuture connecting = router.transport().connect(made, loop);
    connecting.addListener(done -> {
      if (!done.isSuccess()) {
        lost(made, new TransportException("no connection: " + address, done.cause()));
      }
    });
  }

  /** The connection may be used. */
  void ready() {
    if (state == State.CONNECTING) {
      state = State.READY;
      isDown = false;
      failures = 0;
      write();
    }
  }

  /** The connection is gone, or did not come about; who waits for it goes elsewhere. */
  void lost(Connection gone, HotRodClientException cause) {
    if (gone != connection) {
      return;
    }
    connection = null;
    lastFailure = cause;
    if (state != State.RETIRED) {
      isDown = state == State.CONNECTING;
      state = State.FAILED;
      failures++;
      router.failed(this);
      scheduleAttempt();
    } else {
      ticks.cancel(false);
    }
    takeArrivals();
    Operation<?> unanswered = gone.drain();
    while (unanswered != null) {
      Operation<?> following = unanswered.next;
      unanswered.next = null;
      router.failOver(unanswered, this, cause);
      unanswered = following;
    }
    failOverAll(cause);
  }

  private void scheduleAttempt() {
    if (router.isClosed()) {
      return;
    }
    long bound =
        Math.min(RETRY_MAX_MILLIS, RETRY_FIRST_MILLIS << Math.min(failures - 1, RETRY_SHIFT_MAX));
    long delay = bound / 2 + ThreadLocalRandom.current().nextLong(bound / 2 + 1);
    attemptIsDue = true;
    loop.schedule(
        () -> {
          if (state == State.FAILED && connection == null) {
            connect();
          }
        },
        delay,
        TimeUnit.MILLISECONDS);
  }

  private void failOverAll(HotRodClientException cause) {
    Operation<?> operation = first;
    first = null;
    last = null;
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
    if (state == State.FAILED) {
      dropExpired();
    }
    Connection live = connection;
    if (live != null) {
      live.tick(now);
    }
  }

  /** Lets go of those whose callers gave up, since nothing is sent for now. */
  private void dropExpired() {
    Operation<?> operation = first;
    first = null;
    last = null;
    while (operation != null) {
      Operation<?> following = operation.next;
      operation.next = null;
      if (operation.isDone()) {
        permits.release(operation.permitBytes);
      } else if (last == null) {
        first = operation;
        last = operation;
      } else {
        last.next = operation;
        last = operation;
      }
      operation = following;
    }
  }

  /** Ends the link as soon as nothing is under way, or at once. Any thread. */
  void retire(boolean atOnce) {
    loop.execute(() -> {
      state = State.RETIRED;
      takeArrivals();
      failOverAll(new TransportException("server left: " + address, lastFailure));
      Connection live = connection;
      if (live != null) {
        live.end(atOnce);
      } else {
        ticks.cancel(false);
      }
    });
  }
}
