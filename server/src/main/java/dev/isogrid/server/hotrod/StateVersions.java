package dev.isogrid.server.hotrod;

import dev.isogrid.codec.ByteString;
import dev.isogrid.server.net.ByteBudget;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the changes apart that a client hears of by the state of the cache, which it is told
 * segment by segment, and those that it is to be told of as events. Not thread-safe.
 */
final class StateVersions {
  /*
   * Changes of a segment come in the order of their versions. Those that come before the segment's
   * state is taken are in that state. Those that come while it is taken wait until it is told, and
   * then those are dropped that are not newer than what was told of their key. Where changes come
   * from another node, older ones may still come later; the versions that were told are kept until
   * one comes that is newer than all of them, or until it is known that no older one will come.
   */
  private final EventBacklog held;

  /** That of the connection; what is kept of keys counts on it. */
  private final ByteBudget.Share share;

  /** By segment that was told, the versions that were told, while older changes may come. */
  private final Map<Integer, Told> told = new HashMap<>();

  /** The segment that is being told, or -1. */
  private int current = -1;

  private Told now = new Told();

  /** Segments from this one on are not told yet. */
  private int next;

  /** About what a key that was told takes beside its bytes. */
  private static final int TOLD_BYTES = 96;

  /** What was told of a segment. */
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
   * @param share that of the connection
   */
  StateVersions(EventLimits limits, ByteBudget.Share share) {
    this.share = share;
    this.held =
        new EventBacklog(new EventLimits(limits.eventsMax(), limits.bytesMax(), false), share);
  }

  /** What is to be done with a change. */
  enum Fate {
    /** It is news. */
    TELL,
    /** It is part of the state, or waits. */
    KEEP,
    /** It would have to wait, but too many do already. */
    NO_ROOM
  }

  /** A change came. */
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

  /** The state of a segment is about to be taken; segments come in ascending order. */
  void begin(int segment) {
    current = segment;
    next = segment + 1;
    now = new Told();
  }

  /** An entry of the segment's state is told; false if there is no memory to note that. */
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
   * The state of the segment is told.
   *
   * @param olderMayCome whether changes may still come that are part of it
   * @return the changes that came meanwhile and are news, the oldest first
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

  /** No change comes any more that is part of the state. */
  void forget() {
    told.values().forEach(of -> share.give(of.bytes));
    told.clear();
    next = Integer.MAX_VALUE;
  }

  /** Drops all that is kept, since the listener ends. */
  void clear() {
    forget();
    held.clear();
    share.give(now.bytes);
    now = new Told();
  }
}
