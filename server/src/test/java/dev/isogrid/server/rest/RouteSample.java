package dev.isogrid.server.rest;

import dev.isogrid.server.security.Requirement;
import dev.isogrid.server.security.Requirements;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A request for a route, and what the table says that it needs.
 *
 * @param method its method
 * @param path with {@link #CACHE} in place of a cache's name, and {@link #FRESH} in place of a name
 *     that nothing has
 * @param body of the request
 * @param requirement the line of the table
 */
public record RouteSample(String method, String path, String body, Requirement requirement) {
  /** Stands for the name of a cache. */
  public static final String CACHE = "{cache}";

  /** Stands for a name that nothing has yet. */
  public static final String FRESH = "{fresh}";

  /** For a segment of any text, a value that goes with the segment before. */
  private static final Map<String, String> SEGMENTS =
      Map.of(
          "caches", CACHE,
          "attributes", "expiration.lifespan",
          "cache-managers", "default",
          "counters", "counted",
          "schemas", "sample.proto",
          "tasks", "wordcount",
          "loggers", "sample.logger",
          "roles", "admin");

  /** The parameters that a request must have to come as far as its permissions. */
  private static final Map<String, String> PARAMETERS =
      Map.of(
          "set-mutable-attribute", "attribute-name=expiration.lifespan&attribute-value=5000",
          "assign-alias", "alias=" + FRESH,
          "expiration.lifespan", "attribute-value=5000",
          "set-availability", "availability=AVAILABLE",
          "exec", "cache=" + CACHE,
          "sample.logger", "level=info",
          "stop", "server=absent");

  /** Whether it is about a cache that it names. */
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
