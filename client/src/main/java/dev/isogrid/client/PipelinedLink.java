package dev.isogrid.client;

import dev.isogrid.wire.Versions;
import org.jspecify.annotations.Nullable;

/** A server with one connection at most, through which all operations go. */
final class PipelinedLink extends ServerLink {
  /*
   * All operations that have arrived are encoded into one buffer with one flush.
   *
   * While there is no connection, operations wait for the attempt that is under way, within their
   * deadlines; when it fails, they go to other servers, or fail. After a failure further attempts
   * are made in the background.
   */

  /** The states of the link. */
  private enum State {
    /** Nothing was tried yet. */
    IDLE,
    /** A connection is being made. */
    CONNECTING,
    /** A connection exists. */
    READY,
    /** The last attempt failed, or the connection was lost; another attempt comes by itself. */
    FAILED,
    /** Not to be used any more. */
    RETIRED
  }

  /** Written by the event loop. */
  private volatile State state = State.IDLE;

  private @Nullable Connection connection;
  private @Nullable HotRodClientException lastFailure;
  private final LinkRetries retries = new LinkRetries();

  PipelinedLink(ServerAddress address, Router router, EventLoop loop) {
    super(address, router, loop);
  }

  @Override
  boolean isUsable() {
    State now = state;
    return !isLeft() && now != State.FAILED && now != State.RETIRED;
  }

  @Override
  boolean isRetired() {
    return isLeft() || state == State.RETIRED;
  }

  @Override
  void start() {
    loop()
        .leave(() -> {
          if (state == State.IDLE) {
            connect();
          }
        });
  }

  @Override
  void drain() {
    waitForArrived();
    switch (state) {
      case IDLE -> connect();
      case READY -> write();
      case RETIRED -> failOverWaiting(new TransportException("server left: " + address(), null));
      case CONNECTING -> {}
      case FAILED -> {
        if (!retries.isDue()) {
          failOverWaiting(failure());
        }
      }
    }
  }

  private void write() {
    if (connection != null) {
      connection.write();
    }
  }

  @Override
  int unansweredMax() {
    return router().config().limits().operationsMax();
  }

  /** In 3.1, which every server understands; its answer names the versions that it supports. */
  @Override
  int versionFirst() {
    return Math.min(Versions.V31, router().config().protocolVersion().newest());
  }

  @Override
  public boolean triesVersions() {
    return false;
  }

  @Override
  int versionBelow(int refused) {
    return 0;
  }

  @Override
  int versionOf(int pinged, int told) {
    return told < Versions.V30 ? 0 : Math.min(told, router().config().protocolVersion().newest());
  }

  @Override
  @Nullable Operation<?> firstFor(Connection asking) {
    return firstWaiting();
  }

  @Override
  void removeFirst(Operation<?> operation) {
    removeFirstWaiting(operation);
  }

  private HotRodClientException failure() {
    return new TransportException("server can't be reached: server=" + address(), lastFailure);
  }

  private void connect() {
    state = State.CONNECTING;
    retries.begun();
    Connection made = new Connection(this);
    connection = made;
    router().transport().connect(made, loop());
  }

  @Override
  void ready(Connection usable) {
    if (state == State.CONNECTING) {
      state = State.READY;
      isDown(false);
      retries.succeeded();
      write();
    }
  }

  @Override
  void answered(Connection by) {
    if (firstWaiting() != null) {
      by.write();
    }
  }

  @Override
  void lost(Connection gone, HotRodClientException cause) {
    if (!gone.equals(connection)) {
      return;
    }
    connection = null;
    lastFailure = cause;
    if (state != State.RETIRED) {
      isDown(state == State.CONNECTING);
      state = State.FAILED;
      router().failed(this);
      tryLater();
    } else {
      stopTicks();
    }
    waitForArrived();
    failOver(gone.drain(), cause);
    failOverWaiting(cause);
  }

  private void tryLater() {
    if (!router().isClosed()) {
      retries.failed(
          loop(),
          () -> {
            if (state == State.FAILED && connection == null) {
              connect();
            }
          });
    }
  }

  @Override
  void tick(long now) {
    if (state == State.FAILED) {
      dropExpired();
    }
    Connection live = connection;
    if (live != null) {
      live.tick(now);
    }
  }

  @Override
  void retire(boolean atOnce) {
    if (atOnce) {
      loop().execute(() -> end(true));
    } else {
      loop().leave(() -> end(false));
    }
  }

  private void end(boolean atOnce) {
    state = State.RETIRED;
    waitForArrived();
    failOverWaiting(new TransportException("server left: " + address(), lastFailure));
    Connection live = connection;
    if (live != null) {
      live.end(atOnce);
    } else {
      stopTicks();
    }
  }
}
