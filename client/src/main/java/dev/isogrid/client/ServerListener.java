package dev.isogrid.client;

import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a listener registered at some server, and registers it at another one when its connection
 * is lost, until it is closed. Thread-safe.
 */
final class ServerListener implements EventSinks.EventSink {
  private static final System.Logger log = System.getLogger(ServerListener.class.getName());
  private static final int ID_BYTES = 16;
  private static final long RETRY_FIRST_MILLIS = 20;
  private static final int RETRY_SHIFT_MAX = 8;
  private static final SecureRandom random = new SecureRandom();

  private final Router router;
  private final RequestFormat format;
  private final BiFunction<KeyBytes, ServerListener, ListenerOperation.Adding> adder;
  private final Target target;
  private final CompletableFuture<Void> first = new CompletableFuture<>();

  /** Another one for each registration; guarded by this, as all that follows. */
  private KeyBytes id = new KeyBytes(newId());

  /** Where it is registered, or null. */
  private @Nullable Connection connection;

  private boolean isAdding;

  private int failures;
  private boolean isClosed;

  /** Receives events on event loops: must not wait. */
  interface Target {
    /** The listener is registered: all changes from now on are reported. */
    void begun(Connection connection);

    /** An event. */
    void event(RawEvent event);

    /** The listener is not registered any more. */
    void interrupted();
  }

  /**
   * Makes one that is not registered.
   *
   * @param adder makes the request for an id
   */
  ServerListener(
      Router router,
      RequestFormat format,
      Target target,
      BiFunction<KeyBytes, ServerListener, ListenerOperation.Adding> adder) {
    this.router = router;
    this.format = format;
    this.target = target;
    this.adder = adder;
  }

  private static byte[] newId() {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    return bytes;
  }

  /**
   * Registers it.
   *
   * @return completed when a server has confirmed it; failed if several tries reached no server, or
   *     one refused: then it is closed
   */
  CompletableFuture<Void> begin() {
    register();
    return first;
  }

  private void register() {
    ListenerOperation.Adding adding;
    synchronized (this) {
      if (isClosed || isAdding) {
        return;
      }
      isAdding = true;
      id = new KeyBytes(newId());
      adding = adder.apply(id, this);
    }
    adding.whenComplete((done, cause) -> { // by the event loop, which tells of losses as well
      if (cause != null) {
        failed(adding, cause);
        return;
      }
      Connection through = Objects.requireNonNull(adding.connection());
      if (through.events().find(adding.id()) == this) {
        registered(adding, through);
      } else {
        failed(adding, new TransportException("connection is ending", null));
      }
    });
    router.sendAnyway(adding);
  }

  private void registered(ListenerOperation.Adding adding, Connection through) {
    boolean isUnwanted;
    synchronized (this) {
      isAdding = false;
      isUnwanted = isClosed;
      failures = 0;
      connection = isClosed ? null : through;
    }
    if (isUnwanted) {
      remove(through, adding.id());
      first.completeExceptionally(
          new HotRodClientException(
              "listener was removed before a server had confirmed it: cache="
                  + format.cache().name()));
    } else {
      target.begun(through);
      first.complete(null);
    }
  }

  private void failed(ListenerOperation.Adding adding, Throwable cause) {
    Connection through = adding.connection();
    boolean hasNoCache = cause instanceof ServerErrorException e && e.isCacheNotFound();
    if (through != null) {
      remove(through, adding.id());
    }
    if (through != null && !hasNoCache) {
      target.interrupted(); // some of the state may have been told
    }
    boolean mayPass =
        cause instanceof TransportException
            || cause instanceof OperationTimeoutException
            || (cause instanceof ServerErrorException error && error.isWorthRetry());
    boolean isFirst = !first.isDone();
    int tries;
    synchronized (this) {
      isAdding = false;
      failures++;
      tries = failures;
      if (isFirst && (!mayPass || tries > router.config().retriesMax())) {
        isClosed = true;
      }
      if (isClosed || router.isClosed()) {
        tries = -1;
      }
    }
    if (tries < 0) {
      first.completeExceptionally(cause);
      return;
    }
    if (tries == 1) {
      log.log(
          mayPass ? Level.DEBUG : Level.WARNING,
          () -> "listener not registered, tried again: cache=" + format.cache().name(),
          cause);
    }
    registerLater(tries);
  }

  private void registerLater(int tries) {
    long bound = RETRY_FIRST_MILLIS << Math.min(tries, RETRY_SHIFT_MAX);
    long delay = bound / 2 + ThreadLocalRandom.current().nextLong(bound / 2);
    router.transport().nextLoop().schedule(this::register, delay, TimeUnit.MILLISECONDS);
  }

  @Override
  public void event(RawEvent event) {
    target.event(event);
  }

  @Override
  public void lost(Connection gone) {
    boolean isOurs;
    synchronized (this) {
      isOurs = connection == gone && !isClosed;
      if (isOurs) {
        connection = null;
      }
    }
    if (isOurs) {
      target.interrupted();
      if (!router.isClosed()) {
        registerLater(0);
      }
    }
  }

  /** Gives the registration up and makes another one: something about it is not sure any more. */
  void renew() {
    Connection left;
    KeyBytes old;
    synchronized (this) {
      left = connection;
      old = id;
      connection = null;
    }
    if (left != null) {
      remove(left, old);
      target.interrupted();
      registerLater(0);
    }
  }

  private CompletableFuture<?> remove(Connection through, KeyBytes removed) {
    return router
        .sendAnyway(new ListenerOperation.Remove(format, removed, through))
        .whenComplete(
            (done, cause) -> through.link().loop().execute(() -> through.events().remove(removed)));
  }

  /**
   * Ends it. Does not wait; events that are on their way may still be delivered.
   *
   * @return completed when the server has it no more; failed if that is not known
   */
  CompletableFuture<?> close() {
    Connection left;
    KeyBytes old;
    synchronized (this) {
      isClosed = true;
      left = connection;
      old = id;
      connection = null;
    }
    return left == null ? CompletableFuture.completedFuture(null) : remove(left, old);
  }
}
