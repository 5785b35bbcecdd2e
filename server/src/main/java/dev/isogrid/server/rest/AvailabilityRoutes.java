package dev.isogrid.server.rest;

import dev.isogrid.api.CacheMode;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Requests about the availability of a cache: whether all of its entries can be reached, and giving
 * up those that are lost. Thread-safe.
 */
final class AvailabilityRoutes {
  private static final String PATH = "rest/v2/caches/*";
  private static final String PATH_IN_VERSION_3 = "rest/v3/caches/*/_availability";
  private static final String AVAILABLE = "AVAILABLE";
  private static final String DEGRADED = "DEGRADED_MODE";

  private final ServerContext context;

  AvailabilityRoutes(ServerContext context) {
    this.context = context;
  }

  List<Route> routes() {
    List<Route> routes =
        new ArrayList<>(
            Route.inBothVersions(
                List.of(
                    Route.onCache(Verb.GET, PATH, "get-availability", (_, cache) -> get(cache)),
                    Route.onCache(Verb.POST, PATH, "set-availability", this::set))));
    routes.add(Route.onCache(Verb.GET, PATH_IN_VERSION_3, null, (_, cache) -> get(cache)));
    routes.add(Route.onCache(Verb.POST, PATH_IN_VERSION_3, null, this::set));
    return routes;
  }

  private Answer get(CacheEngine<BinaryKey, Bytes> engine) {
    boolean isCutOff = engine.config().mode() != CacheMode.LOCAL && !context.node().hasMajority();
    boolean isDegraded = isCutOff || ClusterReport.of(context).lostSegments(engine.name()) > 0;
    return Answer.plain(isDegraded ? DEGRADED : AVAILABLE);
  }

  private Answer set(AdminRequest request, CacheEngine<BinaryKey, Bytes> engine) {
    String name = engine.name();
    String wanted = request.parameter("availability", "");
    if (!wanted.toUpperCase(Locale.ROOT).equals(AVAILABLE)) {
      throw RestProblem.badRequest(
          ("availability can't be set: cache=%s, availability=%s; only AVAILABLE can, which gives"
                  + " up what is lost: a cache is in DEGRADED_MODE by itself while entries of it"
                  + " can't be reached")
              .formatted(name, wanted));
    }
    if (ClusterReport.of(context).hasCache(name)) {
      context.node().rebalancing().restartLost(name);
    }
    return Answer.noContent();
  }
}
