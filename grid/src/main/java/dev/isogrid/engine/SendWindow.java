package dev.isogrid.engine;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what one node has sent to another one that is not answered yet, and keeps what waits for
 * that, in its order. Not thread-safe.
 *
 * <p>The bound follows the other node, as the congestion window of TCP does [1]: each answer in
 * time lets one more be sent, so it doubles with each round, and an answer that is late halves it.
 * Those whose answer is late count no more.
 *
 * <p>[1] M. Allman and others, TCP Congestion Control, RFC 5681, 2009
 *
 * @param <T> what is sent; equal only to itself
 */
final class SendWindow<T> {
  /** Answered in time even by a node whose code runs for the first time, on a busy machine. */
  static final int FIRST_MAX = 64;

  /** Keeps a node busy that gives no answer in time. */
  static final int LEAST_MAX = 8;

  /** As many as a segment parks, or has on their way. */
  static final int MOST_MAX = 1024;

  /** A quarter of what may wait for a connection; one that is larger goes alone. */
  static final long SENT_BYTES_MAX = 4 << 20;

  /** Those that wait, with their bytes. */
  private final LinkedHashMap<T, Integer> queue = new LinkedHashMap<>();

  private int max = FIRST_MAX;
  private long shrunkNanos = Long.MIN_VALUE;
  private int sent;
  private long sentBytes;

  /** Counts one as sent if there is room and nothing waits, else queues it. */
  boolean tryEnter(T one, int bytes) {
    if (!queue.isEmpty() || !hasRoom(bytes)) {
      queue.put(one, bytes);
      return false;
    }
    enter(bytes);
    return true;
  }

  private boolean hasRoom(int bytes) {
    return sent == 0 || (sent < max && sentBytes + bytes <= SENT_BYTES_MAX);
  }

  private void enter(int bytes) {
    sent++;
    sentBytes += bytes;
  }

  /** An answer came in time. */
  void grow() {
    max = Math.min(MOST_MAX, max + 1);
  }

  /**
   * An answer did not come in time.
   *
   * @param pauseNanos the time for an answer; until it is over again, others that are late mean
   *     nothing new
   */
  void shrink(long nowNanos, long pauseNanos) {
    if (shrunkNanos == Long.MIN_VALUE || nowNanos - shrunkNanos >= pauseNanos) {
      shrunkNanos = nowNanos;
      max = Math.max(LEAST_MAX, max / 2);
    }
  }

  /** One that was sent is answered, or nobody waits for its answer any more. */
  void leave(int bytes) {
    sent--;
    sentBytes -= bytes;
  }

  /** One that waits does so no longer. */
  void dequeue(T one) {
    queue.remove(one);
  }

  /** Whether any waits. */
  boolean hasQueued() {
    return !queue.isEmpty();
  }

  /** The first one that waits, or null. */
  @Nullable T firstQueued() {
    Map.Entry<T, Integer> first = queue.firstEntry();
    return first == null ? null : first.getKey();
  }

  /** Takes the first one that waits if there is room for it, and counts it as sent; else null. */
  @Nullable T pollQueued() {
    Map.Entry<T, Integer> first = queue.firstEntry();
    if (first == null || !hasRoom(first.getValue())) {
      return null;
    }
    queue.pollFirstEntry();
    enter(first.getValue());
    return first.getKey();
  }
}
