package dev.isogrid.bench.client;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A cache of a server, seen by one of the clients. Keys and values are bytes. Thread-safe. */
interface RemoteMap extends AutoCloseable {
  /** The time-out of all clients for an answer: a server may be stopped for a while. */
  int ANSWER_MILLIS_MAX = 10_000;

  /** Waits for a value, or null. */
  byte @Nullable [] get(byte[] key);

  /** Stores and waits for the answer. */
  void put(byte[] key, byte[] value);

  /** Removes and waits for the answer. */
  void remove(byte[] key);

  /** Asks for a value. */
  CompletionStage<?> getAsync(byte[] key);

  /** Stores. */
  CompletionStage<?> putAsync(byte[] key, byte[] value);

  /** Removes. */
  CompletionStage<?> removeAsync(byte[] key);

  @Override
  void close();
}
