package dev.isogrid.server.security;

/**
 * The permissions that a kind of request needs; a line of {@link Requirements}.
 *
 * @param request the kind, as text for human readers
 * @param needed bits of {@link Permission}, all of which the caller must have
 * @param on the object of the permissions
 */
public record Requirement(String request, int needed, On on) {
  /** The object of permissions. */
  public enum On {
    /** The server as a whole: all roles of the user count. */
    SERVER("server"),
    /** The cache of the request: only the roles count that the cache's configuration lists. */
    CACHE("cache"),
    /** The server, and the cache of the request if it exists. */
    SERVER_AND_CACHE("server and cache");

    private final String text;

    On(String text) {
      this.text = text;
    }

    /** The text for human readers. */
    public String text() {
      return text;
    }
  }
}
