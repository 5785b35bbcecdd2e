package dev.isogrid.cluster;

import dev.isogrid.topology.ProtocolVersions;

/** A message is of a version of the protocol that this node does not speak. */
final class OtherVersionException extends MalformedMessageException {
  private static final long serialVersionUID = 1;

  private final int version;

  /**
   * Makes one.
   *
   * @param version that of the message, 0 to 255
   * @param speaks the versions that the reader knows
   */
  OtherVersionException(int version, ProtocolVersions speaks) {
    super("malformed message: version=%d; this node speaks %s".formatted(version, speaks));
    this.version = version;
  }

  /** The version of the message. */
  int version() {
    return version;
  }
}
