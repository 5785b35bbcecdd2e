package dev.isogrid.api;

import java.util.LinkedHashSet;
import java.util.List;

/**
 * The roles whose users a server lets use a cache, where clients log in. It does not restrict
 * embedded use. An immutable value.
 *
 * @param enabled whether roles decide at all; if not, everyone who has logged in may do everything
 * @param roles the roles that the cache knows, without duplicates; empty for all of the server's
 */
public record CacheAuthorization(boolean enabled, List<String> roles) {
  /** All roles of the server hold; the default. */
  public static final CacheAuthorization ALL_ROLES = new CacheAuthorization(true, List.of());

  /** Everyone who has logged in may do everything. */
  public static final CacheAuthorization OFF = new CacheAuthorization(false, List.of());

  /** Copies the roles, each once. */
  public CacheAuthorization {
    roles = List.copyOf(new LinkedHashSet<>(roles));
  }
}
