package dev.isogrid.engine;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the records of operations of all segments of a node take, and may take. Not thread-safe. */
final class RecordRoom {
  /** The most clients; beyond, the one unused for longest is forgotten. About 150 bytes each. */
  private static final int CLIENTS_MAX = 50_000;

  private final RecordLimits limits;
  private final boolean refusesForgotten;
  private long bytes;
  private long nowNanos;

  /** Of clients, what they are done with in all segments; the one unused for longest first. */
  private final Map<SessionId, Done> clients = new LinkedHashMap<>(16, 0.75f, true);

  /** When a client was last forgotten before its time, if any was. */
  private @Nullable Long forgotNanos;

  private record Done(long upTo, long usedNanos) {}

  /**
   * Room without records.
   *
   * @param refusesForgotten whether an operation whose record was forgotten is refused, as it must
   */
  RecordRoom(RecordLimits limits, boolean refusesForgotten) {
    this.limits = limits;
    this.refusesForgotten = refusesForgotten;
  }

  /** Returns room without bounds. */
  static RecordRoom unbounded() {
    return new RecordRoom(
        new RecordLimits(Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE), true);
  }

  /** A segment takes more than before, or less. */
  void add(long more) {
    bytes += more;
  }

  /** Returns whether a segment that takes so much has to forget records. */
  boolean isExceeded(long tableBytes) {
    return tableBytes > limits.segmentBytes() || bytes > limits.nodeBytes();
  }

  /** Says what time it is. */
  void tick(long now) {
    nowNanos = now;
  }

  /** Returns the time of the last message or tick of the node. */
  long nowNanos() {
    return nowNanos;
  }

  /** A client asks for none of its operations up to a number again, or in vain. */
  void noteDone(SessionId client, long number) {
    Done before = clients.get(client);
    if (before != null && before.upTo >= number && before.usedNanos == nowNanos) {
      return;
    }
    long upTo = before == null ? number : Math.max(before.upTo, number);
    clients.put(client, new Done(upTo, nowNanos));
    Iterator<Done> eldest = clients.values().iterator();
    long unusedNanos = nowNanos - eldest.next().usedNanos;
    if (clients.size() > CLIENTS_MAX || unusedNanos >= DedupTable.KEPT_NANOS) {
      eldest.remove();
      forgotNanos = unusedNanos < DedupTable.KEPT_NANOS ? Long.valueOf(nowNanos) : forgotNanos;
    }
  }

  /** Returns the highest number of a client that {@link #noteDone} received, or 0. */
  long doneUpTo(SessionId client) {
    Done known = clients.get(client);
    return known == null ? 0 : known.upTo;
  }

  /** Whether no client was forgotten before its time since then. */
  boolean knowsClientsSince(long nanos) {
    Long forgot = forgotNanos;
    return forgot == null || nanos - forgot > 0;
  }

  boolean refusesForgotten() {
    return refusesForgotten;
  }

  /** Returns about what the records of all segments take. */
  long bytes() {
    return bytes;
  }
}
