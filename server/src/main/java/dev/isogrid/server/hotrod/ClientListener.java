package dev.isogrid.server.hotrod;

import dev.isogrid.api.GridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.Subscription;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.Change;
import dev.isogrid.engine.ChangeListener;
import dev.isogrid.engine.EntryWalk;
import dev.isogrid.server.net.ByteBudget;
import dev.isogrid.server.net.OutputGate;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.wire.Opcodes;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A listener of a client: takes the changes of a cache from whoever makes them and keeps them until
 * the connection's event loop sends them. Thread-safe.
 */
final class ClientListener implements ChangeListener<BinaryKey, Bytes> {
  /*
   * No writer waits for a client. What waits is bounded, by the limits of the listener and
   * by the connection's share of what waits for all clients; if the client is so far behind that
   * there is no room, its connection is closed, which is the only way to tell it that it
   * misses something: it registers its listeners again, with another server or this one, and near
   * caches begin empty.
   *
   * The state of the cache is told before the request is answered, by the thread that carries the
   * request out, which waits for the client as long as that takes something in STATE_WAIT_SECONDS.
   */

  /** Interests: bits by kind of event; none means all. */
  static final int CREATED = 1;

  static final int MODIFIED = 2;
  static final int REMOVED = 4;
  static final int EXPIRED = 8;
  private static final int ALL = CREATED | MODIFIED | REMOVED | EXPIRED;

  /** The state that is on its way to a client at once. */
  private static final EventLimits STATE_LIMITS = new EventLimits(1024, 1 << 20, false);

  private static final int STATE_WAIT_SECONDS = 30;

  /** Where events go. */
  interface Outlet {
    /** The connection's share of the memory for events that wait. */
    ByteBudget.Share waiting();

    /** A listener has events to send. Any thread. */
    void wake(ClientListener listener);

    /** The client knows that a listener is registered. On the event loop. */
    void accepted(ClientListener listener);

    /** A listener can't go on, so the connection is to be closed. Any thread; holds locks. */
    void fail(ClientListener listener, String reason);

    /** An event could not be sent, which the client can't be told. */
    void leftOut(String reason);
  }

  private final CacheHandle cache;
  private final EventFormat format;
  private final long messageId;
  private final int interests;
  private final EventLimits limits;
  private final @Nullable NearFilter filter;
  private final Outlet outlet;

  /** That of the connection, on which all that waits counts. */
  private final ByteBudget.Share share;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition progress = lock.newCondition();

  /** Guarded by the lock, as all that follows. */
  private final EventBacklog state;

  private final EventBacklog live;
  private @Nullable StateVersions versions;
  private @Nullable Subscription subscription;

  /** Whether the client knows that it is registered, and so may be sent what happens. */
  private boolean accepted;

  private boolean closed;

  /** Whether the outlet is to be woken when the lock of the segment is free. */
  private boolean hasNews;

  /** Whether the outlet knows that there is something to send; owned by the outlet. */
  final AtomicBoolean isQueued = new AtomicBoolean();

  // tidy: what one request says, and the connection
  ClientListener(
      CacheHandle cache,
      EventFormat format,
      long messageId,
      int interests,
      EventLimits limits,
      @Nullable NearFilter filter,
      Outlet outlet) {
    this.cache = cache;
    this.format = format;
    this.messageId = messageId;
    this.interests = (interests & ALL) == 0 ? ALL : interests;
    this.limits = limits;
    this.filter = filter;
    this.outlet = outlet;
    this.share = outlet.waiting();
    this.state = new EventBacklog(STATE_LIMITS, share);
    this.live = new EventBacklog(limits, share);
  }

  CacheHandle cache() {
    return cache;
  }

  ByteString id() {
    return format.listenerId();
  }

  // ---- what happens

  @Override
  public boolean wantsValues() {
    return format.converts();
  }

  private static int operation(Change<?, ?> change) {
    return switch (change.kind()) {
      case CREATED -> Opcodes.EVENT_CREATED;
      case MODIFIED -> Opcodes.EVENT_MODIFIED;
      case REMOVED -> Opcodes.EVENT_REMOVED;
      case EXPIRED -> Opcodes.EVENT_EXPIRED;
      case EVICTED -> 0;
    };
  }

