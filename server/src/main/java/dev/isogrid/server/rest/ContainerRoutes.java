package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.config.CacheTemplates;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.Metrics;
import dev.isogrid.server.net.OwnersNote;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.topology.ProtocolVersions;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Requests about the node as a whole: container, cluster, server and the probes. Thread-safe. */
final class ContainerRoutes {
  /** The one container that a server has. */
  static final String CONTAINER = "default";

  private final ServerContext context;
  private final Metrics metrics;

  ContainerRoutes(ServerContext context, Metrics metrics) {
    this.context = context;
    this.metrics = metrics;
  }

  List<Route> routes() {
    List<Route> routes = new ArrayList<>();
    for (String version : List.of("rest/v2/", "rest/v3/")) {
      routes.add(get(version + "container", _ -> container()));
      routes.add(get(version + "container/health", _ -> health()));
      routes.add(
          get(
              version + "container/health/status",
              _ -> Answer.plain(ClusterReport.of(context).health().name())));
      routes.add(get(version + "server", _ -> server()));
      routes.add(get(version + "server/memory", _ -> memory()));
      routes.add(get(version + "cluster/members", _ -> members()));
    }
    routes.add(get("rest/v2/container/stats", _ -> stats()));
    routes.add(get("rest/v3/container/_stats", _ -> stats()));
    routes.add(get("rest/v2/cache-managers/*", _ -> container()));
    routes.add(get("rest/v2/cache-managers/*/health", _ -> health()));
    routes.add(
        get(
            "rest/v2/cache-managers/*/health/status",
            _ -> Answer.plain(ClusterReport.of(context).health().name())));
    routes.add(get("metrics", this::metrics));
    routes.add(get("health/live", _ -> Answer.ok()));
    routes.add(get("health/ready", _ -> ready()));
    return routes;
  }

  private static Route get(String path, Route.Handler handler) {
    return Route.of(Verb.GET, path, null, handler);
  }

  private Answer container() {
    ClusterReport cluster = ClusterReport.of(context);
    List<String> members = cluster.memberNames();
    Set<String> caches = context.node().cacheNames();
    Json json = new Json().beginObject();
    json.name("version").value(context.version());
    json.name("name").value(CONTAINER);
    json.name("coordinator").value(cluster.isOldest());
    json.name("cache_configuration_names").values(CacheTemplates.names());
    json.name("cluster_name").value(context.node().config().clusterName());
    json.name("physical_addresses").values(cluster.ownAddresses());
    json.name("coordinator_address").value(cluster.oldestName());
    json.name("cache_manager_status").value("RUNNING");
    json.name("created_cache_count").value(caches.size());
    json.name("running_cache_count").value(caches.size());
    json.name("node_address").value(context.node().nodeName());
    json.name("cluster_members").values(members);
    json.name("cluster_members_physical_addresses").values(cluster.allAddresses());
    json.name("cluster_size").value(members.size());
    json.name("defined_caches").beginArray();
    for (String name : caches) {
      json.beginObject().name("name").value(name).name("started").value(true).endObject();
    }
    json.endArray();
    json.name("relay_node").value(false);
    json.name("relay_nodes_address").values(List.of());
    json.name("sites_view").values(List.of());
    json.name("tracing_enabled").value(false);
    json.name("rebalancing_enabled").value(cluster.isRebalanced());
    return Answer.json(json.endObject());
  }

  /**
   * Answers whether the node is ready; without a majority it is not. The request needs no login, so
   * the reason is only logged.
   */
  private Answer ready() {
    if (!context.node().hasMajority()) {
      throw RestProblem.unavailable(
          "not ready: this node does not serve the caches of its cluster now; its log says why");
    }
    return Answer.ok();
  }

  private Answer health() {
    ClusterReport cluster = ClusterReport.of(context);
    List<String> members = cluster.memberNames();
    Json json = new Json().beginObject();
    json.name("cluster_health").beginObject();
    json.name("cluster_name").value(context.node().config().clusterName());
    json.name("health_status").value(cluster.health().name());
    json.name("number_of_nodes").value(members.size());
    json.name("node_names").values(members);
    if (context.traffic().refusesWrites()) {
      json.name("note")
          .value("writes were refused within a minute, since memory or a bound is full");
    }
    json.endObject();
    json.name("cache_health").beginArray();
    OwnersNote owners = new OwnersNote(context.topology().get());
    for (String name : context.node().cacheNames()) {
      json.beginObject().name("status").value(cluster.health(name).name());
      json.name("cache_name").value(name);
      String note = note(name, owners);
      if (note != null) {
        json.name("note").value(note);
      }
      json.endObject();
    }
    return Answer.json(json.endArray().endObject());
  }

  /** Returns what is wrong with a cache whose entries are there, the worst of it, or null. */
  private @Nullable String note(String cache, OwnersNote owners) {
    CacheEngine<BinaryKey, Bytes> engine = context.engine(cache);
    String ofStore = engine == null ? null : StoreReport.note(engine);
    CacheConfig config = context.catalog().config(cache);
    return ofStore != null || config == null ? ofStore : owners.of(config);
  }

  private Answer server() {
    Json json = new Json().beginObject();
    json.name("version").value(context.version());
    json.name("cache-manager-name").value(CONTAINER);
    return Answer.json(json.endObject());
  }

  private Answer metrics(AdminRequest request) {
    String accepted = request.accept();
    boolean isOpen = accepted != null && accepted.contains("application/openmetrics-text");
    String format = isOpen ? Metrics.OPEN_METRICS : Metrics.TEXT;
    return new Answer.Text(HttpResponseStatus.OK, format, metrics.scrape(format));
  }

  private Answer memory() {
    return Answer.json(MemoryReport.node(context.node()));
  }

  private Answer stats() {
    return Answer.json(MemoryReport.container(context.node()));
  }

  private Answer members() {
    ClusterReport cluster = ClusterReport.of(context);
    ProtocolVersions own = cluster.speaks(context.node().nodeName());
    boolean isUpgraded = false;
    Json json = new Json().beginObject().name("members").beginArray();
    for (String name : cluster.memberNames()) {
      ProtocolVersions speaks = cluster.speaks(name);
      boolean isOfThisBuild = own.equals(speaks);
      isUpgraded |= speaks.newest() > cluster.protocol();
      json.beginObject().name("version").value(isOfThisBuild ? context.version() : "other");
      json.name("protocol").value(speaks.toString());
      json.name("node_address").value(name);
      json.name("physical_addresses").values(cluster.addresses(name));
      json.name("cache_manager_status").value("RUNNING").endObject();
    }
    json.endArray().name("protocol").value(cluster.protocol());
    return Answer.json(json.name("rolling_upgrade").value(isUpgraded).endObject());
  }
}
