package dev.isogrid.server.rest;

/** The decision about a request whose head has arrived. */
enum Admission {
  /** It is permitted: its body is read, and then it is answered. */
  ADMITTED,
  /** The reply is written, whatever its body is. */
  ANSWERED,
  /** Nothing was done: the login takes long, and must be checked on another thread. */
  MUST_WAIT
}
