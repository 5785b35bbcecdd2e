package dev.isogrid.server.security;

import java.io.Serializable;
import java.util.Set;

/**
 * A client for whom a server of the cluster vouches: it logged in there. Sent between servers,
 * which trust each other.
 *
 * @param user the name of the user
 * @param roles of the user
 */
public record VouchedCaller(String user, Set<String> roles) implements Serializable {
  /** Copies the set. */
  public VouchedCaller {
    roles = Set.copyOf(roles);
  }
}
