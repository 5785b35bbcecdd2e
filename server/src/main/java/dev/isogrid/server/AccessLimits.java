package dev.isogrid.server;

import dev.isogrid.server.net.Intake;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits of clients, with or without a login, and the web pages that may use the server.
 *
 * @param connectionsPerAddress the most connections at the same time from one address, or null for
 *     the usual number
 * @param requestMemoryMax the most bytes of all unfinished requests, or null for the usual part of
 *     the heap
 * @param corsOrigins further permitted web pages: scheme, host and port, if that is not the default
 */
public record AccessLimits(
    @Nullable Integer connectionsPerAddress,
    @Nullable Long requestMemoryMax,
    List<String> corsOrigins) {
  /** The default limits. */
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
