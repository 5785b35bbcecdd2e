package dev.isogrid.client;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Writes the value of a publisher portion by portion: one is filled, one is on its way, and they
 * are copied from the publisher's buffer. Each step begins when the one before is done, so only one
 * thread is active at a time: that of a server's answer, or of a signal of the publisher, from
 * which one buffer at a time is requested.
 */
final class PublishedPut extends CompletableFuture<Boolean> implements Flow.Subscriber<ByteBuffer> {
  private final StreamedPut put;
  private final byte[] portion;
  private int filled;
  private volatile Flow.@Nullable Subscription subscription;
  private volatile @Nullable ValueStream stream;

  /** The last part from the publisher, until more is requested. Guarded by the monitor. */
  private @Nullable ByteBuffer rest;

  /** Whether the publisher has given all. Guarded by the monitor. */
  private boolean isEnding;

  /** Whether a portion is on its way, or the beginning of the stream. Guarded by the monitor. */
  private boolean isBusy;

  private PublishedPut(StreamedPut put, int portionSize) {
    this.put = put;
    this.portion = new byte[portionSize];
  }

  /** Stores the value of a publisher; the result is whether it was stored. */
  static PublishedPut of(
      StreamedPut put, int portionSize, Flow.Publisher<? extends ByteBuffer> publisher) {
    PublishedPut made = new PublishedPut(put, portionSize);
    made.whenComplete((isStored, cause) -> {
      if (cause != null) {
        made.giveUp();
      }
    });
    publisher.subscribe(made);
    return made;
  }

  private void giveUp() {
    Flow.Subscription given = subscription;
    if (given != null) {
      given.cancel();
    }
    ValueStream begun = stream;
    if (begun != null) {
      begun.endWrite();
    }
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    Objects.requireNonNull(given, "subscription");
    if (subscription != null || isDone()) {
      given.cancel();
      return;
    }
    subscription = given;
    given.request(1);
  }

  @Override
  public void onNext(ByteBuffer bytes) {
    synchronized (this) {
      rest = Objects.requireNonNull(bytes, "bytes");
    }
    step();
  }

  @Override
  public void onComplete() {
    synchronized (this) {
      isEnding = true;
    }
    step();
  }

  @Override
  public void onError(Throwable cause) {
    completeExceptionally(
        new HotRodClientException(
            "the publisher of a value failed; nothing was stored", Objects.requireNonNull(cause)));
  }

  /** Takes the next step: sends a portion, or requests more from the publisher. */
  private void step() {
    boolean isMissing;
    boolean isLast;
    synchronized (this) {
      if (isBusy || isDone()) {
        return;
      }
      boolean hasMore = fill();
      isMissing = !hasMore && !isEnding;
      isLast = !hasMore;
      if (isMissing && rest == null) {
        return; // it was asked for
      }
      if (!hasMore) {
        rest = null;
      }
      isBusy = !isMissing;
    }
    if (isMissing) {
      Objects.requireNonNull(subscription).request(1);
    } else {
      send(isLast);
    }
  }

  /** Copies as much as fits; returns whether more is left. */
  private boolean fill() {
    ByteBuffer from = rest;
    if (from == null) {
      return false;
    }
    int count = Math.min(from.remaining(), portion.length - filled);
    from.get(portion, filled, count);
    filled += count;
    return from.hasRemaining();
  }

  private void send(boolean isLast) {
    ValueStream begun = stream;
    try {
      if (begun != null) {
        begun.write(portion, filled, isLast).whenComplete((s, cause) -> sent(s, cause, isLast));
      } else if (isLast) {
        put.whole(Arrays.copyOf(portion, filled))
            .whenComplete((status, cause) -> sent(status, cause, true));
      } else {
        put.start().whenComplete(this::started);
      }
    } catch (HotRodClientException refused) {
      completeExceptionally(refused);
    }
  }

  private void started(@Nullable ValueStream begun, @Nullable Throwable cause) {
    if (begun == null) {
      completeExceptionally(Objects.requireNonNull(cause));
      return;
    }
    stream = begun;
    if (isDone()) {
      begun.endWrite(); // it may have been missed
    } else {
      send(false);
    }
  }

  private void sent(@Nullable Integer status, @Nullable Throwable cause, boolean isLast) {
    if (status == null) {
      completeExceptionally(Objects.requireNonNull(cause));
    } else if (isLast) {
      complete(StreamedPut.isStored(status));
    } else {
      synchronized (this) {
        filled = 0;
        isBusy = false;
      }
      step();
    }
  }
}
