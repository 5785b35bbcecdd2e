package dev.isogrid.chaos.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.isogrid.chaos.history.Operation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.infinispan.client.hotrod.Flag;
import org.infinispan.client.hotrod.RemoteCache;

/**
 * Access by the official Hot Rod client. Version 16.0.12 may lose operations of a server when
 * connections to it fail: they never end, nor do later ones. Then a new client replaces it, and the
 * outcome of the lost operations is unknown.
 */
final class HotRodStore implements Store {
  /** Many times the client's own limits. */
  static final long OPERATION_MILLIS_MAX = 5_000;

  private final Supplier<RoutedContainer> factory;
  private final AtomicReference<RoutedContainer> container;

  private final AtomicBoolean isRenewing = new AtomicBoolean();

  HotRodStore(Supplier<RoutedContainer> factory) {
    this.factory = factory;
    this.container = new AtomicReference<>(factory.get());
  }

  /** The client in use. */
  RoutedContainer container() {
    return container.get();
  }

  private <T> CompletableFuture<T> start(
      Function<RemoteCache<byte[], byte[]>, CompletableFuture<T>> operation) {
    RoutedContainer used = container.get();
    return operation
        .apply(used.cache())
        .orTimeout(OPERATION_MILLIS_MAX, TimeUnit.MILLISECONDS)
        .whenComplete((_, failure) -> {
          if (failure instanceof TimeoutException && isRenewing.compareAndSet(false, true)) {
            Thread.ofPlatform().daemon().name("renew client").start(() -> renew(used));
          }
        });
  }

  private void renew(RoutedContainer lost) {
    try {
      if (container.get() == lost) {
        container.set(factory.get());
      }
    } finally {
      isRenewing.set(false);
    }
    // This waits for the lost operations.
    lost.close();
  }

  private static RemoteCache<byte[], byte[]> returning(RemoteCache<byte[], byte[]> cache) {
    return cache.withFlags(Flag.FORCE_RETURN_VALUE);
  }

  private static byte[] bytes(String key) {
    return key.getBytes(US_ASCII);
  }

  @Override
  public Seen get(String key) {
    return Seen.value(start(cache -> cache.getAsync(bytes(key))).join());
  }

  @Override
  public Seen getWithVersion(String key) {
    return start(cache -> cache.getWithMetadataAsync(bytes(key)))
        .thenApply(found ->
            found == null
                ? new Seen(Operation.NONE, 0)
                : new Seen(Values.number(found.getValue()), found.getVersion()))
        .join();
  }

  @Override
  public void put(String key, long number) {
    putAsync(key, number).join();
  }

  @Override
  public Seen putReturning(String key, long number) {
    return Seen.value(
        start(cache -> returning(cache).putAsync(bytes(key), Values.bytes(number))).join());
  }

  @Override
  public Seen putIfAbsent(String key, long number) {
    return Seen.value(
        start(cache -> returning(cache).putIfAbsentAsync(bytes(key), Values.bytes(number))).join());
  }

  @Override
  public Seen remove(String key) {
    return removeAsync(key).join();
  }

  @Override
  public boolean replace(String key, long number, long version) {
    return start(cache -> cache.replaceWithVersionAsync(bytes(key), Values.bytes(number), version))
        .join();
  }

  @Override
  public boolean removeIf(String key, long version) {
    return start(cache -> cache.removeWithVersionAsync(bytes(key), version)).join();
  }

  @Override
  public CompletableFuture<Seen> removeAsync(String key) {
    return start(cache -> returning(cache).removeAsync(bytes(key))).thenApply(Seen::value);
  }

  @Override
  public CompletableFuture<?> putAsync(String key, long number) {
    return start(cache -> cache.putAsync(bytes(key), Values.bytes(number)));
  }
}
