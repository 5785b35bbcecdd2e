package dev.isogrid.server.net;

/** By which address this server tells others that clients reach it. Thread-safe. */
public final class OwnEndpoint {
  private final boolean isChosen;

  /** Written by {@link #announced}. */
  private volatile String text = "";

  /**
   * Begins before anything is told.
   *
   * @param isChosen whether someone chose the address, in place of that of the socket
   */
  public OwnEndpoint(boolean isChosen) {
    this.isChosen = isChosen;
  }

  /** Whether someone chose the address, so that all clients have to use it. */
  public boolean isChosen() {
    return isChosen;
  }

  /** What is told to other servers, {@code host:port}, or "" if nothing was told yet. */
  public String text() {
    return text;
  }

  /** Notes what is told to other servers from now on. */
  public void announced(String endpoint) {
    text = endpoint;
  }
}
