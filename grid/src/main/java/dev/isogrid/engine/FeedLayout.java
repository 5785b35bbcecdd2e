package dev.isogrid.engine;

import dev.isogrid.api.CacheEvent;
import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.MessageHeader;
import dev.isogrid.cluster.MessageReader;
import dev.isogrid.cluster.MessageWriter;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.FeedMessage.Changes;
import dev.isogrid.engine.FeedMessage.Follow;
import dev.isogrid.engine.FeedMessage.Part;
import dev.isogrid.engine.FeedMessage.Place;
import dev.isogrid.engine.FeedMessage.Status;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the messages about changes become bytes; {@link SegmentLayout} has the picture. */
final class FeedLayout {
  private static final List<Status> STATUSES = List.of(Status.values());
  private static final List<CacheEvent.Kind> KINDS = List.of(CacheEvent.Kind.values());

  private static final int PLACE_BYTES = 4 + 8;
  private static final int PART_BYTES_MIN = 4 + 1 + 3 * 8 + 4;
  private static final int CHANGE_BYTES_MIN = 1 + 4 + 1 + 8;

  private FeedLayout() {}

  static void encode(FeedMessage message, MessageWriter out) {
    switch (message) {
      case Follow follow -> {
        new MessageHeader(SegmentLayout.FOLLOW, follow.epoch(), 0, 0).write(out);
        out.putInt(follow.cacheId());
        out.putBoolean(follow.wantsValues());
        out.putLong(follow.fence());
        out.putInt(follow.places().size());
        for (Place place : follow.places()) {
          out.putInt(place.index());
          out.putLong(place.seq());
        }
      }
      case Changes changes -> {
        new MessageHeader(SegmentLayout.CHANGES, changes.epoch(), 0, 0).write(out);
        out.putInt(changes.cacheId());
        out.putLong(changes.fence());
        out.putInt(changes.parts().size());
        changes.parts().forEach(part -> writePart(part, out));
      }
    }
  }

  private static void writePart(Part part, MessageWriter out) {
    out.putInt(part.index());
    out.putByte(STATUSES.indexOf(part.status()));
    out.putLong(part.since());
    out.putLong(part.upTo());
    out.putLong(part.position());
    out.putInt(part.changes().size());
    for (FollowedChange change : part.changes()) {
      out.putByte(KINDS.indexOf(change.kind()));
      out.putBytes(change.key());
      out.putBoolean(change.hasValues());
      if (change.hasValues()) {
        writeOptional(change.value(), out);
        writeOptional(change.before(), out);
      }
      out.putLong(change.seq());
    }
  }

  private static void writeOptional(@Nullable ByteString bytes, MessageWriter out) {
    out.putBoolean(bytes != null);
    if (bytes != null) {
      out.putBytes(bytes);
    }
  }

  static Follow readFollow(int epoch, MessageReader in) throws MalformedMessageException {
    int cacheId = in.count32("cache", Integer.MAX_VALUE);
    boolean wantsValues = in.bool("values");
    long fence = in.count64("fence");
    int count = in.countOf("places", PLACE_BYTES);
    List<Place> places = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int index = in.count32("index", Integer.MAX_VALUE);
      places.add(new Place(index, place(in)));
    }
    return new Follow(epoch, cacheId, wantsValues, fence, places);
  }

  private static long place(MessageReader in) throws MalformedMessageException {
    long seq = in.int64("seq");
    if (seq < Place.NOW) {
      throw in.malformed("seq", seq, "expected -1 or more");
    }
    return seq;
  }

  static Changes readChanges(int epoch, MessageReader in) throws MalformedMessageException {
    int cacheId = in.count32("cache", Integer.MAX_VALUE);
    long fence = in.count64("fence");
    int count = in.countOf("parts", PART_BYTES_MIN);
    List<Part> parts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      parts.add(readPart(in));
    }
    return new Changes(epoch, cacheId, fence, parts);
  }

  private static Part readPart(MessageReader in) throws MalformedMessageException {
    int index = in.count32("index", Integer.MAX_VALUE);
    int status = in.unsignedByte("status");
    if (status >= STATUSES.size()) {
      throw in.malformed("status", status, "unknown");
    }
    long since = place(in);
    long upTo = in.count64("upTo");
    long position = in.count64("position");
    int count = in.countOf("changes", CHANGE_BYTES_MIN);
    List<FollowedChange> changes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      changes.add(readChange(in));
    }
    return new Part(index, STATUSES.get(status), since, upTo, position, changes);
  }

  private static FollowedChange readChange(MessageReader in) throws MalformedMessageException {
    int kind = in.unsignedByte("kind");
    if (kind >= KINDS.size()) {
      throw in.malformed("kind", kind, "unknown");
    }
    ByteString key = in.bytes("key");
    boolean hasValues = in.bool("values");
    ByteString value = hasValues ? readOptional(in) : null;
    ByteString before = hasValues ? readOptional(in) : null;
    return new FollowedChange(KINDS.get(kind), key, value, before, hasValues, in.count64("seq"));
  }

  private static @Nullable ByteString readOptional(MessageReader in)
      throws MalformedMessageException {
    return in.bool("present") ? in.bytes("bytes") : null;
  }
}
