package dev.isogrid.client;

import dev.isogrid.wire.Versions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server with a pool of connections, each of which has one request at a time, or a few. */
final class PooledLink extends ServerLink {
  /*
   * All connections belong to one event loop, so the pool needs no lock. A request takes the free
   * connection that was used last, so that others get old enough to be closed. If none is free, it
   * waits in the order of arrival, and connections are made, one for each request that waits, as
   * far as the pool may grow; whichever is free first takes the first request. A request that is
   * bound to a connection (the next batch of an iteration, the end of a listener) waits for that
   * one.
   *
   * Before 2.8 events and answers must not share a connection: while there is a listener on one, it
   * takes only what is bound to it.
   *
   * Versions are tried downwards from the newest, first by pings on one connection; a server that
   * ends the connection instead of answering gets the next older version on another one. The
   * agreed version holds until all connections are gone, since it may be another server then.
   */
  private static final long SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** The longest pause of an iteration whose server keeps it for this connection. */
  private static final long BOUND_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** The states of the pool. */
  private enum State {
    /** There are connections, or none was needed yet. */
    OPEN,
    /** The last attempt failed and no connection is left; another attempt comes by itself. */
    FAILED,
    /** Not to be used any more. */
    RETIRED
  }

  private final ConnectionPoolConfig pool;
  private final int activeMax;
  private final int versionMax;

  /** Written by the event loop, to which all that follows belongs. */
  private volatile State state = State.OPEN;

  private final Map<Connection, Member> members = new HashMap<>();

  /** Those with room for a request, the one used last at the end. */
  private final ArrayDeque<Member> free = new ArrayDeque<>();

  private int connecting;
  private int versionTried;
  private int versionAgreed;
  private final LinkRetries retries = new LinkRetries();
  private long growAfterNanos = Nanos.now();
  private long sweptNanos = growAfterNanos;
  private @Nullable HotRodClientException lastFailure;

  /** A connection of the pool. */
  private static final class Member {
    final Connection connection;
    final ArrayDeque<Operation<?>> bound = new ArrayDeque<>();
    long usedNanos = Nanos.now();
    long boundNanos = usedNanos - BOUND_NANOS;
    boolean isFree;

    Member(Connection connection) {
      this.connection = connection;
    }
  }

  PooledLink(ServerAddress address, Router router, EventLoop loop, ConnectionPoolConfig pool) {
    super(address, router, loop);
    this.pool = pool;
    int operationsMax = router.config().limits().operationsMax();
    this.activeMax = pool.maxActive() == -1 ? operationsMax : pool.maxActive();
    this.versionMax = Math.min(Versions.V31, router.config().protocolVersion().newest());
    this.versionTried = versionMax;
  }

  // ---- for any thread ---------------------------------------------------------------------------

  @Override
  boolean isUsable() {
    return !isLeft() && state == State.OPEN;
  }

  @Override
  boolean isRetired() {
    return isLeft() || state == State.RETIRED;
  }

  @Override
  void start() {
    loop().execute(this::keepIdle);
  }

  @Override
  void retire(boolean atOnce) {
    loop()
        .execute(() -> {
          state = State.RETIRED;
          drain();
          if (members.isEmpty()) {
            stopTicks();
          }
          List.copyOf(members.keySet()).forEach(connection -> connection.end(atOnce));
        });
  }

  // ---- versions ---------------------------------------------------------------------------------

  @Override
  int versionFirst() {
    return versionAgreed != 0 ? versionAgreed : versionTried;
  }

  @Override
  boolean triesVersions() {
    return router().config().protocolVersion() == ProtocolVersion.AUTO;
  }

  /** From 3.1 to 2.0 the numbers on the wire have no gaps. */
  @Override
  int versionBelow(int refused) {
    return triesVersions() && refused > Versions.OLDEST ? refused - 1 : 0;
  }

  @Override
  int versionOf(int pinged, int told) {
    versionAgreed = Math.min(pinged, told);
    return versionAgreed;
  }

  // ---- requests -------------------------------------------------------------------------------

  @Override
  int unansweredMax() {
    return pool.maxPendingRequests();
  }

  @Override
  void drain() {
    Operation<?> operation = takeArrived();
    while (operation != null) {
      Operation<?> following = operation.next;
      operation.next = null;
      arrived(operation);
      operation = following;
    }
    if (state == State.RETIRED) {
      failOverWaiting(new TransportException("server left: " + address(), lastFailure));
    } else if (state == State.FAILED && !retries.isDue()) {
      failOverWaiting(
          new TransportException("server can't be reached: server=" + address(), lastFailure));
    } else {
      dispatch();
    }
  }

