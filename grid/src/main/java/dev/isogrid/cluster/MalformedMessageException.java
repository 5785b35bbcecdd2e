package dev.isogrid.cluster;

/** Bytes that came from the network are no message of this version. */
public sealed class MalformedMessageException extends Exception permits OtherVersionException {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong, and where. */
  public MalformedMessageException(String message) {
    // Without a stack trace: garbage may come at any rate, and the message says all.
    super(message, null, false, false);
  }
}
