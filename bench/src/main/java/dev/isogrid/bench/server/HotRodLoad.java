package dev.isogrid.bench.server;

import dev.isogrid.bench.load.Entries;
import dev.isogrid.bench.load.Operation;
import dev.isogrid.bench.run.RealTime;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.ClientIntelligence;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.commons.marshall.IdentityMarshaller;
import org.jspecify.annotations.Nullable;

/** Infinispan's own Hot Rod client. Keys and values are byte arrays: nothing is marshalled. */
final class HotRodLoad implements Load {
  private static final int REPLY_SECONDS_MAX = 10;

  private final RemoteCacheManager container;
  private final RemoteCache<byte[], byte[]> cache;
  private final Entries entries;
  private final Workers workers;

  /** Requests in flight if they are asynchronous, else 0. */
  private final int outstanding;

  private HotRodLoad(int port, Entries entries, int threads, int outstanding) {
    this.container =
        new RemoteCacheManager(
            new ConfigurationBuilder()
                .addServer()
                .host("127.0.0.1")
                .port(port)
                .clientIntelligence(ClientIntelligence.BASIC)
                .marshaller(IdentityMarshaller.INSTANCE)
                .socketTimeout((int) TimeUnit.SECONDS.toMillis(REPLY_SECONDS_MAX))
                .maxRetries(0)
                .build());
    this.cache = container.getCache(Contestant.CACHE);
    this.entries = entries;
    this.workers = new Workers(threads);
    this.outstanding = outstanding;
  }

  /** Threads that each wait for the reply before they send the next request. */
  static HotRodLoad sync(int port, Entries entries, int threads) {
    return new HotRodLoad(port, entries, threads, 0);
  }

  /** One thread that keeps this many requests in flight. */
  static HotRodLoad async(int port, Entries entries, int outstanding) {
    return new HotRodLoad(port, entries, 1, outstanding);
  }

  @Override
  public long run(Operation operation, long endNanos) throws IOException, InterruptedException {
    return workers.run(thread ->
        outstanding == 0 ? sync(operation, endNanos, thread) : async(operation, endNanos));
  }

  private long sync(Operation operation, long endNanos, int thread) {
    SplittableRandom random = new SplittableRandom(thread);
    long count = 0;
    while (count < REQUESTS_MAX && RealTime.nanos() - endNanos < 0) {
      byte[] key = entries.key(random.nextInt(entries.count()));
      if (operation.of(count) == Operation.GET) {
        check(cache.get(key));
      } else {
        cache.put(key, entries.value());
      }
      count++;
    }
    return count;
  }

  private void check(byte @Nullable [] value) {
    if (value == null || value.length != entries.value().length) {
      throw new IllegalStateException(
          "unexpected value: size=" + (value == null ? "none" : value.length));
    }
  }

  private long async(Operation operation, long endNanos) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(outstanding);
    Semaphore free = new Semaphore(outstanding);
    LongAdder answered = new LongAdder();
    AtomicReference<Throwable> failed = new AtomicReference<>();
    for (long count = 0; count < REQUESTS_MAX && RealTime.nanos() - endNanos < 0; count++) {
      acquire(free, 1);
      byte[] key = entries.key(random.nextInt(entries.count()));
      CompletionStage<?> reply =
          operation.of(count) == Operation.GET
              ? cache.getAsync(key).thenAccept(this::check)
              : cache.putAsync(key, entries.value());
      reply.whenComplete((_, failure) -> {
        answered.increment();
        if (failure != null) {
          failed.set(failure);
        }
        free.release();
      });
    }
    acquire(free, outstanding);
    Throwable failure = failed.get();
    if (failure != null) {
      throw new IllegalStateException("a request failed: " + failure, failure);
    }
    return answered.sum();
  }

  private static void acquire(Semaphore free, int permits) throws InterruptedException {
    if (!free.tryAcquire(permits, REPLY_SECONDS_MAX, TimeUnit.SECONDS)) {
      throw new IllegalStateException("no reply in " + REPLY_SECONDS_MAX + " s");
    }
  }

  @Override
  public void close() {
    workers.close();
    container.close();
  }
}
