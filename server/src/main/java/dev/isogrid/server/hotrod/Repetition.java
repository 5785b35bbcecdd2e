package dev.isogrid.server.hotrod;

import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.CounterBoundException;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.engine.ClientOperation;
import dev.isogrid.engine.OperationId;
import dev.isogrid.engine.WouldWaitException;
import dev.isogrid.server.hotrod.ClientSession.Answer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes a repeatable write take effect once. It answers the repetition of a write that this server
 * itself carried out. For a write that goes to the cluster, it names the operation to the cluster.
 * Reusable; not thread-safe.
 */
final class Repetition implements ClientOperation.Source {
  /** The treatment of a request. */
  enum Verdict {
    /** Execute it; then call {@link #ending} or {@link #failed}. */
    EXECUTE,
    /** It was answered. */
    ANSWERED,
    /** Begin it again on a thread that may wait: the same operation is being carried out. */
    WAIT
  }

  /** A larger answer is not kept: a repetition of its request gets an error. */
  static final int ANSWER_SIZE_MAX = 16 << 10;

  private static final byte[] NO_BODY = {};

  /** The answers without a body, by their status. */
  private static final Answer[] BARE = new Answer[256];

  static {
    for (int status = 0; status < BARE.length; status++) {
      BARE[status] = new Answer(status, NO_BODY);
    }
  }

  private final Request request;
  private final Reply reply;
  private final boolean mayBlock;
  private @Nullable ClientBinding client;

  /** The session of the request; kept here since the connection may end before the request does. */
  private ClientBinding.@Nullable Bound bound;

  /** The number of the request, kept as long as the session. */
  private long number;

  /** Whether the cluster remembers the outcome of the operation. */
  private boolean isSent;

  Repetition(Request request, Reply reply, boolean mayBlock) {
    this.request = request;
    this.reply = reply;
    this.mayBlock = mayBlock;
  }

  /** Sets the session of the next requests' client; null between requests. */
  void client(@Nullable ClientBinding binding) {
    client = binding;
  }

  private ClientBinding client() {
    return Objects.requireNonNull(client);
  }

  private ClientSession session() {
    return Objects.requireNonNull(bound).session();
  }

  /** Whether the client may repeat the request. */
  boolean isWanted() {
    return request.session.number != 0;
  }

  /**
   * Begins the request.
   *
   * @param cache the cache of the reply's topology, or null
   * @param outlives whether its effect would survive a restart of this server alone
   * @param timeoutMillis the longest wait for the same operation, if this may wait
   * @throws IndeterminateGridException if it may have been carried out before
   */
  Verdict begin(@Nullable CacheHandle cache, boolean outlives, long timeoutMillis) {
    take();
    SessionField field = request.session;
    if (field.isRepeated() && !mayBlock) {
      return Verdict.WAIT; // its operation may be under way, here or on other nodes
    }
    Object known = session().begin(field.number, field.doneUpTo);
    while (ClientSession.BUSY.equals(known)) { // again, if another attempt was faster
      if (!mayBlock) {
        return Verdict.WAIT;
      }
      awaitOther(timeoutMillis);
      known = session().begin(field.number, field.doneUpTo);
    }
    if (known == null) {
      checkNew(outlives);
      return Verdict.EXECUTE;
    }
    if (!(known instanceof Answer answer)) {
      throw unknown();
    }
    reply.begin(request, cache);
    reply.status(answer.status());
    reply.body().writeBytes(answer.body());
    reply.end();
    return Verdict.ANSWERED;
  }

  /**
   * Begins a request that its client sends for the first time, to be ended as any other one. Does
   * not block.
   *
   * @return false if it must be executed by {@link #begin}; then nothing was done
   */
  boolean tryBegin() {
    take();
    SessionField field = request.session;
    return !field.isRepeated() && session().begin(field.number, field.doneUpTo) == null;
  }

  private void take() {
    isSent = false;
    bound = client().bound();
    number = request.session.number;
  }

  /** Notes that nothing was done for the request, or that the cluster knows what was. */
  void cancel() {
    session().cancel(number);
  }

  /** Notes that the request was executed or not. */
  void endUnknown() {
    if (isSent) {
      cancel();
    } else {
      session().end(number, ClientSession.UNKNOWN);
    }
  }

  private void awaitOther(long timeoutMillis) {
    try {
      if (session().await(number, timeoutMillis)) {
        return;
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    throw unknown();
  }

  private void checkNew(boolean outlives) {
    SessionField field = request.session;
    boolean isNew =
        !field.isRepeated() || client().sessions().isSurelyNew(field.ageMillis, outlives);
    if (!isNew) {
      cancel();
      throw unknown();
    }
  }

  private IndeterminateGridException unknown() {
    return new IndeterminateGridException(
        "repetition of an operation that is not known any more: number=%d; it may or may not have"
                .formatted(number)
            + " been done, so read the entry to find out");
  }

  /** Notes that the request was executed; the reply is complete, and not ended yet. */
  void ending() {
    if (isSent) {
      cancel();
    } else {
      session().end(number, answer());
    }
  }

  private Object answer() {
    int size = reply.bodySize();
    if (size == 0) {
      return BARE[reply.status()];
    }
    boolean isKept = size > 0 && size <= ANSWER_SIZE_MAX && client().sessions().mayGrow();
    return isKept ? new Answer(reply.status(), reply.bodyCopy()) : ClientSession.UNKNOWN;
  }

  /** Notes that the request failed. */
  void failed(RuntimeException failure) {
    boolean isNotDone =
        switch (failure) {
          case RetryableGridException _,
              InvalidRequestException _,
              CacheFullException _,
              CounterBoundException _,
              WouldWaitException _ ->
              true;
          default -> false;
        };
    if (isNotDone) {
      cancel();
    } else {
      endUnknown();
    }
  }

  @Override
  public boolean isRepeated() {
    return request.session.isRepeated();
  }

  @Override
  public ClientOperation operation() {
    isSent = true;
    SessionField field = request.session;
    return new ClientOperation(
        new OperationId(Objects.requireNonNull(bound).id(), number),
        field.doneUpTo,
        field.ageMillis);
  }
}
