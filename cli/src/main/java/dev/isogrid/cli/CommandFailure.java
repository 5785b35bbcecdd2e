package dev.isogrid.cli;

/** A command that failed. The message says what failed, with which values, and what to do. */
class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CommandFailure(String message) {
    super(message);
  }

  CommandFailure(String message, Throwable cause) {
    super(message, cause);
  }

  /** The exit code of a process whose last command failed so. */
  int exitCode() {
    return ExitCode.FAILED;
  }

  /** The message, which is never null. */
  String text() {
    return String.valueOf(getMessage());
  }
}
