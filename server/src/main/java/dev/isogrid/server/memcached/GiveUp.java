package dev.isogrid.server.memcached;

/** The reasons to give up an incomplete command. */
enum GiveUp {
  /** There was no memory for it in time. */
  NO_MEMORY("SERVER_ERROR out of memory storing object", Status.OUT_OF_MEMORY),
  /** It arrived too slowly. */
  TOO_SLOW("CLIENT_ERROR command not sent in time", Status.INVALID);

  private final String line;
  private final Status status;

  GiveUp(String line, Status status) {
    this.line = line;
    this.status = status;
  }

  /** The reply in the text protocol, without the end of the line. */
  String line() {
    return line;
  }

  /** The status in the binary protocol. */
  Status status() {
    return status;
  }
}
