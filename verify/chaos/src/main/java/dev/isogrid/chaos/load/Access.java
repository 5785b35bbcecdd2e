package dev.isogrid.chaos.load;

/** The clients of a run. Thread-safe. */
public interface Access extends AutoCloseable {
  /** No node: the clients do not know. */
  int UNKNOWN = -1;

  /** How many ways to the cache there are that differ. */
  int count();

  /** A way to the cache, with an index from 0, round and round. */
  Store store(int index);

  /** The way for probes. */
  Store probing();

  /**
   * The index of the node that is the primary owner of a key as far as clients know, or {@link
   * #UNKNOWN}.
   */
  int primary(String key);

  /** No operation takes longer, in milliseconds. */
  long operationMillisMax();

  @Override
  void close();
}
