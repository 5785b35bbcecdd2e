package dev.isogrid.client.pooled;

import dev.isogrid.client.ConnectionPoolConfig;
import dev.isogrid.client.ExhaustedAction;
import dev.isogrid.client.HotRodClientException;
import dev.isogrid.client.spi.LinkPool;
import dev.isogrid.client.spi.PoolConnection;
import dev.isogrid.client.spi.PoolRequest;
import dev.isogrid.client.spi.PoolSite;
import dev.isogrid.wire.Versions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The connections to a server, each of which has one request at a time, or a few. */
final class ConnectionPool implements LinkPool {
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

  private final PoolSite site;
  private final ConnectionPoolConfig pool;
  private final int activeMax;
  private final int versionMax;

  /** Written by the event loop, to which all that follows belongs. */
  private volatile State state = State.OPEN;

  private final Map<PoolConnection, Member> members = new HashMap<>();

  /** Those with room for a request, the one used last at the end. */
  private final ArrayDeque<Member> free = new ArrayDeque<>();

  private int connecting;
  private int versionTried;
  private int versionAgreed;
  private long growAfterNanos;
  private long sweptNanos;
  private @Nullable HotRodClientException lastFailure;

  /** A connection of the pool. */
  private static final class Member {
    final PoolConnection connection;
    final ArrayDeque<PoolRequest> bound = new ArrayDeque<>();
    long usedNanos;
    long boundNanos;
    boolean isFree;

    Member(PoolConnection connection, long nowNanos) {
      this.connection = connection;
      this.usedNanos = nowNanos;
      this.boundNanos = nowNanos - BOUND_NANOS;
    }
  }

  ConnectionPool(PoolSite site, ConnectionPoolConfig pool) {
    this.site = site;
    this.pool = pool;
    this.activeMax = pool.maxActive() == -1 ? site.operationsMax() : pool.maxActive();
    this.versionMax = Math.min(Versions.V31, site.versionMax());
    this.versionTried = versionMax;
    this.growAfterNanos = site.nowNanos();
    this.sweptNanos = growAfterNanos;
  }

  // ---- for any thread ---------------------------------------------------------------------------

  @Override
  public boolean isUsable() {
    return !site.isLeft() && state == State.OPEN;
  }

  @Override
  public boolean isRetired() {
    return site.isLeft() || state == State.RETIRED;
  }

  @Override
  public void start() {
    site.execute(this::keepIdle);
  }

  @Override
  public void retire(boolean atOnce) {
    site.execute(() -> {
      state = State.RETIRED;
      drain();
      if (members.isEmpty()) {
        site.stopTicks();
      }
      List.copyOf(members.keySet()).forEach(connection -> connection.end(atOnce));
    });
  }

  // ---- versions ---------------------------------------------------------------------------------

  @Override
  public int versionFirst() {
    return versionAgreed != 0 ? versionAgreed : versionTried;
  }

  /** From 3.1 to 2.0 the numbers on the wire have no gaps. */
  @Override
  public int versionBelow(int refused) {
    return site.triesVersions() && refused > Versions.OLDEST ? refused - 1 : 0;
  }

  @Override
  public int versionOf(int pinged, int told) {
    versionAgreed = Math.min(pinged, told);
    return versionAgreed;
  }

  // ---- requests -------------------------------------------------------------------------------

  @Override
  public int unansweredMax() {
    return pool.maxPendingRequests();
  }

  @Override
  public void drain() {
    PoolRequest request = site.takeArrived();
    while (request != null) {
      PoolRequest following = request.detach();
      arrived(request);
      request = following;
    }
    if (state == State.RETIRED) {
      site.failOverWaiting(site.failure("server left: " + site.address(), lastFailure));
    } else if (state == State.FAILED && !site.isRetryDue()) {
      site.failOverWaiting(
          site.failure("server can't be reached: server=" + site.address(), lastFailure));
    } else {
      dispatch();
    }
  }

  private void arrived(PoolRequest request) {
    PoolConnection only = request.pinned();
    Member member = members.get(only);
    if (only == null) {
      site.addWaiting(request);
    } else if (member == null) {
      site.failOver(request, site.failure("connection lost: " + site.address(), null));
    } else {
      member.boundNanos = site.nowNanos();
      member.bound.add(request);
      member.connection.write();
    }
  }

  /**
   * Gives waiting requests to free connections, and makes more connections if there are too few.
   */
  private void dispatch() {
    PoolRequest before = site.firstWaiting();
    while (before != null && !free.isEmpty()) {
      Member member = free.removeLast();
      member.isFree = false;
      member.connection.write();
      if (before.equals(site.firstWaiting())) {
        break; // its socket is full: it goes on when that is empty, and a sweep finds it free
      }
      noteFree(member);
      before = site.firstWaiting();
    }
    if (before != null && state == State.OPEN) {
      grow();
    }
  }

  private boolean hasRoom(Member member) {
    PoolConnection connection = member.connection;
    return connection.isReady()
        && connection.unanswered() < pool.maxPendingRequests()
        && !isForEvents(connection);
  }

