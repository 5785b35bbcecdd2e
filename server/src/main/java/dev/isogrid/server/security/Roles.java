package dev.isogrid.server.security;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The roles of a server with their permissions.
 *
 * @param masks a mask of {@link Permission} for each name
 */
public record Roles(Map<String, Integer> masks) {
  /** The roles of a configuration without its own. */
  public static final Roles PREDEFINED = predefined();

  /** Copies the map. */
  public Roles {
    masks = Collections.unmodifiableMap(new LinkedHashMap<>(masks));
  }

  private static Roles predefined() {
    int reader = Permission.ALL_READ.mask() | Permission.MONITOR.mask();
    int application =
        reader | Permission.ALL_WRITE.mask() | Permission.LISTEN.mask() | Permission.EXEC.mask();
    Map<String, Integer> roles = new LinkedHashMap<>();
    roles.put("admin", Permission.ALL.mask());
    roles.put("deployer", application | Permission.CREATE.mask());
    roles.put("application", application);
    roles.put("observer", reader);
    roles.put("monitor", Permission.MONITOR.mask());
    return new Roles(roles);
  }

  /** The names of all roles. */
  public Set<String> names() {
    return masks.keySet();
  }

  /** The joint permissions of some roles. Unknown roles have none. */
  int mask(Collection<String> roles) {
    int mask = 0;
    for (String role : roles) {
      mask |= masks.getOrDefault(role, 0);
    }
    return mask;
  }

  /**
   * The joint permissions of some roles on a cache that lists its roles.
   *
   * @param allowed the roles that the cache lists; empty for all
   */
  int mask(Collection<String> roles, Collection<String> allowed) {
    return allowed.isEmpty()
        ? mask(roles)
        : mask(roles.stream().filter(allowed::contains).toList());
  }
}
