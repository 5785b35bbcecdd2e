package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.GridException;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.net.Shutdown;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.lang.System.Logger.Level;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Requests that stop servers, or say what a stop would lose. Thread-safe. */
final class StopRoutes {
  private static final System.Logger log = System.getLogger(StopRoutes.class.getName());

  private static final String ACTION = "stop";

  /** The number of entries of a cache that can't be counted now. */
  private static final long UNKNOWN = -1;

  private final ServerContext context;
  private final Shutdown shutdown;

  StopRoutes(ServerContext context, Shutdown shutdown) {
    this.context = context;
    this.shutdown = shutdown;
  }

  List<Route> routes() {
    return List.of(
        Route.of(Verb.GET, "rest/v2/server", ACTION, _ -> look(ownServer())),
        Route.of(Verb.GET, "rest/v3/server/_stop", null, _ -> look(ownServer())),
        Route.of(Verb.POST, "rest/v2/server", ACTION, this::stopServer),
        Route.of(Verb.POST, "rest/v3/server/_stop", null, this::stopServer),
        Route.of(Verb.GET, "rest/v2/cluster", ACTION, request -> look(named(request))),
        Route.of(Verb.GET, "rest/v3/cluster/_stop", null, request -> look(named(request))),
        Route.of(Verb.POST, "rest/v2/cluster", ACTION, this::stopCluster),
        Route.of(Verb.POST, "rest/v3/cluster/_stop", null, this::stopCluster));
  }

  private String ownName() {
    return context.node().nodeName();
  }

  private Set<String> ownServer() {
    return Set.of(ownName());
  }

  /** The servers that a request names, or all. */
  private Set<String> named(AdminRequest request) {
    List<String> members = ClusterReport.of(context).memberNames();
    Set<String> named = new LinkedHashSet<>(request.values("server"));
    for (String name : named) {
      if (!members.contains(name)) {
        throw RestProblem.badRequest(
            "no such server: server=%s; there are %s".formatted(name, members));
      }
    }
    return named.isEmpty() ? new LinkedHashSet<>(members) : named;
  }

  private Answer look(Set<String> servers) {
    return Answer.json(json(servers, lost(servers)));
  }

  private Answer stopServer(AdminRequest request) {
    Map<String, Long> lost = checkedLoss(request, ownServer());
    shutdown.stop();
    return stopped(ownServer(), lost);
  }

  /** Stops the servers that parameters name, or all. */
  private Answer stopCluster(AdminRequest request) {
    Set<String> servers = named(request);
    Map<String, Long> lost = checkedLoss(request, servers);
    boolean isAll = request.values("server").isEmpty();
    shutdown.stop(isAll ? Set.of() : servers, request.flag("force"));
    return stopped(servers, lost);
  }

  /** Returns the loss of a stop; refuses that if the request says {@code confirm=false}. */
  private Map<String, Long> checkedLoss(AdminRequest request, Set<String> servers) {
    boolean isConfirmed = request.parameter("confirm") == null || request.flag("confirm");
    Map<String, Long> lost = lost(servers);
    if (!isConfirmed && !lost.isEmpty()) {
      throw new RestProblem(
          HttpResponseStatus.CONFLICT,
          "nothing is stopped, since entries only in memory would be lost: caches=%s; confirm it"
              .formatted(lost));
    }
    return lost;
  }

  private Answer stopped(Set<String> servers, Map<String, Long> lost) {
    if (lost.isEmpty()) {
      return Answer.noContent();
    }
    log.log(
        Level.WARNING,
        () ->
            "stopped by a client, and entries only in memory are lost: servers=%s, caches=%s"
                .formatted(servers, lost));
    return Answer.json(json(servers, lost));
  }

  private static Json json(Set<String> servers, Map<String, Long> lost) {
    Json json = new Json().beginObject();
    json.name("servers").values(servers);
    json.name("lost").beginArray();
    lost.forEach((cache, entries) -> {
      json.beginObject().name("cache").value(cache).name("entries").value(entries).endObject();
    });
    return json.endArray().endObject();
  }

  /**
   * The entries that are only in the memory of the servers that stop, by cache. Other servers take
   * over the entries of clustered caches, if one is left.
   */
  private Map<String, Long> lost(Set<String> servers) {
    boolean isAll = servers.containsAll(ClusterReport.of(context).memberNames());
    boolean isThis = isAll || servers.contains(ownName());
    Map<String, Long> lost = new TreeMap<>();
    for (String name : context.node().cacheNames()) {
      CacheEngine<BinaryKey, Bytes> engine = context.engine(name);
      if (engine == null || isStored(engine.config())) {
        continue;
      }
      boolean isLocal = engine.config().mode() == CacheMode.LOCAL;
      if (isLocal ? isThis : isAll) {
        long entries = entries(engine);
        if (entries != 0) {
          lost.put(name, entries);
        }
      }
    }
    return lost;
  }

  private static boolean isStored(CacheConfig config) {
    return (config.fileStore() != null && !config.fileStore().readOnly())
        || (config.store() != null && !config.store().isReadOnly());
  }

  private static long entries(CacheEngine<BinaryKey, Bytes> engine) {
    try {
      return engine.size();
    } catch (GridException _) {
      return UNKNOWN; // segments that nobody serves now
    }
  }
}
