package dev.isogrid.client;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The events that wait for a user's listener, in order. Bounded: an event for which there is no
 * room is lost, and so are all further ones until the listener has taken those that wait.
 * Thread-safe.
 */
final class ListenerQueue<K, V> implements ServerListener.Target {
  private static final System.Logger log = System.getLogger(ListenerQueue.class.getName());

  /** Keys and payloads that wait, for each listener. */
  private static final long BYTES_MAX = 16 << 20;

  private final ListenerOptions options;
  private final RequestFormat format;
  private final EntryListener<K, V> listener;
  private final ServerListener registration;
  private final Callbacks.Task task;

  /** Guarded by itself, as the three that follow: events, and interruptions between them. */
  private final ArrayDeque<Object> waiting = new ArrayDeque<>();

  private long waitingBytes;
  private long lost;
  private boolean isClosed;

  ListenerQueue(
      Router router, RequestFormat format, EntryListener<K, V> listener, ListenerOptions options) {
    this.options = options;
    this.format = format;
    this.listener = listener;
    this.task = router.callbacks().task(this::tell);
    this.registration =
        new ServerListener(
            router,
            format,
            this,
            (id, sink) -> new ListenerOperation.Add(format, id, sink, options));
  }

  /** Registers the listener; see {@link ServerListener#begin}. */
  CompletableFuture<Void> begin() {
    return registration.begin();
  }

  /** Ends the listener: it gets no more calls after the current one. */
  void close() {
    synchronized (waiting) {
      isClosed = true;
      waiting.clear();
      waitingBytes = 0;
    }
    registration.close();
  }

  @Override
  public void begun(Connection connection) {}

  @Override
  public void event(RawEvent event) {
    if (!options.kinds().contains(event.kind().asTold())) {
      return; // servers before 2.6 send all
    }
    synchronized (waiting) {
      if (isClosed) {
        return;
      }
      boolean isFull = waiting.size() >= options.queueMax() || waitingBytes >= BYTES_MAX;
      if (isFull || lost > 0) {
        lost++;
      } else {
        waiting.add(event);
        waitingBytes += event.size();
      }
    }
    task.ask();
  }

  @Override
  public void interrupted() {
    synchronized (waiting) {
      if (isClosed) {
        return;
      }
      waiting.add(
          new EntryListener.Interruption(
              EntryListener.Reason.CONNECTION_LOST, 0, options.includesState()));
    }
    task.ask();
  }

  private @Nullable Object next() {
    synchronized (waiting) {
      Object first = waiting.poll();
      if (first instanceof RawEvent event) {
        waitingBytes -= event.size();
      } else if (first == null && lost > 0) {
        long count = lost;
        lost = 0;
        return new EntryListener.Interruption(EntryListener.Reason.QUEUE_FULL, count, false);
      }
      return first;
    }
  }

  private void tell() {
    for (Object next = next(); next != null; next = next()) {
      try {
        if (next instanceof RawEvent event) {
          tell(event);
        } else {
          listener.onInterrupted((EntryListener.Interruption) next);
        }
      } catch (RuntimeException | Error fault) { // the user's code may throw anything; others go on
        log.log(
            Level.WARNING,
            () ->
                "listener failed: cache=%s, class=%s"
                    .formatted(format.cache().name(), listener.getClass().getName()),
            fault);
      }
    }
  }

  private void tell(RawEvent raw) {
    EntryEvent<K, V> event = EventContent.read(raw, options, format);
    switch (event.kind()) {
      case CREATED -> listener.onCreated(event);
      case MODIFIED -> listener.onModified(event);
      case REMOVED -> listener.onRemoved(event);
      case EXPIRED -> listener.onExpired(event);
    }
  }
}
