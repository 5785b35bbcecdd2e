package dev.isogrid.cli;

/** A command line that can't be understood; nothing was sent to a server. */
final class UsageFailure extends CommandFailure {
  private static final long serialVersionUID = 1L;

  UsageFailure(String message) {
    super(message);
  }

  UsageFailure(String message, Throwable cause) {
    super(message, cause);
  }

  @Override
  int exitCode() {
    return ExitCode.USAGE;
  }
}
