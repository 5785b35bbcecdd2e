package dev.isogrid.engine;

import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.Subscription;
import dev.isogrid.codec.ByteString;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.DetachedEntry;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Segment;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a clustered cache: brings those of all its segments to the listeners of this node,
 * and keeps those of this node's copies for other nodes. Thread-safe where nothing else is said.
 */
final class ChangeFeed implements ChangeListener<BinaryKey, Bytes> {
  /*
   * All replicas of a segment commit the same changes at the same places of one order. So a place
   * says how far somebody has heard, whoever told it. Where this node is an in-sync replica, its
   * listeners are told what it commits; else it follows the segment's primary (FeedFollower). When
   * it becomes a replica, or is one no more, it goes on at the place that it has reached: a replica
   * that has listeners, or is followed, keeps the latest changes for that (ChangeHistory).
   *
   * Without listeners in the cluster none of this is done: the feed hears of nothing.
   *
   * What a node does on its own is told to its own listeners only: it evicts by itself.
   */

  /** The state of one segment. Guarded by its lock. */
  static final class Part {
    final ChangeHistory history = new ChangeHistory();

    /** Whether listeners are told what this node commits. */
    boolean isTold;

    /** The place up to which listeners were told what others committed; NOW if nothing. */
    long heard = FeedMessage.Place.NOW;

    /** The place of what is being committed, else 0. */
    long committing;

    /** Whether those that follow are to be told. */
    boolean isDirty;
  }

  /** A listener of this node. */
  private static final class Hearer {
    private final ChangeListener<BinaryKey, Bytes> listener;

    /** Whether it hears of changes: not yet of those that were made before it was added. */
    private volatile boolean isBegun;

    Hearer(ChangeListener<BinaryKey, Bytes> listener) {
      this.listener = listener;
    }
  }

  private final ReplicatedEngine engine;
  private final ServedSegment[] served;
  private final Part[] parts;
  private final List<Hearer> hearers = new CopyOnWriteArrayList<>();
  private final ListenerFailures failures;

  /** Segments with changes that followers must hear of. */
  private final ConcurrentLinkedQueue<Integer> dirty = new ConcurrentLinkedQueue<>();

  /** Whether values are kept for those that follow. Written by the node's driver. */
  private volatile boolean keepsValues;

  /** Whether others follow. Written by the node's driver. */
  private volatile boolean isFollowed;

  /** Whether there are listeners. Written by the node's driver. */
  private volatile boolean isHeard;

  /** That of the container's changes; null while nobody wants them. Owned by the driver. */
  private @Nullable Subscription changes;

