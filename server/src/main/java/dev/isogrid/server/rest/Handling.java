package dev.isogrid.server.rest;

/** What becomes of a request that a connection has read. */
sealed interface Handling {
  /** The reply is written. */
  Handling ANSWERED = new Answered();

  /** Nothing was done: the request has to be handled where it may wait for other nodes. */
  Handling MUST_WAIT = new MustWait();

  /** See {@link #ANSWERED}. */
  record Answered() implements Handling {}

  /** See {@link #MUST_WAIT}. */
  record MustWait() implements Handling {}

  /** It is to be answered by the administration. */
  record Administrative(AdminRequest request) implements Handling {}

  /** Answered or not. */
  static Handling of(boolean answered) {
    return answered ? ANSWERED : MUST_WAIT;
  }
}
