package dev.isogrid.server.rest;

import dev.isogrid.server.net.IgnoredCaches;
import dev.isogrid.server.net.ServerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Requests about caches that clients can't reach. Thread-safe. */
final class IgnoredCacheRoutes {
  private final ServerContext context;

  IgnoredCacheRoutes(ServerContext context) {
    this.context = context;
  }

  List<Route> routes() {
    List<Route> routes = new ArrayList<>();
    for (String version : List.of("rest/v2/", "rest/v3/")) {
      String path = version + "server/ignored-caches";
      routes.add(Route.of(Verb.GET, path, null, _ -> list()));
      routes.add(Route.of(Verb.GET, path + "/*", null, _ -> list()));
      for (String cache : List.of(path + "/*", path + "/*/*")) {
        routes.add(Route.of(Verb.POST, cache, null, request -> change(request, true)));
        routes.add(Route.of(Verb.DELETE, cache, null, request -> change(request, false)));
      }
    }
    return routes;
  }

  private IgnoredCaches ignored() {
    return context.catalog().ignored();
  }

  private Answer list() {
    return Answer.json(new Json().values(List.copyOf(new TreeSet<>(ignored().names()))));
  }

  /** The name of the cache is the last segment of the path; one before it names the container. */
  private Answer change(AdminRequest request, boolean isAdded) {
    String cache = context.catalog().ownName(request.path().getLast());
    if (!context.node().cacheNames().contains(cache)) {
      return Answer.notFound();
    }
    if (isAdded) {
      ignored().add(cache);
    } else {
      ignored().remove(cache);
    }
    return Answer.noContent();
  }
}
