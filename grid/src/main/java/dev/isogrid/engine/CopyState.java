package dev.isogrid.engine;

/**
 * A node's work on copies of the segments that it is primary of.
 *
 * @param underWay copies that it is sending
 * @param left copies that are missing, those under way included
 * @param bytesLeft about what is still to be sent
 * @param bytesSent what it has sent since it started
 * @param copiesSent copies that others got from it since it started
 */
public record CopyState(int underWay, int left, long bytesLeft, long bytesSent, long copiesSent) {
  /** Nothing to do, and nothing done. */
  public static final CopyState NOTHING = new CopyState(0, 0, 0, 0, 0);
}
