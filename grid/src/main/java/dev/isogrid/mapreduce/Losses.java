package dev.isogrid.mapreduce;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** What a task lost time on, in words. Written by the task's thread, read by any. */
final class Losses {
  /** Nodes that were given up and are told of one by one. */
  private static final int NODES_MAX = 100;

  /** Shorter waits are not worth a word. */
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
   * A node was given up.
   *
   * @param waitedNanos for how long it owed an answer; 0 if it owed none
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

  /** Segments went to other nodes while they were mapped. */
  void moved(int segments) {
    segmentsMoved.addAndGet(segments);
  }

  /** A node had too much to do for a call. */
  void busy() {
    busyCalls.incrementAndGet();
  }

  /** A part of the result did not come, and was asked for again. */
  void late() {
    lateParts.incrementAndGet();
  }

  /** There were segments that no node answered for. */
  void unowned(long nanos) {
    unownedNanos.addAndGet(nanos);
  }

  /** A round after the first took some time. */
  void round(long nanos) {
    roundsNanos.addAndGet(nanos);
  }

  /** An attempt was sent again, and not mapped again. */
  void sentAgain() {
    attemptsAgain.incrementAndGet();
  }

  /** All of them; empty if there was nothing to lose time on. */
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
