package dev.isogrid.topology;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A node's description of itself; it may change later.
 *
 * @param name for human readers, or ""
 * @param capacity its share of the segments relative to other members; 0 to own none
 * @param zone its place as site, rack and machine, or "" if unknown
 * @param endpoint its address for clients, as host:port, or ""
 * @param seat the identity that survives the node's process, or "": no two processes have one at
 *     the same time
 * @param speaks the versions of the protocol that it reads and writes
 */
public record MemberProfile(
    String name,
    float capacity,
    String zone,
    String endpoint,
    String seat,
    ProtocolVersions speaks) {
  /** Bytes of each of the texts as UTF-8. */
  public static final int TEXT_BYTES_MAX = 1024;

  /** Checks the ranges. */
  public MemberProfile {
    Texts.checked("name", name, TEXT_BYTES_MAX);
    Texts.checked("zone", zone, TEXT_BYTES_MAX);
    Texts.checked("endpoint", endpoint, TEXT_BYTES_MAX);
    Texts.checked("seat", seat, TEXT_BYTES_MAX);
    if (!(capacity >= 0) || Float.isInfinite(capacity)) {
      throw new IllegalArgumentException(
          "invalid capacity: member=%s, capacity=%s; give 0 or more".formatted(name, capacity));
    }
  }

  /** That of a node of this build. */
  public MemberProfile(String name, float capacity, String zone, String endpoint, String seat) {
    this(name, capacity, zone, endpoint, seat, ProtocolVersions.OF_BUILD);
  }

  /** That of a node without a seat. */
  public MemberProfile(String name, float capacity, String zone, String endpoint) {
    this(name, capacity, zone, endpoint, "");
  }

  /** Whether two nodes, at different addresses, were given the same name by their users. */
  public boolean hasNameOf(MemberProfile other) {
    return isNamed() && other.isNamed() && name.equals(other.name) && !seat.equals(other.seat);
  }

  /** Whether the name was given and not made up: then it is the begin of the seat. */
  private boolean isNamed() {
    return !name.isEmpty() && seat.startsWith(name + "@");
  }

  // Written out: linking the generated ones takes long in the start of a node.

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof MemberProfile profile
        && Float.compare(capacity, profile.capacity) == 0
        && name.equals(profile.name)
        && zone.equals(profile.zone)
        && endpoint.equals(profile.endpoint)
        && seat.equals(profile.seat)
        && speaks.equals(profile.speaks);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, capacity, zone, endpoint, seat, speaks);
  }

  /** The same at another endpoint. */
  public MemberProfile at(String otherEndpoint) {
    return new MemberProfile(name, capacity, zone, otherEndpoint, seat, speaks);
  }

  /** That of a node of which nothing but its capacity is known. */
  public static MemberProfile ofCapacity(float capacity) {
    return new MemberProfile("", capacity, "", "");
  }
}
