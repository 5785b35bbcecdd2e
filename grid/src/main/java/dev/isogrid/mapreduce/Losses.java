package dev.isogrid.mapreduce;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The delays of a task, in words. Written by the task's thread, read by any. */
final class Losses {
  /** The most given-up nodes that are reported one by one. */
  private static final int NODES_MAX = 100;

  /** The least wait that is reported. */
  private static final long WAIT_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(100);

  /** Guarded by itself. */
  private final List<String> nodes = new ArrayList<>();

  private final AtomicLong nodesMore = new AtomicLong();
  private final AtomicLong segmentsMoved = new AtomicLong();
  private final AtomicLong busyCalls = new AtomicLong();
  private final AtomicLong lateParts = new AtomicLong();
  private final AtomicLong unownedNanos = new AtomicLong();
  private final AtomicLong roundsNanos = new AtomicLong();
  private final AtomicLong attemptsAgain = new AtomicLong();

  /**
   * Notes that a node was given up.
   *
   * @param waitedNanos how long its answer was missing; 0 if none was
   */
  void node(Participant gone, long waitedNanos, int partitions, String why) {
    String line =
        "node=%s was given up after %d ms without an answer: segments to map again=%d, partitions"
                .formatted(
                    gone.name, TimeUnit.NANOSECONDS.toMillis(waitedNanos), gone.assigned.size())
            + " to reduce elsewhere=%d, why=%s".formatted(partitions, why);
    synchronized (nodes) {
      if (nodes.size() < NODES_MAX) {
        nodes.add(line);
      } else {
        nodesMore.incrementAndGet();
      }
    }
  }

  /** Notes segments that moved to other nodes while they were mapped. */
  void moved(int segments) {
    segmentsMoved.addAndGet(segments);
  }

  /** Notes that a node was too busy for a call. */
  void busy() {
    busyCalls.incrementAndGet();
  }

  /** Notes that a part of the result did not arrive, and was requested again. */
  void late() {
    lateParts.incrementAndGet();
  }

  /** Notes the time in which segments had no owner. */
  void unowned(long nanos) {
    unownedNanos.addAndGet(nanos);
  }

  /** Notes the time of a round after the first. */
  void round(long nanos) {
    roundsNanos.addAndGet(nanos);
  }

  /** Notes that an attempt was sent again instead of mapped again. */
  void sentAgain() {
    attemptsAgain.incrementAndGet();
  }

  /** All delays; empty if there were none. */
  List<String> texts() {
    List<String> texts = new ArrayList<>();
    synchronized (nodes) {
      texts.addAll(nodes);
    }
    addIfMore(texts, nodesMore.get(), "%d more nodes were given up");
    addIfMore(
        texts,
        segmentsMoved.get(),
        "%d segments moved while they were mapped, and were mapped again");
    addIfMore(
        texts, millis(unownedNanos), "for %d ms there were segments that no node answered for");
    addIfMore(
        texts, millis(roundsNanos), "lost partitions of the result took %d ms to be made again");
    addIfMore(texts, attemptsAgain.get(), "for these the pairs of %d attempts were sent again");
    addIfMore(
        texts,
        lateParts.get(),
        "%d parts of the result did not come in time and were asked for again");
    addIfMore(texts, busyCalls.get(), "%d calls were refused by nodes with too much to do");
    return texts;
  }

  private static long millis(AtomicLong nanos) {
    long now = nanos.get();
    return now < WAIT_NANOS_MIN ? 0 : TimeUnit.NANOSECONDS.toMillis(now);
  }

  private static void addIfMore(List<String> texts, long count, String text) {
    if (count > 0) {
      texts.add(text.formatted(count));
    }
  }
}
