package dev.isogrid.cli;

/** The exit codes of the process. They are a contract with scripts. */
final class ExitCode {
  /** All commands are done. */
  static final int DONE = 0;

  /** A command failed. */
  static final int FAILED = 1;

  /** A command or option is unknown or malformed. */
  static final int USAGE = 2;

  private ExitCode() {}
}
