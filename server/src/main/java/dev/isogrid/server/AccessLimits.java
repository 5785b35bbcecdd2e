package dev.isogrid.server;

import dev.isogrid.server.net.Intake;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What clients may take of a server, whether they log in or not, and which web pages may talk to
 * it.
 *
 * @param connectionsPerAddress the most connections at the same time from one address, or null for
 *     the usual number
 * @param requestMemoryMax the most bytes of all unfinished requests, or null for the usual part of
 *     the heap
 * @param corsOrigins further web pages that may: scheme, host and port, if that is not the usual
 *     one
 */
public record AccessLimits(
    @Nullable Integer connectionsPerAddress,
    @Nullable Long requestMemoryMax,
    List<String> corsOrigins) {
  /** The usual ones. */
  public static final AccessLimits USUAL = new AccessLimits(null, null, List.of());

  /** Copies the list. */
  public AccessLimits {
    corsOrigins = List.copyOf(corsOrigins);
  }

  int connectionsMax() {
    return connectionsPerAddress == null ? Connections.PER_ADDRESS_MAX : connectionsPerAddress;
  }

  Intake intake() {
    return Intake.of(requestMemoryMax == null ? Intake.usualSize() : requestMemoryMax);
  }
}
