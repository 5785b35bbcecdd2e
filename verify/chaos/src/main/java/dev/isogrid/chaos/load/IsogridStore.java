package dev.isogrid.chaos.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.isogrid.chaos.history.Operation;
import dev.isogrid.client.Flag;
import dev.isogrid.client.MetadataValue;
import dev.isogrid.client.RemoteCache;
import java.util.concurrent.CompletableFuture;

/** Access by Isogrid's own Hot Rod client. */
final class IsogridStore implements Store {
  private final RemoteCache<byte[], byte[]> cache;
  private final RemoteCache<byte[], byte[]> returning;

  IsogridStore(RemoteCache<byte[], byte[]> cache) {
    this.cache = cache;
    this.returning = cache.withFlags(Flag.FORCE_RETURN_VALUE);
  }

  private static byte[] bytes(String key) {
    return key.getBytes(US_ASCII);
  }

  @Override
  public Seen get(String key) {
    return Seen.value(cache.get(bytes(key)));
  }

  @Override
  public Seen getWithVersion(String key) {
    MetadataValue<byte[]> found = cache.getWithMetadataAsync(bytes(key)).join();
    return found == null
        ? new Seen(Operation.NONE, 0)
        : new Seen(Values.number(found.value()), found.version());
  }

  @Override
  public void put(String key, long number) {
    cache.put(bytes(key), Values.bytes(number));
  }

  @Override
  public Seen putReturning(String key, long number) {
    return Seen.value(returning.put(bytes(key), Values.bytes(number)));
  }

  @Override
  public Seen putIfAbsent(String key, long number) {
    return Seen.value(returning.putIfAbsent(bytes(key), Values.bytes(number)));
  }

  @Override
  public Seen remove(String key) {
    return Seen.value(returning.remove(bytes(key)));
  }

  @Override
  public boolean replace(String key, long number, long version) {
    return cache.replaceWithVersion(bytes(key), Values.bytes(number), version);
  }

  @Override
  public boolean removeIf(String key, long version) {
    return cache.removeWithVersion(bytes(key), version);
  }

  @Override
  public CompletableFuture<Seen> removeAsync(String key) {
    return returning.removeAsync(bytes(key)).thenApply(Seen::value);
  }

  @Override
  public CompletableFuture<?> putAsync(String key, long number) {
    return cache.putAsync(bytes(key), Values.bytes(number));
  }
}
