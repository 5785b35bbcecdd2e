package dev.isogrid.wire;

/** The status of a response, one byte. */
public final class Statuses {
  /** Done. */
  public static final int OK = 0x00;

  /** A condition did not hold, so nothing was done. */
  public static final int NOT_EXECUTED = 0x01;

  /** There is no such key, or counter. */
  public static final int NOT_FOUND = 0x02;

  /** Done; the previous value follows. */
  public static final int OK_WITH_PREVIOUS = 0x03;

  /** A condition did not hold, so nothing was done; the current value follows. */
  public static final int NOT_EXECUTED_WITH_PREVIOUS = 0x04;

  /** There is no such iteration. */
  public static final int UNKNOWN_ITERATION = 0x05;

  /** As {@link #OK}, before 2.9: the server keeps objects. Said of caches of objects. */
  public static final int OK_OBJECTS = 0x06;

  /** As {@link #OK_WITH_PREVIOUS}, before 2.9. Said of caches of objects. */
  public static final int OK_WITH_PREVIOUS_OBJECTS = 0x07;

  /** As {@link #NOT_EXECUTED_WITH_PREVIOUS}, before 2.9. Said of caches of objects. */
  public static final int NOT_EXECUTED_WITH_PREVIOUS_OBJECTS = 0x08;

  /** The first status that is an error, with a message as body. */
  public static final int FIRST_ERROR = 0x80;

  /** The request does not begin as one does. */
  public static final int INVALID_MAGIC_OR_ID = 0x81;

  /** There is no such operation. */
  public static final int UNKNOWN_OPERATION = 0x82;

  /** There is no such version. */
  public static final int UNKNOWN_VERSION = 0x83;

  /** The request can't be read, or names a cache that does not exist. */
  public static final int PARSE_ERROR = 0x84;

  /** The operation failed. */
  public static final int SERVER_ERROR = 0x85;

  /** The operation took too long. */
  public static final int TIMEOUT = 0x86;

  /** A node was lost meanwhile; worth a try at another one. */
  public static final int NODE_SUSPECTED = 0x87;

  /** The cache or the server is stopping; worth a try at another one. */
  public static final int ILLEGAL_LIFECYCLE = 0x88;

  private Statuses() {}

  /** Whether a status is an error, so that the body is a message. */
  public static boolean isError(int status) {
    return status >= FIRST_ERROR;
  }
}
