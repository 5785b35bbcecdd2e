package dev.isogrid.engine;

import dev.isogrid.store.DetachedEntry;
import dev.isogrid.topology.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The writes that a node keeps apart: its own ones, which it hands over, and copies of other
 * nodes'. Bounded in bytes. Not thread-safe.
 */
final class SideWrites {
  /** The outcome of a write. */
  enum Status {
    /** It is kept, or was before. */
    DONE,
    /** It may be kept when a second node has it. */
    BEGUN,
    /** The entry is another one than was expected. */
    CHANGED,
    /** Another write of the entry is not decided on yet. */
    BUSY,
    /** There is no room. */
    FULL,
    /** Nothing is kept apart by this node now. */
    NOT_APART,
    /** It is not known. */
    UNKNOWN
  }

  /**
   * A write that is wanted.
   *
   * @param expected the version that the entry must have on the side, 0 for none
   * @param value what to store, with the new version, or null to remove
   * @param sequence the new version, which no other write has
   */
  record Wanted(EntryKey key, long expected, @Nullable DetachedEntry value, long sequence) {}

  /**
   * The entry as the node's copy of it has it.
   *
   * @param base as in {@link KeptWrite}
   * @param live the version if it is live, else 0
   */
  record Seen(long base, long live) {}

  private record Copy(NodeId keeper, KeptWrite write) {}

  private final long bytesMax;
  private final Map<EntryKey, KeptWrite> own = new LinkedHashMap<>();
  private final Map<EntryKey, Copy> copies = new HashMap<>();
  private final Map<EntryKey, KeptWrite> begun = new HashMap<>();
  private long bytes;
  private long turns;

