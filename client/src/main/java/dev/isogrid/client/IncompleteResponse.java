package dev.isogrid.client;

/** Ends the reading of a response of which not all bytes have arrived. One for all: no trace. */
final class IncompleteResponse extends RuntimeException {
  @SuppressWarnings("StaticAssignmentOfThrowable") // it holds nothing: no trace, no suppressed
  static final IncompleteResponse INSTANCE = new IncompleteResponse();

  private static final long serialVersionUID = 1;

  private IncompleteResponse() {
    super("incomplete", null, false, false);
  }
}
