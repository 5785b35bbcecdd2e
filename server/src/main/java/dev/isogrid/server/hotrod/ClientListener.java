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
 * A listener of a client: takes the changes of a cache from any writer and keeps them until the
 * connection's event loop sends them. Thread-safe.
 */
final class ClientListener implements ChangeListener<BinaryKey, Bytes>, EventStage.Source {
  /*
   * No writer waits for a client. Waiting events are bounded by the limits of the listener and by
   * the connection's share of the memory for events. If a client falls so far behind that there is
   * no room, its connection is closed. That is the only way to tell it that it misses something. It
   * registers its listeners again, with another server or this one, and near caches begin empty.
   * The protocol has no event for the end of a cache either: the connection is closed as well, but
   * after the requests in progress are answered.
   *
   * The state of the cache is sent before the answer, by the thread that executes the request. It
   * waits for the client as long as that takes something in STATE_WAIT_SECONDS.
   *
   * With a deployed filter or converter, changes wait for the thread of a stage, which calls the
   * users' code, and then in the stage for the client.
   */

  /** Interests: bits by kind of event; none means all. */
  static final int CREATED = 1;

  static final int MODIFIED = 2;
  static final int REMOVED = 4;
  static final int EXPIRED = 8;
  static final int ALL = CREATED | MODIFIED | REMOVED | EXPIRED;

  /** The limits of the state in flight to a client. */
  private static final EventLimits STATE_LIMITS = new EventLimits(1024, 1 << 20, false);

  private static final int STATE_WAIT_SECONDS = 30;

  private final CacheHandle cache;
  private final ListenerTerms terms;
  private final EventFormat format;
  private final EventLimits limits;
  private final EventOutlet outlet;

  /** The share of the connection, on which all waiting events count. */
  private final ByteBudget.Share share;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition progress = lock.newCondition();

  /** Guarded by the lock, as all that follows. */
  private final EventBacklog state;

  private final EventBacklog live;

  /** Null without a deployed filter and converter. */
  private final @Nullable EventStage stage;

  private @Nullable StateVersions versions;
  private @Nullable Subscription subscription;

  /** Whether the client knows that it is registered, so that events may be sent. */
  private boolean accepted;

  private boolean closed;

  /** Whether to wake the outlet when the lock of the segment is free. */
  private boolean hasNews;

  /** Whether the outlet knows that there is something to send; owned by the outlet. */
  final AtomicBoolean isQueued = new AtomicBoolean();

  ClientListener(CacheHandle cache, ListenerTerms terms, EventLimits limits, EventOutlet outlet) {
    this.cache = cache;
    this.terms = terms;
    this.format = terms.format();
    this.limits = limits;
    this.outlet = outlet;
    this.share = outlet.waiting();
    this.state = new EventBacklog(STATE_LIMITS, share);
    this.live = new EventBacklog(limits, share);
    EventTransform transform = terms.transform();
    this.stage = transform == null ? null : new EventStage(transform, outlet, this, share);
  }

  CacheHandle cache() {
    return cache;
  }

  ByteString id() {
    return format.listenerId();
  }

  // ---- changes

  @Override
  public boolean wantsValues() {
    return terms.needsValues();
  }

  private static int interest(int operation) {
    return operation == 0 ? 0 : 1 << (operation - Opcodes.EVENT_CREATED);
  }

  @Override
  public void onChange(Change<BinaryKey, Bytes> change) {
    int operation = ClientEvent.operation(change.kind());
    if ((interest(operation) & terms.interests()) == 0) {
      return;
    }
    EventCopy copy = EventCopy.of(change);
    NearFilter near = terms.near();
    if (near != null && !mayBeNear(near, copy.key())) {
      return;
    }
    EventValue value = terms.needsValues() ? copy.value(change) : null;
    EventValue previous = terms.needsPrevious() ? copy.previous(change) : null;
    long version = change.version();
    take(new ClientEvent(operation, change.segment(), copy.key(), value, previous, version));
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
    fail("some changes can't be told any more: segment=" + segment);
  }

  @Override
  public void onClosed() {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        clear();
        outlet.ended(this);
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
    if (stage != null) {
      stage.close();
    }
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
      wake();
    }
  }

  private void wake() {
    if (stage == null) {
      outlet.wake(this);
    } else {
      stage.wake();
    }
  }

  // ---- the beginning

  /**
   * Begins to receive changes, and sends the state if requested: on return, all of it was sent or
   * is queued. May block if the cache is clustered or the state is requested.
   *
   * @throws RetryableGridException if the client does not take the state, or is gone
   */
  void begin(boolean includesState) {
    boolean tellsState = includesState && (terms.interests() & CREATED) != 0;
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
      // Close again a listener that was closed before it had a subscription.
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
      try (EntryWalk<BinaryKey, Bytes> walk = cache.engine.walk(one, terms.needsValues())) {
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
    EventValue value = terms.needsValues() ? new EventValue(view.value()) : null;
    long version = view.version();
    ClientEvent found = new ClientEvent(Opcodes.EVENT_CREATED, segment, key, value, null, version);
    ClientEvent event = stage == null ? found : stage.apply(found);
    lock.lock();
    try {
      while (event != null && !closed && !state.tryAdd(event)) {
        if (state.count() == 0) {
          failLocked("no memory to tell the cache's state: " + share);
        } else {
          awaitTaken(state.count());
        }
      }
      if (!closed && versions != null && !versions.tryTell(key, version)) {
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

  /** Notes that the request was answered: events may be sent from now on. On the event loop. */
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

  // ---- output

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
      write(gate, event, terms.messageId());
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
    boolean isEmpty = false;
    for (int i = 0; i < countMax && !isEmpty && gate.isOpen(); i++) {
      ClientEvent event = stage == null ? next() : stage.poll();
      isEmpty = event == null;
      if (event != null) {
        write(gate, event, 0);
      }
    }
    if (stage != null) {
      stage.wake(); // there may be room for what it makes
    }
    return isEmpty;
  }

  // ---- input and output of the stage

  @Override
  public boolean hasNext() {
    lock.lock();
    try {
      return accepted && live.count() > 0;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable ClientEvent next() {
    lock.lock();
    try {
      return accepted ? live.poll() : null;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void ready() {
    outlet.wake(this);
  }

  @Override
  public void fail(String reason) {
    lock.lock();
    try {
      if (!closed) {
        failLocked(reason);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void leftOut(String reason) {
    outlet.leftOut("cache=%s, %s".formatted(cache.engine.name(), reason));
  }

  private void write(OutputGate gate, ClientEvent event, long id) {
    try {
      format.write(gate.buffer(), event, id);
    } catch (GridException notConvertible) {
      leftOut("it can't be converted: " + notConvertible.getMessage());
    }
  }

  /** Ends the events; waiting ones are not sent. Any thread; closing twice is harmless. */
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
