package dev.isogrid.node;

import dev.isogrid.base.NanoClock;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.ClusterDriver;
import dev.isogrid.engine.CopyState;
import dev.isogrid.topology.Pauses;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Watches this node's part in rebalancing: when it began, what was sent since, what is left. Says
 * in the log when it begins and ends, and how far it is. Thread-safe.
 */
final class RebalanceWatch {
  private static final System.Logger log = System.getLogger(RebalanceWatch.class.getName());

  /** The number of the service that tells other nodes of it. */
  static final int SERVICE = 70;

  /** How often it is said how far it is, as long as there is something to do. */
  private static final long LOG_MILLIS = 10_000;

  private static final int ANSWER_BYTES = 2 * Integer.BYTES + 4 * Long.BYTES;

  private final String nodeName;
  private final ClusterDriver driver;
  private final NanoClock clock;

  /** Waits for the driver happen with it held, so it is no monitor. */
  private final ReentrantLock lock = new ReentrantLock();

  // guarded by: lock
  private boolean isRunning;
  private long begunNanos;
  private long endedNanos;
  private long loggedNanos;

  /** Bytes sent up to the end of the rebalancing before the present or latest one. */
  private long sentBefore;

  /** Bytes sent up to the end of the latest one. */
  private long sentAtEnd;

  private int pauseChanges;

  RebalanceWatch(String nodeName, ClusterDriver driver, NanoClock clock) {
    this.nodeName = nodeName;
    this.driver = driver;
    this.clock = clock;
  }

  /**
   * One node's part in the present or latest rebalancing.
   *
   * @param underWay copies that it is sending
   * @param left copies that are missing of what it is primary of
   * @param bytesLeft about what is still to be sent
   * @param bytesDone what it has sent of it
   * @param bytesPerSecond how fast
   * @param bytesTotal what it has sent since it started
   */
  record Part(
      int underWay,
      int left,
      long bytesLeft,
      long bytesDone,
      long bytesPerSecond,
      long bytesTotal) {
    ByteString toBytes() {
      ByteBuffer out = ByteBuffer.allocate(ANSWER_BYTES);
      out.putInt(underWay).putInt(left).putLong(bytesLeft).putLong(bytesDone);
      return ByteString.of(out.putLong(bytesPerSecond).putLong(bytesTotal).array());
    }

    /**
     * Reads what another node says.
     *
     * @throws IllegalArgumentException if it has another length
     */
    static Part of(ByteString answer) {
      if (answer.length() != ANSWER_BYTES) {
        throw new IllegalArgumentException(
            "no answer about rebalancing: bytes=%d, expected=%d"
                .formatted(answer.length(), ANSWER_BYTES));
      }
      ByteBuffer in = ByteBuffer.wrap(answer.toByteArray());
      return new Part(
          in.getInt(), in.getInt(), in.getLong(), in.getLong(), in.getLong(), in.getLong());
    }
  }

  /** This node's part. Costs what a plan does. */
  Part part() {
    CopyState state = driver.copyState();
    lock.lock();
    try {
      long end = isRunning ? clock.nanoTime() : endedNanos;
      long done = state.bytesSent() - sentBefore;
      long rate = done <= 0 ? 0 : perSecond(done, end - begunNanos);
      return new Part(
          state.underWay(), state.left(), state.bytesLeft(), done, rate, state.bytesSent());
    } finally {
      lock.unlock();
    }
  }

  private static long perSecond(long bytes, long nanos) {
    return (long) (bytes / (Math.max(1, nanos) / 1e9));
  }

  /** There is a new topology. Takes as long as it takes to look through its segments. */
  void onTopology(@Nullable Topology known) {
    if (known == null) {
      return;
    }
    lock.lock();
    try {
      look(known);
    } finally {
      lock.unlock();
    }
  }

  private void look(Topology known) {
    logPauses(known);
    boolean runs = sendsCopies(known);
    long now = clock.nanoTime();
    if (runs && !isRunning) {
      isRunning = true;
      begunNanos = now;
      loggedNanos = now;
      sentBefore = sentAtEnd; // some copies may have been sent before this is called
      log.log(
          Level.INFO,
          "rebalancing begins: node={0}, epoch={1}, members={2}",
          nodeName,
          known.epoch(),
          known.members().size());
    } else if (!runs && isRunning) {
      isRunning = false;
      endedNanos = now;
      sentAtEnd = driver.copiedBytes();
      long bytes = sentAtEnd - sentBefore;
      log.log(
          Level.INFO,
          "rebalancing ends: node={0}, epoch={1}, sent={2} B, took={3} ms, speed={4} B/s",
          nodeName,
          known.epoch(),
          bytes,
          TimeUnit.NANOSECONDS.toMillis(now - begunNanos),
          perSecond(bytes, now - begunNanos));
    } else if (runs && now - loggedNanos >= TimeUnit.MILLISECONDS.toNanos(LOG_MILLIS)) {
      loggedNanos = now;
      logProgress(now);
    }
  }

  private void logProgress(long nowNanos) {
    CopyState state = driver.copyState();
    long done = state.bytesSent() - sentBefore;
    long rate = perSecond(done, nowNanos - begunNanos);
    log.log(
        Level.INFO,
        "rebalancing: node={0}, copies left={1}, under way={2}, sent={3} B, left={4} B, speed={5}"
            + " B/s, seconds left={6}",
        nodeName,
        state.left(),
        state.underWay(),
        done,
        state.bytesLeft(),
        rate,
        secondsLeft(state.bytesLeft(), rate));
  }

  /** How long something takes, or -1 if that is not known. */
  static long secondsLeft(long bytes, long bytesPerSecond) {
    if (bytes == 0) {
      return 0;
    }
    return bytesPerSecond == 0 ? -1 : (bytes + bytesPerSecond - 1) / bytesPerSecond;
  }

  private void logPauses(Topology known) {
    if (known.pauses().changes() != pauseChanges) {
      pauseChanges = known.pauses().changes();
      log.log(
          Level.INFO,
          "rebalancing of the cluster: node={0}, epoch={1}, paused={2}, paused groups={3}, most"
              + " bytes per second={4}",
          nodeName,
          known.epoch(),
          known.pauses().all(),
          known.pauses().groups(),
          speed(known.pauses().bytesPerSecondMax()));
    }
  }

  private static String speed(long bytesPerSecondMax) {
    if (bytesPerSecondMax == Pauses.AS_CONFIGURED) {
      return "as configured";
    }
    return bytesPerSecondMax == Long.MAX_VALUE ? "any" : Long.toString(bytesPerSecondMax);
  }

  private boolean sendsCopies(Topology known) {
    for (SegmentOwners segment : known.segments()) {
      if (!segment.learners().isEmpty() && driver.self().equals(segment.primary())) {
        return true;
      }
    }
    return false;
  }
}
