package dev.isogrid.server.net;

import dev.isogrid.api.InvalidRequestException;
import java.util.Set;

/**
 * The caches that all servers of the cluster ignore on operators' orders: their entries stay, but
 * clients can't reach them. Thread-safe.
 */
public final class IgnoredCaches {
  /**
   * The names at a version of the settings.
   *
   * @param settingsVersion the version of the settings
   * @param version changes with the names
   */
  private record Seen(long settingsVersion, long version, Set<String> names) {}

  private final SharedSettings settings;

  /** Read again when the settings have changed; a late reader reads once more. */
  private volatile Seen seen = new Seen(-1, 0, Set.of());

  IgnoredCaches(SharedSettings settings) {
    this.settings = settings;
  }

  private Seen now() {
    Seen last = seen;
    long version = settings.version();
    return version == last.settingsVersion ? last : seeAnew(version);
  }

  private synchronized Seen seeAnew(long settingsVersion) {
    Seen last = seen;
    if (last.settingsVersion >= settingsVersion) {
      return last;
    }
    Set<String> names = Set.copyOf(settings.ignored());
    long version = names.equals(last.names) ? last.version : last.version + 1;
    Seen next = new Seen(settingsVersion, version, names);
    seen = next;
    return next;
  }

  /** All names, in no order. Does not block. */
  public Set<String> names() {
    return now().names;
  }

  /** A number that changes with the names. Does not block; costs two loads. */
  public long version() {
    return now().version;
  }

  /** Whether a cache is ignored. Does not block. */
  public boolean contains(String cache) {
    Set<String> names = now().names;
    return !names.isEmpty() && names.contains(cache);
  }

  /**
   * Refuses an ignored cache.
   *
   * @throws InvalidRequestException if it is ignored
   */
  public void check(String cache) {
    if (contains(cache)) {
      throw new InvalidRequestException(message(cache));
    }
  }

  /** The message for clients of an ignored cache. */
  public static String message(String cache) {
    return "Cache with name '%s' is temporarily unavailable: an operator lets servers ignore it"
        .formatted(cache);
  }

  /** Makes all servers ignore a cache. Blocks until they do. */
  public void add(String cache) {
    settings.ignore(cache);
  }

  /** Ends the ignoring of a cache on all servers. Blocks until then. */
  public void remove(String cache) {
    settings.unignore(cache);
  }
}
