package dev.isogrid.engine;

import dev.isogrid.api.CacheFullException;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.topology.NodeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides for a primary whether there is room on its node for puts to one cache. Counts those that
 * have their places and are not applied yet, so that many at once don't go beyond a bound. Used by
 * the thread that drives the node alone.
 */
final class PromisedRoom {
  /**
   * What puts need.
   *
   * @param seq their place
   * @param entries new ones; 0 if that does not matter. One that is promised twice before it is
   *     there counts twice
   * @param bytes of keys and values
   */
  record Promise(PromisedRoom room, long seq, int entries, long bytes) {
    /** The puts were applied, or are not this node's to decide on any more. */
    void end() {
      room.add(-entries, -bytes);
    }
  }

  private final ReplicaStore store;
  private final CacheEngine<BinaryKey, Bytes> engine;
  private final Container<BinaryKey, Bytes> container;
  private int entries;
  private long bytes;

  PromisedRoom(ReplicaStore store, CacheEngine<BinaryKey, Bytes> engine) {
    this.store = store;
    this.engine = engine;
    this.container = engine.container;
  }

  private void add(int moreEntries, long moreBytes) {
    entries += moreEntries;
    bytes += moreBytes;
    container.promise(moreBytes);
  }

  /** Whether there may be no room for a put; if not, none need be promised. */
  boolean isBounded() {
    return container.isLimited() || isRefusing();
  }

  private boolean isRefusing() {
    Evictor<BinaryKey, Bytes> evictor = engine.evictor;
    return evictor != null && evictor.isRefusing();
  }

  /** Keeps room for puts that have their place; whoever has the promise ends it. */
  Promise promise(int index, List<WriteEntry> puts, long seq) {
    long needed = puts.stream().mapToLong(PromisedRoom::size).sum();
    Promise promise = new Promise(this, seq, inserted(index, puts), needed);
    add(promise.entries, promise.bytes);
    return promise;
  }

  private int inserted(int index, List<WriteEntry> puts) {
    if (!isRefusing()) {
      return 0;
    }
    int inserted = 0;
    for (WriteEntry put : puts) {
      inserted += store.storedSequence(index, put.key()) == 0 ? 1 : 0;
    }
    return inserted;
  }

  private static long size(WriteEntry put) {
    return (long) put.key().sizeBytes() + Sized.of(put.fields());
  }

  /** The answer to a put if another node has no room for it, or null if it needs no such room. */
  @Nullable WriteResult refusal(int index, NodeId full) {
    if (store.kept() != null) {
      return WriteResult.refusedForNow(
          ("a node that keeps a copy can't take a write: cache=%s, segment=%d, node=%s; its log"
                  + " says whether its memory is full, or the disk of its store fails")
              .formatted(engine.name(), index, full));
    }
    if (!container.isLimited()) {
      return null;
    }
    return WriteResult.refused(
        ("no memory for a write on a node that keeps a copy: cache=%s, segment=%d, node=%s; remove"
                + " entries or raise the off-heap limit of that node")
            .formatted(engine.name(), index, full));
  }

  /** Whether this node has so little memory, or such a disk, that others should write no more. */
  boolean isNearlyFull() {
    EntryJournal<BinaryKey, Bytes> kept = store.kept();
    return container.isNearlyFull() || (kept != null && kept.trouble() != null);
  }

  /** The answer to puts that are done together if there is no room for all of them, or null. */
  @Nullable WriteResult refusal(int index, List<WriteEntry> puts) {
    long needed = 0;
    long largest = 0;
    for (WriteEntry put : puts) {
      needed += size(put);
      largest = Math.max(largest, size(put));
    }
    if (!container.hasSpare(needed)) {
      return WriteResult.refused(
          "no memory for a write: cache=%s, wanted=%d B; remove entries or raise the off-heap limit"
                  .formatted(engine.name(), needed)
              + " of the nodes");
    }
    if (engine.evictor == null) {
      return null;
    }
    int inserted = inserted(index, puts);
    int counted = inserted == 0 ? 0 : inserted + entries;
    CacheFullException full = engine.evictor.refusal(counted, needed + bytes, largest);
    return full == null ? null : WriteResult.refused(String.valueOf(full.getMessage()));
  }
}
