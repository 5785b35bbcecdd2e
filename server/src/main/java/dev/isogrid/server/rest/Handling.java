package dev.isogrid.server.rest;

/** The result of handling a request. */
sealed interface Handling {
  /** The reply was written. */
  Handling ANSWERED = new Answered();

  /** Nothing was done: the request must be handled on a thread that may wait for other nodes. */
  Handling MUST_WAIT = new MustWait();

  /** See {@link #ANSWERED}. */
  record Answered() implements Handling {}

  /** See {@link #MUST_WAIT}. */
  record MustWait() implements Handling {}

  /** The administration must answer it. */
  record Administrative(AdminRequest request) implements Handling {}

  /** The result for an answered or unanswered request. */
  static Handling of(boolean answered) {
    return answered ? ANSWERED : MUST_WAIT;
  }
}
