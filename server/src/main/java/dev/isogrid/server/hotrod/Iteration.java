package dev.isogrid.server.hotrod;

import dev.isogrid.engine.EntryWalk;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.wire.Versions;
import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An iteration of a client over the entries of some segments, wherever they are. An entry that
 * exists all the time occurs exactly once, whatever nodes come and go. Holds up to a mebibyte of
 * each other node, and keeps one segment's entries from being freed. Thread-safe.
 */
final class Iteration {
  /**
   * A larger answer is cut, whatever the batch size: clients continue until there are no more
   * entries.
   */
  private static final int ANSWER_SIZE_MAX = 4 << 20;

  private static final byte[] EMPTY_VALUE = {};

  private final CacheHandle cache;
  private final BitSet segments;
  private final int batchEntries;
  private final boolean withMetadata;
  private final boolean keysOnly;
  private final EntryView<BinaryKey, Bytes> view;

  /** Guards the following fields and the window; only threads that may block wait for it. */
  private final ReentrantLock lock = new ReentrantLock();

  /** Null before the first entries are wanted, since its beginning may wait for other nodes. */
  private @Nullable EntryWalk<BinaryKey, Bytes> walk;

  /** A little more than the bytes of the last answer: the expected size of the next one. */
  private volatile int sizeExpected = EntryList.INITIAL_SIZE;

  /** Whether the iteration was ended. Written by any thread. */
  private volatile boolean closed;

  /** Whether the iteration was used since this was last set to false. */
  volatile boolean used = true;

  /**
   * Begins. Does not block.
   *
   * @param segments the segments to iterate over; taken
   * @param keysOnly whether values are left out
   */
  Iteration(Request request, CacheHandle cache, BitSet segments, boolean keysOnly) {
    this.cache = cache;
    this.segments = segments;
    this.batchEntries = Math.max(1, request.number);
    this.withMetadata = request.metadata;
    this.keysOnly = keysOnly;
    this.view = cache.engine.newView();
  }

  CacheHandle cache() {
    return cache;
  }

  /** Whether it has ended. */
  boolean isClosed() {
    return closed;
  }

  /** The approximate bytes of the next entries. */
  int sizeExpected() {
    return sizeExpected;
  }

  /**
   * Adds the next entries; none if there are no more. Blocks while other nodes are waited for.
   *
   * @return the newly finished segments, whose entries have all been added
   * @throws RuntimeException if other nodes don't answer in time, or an entry does not fit; after
   *     the first entry the iteration ends then, since the client misses those that were added
   */
  BitSet next(EntryList entries, int version) {
    used = true;
    lock.lock();
    try {
      EntryWalk<BinaryKey, Bytes> begun = closed ? null : begun();
      if (begun == null) {
        return new BitSet();
      }
      addNext(begun, entries, version);
      int size = Math.min(entries.size(), ANSWER_SIZE_MAX);
      sizeExpected = Math.max(EntryList.INITIAL_SIZE, size + size / 8);
      return begun.takeFinished();
    } catch (RuntimeException | Error failure) {
      if (entries.count() > 0) {
        closed = true;
      }
      throw failure;
    } finally {
      lock.unlock();
      closeWalk();
    }
  }

  private EntryWalk<BinaryKey, Bytes> begun() {
    EntryWalk<BinaryKey, Bytes> known = walk;
    if (known == null) {
      known = cache.engine.walk(segments, !keysOnly);
      walk = known;
    }
    return known;
  }

  /** Ends it. Does not block. */
  void close() {
    closed = true;
    closeWalk();
  }

  /** Ends the walk of an ended iteration, unless another thread uses it, which then ends it. */
  private void closeWalk() {
    if (closed && lock.tryLock()) {
      try {
        EntryWalk<BinaryKey, Bytes> begun = walk;
        if (begun != null) {
          begun.close();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  private void addNext(EntryWalk<BinaryKey, Bytes> begun, EntryList entries, int version) {
    while (entries.count() < batchEntries
        && entries.size() < ANSWER_SIZE_MAX
        && !closed
        && begun.next(view)) {
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
