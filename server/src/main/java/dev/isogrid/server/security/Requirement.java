package dev.isogrid.server.security;

/**
 * What a kind of request needs; a line of {@link Requirements}.
 *
 * @param request the kind, as text for people
 * @param needed bits of {@link Permission}, all of which the caller must have
 * @param on where the caller must have them
 */
public record Requirement(String request, int needed, On on) {
  /** Where permissions are looked up. */
  public enum On {
    /** For the server as a whole: all roles of the user hold. */
    SERVER("server"),
    /** For the cache that the request names: only the roles hold that the cache admits. */
    CACHE("cache"),
    /** For the server, and for the cache that the request names if it exists. */
    SERVER_AND_CACHE("server and cache");

    private final String text;

    On(String text) {
      this.text = text;
    }

    /** The same as text for people. */
    public String text() {
      return text;
    }
  }
}