  private static int interest(int operation) {
    return operation == 0 ? 0 : 1 << (operation - Opcodes.EVENT_CREATED);
  }

  @Override
  public void onChange(Change<BinaryKey, Bytes> change) {
    int operation = operation(change);
    if ((interest(operation) & interests) == 0) {
      return;
    }
    EventCopy copy = EventCopy.of(change);
    if (filter != null && !mayBeNear(filter, copy.key())) {
      return;
    }
    EventValue value = format.converts() ? copy.value(change) : null;
    take(new ClientEvent(operation, change.segment(), copy.key(), value, change.version()));
  }

  private boolean mayBeNear(NearFilter near, ByteString key) {
    try {
      return near.mayContain(format.key(key));
    } catch (GridException notConvertible) {
      return false; // the client can't have asked for such a key
    }
  }

  private void take(ClientEvent event) {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      StateVersions.Fate fate =
          versions == null ? StateVersions.Fate.TELL : versions.changed(event);
      boolean hasRoom = fate != StateVersions.Fate.NO_ROOM;
      if (fate == StateVersions.Fate.TELL) {
        hasRoom = live.tryAdd(event);
        hasNews = true;
      }
      if (!hasRoom) {
        failLocked(
            "client does not take its events: waiting=%d, bytes=%d, limits=%d and %d B, %s"
                .formatted(
                    live.count(), live.bytes(), limits.eventsMax(), limits.bytesMax(), share));
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onGap(int segment) {
    lock.lock();
    try {
      if (!closed) {
        failLocked("some changes can't be told any more: segment=" + segment);
      }
    } finally {
      lock.unlock();
    }
  }

  private void failLocked(String reason) {
    closed = true;
    clear();
    outlet.fail(
        this, "cache=%s, %s; the client registers again".formatted(cache.engine.name(), reason));
  }

  private void clear() {
    state.clear();
    live.clear();
    if (versions != null) {
      versions.clear();
    }
    progress.signalAll();
  }

  @Override
  public void afterChange(int segment) {
    boolean wakes;
    lock.lock();
    try {
      wakes = hasNews && accepted;
      hasNews = false;
    } finally {
      lock.unlock();
    }
    if (wakes) {
      outlet.wake(this);
    }
  }

  // ---- the beginning

  /**
   * Begins to hear of changes, and tells the state if that is wanted: when this has returned, all
   * of it was sent or waits to be. May block if the cache is clustered or the state is wanted.
   *
   * @throws RetryableGridException if the client does not take the state, or is gone
   */
  void begin(boolean includesState) {
    boolean tellsState = includesState && (interests & CREATED) != 0;
    if (tellsState) {
      versions = new StateVersions(limits, share);
    }
    boolean begun = false;
    Subscription subscribed = cache.engine.addListener(this);
    try {
      keep(subscribed);
      if (tellsState) {
        tellState();
      }
      begun = true;
    } finally {
      if (!begun) {
        close();
      }
    }
  }

  private void keep(Subscription subscribed) {
    lock.lock();
    try {
      subscription = subscribed;
      checkOpen();
    } finally {
      lock.unlock();
    }
  }

  private void checkOpen() {
    if (closed) {
      // Close again what was closed before there was a subscription.
      Subscription late = subscription;
      subscription = null;
      if (late != null) {
        late.close();
      }
      throw new RetryableGridException(
          "listener ended while it began: cache=%s; register again".formatted(cache.engine.name()));
    }
  }

  private void tellState() {
    EntryView<BinaryKey, Bytes> view = cache.engine.newView();
    for (int segment = 0; segment < cache.engine.segmentCount(); segment++) {
      withVersions(segment, StateVersions::begin);
      BitSet one = new BitSet();
      one.set(segment);
      try (EntryWalk<BinaryKey, Bytes> walk = cache.engine.walk(one, format.converts())) {
        while (walk.next(view)) {
          tell(segment, view);
        }
      }
      endSegment();
    }
    cache.engine.awaitHeard();
    withVersions(0, (all, _) -> all.forget());
  }

  private interface Step {
    void run(StateVersions versions, int segment);
  }

  private void withVersions(int segment, Step step) {
    lock.lock();
    try {
      checkOpen();
      StateVersions all = versions;
      if (all != null) {
        step.run(all, segment);
      }
    } finally {
      lock.unlock();
    }
  }

  private void tell(int segment, EntryView<BinaryKey, Bytes> view) {
    ByteString key = ByteString.of(view.key().toByteArray());
    EventValue value = format.converts() ? new EventValue(view.value()) : null;
    ClientEvent event = new ClientEvent(Opcodes.EVENT_CREATED, segment, key, value, view.version());
    lock.lock();
    try {
      while (!closed && !state.tryAdd(event)) {
        if (state.count() == 0) {
          failLocked("no memory to tell the cache's state: " + share);
        } else {
          awaitTaken(state.count());
        }
      }
      if (!closed && versions != null && !versions.tryTell(key, view.version())) {
        failLocked("no memory to tell the cache's state: " + share);
      }
      checkOpen();
    } finally {
      lock.unlock();
    }
    outlet.wake(this);
  }

  /** Waits until fewer than some events of the state wait. */
  private void awaitTaken(int count) {
    long restNanos = TimeUnit.SECONDS.toNanos(STATE_WAIT_SECONDS);
    try {
      while (!closed && state.count() >= count) {
        if (restNanos <= 0) {
          failLocked(
              "client took nothing of the cache's state for %d s".formatted(STATE_WAIT_SECONDS));
        } else {
          restNanos = progress.awaitNanos(restNanos);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RetryableGridException("interrupted while a listener began; register again", e);
    }
  }

  private void endSegment() {
    lock.lock();
    try {
      checkOpen();
      StateVersions all = versions;
      if (all == null) {
        return;
      }
      for (ClientEvent event : all.end(cache.engine.isClustered())) {
        if (!live.tryAdd(event)) {
          failLocked(
              "too many changes while the state was told: waiting=%d, %s"
                  .formatted(live.count(), share));
          checkOpen();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** The request is answered: from now on events are sent. On the event loop. */
  void accept() {
    lock.lock();
    try {
      accepted = true;
      if (versions != null) {
        versions.clear();
        versions = null;
      }
    } finally {
      lock.unlock();
    }
    outlet.accepted(this);
  }

  // ---- the way out

  /**
   * Appends events of the state to the output while the client takes them. On the event loop.
   *
   * @return false if the client does not take more for now
   */
  boolean sendState(OutputGate gate) {
    while (gate.isOpen()) {
      ClientEvent event = nextOfState();
      if (event == null) {
        return true;
      }
      write(gate, event, messageId);
    }
    return false;
  }

  private @Nullable ClientEvent nextOfState() {
    lock.lock();
    try {
      ClientEvent event = state.poll();
      progress.signalAll();
      return event;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Appends events to the output while the client takes them, up to a number. On the event loop.
   *
   * @return whether there are no more
   */
  boolean sendLive(OutputGate gate, int countMax) {
    for (int i = 0; i < countMax && gate.isOpen(); i++) {
      ClientEvent event = nextLive();
      if (event == null) {
        return true;
      }
      write(gate, event, 0);
    }
    return false;
  }

  private @Nullable ClientEvent nextLive() {
    lock.lock();
    try {
      return accepted ? live.poll() : null;
    } finally {
      lock.unlock();
    }
  }

  private void write(OutputGate gate, ClientEvent event, long id) {
    try {
      format.write(gate.buffer(), event, id);
    } catch (GridException notConvertible) {
      outlet.leftOut(
          "cache=%s, it can't be converted: %s"
              .formatted(cache.engine.name(), notConvertible.getMessage()));
    }
  }

  /** Ends the events; what waits is not sent. Any thread; closing twice is harmless. */
  void close() {
    Subscription ended;
    lock.lock();
    try {
      closed = true;
      clear();
      ended = subscription;
      subscription = null;
    } finally {
      lock.unlock();
    }
    if (ended != null) {
      ended.close();
    }
  }
}