  ChangeFeed(ReplicatedEngine engine, ServedSegment[] served) {
    this.engine = engine;
    this.served = served;
    this.failures = new ListenerFailures(engine.name());
    this.parts = new Part[served.length];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = new Part();
    }
  }

  ReplicatedEngine engine() {
    return engine;
  }

  int segmentCount() {
    return parts.length;
  }

  /** The lock of a segment's state. */
  Segment<BinaryKey, Bytes> segment(int index) {
    return engine.container.segmentAt(index);
  }

  /** The state of a segment. Locked. */
  Part part(int index) {
    return parts[index];
  }

  ServedSegment served(int index) {
    return served[index];
  }

  /** The place that this node's copy of a segment has reached. Locked. */
  long position(int index) {
    return ServedSegment.isOwn(served[index].stamp())
        ? segment(index).lastSequence()
        : served[index].committedSeq();
  }

  /** The place up to which listeners were told. Locked. */
  long heard(int index, Part part) {
    return part.isTold ? Math.max(part.heard, position(index)) : part.heard;
  }

  // ---- listeners of this node

  /** Adds a listener, which hears nothing yet; returns what {@link #begun} wants. */
  Object add(ChangeListener<BinaryKey, Bytes> listener) {
    Hearer hearer = new Hearer(listener);
    hearers.add(hearer);
    return hearer;
  }

  /** From now on a listener hears of everything. */
  void begun(Object added) {
    ((Hearer) added).isBegun = true;
  }

  void remove(Object added) {
    hearers.remove((Hearer) added);
  }

  boolean hasListeners() {
    return !hearers.isEmpty();
  }

  /** Whether a listener of this node wants values. */
  @Override
  public boolean wantsValues() {
    return hearers.stream().anyMatch(hearer -> hearer.listener.wantsValues());
  }

  // ---- what the node's driver says

  /** Says whether there are listeners. For the driver. */
  void heard(boolean isHeardNow) {
    if (isHeardNow == isHeard) {
      return;
    }
    isHeard = isHeardNow;
    for (int index = 0; index < parts.length; index++) {
      int at = index;
      locked(
          index,
          part -> {
            part.isTold = served[at].isInSync();
            part.heard = FeedMessage.Place.NOW;
            keepHistory(at, part);
          });
    }
    listen();
  }

  /** Says whether other nodes follow, and whether they want values. For the driver. */
  void followed(boolean isFollowedNow, boolean wantValues) {
    keepsValues = wantValues;
    if (isFollowedNow != isFollowed) {
      isFollowed = isFollowedNow;
      for (int index = 0; index < parts.length; index++) {
        int at = index;
        locked(index, part -> keepHistory(at, part));
      }
      listen();
    }
  }

  /** Hears of the container's changes if and only if somebody wants them. */
  private void listen() {
    boolean wants = isHeard || isFollowed;
    if (wants && changes == null) {
      changes = engine.listeners.add(this);
    } else if (!wants && changes != null) {
      changes.close();
      changes = null;
    }
  }

  /** Something that is done with a segment's state under its lock. */
  interface Use {
    void with(Part part);
  }

  void locked(int index, Use use) {
    Segment<BinaryKey, Bytes> segment = segment(index);
    segment.lock();
    try {
      use.with(parts[index]);
    } finally {
      segment.unlock();
    }
  }

  /** Begins or forgets the history of a segment as it is needed. Locked. */
  private void keepHistory(int index, Part part) {
    boolean needs = isFollowed || (isHeard && !part.isTold);
    if (!needs) {
      part.history.forget();
    } else if (served[index].isComplete() && !part.history.isOpen()) {
      part.history.begin(position(index));
    }
  }

  /** This node became an in-sync replica of a segment. For the driver. */
  void inSync(int index) {
    locked(
        index,
        part -> {
          if (isHeard && !part.isTold) {
            tryTell(index, part);
          }
          keepHistory(index, part);
        });
  }

  /** Goes on with what this node commits, if it has all changes since the last one. Locked. */
  boolean tryTell(int index, Part part) {
    if (!served[index].isInSync()) {
      return false;
    }
    boolean isNew = part.heard == FeedMessage.Place.NOW;
    if (!isNew && !part.history.covers(part.heard)) {
      return false;
    }
    if (!isNew) {
      deliver(index, part, part.history.after(part.heard, Long.MAX_VALUE));
    }
    part.isTold = true;
    return true;
  }

  /** This node is no in-sync replica of a segment any more. For the driver. */
  void left(int index, long seq) {
    locked(
        index,
        part -> {
          if (part.isTold) {
            part.isTold = false;
            part.heard = Math.max(part.heard, seq);
          }
          if (part.history.isOpen()) {
            part.history.end(seq);
          }
        });
  }

  /** The copy of a segment that this node was given is complete. For the driver. */
  void copied(int index) {
    locked(
        index,
        part -> {
          part.history.forget();
          keepHistory(index, part);
        });
  }

  /**
   * A segment began anew without its entries. Who heard of all that this node knows of it misses
   * something all the same. For the driver.
   */
  void restarted(int index) {
    locked(index, part -> part.history.forget());
  }

  /** Changes of a segment were committed here that can't be told. Locked. */
  void missed(int index) {
    Part part = parts[index];
    if (part.isTold) {
      tellGap(index);
    }
    if (part.history.isOpen()) {
      part.history.forget();
      keepHistory(index, part);
      markDirty(index, part);
    }
  }

  /** The copy of a segment is dropped. For the driver. */
  void dropped(int index) {
    locked(
        index,
        part -> {
          if (part.history.isOpen()) {
            part.history.forget();
          }
        });
  }

  // ---- changes

  /** What is told next is committed at a place; 0 for the end of it. Locked. */
  void committing(int index, long seq) {
    parts[index].committing = seq;
  }

  @Override
  public void onChange(Change<BinaryKey, Bytes> change) {
    int index = change.segment();
    Part part = parts[index];
    long seq = change.version() & Segment.SEQUENCE_MAX;
    boolean isShared =
        change.kind() != CacheEvent.Kind.EVICTED
            && (seq == part.committing || ServedSegment.isOwn(served[index].stamp()));
    // Another replica may have told more than what is committed here yet.
    if (!isShared || (part.isTold && seq > part.heard)) {
      tell(change, true);
    }
    if (isShared && part.history.isOpen()) {
      part.history.add(kept(change, seq));
      markDirty(index, part);
    }
  }

  private FollowedChange kept(Change<BinaryKey, Bytes> change, long seq) {
    Bytes value = change.value();
    boolean hasValues = keepsValues || (isHeard && wantsValues());
    EntryView<BinaryKey, Bytes> before = change.before();
    return new FollowedChange(
        change.kind(),
        ByteString.of(change.key().toByteArray()),
        hasValues && value != null ? ByteString.of(value.toByteArray()) : null,
        hasValues && before.isPresent() ? ByteString.of(before.value().toByteArray()) : null,
        hasValues,
        seq);
  }

  private void markDirty(int index, Part part) {
    if (isFollowed && !part.isDirty) {
      part.isDirty = true;
      dirty.add(index);
    }
  }

  /** A segment with changes that followers must hear of, or null. */
  @Nullable Integer pollDirty() {
    return dirty.poll();
  }

  private void tell(Change<BinaryKey, Bytes> change, boolean hasValues) {
    for (Hearer hearer : hearers) {
      if (!hearer.isBegun) {
        continue;
      }
      if (hasValues || !hearer.listener.wantsValues()) {
        failures.tell(hearer.listener, change);
      } else {
        hearer.listener.onGap(change.segment());
      }
    }
  }

  /** Tells listeners what others committed, as far as it is news. Locked. */
  void deliver(int index, Part part, List<FollowedChange> told) {
    EntryView<BinaryKey, Bytes> before = engine.newView();
    int epoch = engine.versionEpoch();
    for (FollowedChange change : told) {
      if (change.seq() <= part.heard) {
        continue;
      }
      BinaryKey key = BinaryKey.of(change.key().toByteArray());
      show(change.before(), key, before);
      ByteString value = change.value();
      long version = Segment.epochBits(epoch) | change.seq();
      tell(
          new Change<>(
              change.kind(), index, key, before, value == null ? null : Bytes.of(value), version),
          change.hasValues());
    }
    if (!told.isEmpty()) {
      part.heard = Math.max(part.heard, told.getLast().seq());
      engine.changed();
    }
  }

  private void show(@Nullable ByteString value, BinaryKey key, EntryView<BinaryKey, Bytes> window) {
    if (value == null) {
      DetachedEntry.showNone(window);
      return;
    }
    DetachedEntry entry =
        new DetachedEntry(0, 0, Expiry.UNLIMITED, 0, Expiry.UNLIMITED, 0, null, value);
    entry.show(key, engine.versionEpoch(), window);
  }

  /** Tells listeners that they miss something. Locked. */
  void tellGap(int index) {
    for (Hearer hearer : hearers) {
      if (hearer.isBegun) {
        hearer.listener.onGap(index);
      }
    }
    engine.changed();
  }

  /** Tells listeners that the cache was closed. Any thread. */
  void tellClosed() {
    for (Hearer hearer : hearers) {
      hearer.listener.onClosed();
    }
  }

  @Override
  public void afterChange(int segment) {
    for (Hearer hearer : hearers) {
      hearer.listener.afterChange(segment);
    }
  }
}
