package dev.isogrid.server.net;

/**
 * Tells the handlers of a connection that the server stops: no request is begun any more, and who
 * owes replies passes this on when they are written. The last one closes the connection.
 */
public enum ServerStopping {
  /** The event. */
  EVENT
}
