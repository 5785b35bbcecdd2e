package dev.isogrid.engine;

import dev.isogrid.cluster.Message;
import java.util.List;

/** What nodes tell each other of the changes of a cache. */
sealed interface FeedMessage extends Message {
  /** The number of the cache. */
  int cacheId();

  /**
   * Keep the latest changes of this cache for some time from now on, and tell me those that follow,
   * once, as soon as there are any.
   *
   * @param wantsValues whether values are to be told as well
   * @param fence not 0 if the places that are reached are to be told at once, by who serves
   * @param places by segment what the sender has heard of
   */
  record Follow(int epoch, int cacheId, boolean wantsValues, long fence, List<Place> places)
      implements FeedMessage {
    /** Copies the list. */
    public Follow {
      places = List.copyOf(places);
    }
  }

  /**
   * How far a node has heard of a segment's changes.
   *
   * @param index the segment's number in the cache
   * @param seq the place of the last change that it knows of, or {@link #NOW}
   */
  record Place(int index, long seq) {
    /** In place of a place: the one that is reached. */
    static final long NOW = -1;
  }

  /** These are the changes. */
  record Changes(int epoch, int cacheId, long fence, List<Part> parts) implements FeedMessage {
    /** Copies the list. */
    public Changes {
      parts = List.copyOf(parts);
    }

    /** About the bytes that it takes in a message. */
    long sizeBytes() {
      long bytes = 0;
      for (Part part : parts) {
        for (FollowedChange change : part.changes()) {
          bytes += change.sizeBytes();
        }
      }
      return bytes;
    }
  }

  /** What can be said of a segment's changes. */
  enum Status {
    /** The changes are told. */
    TOLD,
    /** Some of them are not known any more. */
    LOST,
    /** This node has nothing to do with the segment. */
    NOT_HERE
  }

  /**
   * The changes of a segment.
   *
   * @param since the place behind which they are, as it was asked for
   * @param upTo the place up to which they are all
   * @param position the place that was reached
   */
  record Part(
      int index,
      Status status,
      long since,
      long upTo,
      long position,
      List<FollowedChange> changes) {
    /** Copies the list. */
    public Part {
      changes = List.copyOf(changes);
    }
  }
}
