package dev.isogrid.server.security;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The permissions that a role can have, by their names in configurations. A set of them is a mask
 * of bits.
 */
public enum Permission {
  /** To stop the server, or caches. */
  LIFECYCLE(1),
  /** To read single entries. */
  READ(1 << 1),
  /** To write and remove single entries. */
  WRITE(1 << 2),
  /** To run tasks and scripts. */
  EXEC(1 << 3),
  /** To receive events of changes. */
  LISTEN(1 << 4),
  /** To read many entries at once: iterations, sizes, queries. */
  BULK_READ(1 << 5),
  /** To write or remove many entries at once. */
  BULK_WRITE(1 << 6),
  /** To change the server itself. */
  ADMIN(1 << 7),
  /** To create, update and remove caches, counters, schemas and the like. */
  CREATE(1 << 8),
  /** To see statistics and configurations. */
  MONITOR(1 << 9),
  /** All of them. */
  ALL((1 << 10) - 1),
  /** READ and BULK_READ. */
  ALL_READ((1 << 1) | (1 << 5)),
  /** WRITE and BULK_WRITE. */
  ALL_WRITE((1 << 2) | (1 << 6)),
  /** Nothing. */
  NONE(0);

  /** The condition that a caller has logged in, whatever the roles; not a real permission. */
  public static final int LOGGED_IN = 1 << 30;

  /** The mask of requests that need nothing, not even a login. */
  public static final int PUBLIC = 0;

  private final int mask;

  Permission(int mask) {
    this.mask = mask;
  }

  /** The bits of the permission. */
  public int mask() {
    return mask;
  }

  /** The permission of a name, in any case, or null if there is none. */
  public static @Nullable Permission of(String name) {
    String wanted = name.strip().toUpperCase(Locale.ROOT);
    for (Permission permission : values()) {
      if (permission.name().equals(wanted)) {
        return permission;
      }
    }
    return null;
  }

  /** The names of the simple permissions in a mask, for messages. */
  public static String names(int mask) {
    StringBuilder names = new StringBuilder();
    for (Permission permission : values()) {
      if (Integer.bitCount(permission.mask) == 1 && (mask & permission.mask) != 0) {
        names.append(names.isEmpty() ? "" : "+").append(permission.name());
      }
    }
    return names.isEmpty() ? "a login" : names.toString();
  }
}
