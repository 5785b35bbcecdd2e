package dev.isogrid.client;

import dev.isogrid.client.spi.PoolRequest;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Versions;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer. It is its own future, its own place to wait, and its own element of
 * the lists that it goes through, so that an operation is one object.
 *
 * <p>A subclass defines the body of the request and the reading of the response: {@link #opcode},
 * {@link #encode}, {@link #decode}. Fields without a comment belong to the event loop of the server
 * that the operation was handed to.
 */
abstract class Operation<T extends @Nullable Object> extends CompletableFuture<T>
    implements PoolRequest {
  /** A number of tries that stands for: no further one. */
  static final short LAST_TRY = Short.MAX_VALUE;

  /**
   * The thread that sends it waits for it, and can watch sockets meanwhile; set before it is handed
   * over.
   */
  static final int AWAITED = 1;

  /** It ends within the turn, before the next answer is read; set before it is sent. */
  static final int ENDS_IN_TURN = 1 << 1;

  /** Parts of its result are {@link Undecoded}; set before the result. */
  static final int UNDECODED = 1 << 2;

  /** It was sent at least once, and maybe carried out; set before it is sent again. */
  static final int REPEATED = 1 << 3;

  /** The server would know it by its number, but there was none left; set before it is sent. */
  static final int UNNUMBERED = 1 << 4;

  private static final byte WAITING = 0;
  private static final byte ENCODING = 1;
  private static final byte SENT = 2;
  private static final byte ENDING = 3;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Operation.class, "state", byte.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final RequestFormat format;

  /** The next one of a list. */
  @Nullable Operation<?> next;

  /** The time at which the caller gives up, by {@link Nanos}; set before it is handed over. */
  long deadlineNanos;

  /** Its size for {@link Permits}; set before it is handed over. */
  int permitBytes;

  int messageId;

  /** The same over all attempts, for servers that recognise it; 0 for none. */
  private long number;

  /** Its place in {@link AwaitedOperations}, or -1. */
  int awaitedIndex = -1;

  short attempts;

  /** Sums of {@link #AWAITED} and the like; here and not as fields since each byte counts. */
  private byte traits;

  /** The thread that waits, if one does; written by it. */
  private volatile @Nullable Thread waiter;

  /**
   * The event loop that appointed this operation's thread to watch its sockets, or null. Written by
   * {@link EventLoop}.
   */
  volatile @Nullable EventLoop watched;

  /** Read and written in volatile mode: keeps callers from their arrays while they are encoded. */
  @SuppressWarnings("UnusedVariable") // by STATE
  private volatile byte state;

  Operation(RequestFormat format) {
    this.format = format;
  }

  /** The number in the header, one of {@link dev.isogrid.wire.Opcodes}. */
  abstract int opcode();

  /** Appends the body of the request. */
  void encode(RequestWriter out) {}

  /**
   * Reads the body of a response that is no error.
   *
   * @return the result
   * @throws IncompleteResponse if it has not arrived whole; then it is called again
   */
  abstract T decode(ResponseReader in, int status);

  /**
   * The same result with objects where {@link Undecoded} stands for them. For a thread that may
   * wait.
   */
  T resolved(T result) {
    return Undecoded.object(result);
  }

  /** The bytes of the key whose owner should get this, or null if any server may. */
  byte @Nullable [] routingKey() {
    return null;
  }

  /** The approximate bytes of keys and values in the request. */
  int size() {
    return 0;
  }

  /** The only connection that this may go through, or null if any will do. */
  @Override
  public @Nullable Connection pinned() {
    return null;
  }

  @Override
  public final @Nullable Operation<?> following() {
    return next;
  }

  @Override
  public final @Nullable Operation<?> detach() {
    Operation<?> rest = next;
    next = null;
    return rest;
  }

  /** The preferred server, or null for none. */
  @Nullable ServerLink preferred() {
    return null;
  }

  /** Whether it may be sent once more when its connection is lost. */
  boolean isRetryable() {
    return true;
  }

  /** Whether it may be sent once more when a server may have executed it already. */
  boolean isRepeatable() {
    return true;
  }

  /** Whether it must not take effect twice, so that servers are told when it is sent again. */
  boolean isNumbered() {
    return false;
  }

  /** The oldest version of the protocol that has it. */
  int versionMin() {
    return Versions.OLDEST;
  }

  /** Before 2.2 the flags for times of 0 that stand for the cache's default. */
  int expiryFlags() {
    return 0;
  }

  /** Called by the event loop before it goes out through a connection. */
  void sending(Connection connection) {}

  /** Counts itself when it was answered, if that is wanted; the time is from its sending. */
  void count(CacheCounts counts, int status, long nanos) {}

  final RequestFormat format() {
    return format;
  }

  /** The number by which servers know it again, or 0. */
  final long number() {
    return number;
  }

  /** Takes a number if it needs one. In the turn. */
  final void takeNumber() {
    RequestSession session = format.cache().session();
    if (number == 0 && session != null && isNumbered()) {
      number = session.tryBegin();
      if (number == 0) {
        mark(UNNUMBERED);
      }
    }
  }

  /** A server that knows numbers said that it was not done, so the next attempt is a new one. */
  final void notDone() {
    if (number != 0 && !is(REPEATED)) {
      endNumber();
      number = 0;
      STATE.setVolatile(this, WAITING);
    }
  }

  /**
   * Whether it may be sent once more when a server may have executed it already.
   *
   * @param isElsewhere whether it would go to another cluster, which does not know its number
   */
  final boolean mayRepeat(boolean isElsewhere) {
    return (number != 0 && !isElsewhere) || (isRepeatable() && !is(UNNUMBERED));
  }

  /** It is not sent again. Calling this twice is harmless. */
  final void endNumber() {
    RequestSession session = format.cache().session();
    if (number != 0 && session != null) {
      session.end(number);
    }
  }

  /** The time since its beginning if it was sent before; else below 0. */
  final long repeatedAgeNanos() {
    long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(format.cache().timeoutMillis());
    return is(REPEATED) ? Math.max(0, Nanos.now() - (deadlineNanos - timeoutNanos)) : -1;
  }

  /** Whether a server may have got it since {@link #beginAgain}. */
  final boolean wasSent() {
    return (byte) STATE.getVolatile(this) == SENT;
  }

  /** Called before encoding; false if the caller has given up. */
  final boolean beginEncoding() {
    STATE.setVolatile(this, ENCODING);
    if (isDone()) {
      STATE.setVolatile(this, SENT);
      return false;
    }
    return true;
  }

  final void endEncoding() {
    STATE.setVolatile(this, SENT);
  }

  /** Marks it as about to end; false if it was marked before. In the turn. */
  final boolean beginEnding() {
    return (byte) STATE.getAndSet(this, ENDING) != ENDING;
  }

  final boolean is(int trait) {
    return (traits & trait) != 0;
  }

  final void mark(int trait) {
    traits |= (byte) trait;
  }

  /** Called before it is handed to another server. */
  final void beginAgain() {
    if (attempts < LAST_TRY - 1) {
      attempts++;
    }
    if (wasSent()) {
      mark(REPEATED);
    }
    STATE.setVolatile(this, WAITING);
  }

  /**
   * Sets the result and wakes the thread that waits.
   *
   * @return whether a thread was there to be woken
   */
  final boolean succeed(T result) {
    endNumber();
    complete(result);
    return wake();
  }

  /** Sets a failure and wakes the thread that waits. */
  final void fail(Throwable cause) {
    endNumber();
    completeExceptionally(cause);
    wake();
  }

  /** Returns whether this thread waits for it. */
  final boolean isWaitedForHere() {
    return Thread.currentThread().equals(waiter);
  }

  /**
   * Wakes the thread that waits, wherever it does.
   *
   * @return false if it does not wait yet, or is this one
   */
  final boolean wake() {
    Thread thread = waiter;
    if (thread == null || thread.equals(Thread.currentThread())) {
      return false; // it looks before it waits
    }
    EventLoop loop = watched;
    if (loop != null) {
      loop.wakeWatcher();
    }
    LockSupport.unpark(thread);
    return true;
  }

  /**
   * Waits until it is done or its deadline has passed, which makes it fail. Watches sockets if this
   * thread is appointed to do so. For one thread.
   *
   * @throws InterruptedException if the thread is interrupted; the operation continues
   */
  final void await() throws InterruptedException {
    waiter = Thread.currentThread();
    while (!isDone()) {
      long left = deadlineNanos - Nanos.now();
      if (left <= 0) {
        abandon(timeout());
        return;
      }
      EventLoop loop = watched;
      if (loop != null) {
        loop.watch(left);
      } else {
        LockSupport.parkNanos(this, left);
      }
      if (Thread.interrupted()) {
        abandon(new HotRodClientException("interrupted while waiting for an answer"));
        throw new InterruptedException();
      }
    }
  }

  /** Gives the right to watch sockets back, if this has it. By the thread that waited. */
  final void letGo() {
    EventLoop loop = watched;
    if (loop != null) {
      loop.release(this);
    }
  }

  /** The failure of an operation whose deadline has passed. */
  final OperationTimeoutException timeout() {
    return new OperationTimeoutException(
        ("no answer in time: cache=%s, operation=%s, timeout=%d ms; a write may have been done;"
                + " raise operationTimeoutMillis (property socket_timeout) for slow servers")
            .formatted(
                format.cache().name(), Opcodes.describe(opcode()), format.cache().timeoutMillis()));
  }

  /** The failure of an operation that is larger than the servers allow; it is not sent. */
  final RequestTooLargeException tooLarge(long size, int limit) {
    return new RequestTooLargeException(
        format.cache().name(), Opcodes.describe(opcode()), size, limit);
  }

  /** Fails, and returns when no other thread reads the caller's arrays any more. */
  private void abandon(HotRodClientException cause) {
    fail(cause);
    while ((byte) STATE.getVolatile(this) == ENCODING) {
      Thread.onSpinWait();
    }
  }
}
