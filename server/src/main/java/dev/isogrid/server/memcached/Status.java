package dev.isogrid.server.memcached;

/** The statuses of replies in the binary protocol, with memcached's own words for them. */
enum Status {
  OK(0x00, ""),
  NOT_FOUND(0x01, "Not found"),
  EXISTS(0x02, "Data exists for key."),
  TOO_LARGE(0x03, "Too large."),
  INVALID(0x04, "Invalid arguments"),
  NOT_STORED(0x05, "Not stored."),
  NON_NUMERIC(0x06, "Non-numeric server-side value for incr or decr"),
  AUTH_ERROR(0x20, "Auth failure."),
  AUTH_CONTINUE(0x21, ""),
  UNKNOWN_COMMAND(0x81, "Unknown command"),
  OUT_OF_MEMORY(0x82, "Out of memory"),
  INTERNAL_ERROR(0x84, "Internal error");

  private final int number;

  @SuppressWarnings("ImmutableEnumChecker") // never written to
  private final byte[] text;

  Status(int number, String text) {
    this.number = number;
    this.text = Reply.ascii(text);
  }

  /** The number in the header of a reply. */
  int number() {
    return number;
  }

  /** The message of an error as its value; borrowed, and must not change. */
  byte[] text() {
    return text;
  }
}
