package dev.isogrid.server.net;

/**
 * Tells the handlers of a connection that the server stops: no request is begun any more, and who
 * owes replies passes this on when they are written. Who gets it last closes the connection.
 */
public enum ServerStopping {
  /** The event. */
  EVENT
}
