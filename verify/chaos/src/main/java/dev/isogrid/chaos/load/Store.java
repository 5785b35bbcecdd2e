package dev.isogrid.chaos.load;

import java.util.concurrent.CompletableFuture;

/**
 * A client's way to the cache. Values are numbers in the form of {@link Values}. Each operation
 * throws the exceptions of the client. Thread-safe.
 */
interface Store {
  Seen get(String key);

  /** Reads the value and its version. */
  Seen getWithVersion(String key);

  /** Writes without returning the previous value. */
  void put(String key, long number);

  /** Writes, and returns the previous value. */
  Seen putReturning(String key, long number);

  Seen putIfAbsent(String key, long number);

  /** Removes, and returns the previous value. */
  Seen remove(String key);

  boolean replace(String key, long number, long version);

  boolean removeIf(String key, long version);

  /** As {@link #remove}, without waiting. */
  CompletableFuture<Seen> removeAsync(String key);

  /** As {@link #put}, without waiting. */
  CompletableFuture<?> putAsync(String key, long number);
}
