package dev.isogrid.stream;

import dev.isogrid.base.NanoClock;
import java.util.concurrent.TimeUnit;

/**
 * Limits the questions that one node has at a time, and the bytes that each asks for. For one
 * thread.
 */
final class NodePace {
  /*
   * Answers are taken one after the other, so that those of a node wait here while its next ones
   * are made and sent. A credit bounds their bytes: a question may be sent if the pages of all open
   * ones fit into it. A page can be larger than its question wants, if a segment or an entry in it
   * is not cut. So the next page is expected to be as large as the last one, or as its question
   * wants if that is more. The first question of a walk is alone: most caches fit into its answer.
   *
   * The collector gives an array of half a region or more regions of its own. The smallest region
   * has a mebibyte, and pages of entries are far smaller than half of that.
   */
  /** The size of the first page, which is small so that it arrives soon; each next one doubles. */
  private static final int FIRST_PAGE_BYTES = 64 << 10;

  /** The most doublings. */
  private static final int DOUBLINGS_MAX = 4;

  static final int ENTRIES_PAGE_BYTES_MAX = 256 << 10;

  private static final int ELEMENTS_PAGE_BYTES_MAX = 1 << 20;

  /** The bytes of a node's answers that may wait to be taken. */
  static final int CREDIT_BYTES = 1 << 20;

  /** So many pages of entries fit into the credit. */
  private static final int QUESTIONS_MAX = CREDIT_BYTES / ENTRIES_PAGE_BYTES_MAX;

  /** The pause for a node that did not answer for the queried segments. */
  static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * The time of a node for its first answer after a valid one: much longer than a slice, and short
   * in case the answer was lost. The next attempt has the full time, and so have those after an
   * answer that took longer than this: functions that are slow must not run twice for each part.
   */
  private static final long FIRST_ATTEMPT_MILLIS = 5_000;

  private final NanoClock clock;
  private final boolean isOfEntries;
  private int answers;
  private int lastBytes;

  /** The number of open questions. */
  private int open;

  /** The bytes that their answers are expected to have. */
  private long openBytes;

  private boolean isLate;
  private boolean hasPaused;
  private long pausedNanos;

  /**
   * Begins without questions.
   *
   * @param isOfEntries whether answers are pages of entries, of which several may be under way
   */
  NodePace(NanoClock clock, boolean isOfEntries) {
    this.clock = clock;
    this.isOfEntries = isOfEntries;
  }

  /** The number of further questions that may be sent now. */
  int free() {
    if (hasPaused && clock.nanoTime() - pausedNanos < PAUSE_NANOS) {
      return 0;
    }
    hasPaused = false;
    int most = isOfEntries && answers > 0 ? QUESTIONS_MAX : 1;
    long fitting = Math.max(open == 0 ? 1 : 0, (CREDIT_BYTES - openBytes) / expectedBytes());
    return Math.clamp(fitting, 0, Math.max(0, most - open));
  }

  /** The size of the next page that is asked for. */
  int pageBytes() {
    int most = isOfEntries ? ENTRIES_PAGE_BYTES_MAX : ELEMENTS_PAGE_BYTES_MAX;
    return Math.min(FIRST_PAGE_BYTES << Math.min(answers, DOUBLINGS_MAX), most);
  }

  private int expectedBytes() {
    return Math.max(pageBytes(), lastBytes);
  }

  /** The time-out of the next question: that given, or less. */
  long timeoutMillis(long mostMillis) {
    return isLate ? mostMillis : Math.min(mostMillis, FIRST_ATTEMPT_MILLIS);
  }

  /** A question is sent; returns what {@link #ended} gets when it is answered or has failed. */
  int begun() {
    int expected = expectedBytes();
    open++;
    openBytes += expected;
    return expected;
  }

  /** A question has ended. */
  void ended(int expectedBytes) {
    open--;
    openBytes -= expectedBytes;
  }

  /** A valid answer was taken, some time after its question was sent. */
  void answered(int bytes, long tookNanos) {
    answers++;
    lastBytes = bytes;
    isLate = isLate && tookNanos >= TimeUnit.MILLISECONDS.toNanos(FIRST_ATTEMPT_MILLIS);
  }

  /** There was no answer in time, or it failed. */
  void failed() {
    isLate = true;
    pause();
  }

  /** No question may be sent for a moment. */
  void pause() {
    hasPaused = true;
    pausedNanos = clock.nanoTime();
  }
}
