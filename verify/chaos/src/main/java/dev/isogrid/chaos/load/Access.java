package dev.isogrid.chaos.load;

import java.util.List;

/** The clients of a run. Thread-safe. */
public interface Access extends AutoCloseable {
  /** The number of different ways to the cache. */
  int count();

  /** A way to the cache, with an index from 0; larger indices start again with the first. */
  Store store(int index);

  /** The way for probes. */
  Store probing();

  /**
   * The indices of the nodes that own a key, the primary first; empty if the clients do not know
   * them.
   */
  List<Integer> owners(String key);

  /**
   * Whether clients repeat operations by themselves. Then the failure of the last attempt says
   * nothing about the ones before.
   */
  default boolean repeats() {
    return false;
  }

  /** The limit of every operation, in milliseconds. */
  long operationMillisMax();

  @Override
  void close();
}
