package dev.isogrid.server.net;

/**
 * Notifies the handlers of a connection that the server stops: no request begins any more. A
 * handler with unsent replies passes this on when they are written. The last handler closes the
 * connection.
 */
public enum ServerStopping {
  /** The event. */
  EVENT
}
