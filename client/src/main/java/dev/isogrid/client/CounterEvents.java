package dev.isogrid.client;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The listeners to counters of one client. Thread-safe. */
final class CounterEvents {
  /*
   * All listeners to one counter share one registration at one server, under an id that is never
   * used again: so events of an abandoned registration are recognised and ignored. When its
   * connection is lost, it is made anew, wherever a server takes it. Listeners are called by a
   * thread of their own, which is there while there are events.
   */
  private static final System.Logger log = System.getLogger(CounterEvents.class.getName());

  /** Events that listeners have not taken yet; about 100 bytes each. */
  private static final int WAITING_MAX = 10_000;

  private static final int ID_SIZE = 16;
  private static final long RETRY_MILLIS = 1_000;
  private static final long THREAD_IDLE_SECONDS = 10;

  private final Router router;
  private final ThreadPoolExecutor executor;
  private final AtomicLong dropped = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private final Map<String, Registration> byName = new HashMap<>();

  /** Guarded by the lock. */
  private final Map<ByteBuffer, Registration> byId = new HashMap<>();

  /** The listeners to one counter. */
  private static final class Registration {
    final RequestFormat format;
    final String name;

    /** Done when a server has taken it for the first time, or refused. */
    final CompletableFuture<@Nullable Void> isMade = new CompletableFuture<>();

    /** Guarded by the lock. */
    final List<CounterSubscription> subscriptions = new ArrayList<>();

    /** Guarded by the lock. */
    byte[] id = {};

    /** Null while there is none. Guarded by the lock. */
    @Nullable Connection connection;

    Registration(RequestFormat format, String name) {
      this.format = format;
      this.name = name;
    }
  }

  CounterEvents(Router router) {
    this.router = router;
    this.executor =
        new ThreadPoolExecutor(
            1,
            1,
            THREAD_IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_MAX),
            new DaemonThreads("isogrid-client-counters"));
    executor.allowCoreThreadTimeOut(true);
  }

  /** Adds a listener; waits until a server has registered it. */
  CounterSubscription add(RequestFormat format, String name, CounterListener listener) {
    CounterSubscription subscription = new CounterSubscription(this, name, listener);
    Registration registration;
    boolean isNew;
    lock.lock();
    try {
      Registration known = byName.get(name);
      isNew = known == null;
      registration = known == null ? new Registration(format, name) : known;
      registration.subscriptions.add(subscription);
      byName.put(name, registration);
    } finally {
      lock.unlock();
    }
    if (isNew) {
      register(registration);
    }
    Answers.awaitAll(registration.isMade);
    return subscription;
  }

  private void register(Registration registration) {
    byte[] id = new byte[ID_SIZE];
    ThreadLocalRandom.current().nextBytes(id);
    lock.lock();
    try {
      if (byName.get(registration.name) != registration) {
        return;
      }
      byId.remove(ByteBuffer.wrap(registration.id));
      registration.id = id;
      byId.put(ByteBuffer.wrap(id), registration);
    } finally {
      lock.unlock();
    }
    router // has room or not: the turn, in which a lost connection is told, must not wait for some
        .sendAnyway(new CounterRequest.Listen(registration.format, registration.name, id))
        .whenComplete((connection, cause) -> registered(registration, connection, cause));
  }

  /** Takes the answer to a registration; null for a counter that does not exist. */
  private void registered(
      Registration registration, @Nullable Connection connection, @Nullable Throwable cause) {
    if (cause != null && registration.isMade.isDone()) {
      log.log(Level.DEBUG, "listeners to a counter wait for a server", cause);
      retryLater(registration);
    } else if (connection == null) {
      forget(registration);
      registration.isMade.completeExceptionally(
          cause != null ? cause : new CounterNotFoundException(registration.name));
    } else {
      keep(registration, connection);
      registration.isMade.complete(null);
    }
  }

  private void keep(Registration registration, Connection connection) {
    boolean isWanted;
    lock.lock();
    try {
      isWanted = byName.get(registration.name) == registration;
      registration.connection = isWanted ? connection : null;
    } finally {
      lock.unlock();
    }
    if (!isWanted) {
      unregister(registration, connection);
    }
  }

  private void retryLater(Registration registration) {
    if (!router.isClosed()) {
      router
          .transport()
          .nextLoop()
          .schedule(() -> register(registration), RETRY_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void unregister(Registration registration, Connection connection) {
    router.sendLastBound(
        new CounterRequest.Unlisten(
            registration.format, registration.name, registration.id, connection));
  }

  private void forget(Registration registration) {
    lock.lock();
    try {
      byName.remove(registration.name, registration);
      byId.remove(ByteBuffer.wrap(registration.id));
    } finally {
      lock.unlock();
    }
  }

  /** Takes a listener out. */
  void remove(CounterSubscription subscription) {
    Connection last = null;
    Registration registration;
    lock.lock();
    try {
      registration = byName.get(subscription.counterName());
      if (registration == null || !registration.subscriptions.remove(subscription)) {
        return;
      }
      if (registration.subscriptions.isEmpty()) {
        last = registration.connection;
        byName.remove(registration.name);
        byId.remove(ByteBuffer.wrap(registration.id));
      }
    } finally {
      lock.unlock();
    }
    if (last != null) {
      unregister(registration, last);
    }
  }

  /** Reads an event after its header, and passes it on. By the connection's event loop. */
  void read(ResponseReader in) {
    String name = in.string();
    ByteBuffer id = ByteBuffer.wrap(in.bytes());
    int states = in.u8();
    long oldValue = in.i64();
    CounterEvent event = CounterEvent.of(name, states, oldValue, in.i64());
    List<CounterSubscription> listening;
    lock.lock();
    try {
      Registration registration = byId.get(id);
      listening = registration == null ? List.of() : List.copyOf(registration.subscriptions);
    } finally {
      lock.unlock();
    }
    if (listening.isEmpty()) {
      return;
    }
    try {
      executor.execute(() -> listening.forEach(subscription -> tell(subscription, event)));
    } catch (RejectedExecutionException full) {
      long count = dropped.incrementAndGet();
      if (!router.isClosed() && Long.bitCount(count) == 1) { // the more, the rarer
        log.log(
            Level.WARNING,
            "listeners to counters are too slow: waiting={0}, dropped={1}",
            WAITING_MAX,
            count);
      }
    }
  }

  private static void tell(CounterSubscription subscription, CounterEvent event) {
    try {
      subscription.listener().onUpdate(event);
    } catch (RuntimeException | Error thrown) { // the user's; it gets the next events all the same
      log.log(Level.WARNING, "a listener to a counter failed", thrown);
    }
  }

  /** Repeats the registrations of a lost connection. */
  void lost(Connection gone) {
    List<Registration> affected = new ArrayList<>();
    lock.lock();
    try {
      for (Registration registration : byName.values()) {
        if (registration.connection == gone) {
          registration.connection = null;
          affected.add(registration);
        }
      }
    } finally {
      lock.unlock();
    }
    if (!router.isClosed()) {
      affected.forEach(this::register);
    }
  }

  /** Whether events come through a connection. */
  boolean uses(Connection connection) {
    lock.lock();
    try {
      return byName.values().stream().anyMatch(r -> connection.equals(r.connection));
    } finally {
      lock.unlock();
    }
  }

  /** Ends the thread. */
  void close() {
    executor.shutdown();
  }
}
