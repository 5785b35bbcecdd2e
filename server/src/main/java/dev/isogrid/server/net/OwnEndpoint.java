package dev.isogrid.server.net;

/** The address that this server announces to others for clients. Thread-safe. */
public final class OwnEndpoint {
  private final boolean isChosen;

  /** Written by {@link #announced}. */
  private volatile String text = "";

  /**
   * Begins before an announcement.
   *
   * @param isChosen whether the configuration sets the address, instead of that of the socket
   */
  public OwnEndpoint(boolean isChosen) {
    this.isChosen = isChosen;
  }

  /** Whether the configuration sets the address, so that all clients must use it. */
  public boolean isChosen() {
    return isChosen;
  }

  /** The announced address, {@code host:port}, or "" before the announcement. */
  public String text() {
    return text;
  }

  /** Sets the announced address. */
  public void announced(String endpoint) {
    text = endpoint;
  }
}