  private void arrived(Operation<?> operation) {
    Connection only = operation.pinned();
    Member member = members.get(only);
    if (only == null) {
      addWaiting(operation);
    } else if (member == null) {
      router()
          .failOver(operation, this, new TransportException("connection lost: " + address(), null));
    } else {
      member.boundNanos = Nanos.now();
      member.bound.add(operation);
      member.connection.write();
    }
  }

  /**
   * Gives waiting requests to free connections, and makes more connections if there are too few.
   */
  private void dispatch() {
    Operation<?> before = firstWaiting();
    while (before != null && !free.isEmpty()) {
      Member member = free.removeLast();
      member.isFree = false;
      member.connection.write();
      if (before.equals(firstWaiting())) {
        break; // its socket is full: it goes on when that is empty, and a sweep finds it free
      }
      noteFree(member);
      before = firstWaiting();
    }
    if (before != null && state == State.OPEN) {
      grow();
    }
  }

  private boolean hasRoom(Member member) {
    Connection connection = member.connection;
    return connection.isReady()
        && connection.unanswered() < pool.maxPendingRequests()
        && !isForEvents(connection);
  }

  private static boolean isForEvents(Connection connection) {
    return connection.version() < Versions.V28 && connection.isListenedTo();
  }

  private void noteFree(Member member) {
    if (!member.isFree && hasRoom(member)) {
      member.isFree = true;
      free.addLast(member);
    }
  }

  @Override
  @Nullable Operation<?> firstFor(Connection connection) {
    Member member = members.get(connection);
    if (member == null || connection.unanswered() >= pool.maxPendingRequests()) {
      return null;
    }
    Operation<?> bound = member.bound.peek();
    return bound != null || isForEvents(connection) ? bound : firstWaiting();
  }

  @Override
  void removeFirst(Operation<?> operation) {
    Connection only = operation.pinned();
    Member member = members.get(only);
    if (member == null) {
      removeFirstWaiting(operation);
    } else {
      member.bound.remove();
    }
  }

  @Override
  void answered(Connection connection) {
    Member member = members.get(connection);
    if (member != null) {
      member.usedNanos = Nanos.now();
      if (firstFor(connection) != null) {
        connection.write();
      }
      noteFree(member);
    }
  }

  // ---- connections ------------------------------------------------------------------------------

  /**
   * Makes connections for waiting requests, or takes the configured action if there may be no more.
   */
  private void grow() {
    boolean mayConnect = Nanos.now() - growAfterNanos >= 0;
    long served = (long) connecting * pool.maxPendingRequests();
    Operation<?> operation = firstWaiting();
    for (long i = 0; operation != null; i++) {
      if (i >= served && mayConnect && mayGrow()) {
        connect();
        served += pool.maxPendingRequests();
      } else if (i >= served) {
        if (mayConnect && pool.exhaustedAction() == ExhaustedAction.EXCEPTION) {
          refuseFrom(i);
        }
        return;
      }
      operation = operation.next;
    }
  }

  private boolean mayGrow() {
    return members.size() < activeMax || pool.exhaustedAction() == ExhaustedAction.CREATE_NEW;
  }

  /** Refuses all that wait but the first ones. */
  private void refuseFrom(long index) {
    Operation<?> operation = takeWaiting();
    for (long i = 0; operation != null; i++) {
      Operation<?> following = operation.next;
      if (i < index) {
        addWaiting(operation);
      } else {
        refuse(
            operation,
            new TooManyRequestsException(
                "all connections are busy: server=%s, max_active=%d; raise it, or let requests wait"
                    .formatted(address(), activeMax)));
      }
      operation = following;
    }
  }

  private void refuse(Operation<?> operation, HotRodClientException cause) {
    operation.next = null;
    permits().release(operation.permitBytes);
    loop().fail(operation, cause);
  }

  private void connect() {
    retries.begun();
    Connection made = new Connection(this);
    members.put(made, new Member(made));
    connecting++;
    router().transport().connect(made, loop());
  }

  @Override
  void ready(Connection connection) {
    Member member = members.get(connection);
    if (member == null) {
      return;
    }
    connecting--;
    retries.succeeded();
    isDown(false);
    if (state == State.FAILED) {
      state = State.OPEN;
    }
    noteFree(member);
    dispatch();
  }

