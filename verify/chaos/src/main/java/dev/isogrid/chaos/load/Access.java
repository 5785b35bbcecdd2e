package dev.isogrid.chaos.load;

import java.util.List;

/** The clients of a run. Thread-safe. */
public interface Access extends AutoCloseable {
  /** How many ways to the cache there are that differ. */
  int count();

  /** A way to the cache, with an index from 0, round and round. */
  Store store(int index);

  /** The way for probes. */
  Store probing();

  /**
   * The indices of the nodes that own a key, the primary first, as far as clients know; empty if
   * they do not.
   */
  List<Integer> owners(String key);

  /** No operation takes longer, in milliseconds. */
  long operationMillisMax();

  @Override
  void close();
}
