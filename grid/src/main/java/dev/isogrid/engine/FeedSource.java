package dev.isogrid.engine;

import dev.isogrid.cluster.Outbox;
import dev.isogrid.engine.FeedMessage.Changes;
import dev.isogrid.engine.FeedMessage.Follow;
import dev.isogrid.engine.FeedMessage.Part;
import dev.isogrid.engine.FeedMessage.Place;
import dev.isogrid.engine.FeedMessage.Status;
import dev.isogrid.topology.NodeId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells other nodes of the changes of a cache's segments that this node has. Nothing is kept for
 * each of them but how far it has heard: it asks for what comes next when it has the last. For the
 * thread that drives the node.
 */
final class FeedSource {
  /** A node that does not ask any more is forgotten after this. */
  static final long INTEREST_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Bytes of changes in one message, about. */
  private static final long MESSAGE_BYTES = 1 << 20;

  private static final long NOT_WAITING = -2;

  /** A node that follows. */
  private static final class Follower {
    private final long[] waiting;
    private boolean wantsValues;
    private long askedNanos;

    Follower(int segments) {
      waiting = new long[segments];
      Arrays.fill(waiting, NOT_WAITING);
    }
  }

  private final int cacheId;
  private final ChangeFeed feed;
  private final Outbox outbox;
  private final BooleanSupplier isLeased;
  private final Map<NodeId, Follower> followers = new HashMap<>();

  /**
   * A source that nobody asked yet.
   *
   * @param isLeased whether this node may serve what it is primary of
   */
  FeedSource(int cacheId, ChangeFeed feed, Outbox outbox, BooleanSupplier isLeased) {
    this.cacheId = cacheId;
    this.feed = feed;
    this.outbox = outbox;
    this.isLeased = isLeased;
  }

  boolean isFollowed() {
    return !followers.isEmpty();
  }

  /** A node asks. */
  void onFollow(NodeId from, Follow follow, int epoch, long nowNanos) {
    Follower follower = followers.computeIfAbsent(from, _ -> new Follower(feed.segmentCount()));
    follower.askedNanos = nowNanos;
    follower.wantsValues = follow.wantsValues();
    update();
    Batch batch = new Batch(from, epoch, follow.fence());
    for (Place place : follow.places()) {
      if (place.index() < feed.segmentCount()) {
        Part part = answer(follower, place, follow.fence() != 0);
        if (part != null) {
          batch.add(part);
        }
      }
    }
    batch.send();
  }

  private void update() {
    boolean wantValues = followers.values().stream().anyMatch(each -> each.wantsValues);
    feed.followed(!followers.isEmpty(), wantValues);
  }

  /** What can be told now, or null if that is nothing. */
  private @Nullable Part answer(Follower follower, Place place, boolean isFence) {
    @Nullable Part[] answer = new Part[1];
    feed.locked(place.index(), state -> answer[0] = answerLocked(follower, place, isFence, state));
    return answer[0];
  }

  private @Nullable Part answerLocked(
      Follower follower, Place place, boolean isFence, ChangeFeed.Part state) {
    int index = place.index();
    boolean serves = ServedSegment.isServed(feed.served(index).stamp()) && isLeased.getAsBoolean();
    if (isFence && !serves) {
      return part(place, Status.NOT_HERE, 0, 0, List.of());
    }
    ChangeHistory history = state.history;
    long position = feed.position(index);
    if (place.seq() == Place.NOW) {
      boolean knows = history.isOpen() && feed.served(index).isInSync();
      return knows
          ? part(place, Status.TOLD, position, position, List.of())
          : part(place, Status.NOT_HERE, 0, 0, List.of());
    }
    if (!history.covers(place.seq())) {
      boolean isLost = history.isOpen() && feed.served(index).isInSync();
      return part(place, isLost ? Status.LOST : Status.NOT_HERE, position, position, List.of());
    }
    List<FollowedChange> changes = history.after(place.seq(), MESSAGE_BYTES);
    boolean isAll = changes.isEmpty() || changes.getLast().seq() == history.lastSeq();
    long upTo = isAll ? history.upTo(position) : changes.getLast().seq();
    if (changes.isEmpty() && upTo <= place.seq() && !isFence) {
      if (!history.isOpen()) {
        return part(place, Status.NOT_HERE, 0, 0, List.of());
      }
      follower.waiting[index] = place.seq();
      return null;
    }
    follower.waiting[index] = NOT_WAITING;
    return part(place, Status.TOLD, Math.max(upTo, place.seq()), position, changes);
  }

  private static Part part(
      Place place, Status status, long upTo, long position, List<FollowedChange> changes) {
    return new Part(place.index(), status, place.seq(), upTo, position, changes);
  }

  /** Tells of what has changed those that wait for it. */
  void flush(int epoch) {
    Map<NodeId, Batch> batches = new HashMap<>();
    Integer index = feed.pollDirty();
    while (index != null) {
      int at = index;
      feed.locked(at, part -> part.isDirty = false);
      followers.forEach((node, follower) -> {
        if (follower.waiting[at] != NOT_WAITING) {
          Part part = answer(follower, new Place(at, follower.waiting[at]), false);
          if (part != null) {
            batches.computeIfAbsent(node, _ -> new Batch(node, epoch, 0)).add(part);
          }
        }
      });
      index = feed.pollDirty();
    }
    batches.values().forEach(Batch::send);
  }

  /** Forgets those that don't ask any more. */
  void expire(long nowNanos) {
    if (followers.values().removeIf(each -> nowNanos - each.askedNanos > INTEREST_NANOS)) {
      update();
    }
  }

  /** Parts of an answer that go together. */
  private final class Batch {
    private final NodeId to;
    private final int epoch;
    private final long fence;
    private final List<Part> parts = new ArrayList<>();
    private long bytes;

    Batch(NodeId to, int epoch, long fence) {
      this.to = to;
      this.epoch = epoch;
      this.fence = fence;
    }

    void add(Part part) {
      parts.add(part);
      for (FollowedChange change : part.changes()) {
        bytes += change.sizeBytes();
      }
      if (bytes >= MESSAGE_BYTES) {
        send();
      }
    }

    void send() {
      if (!parts.isEmpty()) {
        outbox.send(to, new Changes(epoch, cacheId, fence, parts));
        parts.clear();
        bytes = 0;
      }
    }
  }
}
