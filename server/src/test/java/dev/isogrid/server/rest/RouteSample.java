package dev.isogrid.server.rest;

import dev.isogrid.server.security.Requirement;
import dev.isogrid.server.security.Requirements;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A request for a route, and its requirement in the table.
 *
 * @param method its method
 * @param path with {@link #CACHE} in place of a cache's name, and {@link #FRESH} in place of an
 *     unused name
 * @param body of the request
 * @param requirement the line of the table
 */
public record RouteSample(String method, String path, String body, Requirement requirement) {
  /** Replaces the name of a cache. */
  public static final String CACHE = "{cache}";

  /** Replaces an unused name. */
  public static final String FRESH = "{fresh}";

  /** The value of a segment with any text, by the segment before. */
  private static final Map<String, String> SEGMENTS =
      Map.ofEntries(
          Map.entry("caches", CACHE),
          Map.entry("attributes", "expiration.lifespan"),
          Map.entry("cache-managers", "default"),
          Map.entry("counters", "counted"),
          Map.entry("schemas", "sample.proto"),
          Map.entry("tasks", "wordcount"),
          Map.entry("loggers", "sample.logger"),
          Map.entry("connections", "1"),
          Map.entry("backups", "sample"),
          Map.entry("restores", "sample"),
          Map.entry("roles", "admin"),
          Map.entry("ignored-caches", "default"),
          Map.entry("default", "absent"));

  /** The parameters that a request needs to reach the check of permissions. */
  private static final Map<String, String> PARAMETERS =
      Map.of(
          "set-mutable-attribute", "attribute-name=expiration.lifespan&attribute-value=5000",
          "assign-alias", "alias=" + FRESH,
          "expiration.lifespan", "attribute-value=5000",
          "set-availability", "availability=AVAILABLE",
          "exec", "cache=" + CACHE,
          "sample.logger", "level=info",
          "stop", "server=absent");

  /** Whether it names a cache. */
  public boolean namesCache() {
    return path.contains(CACHE);
  }

  /** Whether it ends the server. */
  public boolean stopsServer() {
    return requirement.request().equals("POST /server?action=stop");
  }

  /** A request for each route, of entries and of the administration. */
  public static List<RouteSample> all() {
    List<RouteSample> samples = new ArrayList<>();
    try (TestServer server = new TestServer()) {
      server.routes().forEach(route -> samples.add(of(route)));
    }
    for (Verb verb : List.of(Verb.GET, Verb.HEAD, Verb.PUT, Verb.POST, Verb.DELETE)) {
      samples.add(ofEntry(verb, "rest/v2/caches/*/*", ""));
      samples.add(ofEntry(verb, "rest/v3/caches/*/entries/*", ""));
    }
    samples.add(ofEntry(Verb.GET, "rest/v2/caches/*/*", "distribution"));
    samples.add(ofEntry(Verb.GET, "rest/v3/caches/*/_distribution/*", ""));
    return samples;
  }

  private static RouteSample ofEntry(Verb verb, String path, String action) {
    String query = action.isEmpty() ? "" : "?action=" + action;
    return new RouteSample(
        verb.name(),
        "/" + path.replaceFirst("\\*", "{cache}").replace("*", "k.proto") + query,
        "value",
        Requirements.rest(verb.name(), List.of(path.split("/")), action));
  }

  private static RouteSample of(Route route) {
    StringBuilder path = new StringBuilder();
    String last = "";
    for (String segment : route.pattern()) {
      String value = segment.equals("*") ? SEGMENTS.get(last) : segment;
      if (value == null) {
        throw new AssertionError("no sample of what comes after a segment: segment=" + last);
      }
      path.append('/').append(value);
      last = value.equals(segment) ? segment : value;
    }
    String action = route.action() == null ? "" : route.action();
    String wanted = action.isEmpty() ? last.replaceFirst("^_", "") : action;
    String parameters = PARAMETERS.getOrDefault(wanted, "");
    String query = action.isEmpty() ? parameters : "action=" + action + "&" + parameters;
    boolean describesCache = last.equals(CACHE) && route.verb() != Verb.DELETE;
    return new RouteSample(
        route.verb().name(),
        query.isEmpty() ? path.toString() : path + "?" + query,
        describesCache && action.isEmpty() ? "{\"local-cache\":{}}" : "",
        route.requirement());
  }
}
