package dev.isogrid.bench.client;

import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;

/** The operations of a load. */
enum Work {
  /** Puts, gets and removes of random keys in equal shares. */
  MIX,
  /** Gets of keys that are there. */
  GET,
  /** Puts over keys that are there. */
  PUT;

  private static final int KINDS = 3;

  /** Does one operation and waits for it. */
  void run(RemoteMap map, byte[] key, byte[] value, RandomGenerator random) {
    switch (kind(random)) {
      case 0 -> map.put(key, value);
      case 1 -> map.get(key);
      default -> map.remove(key);
    }
  }

  /** Begins one operation. */
  CompletionStage<?> start(RemoteMap map, byte[] key, byte[] value, RandomGenerator random) {
    return switch (kind(random)) {
      case 0 -> map.putAsync(key, value);
      case 1 -> map.getAsync(key);
      default -> map.removeAsync(key);
    };
  }

  private int kind(RandomGenerator random) {
    return switch (this) {
      case MIX -> random.nextInt(KINDS);
      case PUT -> 0;
      case GET -> 1;
    };
  }
}
