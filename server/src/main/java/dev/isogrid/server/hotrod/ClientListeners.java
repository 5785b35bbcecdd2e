package dev.isogrid.server.hotrod;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.ByteBudget;
import dev.isogrid.server.net.OutputGate;
import dev.isogrid.server.net.ProblemLog;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of a connection, and the operations on them. They are known by the cache and an id
 * that the client gives; several may have the same, and each gets its events. Thread-safe but where
 * noted.
 */
final class ClientListeners implements ClientListener.Outlet {
  /** Clients have one for each listener of their users and each near cache. */
  static final int LISTENERS_MAX = 1024;

  /** A filter can take megabytes. */
  static final int FILTERS_MAX = 16;

  /** Clients use 16 bytes. */
  private static final int ID_SIZE_MAX = 256;

  /** A client that names a factory needs to read no more of it in an answer. */
  private static final int NAME_LENGTH_MAX = 200;

  /** Events of one listener that are sent before something else has its turn. */
  private static final int TURN_EVENTS_MAX = 1024;

  private final Channel channel;
  private final ProblemLog problems;
  private final EventLimits limits;
  private final ConnectionShares shares;
  private final Runnable resume;
  private final List<ClientListener> listeners = new CopyOnWriteArrayList<>();

  /** Those that tell the state of their cache. */
  private final List<ClientListener> telling = new CopyOnWriteArrayList<>();

  /** Those that may have something to send. */
  private final Queue<ClientListener> ready = new ConcurrentLinkedQueue<>();

  /** Whether the event loop was asked to send. */
  private final AtomicBoolean isAsked = new AtomicBoolean();

  /**
   * What the near caches have, by their caches. They stay when listeners go, as clients expect that
   * tell of their content once more while they stop.
   */
  private final Map<CacheEngine<BinaryKey, Bytes>, NearFilter> filters = new ConcurrentHashMap<>();

  /** Held while a filter comes or changes its size, and while all go. */
  private final ReentrantLock filtersLock = new ReentrantLock();

  private volatile boolean closed;

  /**
   * Begins without listeners.
   *
   * @param shares the connection's
   * @param resume run on the event loop when there are events to {@link #send}
   */
  ClientListeners(
      Channel channel,
      ProblemLog problems,
      EventLimits limits,
      ConnectionShares shares,
      Runnable resume) {
    this.channel = channel;
    this.problems = problems;
    this.limits = limits;
    this.shares = shares;
    this.resume = resume;
  }

  /**
   * Adds a listener and answers. May block if the cache is clustered or its state is wanted.
   *
   * @return the listener, which is to be told when the answer is on its way
   */
  ClientListener add(CacheHandle cache, Request request, Reply reply) {
    boolean isNear = request.operation == Opcodes.ADD_BLOOM_LISTENER;
    check(request);
    boolean converts = !isNear && converts(request);
    NearFilter filter = isNear ? filter(cache, request.number) : null;
    EventFormat format =
        new EventFormat(
            id(request),
            converts,
            request.isRaw,
            cache.keys.toRequested(request.keyMediaType()),
            cache.values.toRequested(request.valueMediaType()));
    int interests =
        isNear
            ? ClientListener.MODIFIED | ClientListener.REMOVED | ClientListener.EXPIRED
            : request.interests;
    ClientListener listener =
        new ClientListener(
            cache.forOtherThread(), format, request.messageId, interests, limits, filter, this);
    boolean tellsState = !isNear && request.includesState;
    listeners.add(listener);
    boolean begun = false;
    try {
      checkOpen();
      if (tellsState) {
        telling.add(listener);
      }
      listener.begin(tellsState);
      begun = true;
    } finally {
      if (!begun) {
        telling.remove(listener);
        listeners.remove(listener);
        listener.close();
      }
    }
    reply.begin(request, cache);
    reply.end();
    return listener;
  }

  private void check(Request request) {
    if (request.key.length > ID_SIZE_MAX) {
      throw new InvalidRequestException(
          "id of a listener too long: size=%d, limit=%d"
              .formatted(request.key.length, ID_SIZE_MAX));
    }
    if (listeners.size() >= LISTENERS_MAX) {
      throw new InvalidRequestException(
          "too many listeners on one connection: limit=%d; remove some first"
              .formatted(LISTENERS_MAX));
    }
  }

  /** An empty filter for the near cache of a cache: there is one, for all its listeners. */
  private NearFilter filter(CacheHandle cache, int bits) {
    filtersLock.lock();
    try {
      checkOpen();
      NearFilter known = filters.get(cache.engine);
      if (known != null) {
        known.restart(bits, shares.filters());
        return known;
      }
      if (filters.size() >= FILTERS_MAX) {
        throw new InvalidRequestException(
            "too many near caches on one connection: limit=%d; use another connection"
                .formatted(FILTERS_MAX));
      }
      NearFilter made = new NearFilter(bits, shares.filters());
      filters.put(cache.engine, made);
      return made;
    } finally {
      filtersLock.unlock();
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new InvalidRequestException("connection closed: a listener needs one");
    }
  }

  private void dropFilters() {
    filtersLock.lock();
    try {
      filters.values().forEach(filter -> shares.filters().give(filter.sizeBytes()));
      filters.clear();
    } finally {
      filtersLock.unlock();
    }
  }

