package dev.isogrid.server.backup;

/** Another backup or restore is in progress. */
public final class BusyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BusyException(String message) {
    super(message);
  }
}
