package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Versions;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer. It is its own future, its own place to wait, and its own element of
 * the lists that it goes through, so that an operation is one object.
 *
 * <p>A subclass says what goes into the body of the request and what comes out of the response's:
 * {@link #opcode}, {@link #encode}, {@link #decode}. Fields without a comment belong to the event
 * loop of the server that the operation was handed to.
 */
abstract class Operation<T extends @Nullable Object> extends CompletableFuture<T> {
  /** As the number of tries: there is not to be another one. */
  static final int LAST_TRY = Integer.MAX_VALUE;

  private static final int WAITING = 0;
  private static final int ENCODING = 1;
  private static final int SENT = 2;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Operation.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final RequestFormat format;

  /** The next one of a list. */
  @Nullable Operation<?> next;

  /** When the caller gives up, by {@link Nanos}; set before it is handed over. */
  long deadlineNanos;

  /** What it counts for at {@link Permits}; set before it is handed over. */
  int permitBytes;

  int messageId;
  int attempts;

  /** The thread that waits, if one does; written by it. */
  private volatile @Nullable Thread waiter;

  /** Read and written in volatile mode: keeps callers from their arrays while they are encoded. */
  @SuppressWarnings("UnusedVariable") // by STATE
  private volatile int state;

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

  /** About the bytes of keys and values in the request. */
  int size() {
    return 0;
  }

  /** The only connection that this may go through, or null if any will do. */
  @Nullable Connection pinned() {
    return null;
  }

  /** Where it should go if that can be used, or null if that is all the same. */
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

  /** Whether a server may have got it since {@link #beginAgain}. */
  final boolean wasSent() {
    return (int) STATE.getVolatile(this) == SENT;
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

  /** Called before it is handed to another server. */
  final void beginAgain() {
    attempts++;
    STATE.setVolatile(this, WAITING);
  }

  /** Sets the result and wakes who waits. */
  final void succeed(T result) {
    complete(result);
    wake();
  }

  /** Sets a failure and wakes who waits. */
  final void fail(Throwable cause) {
    completeExceptionally(cause);
    wake();
  }

  private void wake() {
    Thread thread = waiter;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  /**
   * Waits until it is done or its deadline has passed, which makes it fail. For one thread.
   *
   * @throws InterruptedException if the thread is interrupted; the operation goes on
   */
  final void await() throws InterruptedException {
    waiter = Thread.currentThread();
    while (!isDone()) {
      long left = deadlineNanos - Nanos.now();
      if (left <= 0) {
        expire();
        return;
      }
      LockSupport.parkNanos(this, left);
      if (Thread.interrupted()) {
        abandon(new HotRodClientException("interrupted while waiting for an answer"));
        throw new InterruptedException();
      }
    }
  }

  /** Fails since the deadline has passed. */
  final void expire() {
    abandon(
        new OperationTimeoutException(
            ("no answer in time: cache=%s, operation=%s, timeout=%d ms; a write may have been done;"
                    + " raise operationTimeoutMillis (property socket_timeout) for slow servers")
                .formatted(
                    format.cache().name(),
                    Opcodes.describe(opcode()),
                    format.cache().timeoutMillis())));
  }

  /** Says that it can't be sent, since servers would not take it. */
  final RequestTooLargeException tooLarge(long size, int limit) {
    return new RequestTooLargeException(
        format.cache().name(), Opcodes.describe(opcode()), size, limit);
  }

  /** Fails, and returns when nobody reads the caller's arrays any more. */
  private void abandon(HotRodClientException cause) {
    fail(cause);
    while ((int) STATE.getVolatile(this) == ENCODING) {
      Thread.onSpinWait();
    }
  }
}
