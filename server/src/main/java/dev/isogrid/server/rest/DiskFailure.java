package dev.isogrid.server.rest;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * The failure of a file of the server: its path is for the server's log, the reason for clients.
 */
final class DiskFailure {
  private static final System.Logger log = System.getLogger(DiskFailure.class.getName());

  private DiskFailure() {}

  /** The reason without the path of the file. */
  static String reason(IOException failure) {
    String reason =
        failure instanceof FileSystemException ofFile ? ofFile.getReason() : failure.getMessage();
    return reason == null || reason.isEmpty() ? failure.getClass().getSimpleName() : reason;
  }

  /** Logs a failure with the path: once per upload at most, and uploads come one at a time. */
  static void log(Path file, IOException failure) {
    log.log(Level.WARNING, "upload can't be kept: file=%s, reason=%s".formatted(file, failure));
  }
}
