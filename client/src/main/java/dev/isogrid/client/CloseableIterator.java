package dev.isogrid.client;

import java.util.Iterator;

/**
 * Iterates over entries of the servers, a batch at a time. An entry that exists all the time is
 * returned once, also if servers are lost meanwhile; one that is written or removed meanwhile may
 * be returned or not. Must be closed unless it was used to its end, since servers keep state for
 * it. Fetching waits for a server, and throws {@link HotRodClientException} if there is none. For
 * one thread at a time.
 */
public interface CloseableIterator<E> extends Iterator<E>, AutoCloseable {
  /** Ends it. Does not wait; may be called several times. */
  @Override
  void close();
}
