package dev.isogrid.server.rest;

import dev.isogrid.api.RebalanceProgress;
import dev.isogrid.api.Rebalancing;
import dev.isogrid.config.Quantity;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Requests about rebalancing: its progress, its speed, and its pause, for all caches or for one and
 * those that share its segments. Thread-safe.
 */
final class RebalanceRoutes {
  private static final String ENABLE = "enable-rebalancing";
  private static final String DISABLE = "disable-rebalancing";
  private static final String LIMIT = "limit-rebalancing";
  private static final String RATE = "rate";
  private static final String UNLIMITED = "unlimited";
  private static final String CONFIGURED = "configured";

  private final ServerContext context;
  private final List<Route> routes = new ArrayList<>();

  RebalanceRoutes(ServerContext context) {
    this.context = context;
  }

  List<Route> routes() {
    for (String path : List.of("rest/v2/container", "rest/v2/cache-managers/*")) {
      add(Verb.POST, path, ENABLE, _ -> switchAll(true));
      add(Verb.POST, path, DISABLE, _ -> switchAll(false));
    }
    add(Verb.POST, "rest/v2/container", LIMIT, this::limit);
    add(Verb.POST, "rest/v3/container/_rebalancing-limit", null, this::limit);
    add(Verb.POST, "rest/v3/container/_rebalancing-enable", null, _ -> switchAll(true));
    add(Verb.POST, "rest/v3/container/_rebalancing-disable", null, _ -> switchAll(false));
    routes.add(
        Route.onCache(Verb.POST, "rest/v2/caches/*", ENABLE, (_, each) -> switchCache(each, true)));
    routes.add(
        Route.onCache(
            Verb.POST, "rest/v2/caches/*", DISABLE, (_, each) -> switchCache(each, false)));
    String cache = "rest/v3/caches/*";
    routes.add(
        Route.onCache(
            Verb.POST, cache + "/_rebalancing-enable", null, (_, each) -> switchCache(each, true)));
    routes.add(
        Route.onCache(
            Verb.POST,
            cache + "/_rebalancing-disable",
            null,
            (_, each) -> switchCache(each, false)));
    routes.add(Route.onCache(Verb.GET, "rest/v2/caches/*", "segments", (_, c) -> segments(c)));
    routes.add(Route.onCache(Verb.GET, cache + "/_segments", null, (_, each) -> segments(each)));
    add(Verb.GET, "rest/v2/cluster", "rebalancing", _ -> progress());
    add(Verb.GET, "rest/v3/cluster/_rebalancing", null, _ -> progress());
    return routes;
  }

  private void add(Verb verb, String path, @Nullable String action, Route.Handler handler) {
    routes.add(Route.of(verb, path, action, handler));
  }

  private Answer switchAll(boolean isOn) {
    Rebalancing rebalancing = context.node().rebalancing();
    if (isOn) {
      rebalancing.resume();
    } else {
      rebalancing.pause();
    }
    return Answer.noContent();
  }

  private Answer limit(AdminRequest request) {
    String rate = request.parameter(RATE, "");
    context.node().rebalancing().limit(speed(rate));
    return Answer.noContent();
  }

  private static long speed(String rate) {
    if (rate.equals(UNLIMITED)) {
      return Rebalancing.UNLIMITED;
    }
    if (rate.equals(CONFIGURED)) {
      return Rebalancing.AS_CONFIGURED;
    }
    OptionalLong bytes = Quantity.sizeBytes(rate);
    if (bytes.isEmpty() || bytes.getAsLong() < Rebalancing.SPEED_MIN) {
      throw RestProblem.badRequest(
          ("invalid speed of rebalancing: rate=%s; give at least %d bytes a second, such as 30MB,"
                  + " or %s, or %s for that of each server's options; to hold it back, pause it")
              .formatted(rate, Rebalancing.SPEED_MIN, UNLIMITED, CONFIGURED));
    }
    return bytes.getAsLong();
  }

  /** The speed as a request gives it. */
  private static String rate(long bytesPerSecondMax) {
    if (bytesPerSecondMax == Rebalancing.AS_CONFIGURED) {
      return CONFIGURED;
    }
    return bytesPerSecondMax == Rebalancing.UNLIMITED
        ? UNLIMITED
        : Long.toString(bytesPerSecondMax);
  }

  private Answer switchCache(CacheEngine<BinaryKey, Bytes> engine, boolean isOn) {
    Rebalancing rebalancing = context.node().rebalancing();
    if (isOn) {
      rebalancing.resume(engine.name());
    } else {
      rebalancing.pause(engine.name());
    }
    return Answer.noContent();
  }

  private Answer segments(CacheEngine<BinaryKey, Bytes> engine) {
    return Answer.json(ClusterReport.of(context).segments(engine));
  }

  private Answer progress() {
    Rebalancing rebalancing = context.node().rebalancing();
    RebalanceProgress now = rebalancing.progress();
    Json json = new Json().beginObject();
    json.name("rebalancing_enabled").value(!now.isPaused());
    json.name("paused_caches").values(now.pausedCaches());
    json.name("copies_under_way").value(now.copiesUnderWay());
    json.name("copies_left").value(now.copiesLeft());
    json.name("bytes_done").value(now.bytesDone());
    json.name("bytes_left").value(now.bytesLeft());
    json.name("bytes_per_second").value(now.bytesPerSecond());
    json.name("rate_limit").value(rate(rebalancing.bytesPerSecondMax()));
    json.name("seconds_left").value(now.secondsLeft());
    json.name("silent_nodes").values(now.silentNodes());
    return Answer.json(json.endObject());
  }
}
