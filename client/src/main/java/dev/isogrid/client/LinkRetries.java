package dev.isogrid.client;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The times at which a failed server is tried again: later and later, at random times, so that many
 * clients don't come back at once. For the event loop of a link.
 */
final class LinkRetries {
  /** The first attempt comes after half of this at least, and after this at most. */
  static final long FIRST_MILLIS = 50;

  private static final long MAX_MILLIS = 5_000;

  /** After so many failures in a row the maximum is reached. */
  private static final int SHIFT_MAX = 7;

  private int failures;
  private boolean isDue;

  /** Whether an attempt comes by itself. */
  boolean isDue() {
    return isDue;
  }

  /** An attempt is under way. */
  void begun() {
    isDue = false;
  }

  /** The server can be used. */
  void succeeded() {
    failures = 0;
  }

  /** The server failed; has it tried after a while. */
  void failed(EventLoop loop, Runnable attempt) {
    failures++;
    long bound = Math.min(MAX_MILLIS, FIRST_MILLIS << Math.min(failures - 1, SHIFT_MAX));
    long delay = bound / 2 + ThreadLocalRandom.current().nextLong(bound / 2 + 1);
    isDue = true;
    loop.schedule(attempt, delay, TimeUnit.MILLISECONDS);
  }
}