  /** Whether events are to be converted; the only converter is that for key, value and version. */
  private static boolean converts(Request request) {
    if (request.filter.length > 0) {
      throw unknown("filter", request, request.filter);
    }
    if (request.converter.length == 0) {
      return false;
    }
    boolean isKnown =
        request.converter.length == HotRod.KEY_VALUE_VERSION_CONVERTER.length()
            && request.textAt(request.converter).equals(HotRod.KEY_VALUE_VERSION_CONVERTER);
    if (!isKnown) {
      throw unknown("converter", request, request.converter);
    }
    return true;
  }

  private static InvalidRequestException unknown(String kind, Request request, Request.Range name) {
    Request.Range shown = new Request.Range();
    shown.set(name.index, Math.min(name.length, NAME_LENGTH_MAX));
    return new InvalidRequestException(
        "unknown factory of listeners: %s=%s; without a filter, and without a converter or with %s"
            .formatted(kind, request.textAt(shown), HotRod.KEY_VALUE_VERSION_CONVERTER));
  }

  private static ByteString id(Request request) {
    return ByteString.of(ByteBufUtil.getBytes(request.in, request.key.index, request.key.length));
  }

  /** Removes the listeners of an id and answers. */
  void remove(CacheHandle cache, Request request, Reply reply) {
    ByteString id = id(request);
    List<ClientListener> removed =
        listeners.stream().filter(all -> all.id().equals(id) && isOf(all, cache)).toList();
    listeners.removeAll(removed);
    removed.forEach(ClientListener::close);
    reply.begin(request, cache);
    reply.status(removed.isEmpty() ? Statuses.NOT_EXECUTED : Statuses.OK);
    reply.end();
  }

  private static boolean isOf(ClientListener listener, CacheHandle cache) {
    return listener.cache().engine.equals(cache.engine);
  }

  /** Replaces what a near cache has and answers. */
  void updateFilter(CacheHandle cache, Request request, Reply reply) {
    byte[] bitset = ByteBufUtil.getBytes(request.in, request.key.index, request.key.length);
    NearFilter filter = filters.get(cache.engine);
    if (filter != null) {
      filter.replace(bitset);
    }
    reply.begin(request, cache);
    reply.status(filter == null ? Statuses.NOT_EXECUTED : Statuses.OK);
    reply.end();
  }

  /**
   * Notes that a key is about to be read, if that is a read whose answer goes into near caches. On
   * the event loop, before the request is carried out.
   */
  void reading(@Nullable CacheHandle cache, Request request) {
    if (filters.isEmpty() || cache == null) {
      return;
    }
    boolean isNear =
        request.operation == Opcodes.GET_WITH_METADATA || request.operation == Opcodes.GET_STREAM;
    if (!isNear || !RequestLayout.hasKey(request.operation)) {
      return;
    }
    NearFilter filter = filters.get(cache.engine);
    if (filter != null) {
      filter.add(ByteBufUtil.getBytes(request.in, request.key.index, request.key.length));
    }
  }

  // ---- events

  @Override
  public ByteBudget.Share waiting() {
    return shares.events();
  }

  @Override
  public void wake(ClientListener listener) {
    if (listener.isQueued.compareAndSet(false, true)) {
      ready.add(listener);
    }
    if (isAsked.compareAndSet(false, true)) {
      try {
        channel.eventLoop().execute(resume);
      } catch (RejectedExecutionException _) {
        close(); // the event loop has ended, and the connection with it
      }
    }
  }

  @Override
  public void accepted(ClientListener listener) {
    telling.remove(listener);
    wake(listener);
  }

  @Override
  public void fail(ClientListener listener, String reason) {
    problems.report(
        "Hot Rod connection closed: events are lost",
        () -> "remote=%s, %s".formatted(channel.remoteAddress(), reason));
    try {
      Runnable close = channel::close;
      channel.eventLoop().execute(close); // later, since it may be in the middle of a request
    } catch (RejectedExecutionException _) {
      close(); // the event loop has ended, and the connection with it
    }
  }

  @Override
  public void leftOut(String reason) {
    problems.report(
        "Hot Rod event left out", () -> "remote=%s, %s".formatted(channel.remoteAddress(), reason));
  }

  /**
   * Appends the states that are being told to the output while the client takes them. To be called
   * before answers are appended, since a state comes before the answer. On the event loop.
   *
   * @return false if the client does not take more for now
   */
  boolean sendState(OutputGate gate) {
    isAsked.set(false);
    for (ClientListener listener : telling) {
      if (!listener.sendState(gate)) {
        return false;
      }
    }
    return true;
  }

  /** Appends events to the output while the client takes them, but not too many at once. */
  void send(OutputGate gate) {
    int count = ready.size();
    for (int i = 0; i < count; i++) {
      ClientListener listener = ready.poll();
      if (listener == null) {
        return;
      }
      listener.isQueued.set(false);
      if (listener.sendLive(gate, TURN_EVENTS_MAX)) {
        continue;
      }
      if (gate.isOpen()) {
        wake(listener);
      } else if (listener.isQueued.compareAndSet(false, true)) {
        ready.add(listener); // goes on when the client took something
      }
    }
  }

  /** Ends all listeners. */
  void close() {
    closed = true;
    for (ClientListener listener : listeners) {
      listener.close();
    }
    listeners.clear();
    telling.clear();
    ready.clear();
    dropFilters();
  }
}
