package dev.isogrid.server.hotrod;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.ByteBudget;
import dev.isogrid.server.net.OutputGate;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.net.ServerStopping;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of a connection, and the operations on them. Their key is the cache and an id that
 * the client chooses. Several may have the same key, and each gets its events. Thread-safe except
 * where noted.
 */
final class ClientListeners implements EventOutlet {
  private static final System.Logger log = System.getLogger(ClientListeners.class.getName());

  /** The most listeners; clients have one per listener of their users and per near cache. */
  static final int LISTENERS_MAX = 1024;

  /** The most filters, since one can take megabytes. */
  static final int FILTERS_MAX = 16;

  /** The most bytes of an id; clients use 16. */
  private static final int ID_SIZE_MAX = 256;

  /** The longest wait for requests in progress: as long as servers agree on a removal. */
  static final int ENDING_SECONDS = 10;

  /** Events of one listener that are sent before another one has its turn. */
  private static final int TURN_EVENTS_MAX = 1024;

  private final Channel channel;
  private final ServerContext context;
  private final ListenerRequest requests;
  private final EventLimits limits;
  private final ConnectionShares shares;
  private final Runnable resume;
  private final List<ClientListener> listeners = new CopyOnWriteArrayList<>();

  /** The listeners that are sending the state of their cache. */
  private final List<ClientListener> telling = new CopyOnWriteArrayList<>();

  /** The listeners that may have something to send. */
  private final Queue<ClientListener> ready = new ConcurrentLinkedQueue<>();

  /** Whether a task that sends is scheduled on the event loop. */
  private final AtomicBoolean isAsked = new AtomicBoolean();

  /**
   * The filters of the near caches, by their caches. They outlive their listeners: a client that
   * stops may still send the content of its near cache once more.
   */
  private final Map<CacheEngine<BinaryKey, Bytes>, NearFilter> filters = new ConcurrentHashMap<>();

  /** Held while a filter is added or resized, and while all are removed. */
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
      ServerContext context,
      EventLimits limits,
      ConnectionShares shares,
      Runnable resume) {
    this.channel = channel;
    this.context = context;
    this.requests = new ListenerRequest(context.tasks().listenerFactories());
    this.limits = limits;
    this.shares = shares;
    this.resume = resume;
  }

  /**
   * Adds a listener and answers. May block if the cache is clustered or its state is requested.
   *
   * @return the listener, which the caller must notify when the answer was sent
   */
  ClientListener add(CacheHandle cache, Request request, Reply reply) {
    boolean isNear = request.operation == Opcodes.ADD_BLOOM_LISTENER;
    check(request);
    NearFilter near = isNear ? filter(cache, request.number) : null;
    ListenerTerms terms =
        isNear ? requests.nearTerms(cache, request, near) : requests.terms(cache, request);
    ClientListener listener = new ClientListener(cache.forOtherThread(), terms, limits, this);
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

  /** An empty filter for the near cache of a cache: there is one, shared by all its listeners. */
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

  /** Whether a request names a filter or converter, whose code may block. */
  static boolean hasFactory(Request request) {
    return request.filter.length > 0 || request.converter.length > 0;
  }

  /** Removes the listeners of an id and answers. */
  void remove(CacheHandle cache, Request request, Reply reply) {
    ByteString id = ListenerRequest.id(request);
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

  /** Replaces the content of a near cache's filter and answers. */
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
   * Notes that a key is about to be read, if the answer of the read goes into near caches. On the
   * event loop, before the execution.
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
  public void execute(Runnable step) {
    try {
      context.node().env().scheduler().execute(step);
    } catch (RejectedExecutionException _) {
      close(); // the server stops
    }
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
    context
        .problems()
        .report(
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
  public void ended(ClientListener listener) {
    log.log(
        Level.DEBUG,
        () ->
            "Hot Rod connection closed, since a cache that it listens to ended: remote=%s, cache=%s"
                .formatted(channel.remoteAddress(), listener.cache().engine.name()));
    try {
      channel.eventLoop().execute(this::endConnection);
    } catch (RejectedExecutionException _) {
      close(); // the event loop has ended, and the connection with it
    }
  }

  /** Begins no more requests, and closes the connection when those in progress are answered. */
  private void endConnection() {
    if (!channel.isActive()) {
      return;
    }
    channel.config().setAutoRead(false);
    channel.pipeline().fireUserEventTriggered(ServerStopping.EVENT);
    Runnable close = channel::close;
    channel.eventLoop().schedule(close, ENDING_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void leftOut(String reason) {
    context
        .problems()
        .report(
            "Hot Rod event left out",
            () -> "remote=%s, %s".formatted(channel.remoteAddress(), reason));
  }

  /**
   * Appends the pending states to the output while the client takes them. Must be called before
   * answers are appended, since a state precedes the answer. On the event loop.
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
