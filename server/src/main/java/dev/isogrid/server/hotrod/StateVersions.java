package dev.isogrid.server.hotrod;

import dev.isogrid.codec.ByteString;
import dev.isogrid.server.net.ByteBudget;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Separates the changes that a client receives as part of the cache's state, segment by segment,
 * from the changes that it receives as events. Not thread-safe.
 */
final class StateVersions {
  /*
   * Changes of a segment arrive in the order of their versions. A change that arrives before the
   * segment's state is taken is part of that state. Changes that arrive while it is taken wait
   * until it is sent. Then those are dropped that are not newer than the sent version of their key.
   * Changes from another node may arrive later although they are older. So the sent versions are
   * kept until a change arrives that is newer than all of them, or until no older one can come.
   */
  private final EventBacklog held;

  /** The share of the connection, on which the kept keys count. */
  private final ByteBudget.Share share;

  /** The sent versions by segment, while older changes may still arrive. */
  private final Map<Integer, Told> told = new HashMap<>();

  /** The segment whose state is being sent, or -1. */
  private int current = -1;

  private Told now = new Told();

  /** The first segment whose state is not sent yet. */
  private int next;

  /** The approximate bytes of a sent key beside its content. */
  private static final int TOLD_BYTES = 96;

  /** The sent versions of a segment. */
  private static final class Told {
    private final Map<ByteString, Long> versions = new HashMap<>();
    private long last;
    private long bytes;

    boolean isNews(ClientEvent event) {
      Long version = versions.get(event.key());
      return version == null || event.version() > version;
    }
  }

  /**
   * Begins before the first segment.
   *
   * @param limits of the changes that wait for the state of their segment
   * @param share the share of the connection
   */
  StateVersions(EventLimits limits, ByteBudget.Share share) {
    this.share = share;
    this.held =
        new EventBacklog(new EventLimits(limits.eventsMax(), limits.bytesMax(), false), share);
  }

  /** The treatment of a change. */
  enum Fate {
    /** It is new to the client. */
    TELL,
    /** It is part of the state, or waits. */
    KEEP,
    /** It would have to wait, but too many do already. */
    NO_ROOM
  }

  /** Handles a change. */
  Fate changed(ClientEvent event) {
    int segment = event.segment();
    if (segment == current) {
      return held.tryAdd(event) ? Fate.KEEP : Fate.NO_ROOM;
    }
    if (segment >= next) {
      return Fate.KEEP;
    }
    Told of = told.get(segment);
    if (of == null) {
      return Fate.TELL;
    }
    if (event.version() > of.last) {
      told.remove(segment);
      share.give(of.bytes);
    }
    return of.isNews(event) ? Fate.TELL : Fate.KEEP;
  }

  /** Begins the state of a segment; segments come in ascending order. */
  void begin(int segment) {
    current = segment;
    next = segment + 1;
    now = new Told();
  }

  /** Notes a sent entry of the segment's state; returns false if there is no memory for that. */
  boolean tryTell(ByteString key, long version) {
    int size = TOLD_BYTES + key.length();
    if (!share.tryTake(size)) {
      return false;
    }
    now.bytes += size;
    now.versions.put(key, version);
    now.last = Math.max(now.last, version);
    return true;
  }

  /**
   * Ends the state of the segment.
   *
   * @param olderMayCome whether changes may still arrive that are part of it
   * @return the changes that arrived meanwhile and are new to the client, the oldest first
   */
  Iterable<ClientEvent> end(boolean olderMayCome) {
    ArrayDeque<ClientEvent> news = new ArrayDeque<>();
    long last = 0;
    @Nullable ClientEvent event = held.poll();
    while (event != null) {
      last = event.version();
      if (now.isNews(event)) {
        news.add(event);
      }
      event = held.poll();
    }
    if (olderMayCome && last <= now.last && !now.versions.isEmpty()) {
      told.put(current, now);
    } else {
      share.give(now.bytes);
    }
    current = -1;
    now = new Told();
    return news;
  }

  /** Notes that no more changes arrive that are part of the state. */
  void forget() {
    told.values().forEach(of -> share.give(of.bytes));
    told.clear();
    next = Integer.MAX_VALUE;
  }

  /** Drops everything, since the listener ends. */
  void clear() {
    forget();
    held.clear();
    share.give(now.bytes);
    now = new Told();
  }
}
