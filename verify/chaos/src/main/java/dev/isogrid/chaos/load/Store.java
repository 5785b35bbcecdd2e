package dev.isogrid.chaos.load;

import java.util.concurrent.CompletableFuture;

/**
 * A client's way to the cache: values are numbers, as {@link Values} writes them. Each operation
 * throws what the client throws when it fails. Thread-safe.
 */
interface Store {
  Seen get(String key);

  /** Reads the version too. */
  Seen getWithVersion(String key);

  /** Writes, and does not ask for the value before. */
  void put(String key, long number);

  /** Writes, and returns the value before. */
  Seen putReturning(String key, long number);

  Seen putIfAbsent(String key, long number);

  /** Removes, and returns the value before. */
  Seen remove(String key);

  boolean replace(String key, long number, long version);

  boolean removeIf(String key, long version);

  /** As {@link #remove}, without waiting. */
  CompletableFuture<Seen> removeAsync(String key);

  /** As {@link #put}, without waiting. */
  CompletableFuture<?> putAsync(String key, long number);
}
