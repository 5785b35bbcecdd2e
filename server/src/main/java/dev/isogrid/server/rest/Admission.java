package dev.isogrid.server.rest;

/** What becomes of a request when its head has arrived. */
enum Admission {
  /** It may be made: its body is read, and then it is answered. */
  ADMITTED,
  /** The reply is written, whatever its body is. */
  ANSWERED,
  /** Nothing was done: the login takes long, and has to be checked on another thread. */
  MUST_WAIT
}