  /** Begins without any. */
  SideWrites(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** The bytes that count for the bound. */
  long bytes() {
    return bytes;
  }

  /** The most bytes. */
  long bytesMax() {
    return bytesMax;
  }

  /** The side's write of an entry, as far as this node knows; null if there is none. */
  @Nullable KeptWrite find(EntryKey key) {
    KeptWrite write = own.get(key);
    Copy copy = write == null ? copies.get(key) : null;
    return copy == null ? write : copy.write;
  }

  /** Whether this node is to hand over an entry, or may have to. */
  boolean isOpen(EntryKey key) {
    return own.containsKey(key) || begun.containsKey(key);
  }

  /** Whether this node is to hand over something, or may have to. */
  boolean isOpen() {
    return !own.isEmpty() || !begun.isEmpty();
  }

  // ---- writes of this node

  /**
   * Begins a write, if nothing is against it; it counts from {@link #commit} on.
   *
   * @param base asked if the side made nothing of the entry yet
   */
  Status begin(Wanted wanted, Seen base, long nowMillis) {
    KeptWrite known = find(wanted.key);
    if (known != null && known.sequence() == wanted.sequence) {
      return Status.DONE;
    }
    if (begun.containsKey(wanted.key)) {
      return Status.BUSY;
    }
    DetachedEntry live = known == null ? null : known.live(nowMillis);
    long current = known == null ? base.live : live == null ? 0 : live.sequence();
    if (current != wanted.expected) {
      return Status.CHANGED;
    }
    KeptWrite next = next(wanted, known, base);
    KeptWrite replaced = own.get(wanted.key);
    if (bytes + next.sizeBytes() - Sized.of(replaced) > bytesMax) {
      return Status.FULL;
    }
    bytes += next.sizeBytes();
    begun.put(wanted.key, next);
    return Status.BEGUN;
  }

  /** The successor of a known write; of a copy it may be that its keeper hands it over. */
  private KeptWrite next(Wanted wanted, @Nullable KeptWrite known, Seen base) {
    long turn = ++turns;
    if (known == null) {
      return new KeptWrite(wanted.key, base.base, wanted.value, wanted.sequence, turn, null);
    }
    KeptWrite.Ours ours = known.ours();
    if (!own.containsKey(wanted.key)) {
      ours = new KeptWrite.Ours(known.base(), known.value());
    }
    return new KeptWrite(wanted.key, known.base(), wanted.value, wanted.sequence, turn, ours);
  }

  /** The write of an entry that was begun. */
  KeptWrite begun(EntryKey key) {
    return Objects.requireNonNull(begun.get(key));
  }

  /** Ends a write that was begun: it is done. */
  void commit(EntryKey key) {
    KeptWrite write = Objects.requireNonNull(begun.remove(key));
    bytes -= Sized.of(own.put(key, write));
  }

  /** Ends a write that was begun: it is not done. */
  void abort(EntryKey key) {
    bytes -= Objects.requireNonNull(begun.remove(key)).sizeBytes();
  }

  // ---- the way back

  /** How many entries this node is to hand over. */
  int ownCount() {
    return own.size();
  }

  /** The oldest write that this node is to hand over and that is not one of some, or null. */
  @Nullable KeptWrite first(Set<EntryKey> without) {
    for (KeptWrite write : own.values()) {
      if (!without.contains(write.key())) {
        return write;
      }
    }
    return null;
  }

  /** The write of an entry that this node must hand over, or null. */
  @Nullable KeptWrite own(EntryKey key) {
    return own.get(key);
  }

  /**
   * A write was handed over, or is not to be. If the side wrote again meanwhile, that is left.
   *
   * @param base the version that the entry has on the cluster now, for what is left
   */
  void settled(KeptWrite write, long base) {
    KeptWrite known = own.get(write.key());
    if (known == null) {
      return;
    }
    if (known.turn() == write.turn()) {
      bytes -= known.sizeBytes();
      own.remove(write.key());
    } else {
      replace(known, known.following(base, null));
    }
  }

  /** It is not known whether a write reached the cluster. */
  void unsettled(KeptWrite write, KeptWrite.Ours ours) {
    KeptWrite known = own.get(write.key());
    if (known != null) {
      replace(known, known.following(known.base(), ours));
    }
  }

  private void replace(KeptWrite known, KeptWrite by) {
    bytes -= known.sizeBytes();
    bytes += by.sizeBytes();
    own.put(known.key(), by);
  }

  /**
   * Forgets all of a cache that the cluster does not have any more.
   *
   * @return how many entries were to be handed over
   */
  int dropCache(int cacheId) {
    List<KeptWrite> dropped =
        own.values().stream().filter(write -> write.key().cacheId() == cacheId).toList();
    dropped.forEach(write -> settled(write, 0L));
    copies
        .values()
        .removeIf(copy -> {
          boolean isOfCache = copy.write.key().cacheId() == cacheId;
          bytes -= isOfCache ? copy.write.sizeBytes() : 0;
          return isOfCache;
        });
    return dropped.size();
  }

  // ---- copies of other nodes' writes

  /**
   * Keeps a copy of another node's write.
   *
   * @return false if there is no room
   */
  boolean tryCopy(NodeId keeper, KeptWrite write) {
    Copy known = copies.get(write.key());
    if (known != null && known.keeper.equals(keeper) && known.write.turn() >= write.turn()) {
      return true; // came late, or twice
    }
    long rest = bytes - (known == null ? 0 : known.write.sizeBytes());
    if (rest + write.sizeBytes() > bytesMax) {
      return false;
    }
    bytes = rest + write.sizeBytes();
    copies.put(write.key(), new Copy(keeper, write));
    return true;
  }

  /** The nodes of whose writes there are copies. */
  Set<NodeId> keepers() {
    Set<NodeId> keepers = new HashSet<>();
    copies.values().forEach(copy -> keepers.add(copy.keeper));
    return keepers;
  }

  /** Forgets the copies of a node's writes, which it has handed over. */
  void dropCopies(NodeId keeper) {
    takeCopies(keeper).forEach(write -> bytes -= write.sizeBytes());
  }

  private List<KeptWrite> takeCopies(NodeId keeper) {
    List<KeptWrite> taken = new ArrayList<>();
    copies
        .values()
        .removeIf(copy -> {
          boolean isTaken = copy.keeper.equals(keeper);
          if (isTaken) {
            taken.add(copy.write);
          }
          return isTaken;
        });
    return taken;
  }

  /**
   * Has this node hand over the writes of one that is gone; it may have begun to.
   *
   * @return how many
   */
  int takeOver(NodeId keeper) {
    List<KeptWrite> taken = takeCopies(keeper);
    for (KeptWrite write : taken) {
      bytes -= write.sizeBytes();
      if (!own.containsKey(write.key())) {
        KeptWrite.Ours ours =
            write.ours() != null ? write.ours() : new KeptWrite.Ours(write.base(), write.value());
        KeptWrite mine =
            new KeptWrite(
                write.key(), write.base(), write.value(), write.sequence(), ++turns, ours);
        bytes += mine.sizeBytes();
        own.put(write.key(), mine);
      }
    }
    return taken.size();
  }
}
