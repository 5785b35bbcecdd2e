package dev.isogrid.server.security;

/**
 * What one caller may do with one cache, or with the server. It changes in place when the caller
 * logs in, or roles change; so callers keep it, and ask again for each request.
 */
public final class Access {
  /** To do everything: where nobody has to log in. */
  public static final Access FULL = new Access(-1);

  /** Written by {@link Caller}, read by the threads that execute the caller's requests. */
  private volatile int permissions;

  Access(int permissions) {
    this.permissions = permissions;
  }

  /**
   * Whether the caller has all permissions of a mask. Costs the read of a field.
   *
   * @param needed bits of {@link Permission}
   */
  public boolean allows(int needed) {
    return (permissions & needed) == needed;
  }

  /** The bits of {@link Permission} that the caller has now; all if nobody has to log in. */
  public int mask() {
    return permissions;
  }

  void set(int newPermissions) {
    permissions = newPermissions;
  }
}
