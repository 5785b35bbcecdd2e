package dev.isogrid.server.hotrod;

import dev.isogrid.server.net.ByteBudget;
import io.netty.util.concurrent.EventExecutor;
import java.lang.System.Logger.Level;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A connection as the events of counters see it. Thread-safe. */
final class CounterClient {
  private static final System.Logger log = System.getLogger(CounterClient.class.getName());

  /**
   * The most events that a connection has not written yet; some hundred bytes each. A slower client
   * is disconnected, and registers for its events anew.
   */
  static final int WAITING_MAX = 10_000;

  /** The approximate bytes of an event beside its content. */
  private static final int FIXED_BYTES = 48;

  private final CounterListeners listeners;
  private final EventExecutor executor;
  private final ByteBudget.Share share;
  private final Runnable wake;
  private final Runnable disconnect;
  private final ConcurrentLinkedQueue<byte[]> events = new ConcurrentLinkedQueue<>();

  /** The number of events in the queue, except those being added or taken. */
  private final AtomicInteger waiting = new AtomicInteger();

  /** The number of new listeners whose requests are not answered yet. */
  private final AtomicInteger unanswered = new AtomicInteger();

  private final AtomicBoolean isCutOff = new AtomicBoolean();

  /** Whether no thread takes events any more. Written by {@link #close}. */
  private volatile boolean closed;

  /**
   * Begins without listeners.
   *
   * @param listeners the listeners of the server
   * @param executor the executor of the connection
   * @param share the share of the connection, on which events count while they wait
   * @param wake runs on the executor when there are events to {@link #poll}
   * @param disconnect closes the connection, on the executor
   */
  CounterClient(
      CounterListeners listeners,
      EventExecutor executor,
      ByteBudget.Share share,
      Runnable wake,
      Runnable disconnect) {
    this.listeners = listeners;
    this.executor = executor;
    this.share = share;
    this.wake = wake;
    this.disconnect = disconnect;
  }

  CounterListeners listeners() {
    return listeners;
  }

  /** Queues an event; events keep their order. Never waits. */
  void send(byte[] event) {
    if (waiting.get() >= WAITING_MAX || !share.tryTake(size(event))) {
      if (isCutOff.compareAndSet(false, true)) {
        log.log(
            Level.WARNING,
            "a client does not take the events of counters: waiting={0}, {1}; it is disconnected",
            waiting.get(),
            share);
        execute(disconnect);
      }
      return;
    }
    events.add(event); // before it is counted: who counts the first one wakes
    if (waiting.incrementAndGet() == 1) {
      execute(wake);
    }
    if (closed) {
      drop();
    }
  }

  private static int size(byte[] event) {
    return FIXED_BYTES + event.length;
  }

  private void drop() {
    while (poll() != null) {
      log.log(Level.TRACE, "event of a counter dropped, since its connection ended");
    }
  }

  private void execute(Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException ended) {
      log.log(Level.DEBUG, "an event loop has ended, and its connections with it", ended);
    }
  }

  /**
   * Notes that a listener begins: events wait until its request is answered, since clients take an
   * event of a listener that they do not know for an error. Any thread.
   */
  void beginListener() {
    unanswered.incrementAndGet();
  }

  /** Notes that the answer to the request of a new listener is on its way. */
  void answered() {
    if (unanswered.decrementAndGet() == 0 && waiting.get() > 0) {
      execute(wake);
    }
  }

  /**
   * Takes the next event, or null if there is none that may be sent. On the executor, or after the
   * end.
   */
  byte @Nullable [] poll() {
    byte[] event = unanswered.get() == 0 || closed ? events.poll() : null;
    if (event != null) {
      waiting.decrementAndGet();
      share.give(size(event));
    }
    return event;
  }

  /** Whether the connection has ended. */
  boolean isClosed() {
    return closed;
  }

  /** Ends all listeners of the connection; no others begin. */
  void close() {
    closed = true; // before the removal: a request that is still under way may add a listener
    listeners.removeAll(this);
    drop();
  }
}
