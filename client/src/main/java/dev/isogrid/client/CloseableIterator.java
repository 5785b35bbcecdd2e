package dev.isogrid.client;

import java.util.Iterator;

/**
 * Goes through what the servers hold, a batch at a time. An entry that is there all the time comes
 * once, also if servers are lost meanwhile; one that is written or removed meanwhile may come or
 * not. To be closed unless it is gone through to the end, since servers keep something for it.
 * Fetching waits for a server, and throws {@link HotRodClientException} if there is none. For one
 * thread at a time.
 */
public interface CloseableIterator<E> extends Iterator<E>, AutoCloseable {
  /** Ends it. Does not wait; may be called several times. */
  @Override
  void close();
}
