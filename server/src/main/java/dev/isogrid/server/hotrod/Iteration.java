package dev.isogrid.server.hotrod;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.engine.EntryWalk;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.wire.Versions;
import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An iteration of a client: goes through the entries of some segments, wherever they are. An entry
 * that is there all the time comes exactly once, whatever nodes come and go. Keeps a page of each
 * node, or one segment's entries from being freed. Thread-safe.
 */
final class Iteration {
  /** A larger answer is cut, whatever the batch size: clients go on until there is nothing more. */
  private static final int ANSWER_SIZE_MAX = 4 << 20;

  private static final byte[] EMPTY_VALUE = {};

  private final CacheHandle cache;
  private final int batchEntries;
  private final boolean withMetadata;
  private final boolean keysOnly;
  private final EntryView<BinaryKey, Bytes> view;

  /** Guards what follows and the window; waited for only by threads that may block. */
  private final ReentrantLock lock = new ReentrantLock();

  private final EntryWalk<BinaryKey, Bytes> walk;

  /** The bytes of the last answer and some more: what the next one takes, most likely. */
  private volatile int sizeExpected = EntryList.INITIAL_SIZE;

  /** Whether nobody wants any more. Written by any thread. */
  private volatile boolean closed;

  /** Whether the iteration was used since this was last set to false. */
  volatile boolean used = true;

  /**
   * Begins.
   *
   * @param segments the wanted ones; taken
   * @param keysOnly whether values are left out
   */
  Iteration(Request request, CacheHandle cache, BitSet segments, boolean keysOnly) {
    this.cache = cache;
    this.batchEntries = Math.max(1, request.number);
    this.withMetadata = request.metadata;
    this.keysOnly = keysOnly;
    this.view = cache.engine.newView();
    this.walk = cache.engine.walk(segments, !keysOnly);
  }

  CacheHandle cache() {
    return cache;
  }

  /** Whether it has ended. */
  boolean isClosed() {
    return closed;
  }

  /** The bytes that the next entries take, about. */
  int sizeExpected() {
    return sizeExpected;
  }

  /**
   * Adds the next entries; none if there are no more.
   *
   * @return the segments of which all entries have been added, that were not returned before
   * @throws InvalidRequestException if an entry does not fit; the iteration ends then, since it has
   *     passed over entries that nobody is told
   */
  BitSet next(EntryList entries, int version) {
    used = true;
    lock.lock();
    try {
      addNext(entries, version);
      int size = Math.min(entries.size(), ANSWER_SIZE_MAX);
      sizeExpected = Math.max(EntryList.INITIAL_SIZE, size + size / 8);
      return walk.takeFinished();
    } catch (InvalidRequestException failure) {
      closed = true;
      throw failure;
    } finally {
      lock.unlock();
      closeWalk();
    }
  }

  /** Ends it. Does not block. */
  void close() {
    closed = true;
    closeWalk();
  }

  /** Ends the walk if nobody wants it, unless somebody is at it, who then does that. */
  private void closeWalk() {
    if (closed && lock.tryLock()) {
      try {
        walk.close();
      } finally {
        lock.unlock();
      }
    }
  }

  private void addNext(EntryList entries, int version) {
    while (entries.count() < batchEntries
        && entries.size() < ANSWER_SIZE_MAX
        && !closed
        && walk.next(view)) {
      entries.counted();
      if (version >= Versions.V25) {
        entries.u8(withMetadata ? 1 : 0);
        if (withMetadata) {
          entries.metadata(view);
        }
      }
      entries.key(view.key());
      if (keysOnly) {
        entries.bytes(Bytes.of(EMPTY_VALUE));
      } else {
        entries.value(view.value());
      }
    }
  }
}
