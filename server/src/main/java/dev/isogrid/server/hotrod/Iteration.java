package dev.isogrid.server.hotrod;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.SegmentSnapshot;
import dev.isogrid.wire.Versions;
import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An iteration of a client: goes through the segments one after the other, each as it is when it
 * begins. An entry that is there all the time comes once. Keeps one segment's entries from being
 * freed. Thread-safe.
 */
final class Iteration {
  /** A larger answer is cut, whatever the batch size: clients go on until there is nothing more. */
  private static final int ANSWER_SIZE_MAX = 4 << 20;

  private static final byte[] EMPTY_VALUE = {};

  private final CacheHandle cache;
  private final BitSet segments;
  private final int batchEntries;
  private final boolean withMetadata;
  private final boolean keysOnly;
  private final EntryView<BinaryKey, Bytes> view;

  /** Guards what follows and the window; waited for only by who may block. */
  private final ReentrantLock lock = new ReentrantLock();

  private int nextSegment;

  /** All wanted segments below were told as finished. */
  private int firstUntold;

  private @Nullable SegmentSnapshot<BinaryKey, Bytes> snapshot;

  /** Whether the iteration was used since this was last set to false. */
  volatile boolean used = true;

  /**
   * Begins.
   *
   * @param segments the wanted ones; not changed from now on
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

  /**
   * Adds the next entries; none if there are no more.
   *
   * @return the segments of which the last entry was added now; all that are left at the end
   */
  BitSet next(EntryList entries, int version) {
    used = true;
    lock.lock();
    try {
      addNext(entries, version);
      return takeFinished();
    } finally {
      lock.unlock();
    }
  }

  private void addNext(EntryList entries, int version) {
    while (entries.count() < batchEntries && entries.size() < ANSWER_SIZE_MAX && moveOn()) {
      if (view.isMortal() && view.isExpired(cache.engine.nowMillis())) {
        continue;
      }
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

  private BitSet takeFinished() {
    int end = snapshot == null ? segments.length() : Math.max(0, nextSegment - 1);
    BitSet finished = segments.get(0, end);
    finished.clear(0, Math.min(firstUntold, end));
    firstUntold = Math.max(firstUntold, end);
    return finished;
  }

  /** Moves the window to the next entry. */
  private boolean moveOn() {
    while (snapshot == null || !snapshot.next(view)) {
      int segment = segments.nextSetBit(nextSegment);
      if (segment < 0) {
        snapshot = null;
        return false;
      }
      nextSegment = segment + 1;
      snapshot = cache.engine.snapshot(segment);
    }
    return true;
  }
}