  @Override
  void lost(Connection gone, HotRodClientException cause) {
    Member member = members.get(gone);
    if (member == null) {
      return;
    }
    boolean wasRefused = gone.wasRefused();
    remove(member);
    if (!gone.isReady()) {
      connecting--;
      growAfterNanos = Nanos.now() + TimeUnit.MILLISECONDS.toNanos(LinkRetries.FIRST_MILLIS);
    }
    lastFailure = cause;
    failOver(gone.drain(), cause);
    member.bound.forEach(operation -> router().failOver(operation, this, cause));
    if (members.isEmpty()) {
      lostAll(gone, cause, wasRefused);
    } else {
      dispatch();
    }
  }

  private void remove(Member member) {
    members.remove(member.connection);
    if (member.isFree) {
      free.remove(member);
    }
  }

  private void lostAll(Connection last, HotRodClientException cause, boolean wasRefused) {
    int older = wasRefused && versionAgreed == 0 ? versionBelow(last.version()) : 0;
    versionAgreed = 0;
    versionTried = older == 0 ? versionMax : older;
    if (state == State.RETIRED) {
      stopTicks();
    } else if (older != 0) {
      connect();
      return;
    } else {
      isDown(!last.isReady());
      state = State.FAILED;
      router().failed(this);
      tryLater();
    }
    Operation<?> arrived = takeArrived();
    failOverWaiting(cause);
    failOver(arrived, cause);
  }

  private void tryLater() {
    if (!router().isClosed()) {
      retries.failed(
          loop(),
          () -> {
            if (state == State.FAILED && members.isEmpty()) {
              connect();
            }
          });
    }
  }

  // ---- upkeep -----------------------------------------------------------------------------------

  @Override
  void tick(long nowNanos) {
    if (state == State.FAILED) {
      dropExpired();
    } else if (pool.maxWait() >= 0) {
      refuseLate(nowNanos);
    }
    for (Member member : List.copyOf(members.values())) {
      member.bound.forEach(operation -> expire(operation, nowNanos));
      member.connection.tick(nowNanos);
    }
    if (state == State.OPEN && nowNanos - sweptNanos >= SWEEP_NANOS) {
      sweptNanos = nowNanos;
      evict(nowNanos);
      members.values().forEach(this::noteFree);
      keepIdle();
      dispatch();
    }
  }

  private void expire(Operation<?> operation, long nowNanos) {
    if (nowNanos - operation.deadlineNanos > 0 && !operation.isDone()) {
      loop().fail(operation, operation.timeout());
    }
  }

  private void refuseLate(long nowNanos) {
    long waitNanos = TimeUnit.MILLISECONDS.toNanos(pool.maxWait());
    Operation<?> operation = takeWaiting();
    while (operation != null) {
      Operation<?> following = operation.next;
      long sentNanos = operation.deadlineNanos - router().operationTimeoutNanos();
      if (nowNanos - sentNanos <= waitNanos) {
        addWaiting(operation);
      } else {
        refuse(
            operation,
            new OperationTimeoutException(
                "no connection was free in time: server=%s, max_active=%d, max_wait=%d ms"
                    .formatted(address(), activeMax, pool.maxWait())));
      }
      operation = following;
    }
  }

  /** Closes connections that had no work for long. */
  private void evict(long nowNanos) {
    if (pool.minEvictableIdleTime() < 0) {
      return;
    }
    long idleNanos = TimeUnit.MILLISECONDS.toNanos(pool.minEvictableIdleTime());
    int spare = free.size() - Math.max(0, pool.minIdle());
    for (Member member : new ArrayList<>(free)) {
      Connection connection = member.connection;
      boolean isOld =
          nowNanos - member.usedNanos >= idleNanos
              && nowNanos - member.boundNanos >= BOUND_NANOS
              && connection.unanswered() == 0;
      if (spare > 0 && isOld && member.bound.isEmpty() && !connection.isListenedTo()) {
        remove(member);
        connection.end(true);
        spare--;
      }
    }
  }

  private void keepIdle() {
    boolean mayConnect = state == State.OPEN && Nanos.now() - growAfterNanos >= 0;
    int missing = pool.minIdle() - free.size() - connecting;
    while (mayConnect && missing > 0 && members.size() < activeMax) {
      connect();
      missing--;
    }
  }
}
