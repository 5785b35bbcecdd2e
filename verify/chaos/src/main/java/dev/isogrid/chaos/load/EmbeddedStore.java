package dev.isogrid.chaos.load;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheEntry;
import dev.isogrid.chaos.history.Operation;
import java.util.concurrent.CompletableFuture;

/** Access by a node without entries, in this process. */
final class EmbeddedStore implements Store {
  private final Cache<String, byte[]> cache;

  EmbeddedStore(Cache<String, byte[]> cache) {
    this.cache = cache;
  }

  @Override
  public Seen get(String key) {
    return Seen.value(cache.get(key));
  }

  @Override
  public Seen getWithVersion(String key) {
    CacheEntry<String, byte[]> found = cache.getEntry(key);
    return found == null
        ? new Seen(Operation.NONE, 0)
        : new Seen(Values.number(found.value()), found.version());
  }

  @Override
  public void put(String key, long number) {
    cache.put(key, Values.bytes(number));
  }

  @Override
  public Seen putReturning(String key, long number) {
    return Seen.value(cache.put(key, Values.bytes(number)));
  }

  @Override
  public Seen putIfAbsent(String key, long number) {
    return Seen.value(cache.putIfAbsent(key, Values.bytes(number)));
  }

  @Override
  public Seen remove(String key) {
    return Seen.value(cache.remove(key));
  }

  @Override
  public boolean replace(String key, long number, long version) {
    return cache.replaceIfVersion(key, Values.bytes(number), version);
  }

  @Override
  public boolean removeIf(String key, long version) {
    return cache.removeIfVersion(key, version);
  }

  @Override
  public CompletableFuture<Seen> removeAsync(String key) {
    return cache.removeAsync(key).thenApply(Seen::value);
  }

  @Override
  public CompletableFuture<?> putAsync(String key, long number) {
    return cache.putAsync(key, Values.bytes(number));
  }
}
