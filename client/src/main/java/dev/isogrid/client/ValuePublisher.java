package dev.isogrid.client;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A value that arrives portion by portion, in its state at the beginning of the read, with the
 * version and times of its entry. Takes one subscriber, which gets each portion in a buffer of its
 * own; two portions are in memory: the one that was delivered, and the next one. Thread-safe.
 *
 * <p>The subscriber is called by the thread that subscribes, the one that requests, or the one that
 * reads answers; so it must not block. It gets an error where {@link ValueInputStream} fails. A
 * caller that does not subscribe closes the publisher, so that the server can forget the value.
 */
public final class ValuePublisher
    implements Flow.Publisher<ByteBuffer>, VersionedMetadata, AutoCloseable {
  private final ValueStream stream;
  private final MetadataValue<Boolean> metadata;
  private final Portion first;
  private final AtomicBoolean isTaken = new AtomicBoolean();

  ValuePublisher(StartReadOperation.Started started) {
    stream = started.stream();
    metadata = started.metadata();
    first = started.first();
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    if (isTaken.compareAndSet(false, true)) {
      new Delivery(subscriber).begin();
    } else {
      subscriber.onSubscribe(new NoSubscription());
      subscriber.onError(
          new IllegalStateException("the value was subscribed to, or closed; ask for it anew"));
    }
  }

  /** Lets the server forget the value if nobody has subscribed. Does not wait for it. */
  @Override
  public void close() {
    if (isTaken.compareAndSet(false, true)) {
      stream.endRead();
    }
  }

  @Override
  public long version() {
    return metadata.version();
  }

  @Override
  public long createdMillis() {
    return metadata.createdMillis();
  }

  @Override
  public long lifespanMillis() {
    return metadata.lifespanMillis();
  }

  @Override
  public int lifespanSeconds() {
    return metadata.lifespanSeconds();
  }

  @Override
  public long lastUsedMillis() {
    return metadata.lastUsedMillis();
  }

  @Override
  public long maxIdleMillis() {
    return metadata.maxIdleMillis();
  }

  @Override
  public int maxIdleSeconds() {
    return metadata.maxIdleSeconds();
  }

  private static final class NoSubscription implements Flow.Subscription {
    @Override
    public void request(long count) {}

    @Override
    public void cancel() {}
  }

  /**
   * The work for one subscriber. A thread that has news, a portion or a wish, counts it; the one
   * that counts the first one works until all are done, so that the subscriber is called by one
   * thread at a time.
   */
  private final class Delivery implements Flow.Subscription {
    private final Flow.Subscriber<? super ByteBuffer> subscriber;
    private final AtomicInteger news = new AtomicInteger();
    private final AtomicLong wanted = new AtomicLong();
    private volatile @Nullable Operation<Portion> coming;
    private volatile boolean isCancelled;
    private volatile @Nullable IllegalArgumentException wrongWish;

    /** The portion to be delivered next, or null. For the working thread. */
    private @Nullable Portion ready = first;

    /** Nothing is delivered any more. For the working thread. */
    private boolean isOver;

    Delivery(Flow.Subscriber<? super ByteBuffer> subscriber) {
      this.subscriber = subscriber;
    }

    void begin() {
      news.incrementAndGet(); // what is requested meanwhile waits
      subscriber.onSubscribe(this);
      try {
        askAhead(first);
      } catch (HotRodClientException cause) {
        end();
        subscriber.onError(cause);
      }
      work();
    }

    @Override
    public void request(long count) {
      if (count <= 0) {
        wrongWish =
            new IllegalArgumentException("invalid request: count=%d; 1 or more".formatted(count));
      } else {
        wanted.accumulateAndGet(count, (a, b) -> a + b < 0 ? Long.MAX_VALUE : a + b);
      }
      signal();
    }

    @Override
    public void cancel() {
      isCancelled = true;
      signal();
    }

    private void signal() {
      if (news.getAndIncrement() == 0) {
        work();
      }
    }

    private void work() {
      int done = 1;
      while (done != 0) {
        if (!isOver) {
          deliver();
        }
        done = news.addAndGet(-done);
      }
    }

    private void askAhead(Portion portion) {
      if (!portion.isLast && !isCancelled) {
        Operation<Portion> asked = stream.next();
        coming = asked;
        asked.whenComplete((next, cause) -> signal());
      }
    }

    private void deliver() {
      IllegalArgumentException wrong = wrongWish;
      if (isCancelled || wrong != null) {
        end();
        if (!isCancelled && wrong != null) {
          subscriber.onError(wrong);
        }
        return;
      }
      try {
        deliverWanted();
      } catch (RuntimeException | Error cause) { // of the stream, or of the subscriber
        end();
        subscriber.onError(cause);
      }
    }

    private void deliverWanted() {
      while (!isCancelled) {
        Operation<Portion> asked = coming;
        if (ready == null && asked != null && asked.isDone()) {
          coming = null;
          ready = Answers.await(asked);
          askAhead(ready);
        }
        Portion portion = ready;
        boolean isEmptyEnd = portion != null && portion.isLast && portion.bytes.length == 0;
        if (portion == null || (wanted.get() == 0 && !isEmptyEnd)) {
          return;
        }
        ready = null;
        if (portion.bytes.length > 0) {
          wanted.decrementAndGet();
          subscriber.onNext(ByteBuffer.wrap(portion.bytes));
        }
        if (portion.isLast) {
          end();
          subscriber.onComplete();
          return;
        }
      }
    }

    private void end() {
      isOver = true;
      stream.endRead();
    }
  }
}
