package dev.isogrid.server.net;

/**
 * How much the unfinished requests of a server may take.
 *
 * @param requests for the requests of those who have logged in, or of everybody if nobody has to
 * @param strangers for what others send before they log in
 */
public record Intake(InputBudget requests, InputBudget strangers) {
  /** The part of the heap for unfinished requests: most of it is for entries and for replies. */
  private static final int HEAP_PART = 4;

  /** The part of that for strangers: some thousand logins at the same time. */
  private static final int STRANGERS_PART = 4;

  /** What one client that has not logged in may make the server keep, in bytes. */
  public static final int STRANGER_SIZE_MAX = 16 << 10;

  /**
   * An intake of a size.
   *
   * @param bytesMax the most bytes of all unfinished requests
   */
  public static Intake of(long bytesMax) {
    return new Intake(
        new InputBudget(bytesMax),
        new InputBudget(Math.max(STRANGER_SIZE_MAX, bytesMax / STRANGERS_PART)));
  }

  /** The usual part of this process's heap, in bytes. */
  public static long usualSize() {
    return Runtime.getRuntime().maxMemory() / HEAP_PART;
  }
}
