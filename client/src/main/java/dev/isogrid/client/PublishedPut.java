package dev.isogrid.client;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Writes a value that a publisher gives, portion by portion: one is filled, one is on its way, and
 * the buffer that they come from is the publisher's. Each step begins when the one before is done,
 * so that there is one thread at a time: an answer of the server, or a signal of the publisher,
 * which is asked for one buffer at a time.
 */
final class PublishedPut extends CompletableFuture<Boolean> implements Flow.Subscriber<ByteBuffer> {
  private final StreamedPut put;
  private final byte[] portion;
  private int filled;
  private volatile Flow.@Nullable Subscription subscription;
  private volatile @Nullable ValueStream stream;

  /** What the publisher gave last, as long as it was not asked for more. Guarded by the monitor. */
  private @Nullable ByteBuffer rest;

  /** Whether the publisher has given all. Guarded by the monitor. */
  private boolean isEnding;

  /** Whether a portion is on its way, or the beginning of the stream. Guarded by the monitor. */
  private boolean isBusy;

  private PublishedPut(StreamedPut put, int portionSize) {
    this.put = put;
    this.portion = new byte[portionSize];
  }

  /** Stores what a publisher gives; completes with whether it was stored. */
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

  /** Does what is due: sends what was collected, or asks for more of it. */
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

  /** Copies as much as fits; tells whether there is more. */
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
