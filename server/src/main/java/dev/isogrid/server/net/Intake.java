package dev.isogrid.server.net;

/**
 * The limits of a server's unfinished requests.
 *
 * @param requests for clients with a login, or for all clients if the server has no logins
 * @param strangers for the input of clients before a login
 */
public record Intake(InputBudget requests, InputBudget strangers) {
  /** The part of the heap for unfinished requests: most of it is for entries and for replies. */
  private static final int HEAP_PART = 4;

  /** The part of the budget for clients without a login: some thousand logins at the same time. */
  private static final int STRANGERS_PART = 4;

  /** The limit of one client without a login, in bytes. */
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

  /** The bytes of all unfinished requests, also of clients without a login. */
  long bytesTaken() {
    return requests.bytesTaken() + strangers.bytesTaken();
  }

  /** The most bytes of all unfinished requests. */
  long bytesMax() {
    return requests.bytesMax() + strangers.bytesMax();
  }

  /** The usual part of this process's heap, in bytes. */
  public static long usualSize() {
    return Runtime.getRuntime().maxMemory() / HEAP_PART;
  }
}