  private static boolean isForEvents(PoolConnection connection) {
    return connection.version() < Versions.V28 && connection.isListenedTo();
  }

  private void noteFree(Member member) {
    if (!member.isFree && hasRoom(member)) {
      member.isFree = true;
      free.addLast(member);
    }
  }

  @Override
  public @Nullable PoolRequest firstFor(PoolConnection connection) {
    Member member = members.get(connection);
    if (member == null || connection.unanswered() >= pool.maxPendingRequests()) {
      return null;
    }
    PoolRequest bound = member.bound.peek();
    return bound != null || isForEvents(connection) ? bound : site.firstWaiting();
  }

  @Override
  public void removeFirst(PoolRequest request) {
    Member member = members.get(request.pinned());
    if (member == null) {
      site.removeFirstWaiting(request);
    } else {
      member.bound.remove();
    }
  }

  @Override
  public void answered(PoolConnection connection) {
    Member member = members.get(connection);
    if (member != null) {
      member.usedNanos = site.nowNanos();
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
    boolean mayConnect = site.nowNanos() - growAfterNanos >= 0;
    long served = (long) connecting * pool.maxPendingRequests();
    PoolRequest request = site.firstWaiting();
    for (long i = 0; request != null; i++) {
      if (i >= served && mayConnect && mayGrow()) {
        connect();
        served += pool.maxPendingRequests();
      } else if (i >= served) {
        if (mayConnect && pool.exhaustedAction() == ExhaustedAction.EXCEPTION) {
          refuseFrom(i);
        }
        return;
      }
      request = request.following();
    }
  }

  private boolean mayGrow() {
    return members.size() < activeMax || pool.exhaustedAction() == ExhaustedAction.CREATE_NEW;
  }

  /** Refuses all that wait but the first ones. */
  private void refuseFrom(long index) {
    PoolRequest request = site.takeWaiting();
    for (long i = 0; request != null; i++) {
      PoolRequest following = request.following();
      if (i < index) {
        site.addWaiting(request);
      } else {
        site.refuseBusy(
            request,
            "all connections are busy: server=%s, max_active=%d; raise it, or let requests wait"
                .formatted(site.address(), activeMax));
      }
      request = following;
    }
  }

  private void connect() {
    PoolConnection made = site.newConnection();
    members.put(made, new Member(made, site.nowNanos()));
    connecting++;
    site.open(made);
  }

  @Override
  public void ready(PoolConnection connection) {
    Member member = members.get(connection);
    if (member == null) {
      return;
    }
    connecting--;
    site.succeeded();
    if (state == State.FAILED) {
      state = State.OPEN;
    }
    noteFree(member);
    dispatch();
  }

  @Override
  public void lost(PoolConnection gone, HotRodClientException cause) {
    Member member = members.get(gone);
    if (member == null) {
      return;
    }
    boolean wasRefused = gone.wasRefused();
    remove(member);
    if (!gone.isReady()) {
      connecting--;
      growAfterNanos = site.nowNanos() + site.retryNanos();
    }
    lastFailure = cause;
    site.failOver(gone.drain(), cause);
    member.bound.forEach(request -> site.failOver(request, cause));
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

  private void lostAll(PoolConnection last, HotRodClientException cause, boolean wasRefused) {
    int older = wasRefused && versionAgreed == 0 ? versionBelow(last.version()) : 0;
    versionAgreed = 0;
    versionTried = older == 0 ? versionMax : older;
    if (state == State.RETIRED) {
      site.stopTicks();
    } else if (older != 0) {
      connect();
      return;
    } else {
      state = State.FAILED;
      site.failed(!last.isReady(), this::tryAgain);
    }
    PoolRequest arrived = site.takeArrived();
    site.failOverWaiting(cause);
    site.failOver(arrived, cause);
  }

  private void tryAgain() {
    if (state == State.FAILED && members.isEmpty()) {
      connect();
    }
  }

  // ---- upkeep -----------------------------------------------------------------------------------

  @Override
  public void tick(long nowNanos) {
    if (state == State.FAILED) {
      site.dropExpired();
    } else if (pool.maxWait() >= 0) {
      refuseLate(nowNanos);
    }
    for (Member member : List.copyOf(members.values())) {
      member.bound.forEach(request -> site.expire(request, nowNanos));
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

  private void refuseLate(long nowNanos) {
    long waitNanos = TimeUnit.MILLISECONDS.toNanos(pool.maxWait());
    PoolRequest request = site.takeWaiting();
    while (request != null) {
      PoolRequest following = request.following();
      if (site.waitedNanos(request, nowNanos) <= waitNanos) {
        site.addWaiting(request);
      } else {
        site.refuseLate(
            request,
            "no connection was free in time: server=%s, max_active=%d, max_wait=%d ms"
                .formatted(site.address(), activeMax, pool.maxWait()));
      }
      request = following;
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
      PoolConnection connection = member.connection;
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
    boolean mayConnect = state == State.OPEN && site.nowNanos() - growAfterNanos >= 0;
    int missing = pool.minIdle() - free.size() - connecting;
    while (mayConnect && missing > 0 && members.size() < activeMax) {
      connect();
      missing--;
    }
  }
}
