package dev.isogrid.server.security;

/**
 * The permissions of one caller on one cache, or on the server. They change in place when the
 * caller logs in, or roles change. So callers keep the object, and query it for each request.
 */
public final class Access {
  /** All permissions: for servers without logins. */
  public static final Access FULL = new Access(-1);

  /** Written by {@link Caller}, read by the threads that execute the caller's requests. */
  private volatile int permissions;

  Access(int permissions) {
    this.permissions = permissions;
  }

  /**
   * Whether the caller has all permissions of a mask. Costs one field read.
   *
   * @param needed bits of {@link Permission}
   */
  public boolean allows(int needed) {
    return (permissions & needed) == needed;
  }

  /** The bits of {@link Permission} that the caller has now; all if the server has no logins. */
  public int mask() {
    return permissions;
  }

  void set(int newPermissions) {
    permissions = newPermissions;
  }
}
