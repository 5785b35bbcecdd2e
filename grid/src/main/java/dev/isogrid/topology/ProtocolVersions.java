package dev.isogrid.topology;

import org.jspecify.annotations.Nullable;

/**
 * The versions of the protocol between nodes that a node reads and writes.
 *
 * @param oldest 1 or more
 * @param newest {@code oldest} or more, 255 at most
 */
public record ProtocolVersions(int oldest, int newest) {
  /** The greatest number of a version: it has one byte in a message. */
  public static final int VERSION_MAX = 255;

  /** The versions of this build. */
  public static final ProtocolVersions OF_BUILD = new ProtocolVersions(12, 14);

  /** The last version in which nodes did not say what they speak. */
  public static final int UNTOLD = 11;

  /** The first version in which messages have predecessors in segments. */
  public static final int PREDECESSORS = 14;

  /** Checks the order. */
  public ProtocolVersions {
    if (oldest < 1 || newest < oldest || newest > VERSION_MAX) {
      throw new IllegalArgumentException(
          "invalid versions of the protocol: oldest=%d, newest=%d".formatted(oldest, newest));
    }
  }

  /** One version only. */
  public static ProtocolVersions only(int version) {
    return new ProtocolVersions(version, version);
  }

  /** Whether a version is one of these. */
  public boolean include(int version) {
    return version >= oldest && version <= newest;
  }

  /** Whether a version is one of these and of others. */
  public boolean overlap(ProtocolVersions others) {
    return oldest <= others.newest && others.oldest <= newest;
  }

  /** The version of these that is nearest to another one. */
  public int nearest(int version) {
    return Math.clamp(version, oldest, newest);
  }

  // Written out: linking the generated ones takes long in the start of a node.

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ProtocolVersions versions
        && oldest == versions.oldest
        && newest == versions.newest;
  }

  @Override
  public int hashCode() {
    return 31 * oldest + newest;
  }

  /** As people read it: {@code 12}, or {@code 12 to 14}. */
  @Override
  public String toString() {
    return oldest == newest ? Integer.toString(oldest) : oldest + " to " + newest;
  }
}
