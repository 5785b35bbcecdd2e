package dev.isogrid.server.security;

import static dev.isogrid.server.security.Permission.ADMIN;
import static dev.isogrid.server.security.Permission.BULK_READ;
import static dev.isogrid.server.security.Permission.BULK_WRITE;
import static dev.isogrid.server.security.Permission.CREATE;
import static dev.isogrid.server.security.Permission.EXEC;
import static dev.isogrid.server.security.Permission.LIFECYCLE;
import static dev.isogrid.server.security.Permission.LISTEN;
import static dev.isogrid.server.security.Permission.LOGGED_IN;
import static dev.isogrid.server.security.Permission.MONITOR;
import static dev.isogrid.server.security.Permission.PUBLIC;
import static dev.isogrid.server.security.Permission.READ;
import static dev.isogrid.server.security.Permission.WRITE;

import dev.isogrid.server.security.Requirement.On;
import java.util.List;

/**
 * The part of {@link Requirements} on REST. A request is its method and its path without {@code
 * rest/v2} or {@code rest/v3}; {@code *} stands for any segment. An action of version 2 is the last
 * segment of the path in version 3, after an underscore; both are one request here.
 */
final class RestRequirements {
  static final List<Requirement> ALL =
      List.of(
          onCache("GET /caches/*/*", READ),
          onCache("HEAD /caches/*/*", READ),
          onCache("PUT /caches/*/*", WRITE),
          onCache("POST /caches/*/*", WRITE),
          onCache("DELETE /caches/*/*", WRITE),
          onCache("GET /caches/*/entries/*", READ),
          onCache("HEAD /caches/*/entries/*", READ),
          onCache("PUT /caches/*/entries/*", WRITE),
          onCache("POST /caches/*/entries/*", WRITE),
          onCache("DELETE /caches/*/entries/*", WRITE),
          onCache("GET /caches/*/*?action=distribution", READ),
          onCache("GET /caches/*/_distribution/*", READ),
          onServer("GET /caches", LOGGED_IN),
          onServer("GET /caches?action=detailed", MONITOR),
          onServer("GET /meta/caches?action=detailed", MONITOR),
          onServer("GET /cache-managers/*/caches", MONITOR),
          onBoth("POST /caches/*", CREATE),
          onBoth("PUT /caches/*", CREATE),
          onBoth("DELETE /caches/*", CREATE),
          onCache("HEAD /caches/*", LOGGED_IN),
          onCache("GET /caches/*", MONITOR),
          onCache("GET /caches/*/details", MONITOR),
          onCache("GET /caches/*?action=config", MONITOR),
          onCache("GET /caches/*/config", MONITOR),
          onCache("HEAD /caches/*?action=config", MONITOR),
          onCache("HEAD /caches/*/config", MONITOR),
          onCache("GET /caches/*?action=size", BULK_READ),
          onCache("POST /caches/*?action=clear", BULK_WRITE),
          onCache("GET /caches/*?action=stats", MONITOR),
          onCache("GET /caches/*?action=memory", MONITOR),
          onCache("POST /caches/*?action=put", WRITE),
          onCache("POST /caches/*?action=stats-reset", ADMIN),
          onCache("GET /caches/*?action=health", MONITOR),
          onCache("GET /caches/*?action=keys", BULK_READ),
          onCache("GET /caches/*/keys", BULK_READ),
          onCache("GET /caches/*?action=entries", BULK_READ),
          onCache("GET /caches/*/entries", BULK_READ),
          onServer("POST /caches?action=convert", LOGGED_IN),
          onServer("POST /caches?action=toJSON", LOGGED_IN),
          onServer("POST /?action=cache-config-convert", LOGGED_IN),
          onServer("POST /caches?action=compare", LOGGED_IN),
          onServer("POST /?action=cache-config-compare", LOGGED_IN),
          onCache("GET /caches/*?action=get-availability", MONITOR),
          onCache("POST /caches/*?action=set-availability", ADMIN),
          onCache("GET /caches/*?action=availability", MONITOR),
          onCache("POST /caches/*?action=availability", ADMIN),
          onCache("GET /caches/*?action=get-mutable-attributes", MONITOR),
          onCache("GET /caches/*?action=get-mutable-attribute", MONITOR),
          onCache("GET /caches/*/config/attributes", MONITOR),
          onCache("GET /caches/*/config/attributes/*", MONITOR),
          onBoth("POST /caches/*?action=set-mutable-attribute", ADMIN),
          onBoth("POST /caches/*/config/attributes/*", ADMIN),
          onBoth("POST /caches/*?action=assign-alias", ADMIN),
          onCache("GET /caches/*?action=segments", MONITOR),
          onCache("POST /caches/*?action=enable-rebalancing", ADMIN),
          onCache("POST /caches/*?action=rebalancing-enable", ADMIN),
          onCache("POST /caches/*?action=disable-rebalancing", ADMIN),
          onCache("POST /caches/*?action=rebalancing-disable", ADMIN),
          onServer("GET /container/cache-configs", MONITOR),
          onServer("GET /container/cache-configs/templates", MONITOR),
          onServer("GET /container", MONITOR),
          onServer("GET /container?action=stats", MONITOR),
          onServer("GET /container/stats", MONITOR),
          onServer("GET /container/health", MONITOR),
          onServer("GET /container/health/status", PUBLIC),
          onServer("GET /cache-managers/*", MONITOR),
          onServer("GET /cache-managers/*/health", MONITOR),
          onServer("GET /cache-managers/*/health/status", PUBLIC),
          onServer("GET /server", PUBLIC),
          onServer("GET /server/memory", MONITOR),
          onServer("GET /server?action=stop", LIFECYCLE),
          onServer("GET /cluster?action=stop", LIFECYCLE),
          onServer("POST /server?action=stop", LIFECYCLE),
          onServer("POST /cluster?action=stop", LIFECYCLE),
          onServer("GET /cluster?action=recover-majority", ADMIN),
          onServer("POST /cluster?action=recover-majority", ADMIN),
          onServer("GET /cluster?action=rebalancing", MONITOR),
          onServer("GET /cluster/members", MONITOR),
          onServer("GET /counters", LOGGED_IN),
          onServer("POST /counters/*", CREATE),
          onServer("DELETE /counters/*", CREATE),
          onServer("GET /counters/*", READ),
          onServer("GET /counters/*/config", READ),
          onServer("POST /counters/*?action=increment", WRITE),
          onServer("POST /counters/*?action=decrement", WRITE),
          onServer("POST /counters/*?action=add", WRITE),
          onServer("POST /counters/*?action=reset", WRITE),
          onServer("POST /counters/*?action=compareAndSet", WRITE),
          onServer("POST /counters/*?action=compareAndSwap", WRITE),
          onServer("POST /counters/*?action=compare-and-set", WRITE),
          onServer("POST /counters/*?action=compare-and-swap", WRITE),
          onServer("POST /counters/*?action=get-and-set", WRITE),
          onServer("POST /counters/*?action=getAndSet", WRITE),
          onServer("GET /schemas", LOGGED_IN),
          onServer("GET /schemas?action=types", LOGGED_IN),
          onServer("GET /meta/schemas?action=types", LOGGED_IN),
          onServer("GET /schemas/*", LOGGED_IN),
          onServer("GET /schemas/*?action=detailed", LOGGED_IN),
          onServer("POST /schemas/*", CREATE),
          onServer("PUT /schemas/*", CREATE),
          onServer("DELETE /schemas/*", CREATE),
          onServer("GET /tasks", LOGGED_IN),
          onServer("GET /mapreduce", MONITOR),
          onServer("GET /server/stores", MONITOR),
          onBoth("POST /tasks/*?action=exec", EXEC),
          onServer("GET /security/user/acl", LOGGED_IN),
          onCache("GET /caches/*?action=listen", LISTEN),
          onCache("GET /caches/*?action=changes", LISTEN.mask() | BULK_READ.mask()),
          onServer("GET /container?action=listen", ADMIN),
          onServer("GET /container/config?action=listen", ADMIN),
          onServer("GET /container/backups", ADMIN),
          onServer("GET /container/backups?action=detailed", ADMIN),
          onServer("POST /container/backups/*", ADMIN),
          onServer("GET /container/backups/*", ADMIN),
          onServer("DELETE /container/backups/*", ADMIN),
          onServer("GET /container/restores", ADMIN),
          onServer("GET /container/restores?action=detailed", ADMIN),
          onServer("POST /container/restores/*", ADMIN),
          onServer("GET /container/restores/*", ADMIN),
          onServer("DELETE /container/restores/*", ADMIN),
          onServer("GET /cluster/backups", ADMIN),
          onServer("GET /cluster/backups?action=detailed", ADMIN),
          onServer("POST /cluster/backups/*", ADMIN),
          onServer("GET /cluster/backups/*", ADMIN),
          onServer("DELETE /cluster/backups/*", ADMIN),
          onServer("GET /cluster/restores", ADMIN),
          onServer("GET /cluster/restores?action=detailed", ADMIN),
          onServer("POST /cluster/restores/*", ADMIN),
          onServer("GET /cluster/restores/*", ADMIN),
          onServer("DELETE /cluster/restores/*", ADMIN),
          onServer("GET /server/threads", ADMIN),
          onServer("GET /server/config", ADMIN),
          onServer("GET /container/config", ADMIN),
          onServer("GET /logging/loggers", ADMIN),
          onServer("GET /logging/appenders", ADMIN),
          onServer("PUT /logging/loggers", ADMIN),
          onServer("PUT /logging/loggers/*", ADMIN),
          onServer("DELETE /logging/loggers/*", ADMIN),
          onServer("GET /login?action=config", PUBLIC),
          onServer("GET /server/connections", ADMIN),
          onServer("DELETE /server/connections/*", ADMIN),
          onServer("GET /server/ignored-caches", ADMIN),
          onServer("GET /server/ignored-caches/*", ADMIN),
          onServer("POST /server/ignored-caches/*", ADMIN),
          onServer("DELETE /server/ignored-caches/*", ADMIN),
          onServer("POST /server/ignored-caches/*/*", ADMIN),
          onServer("DELETE /server/ignored-caches/*/*", ADMIN),
          onServer("GET /openapi", LOGGED_IN),
          onServer("GET /metrics", MONITOR),
          onServer("GET /health/live", PUBLIC),
          onServer("GET /health/ready", PUBLIC),
          onServer("POST /container?action=enable-rebalancing", ADMIN),
          onServer("POST /container?action=rebalancing-enable", ADMIN),
          onServer("POST /container?action=disable-rebalancing", ADMIN),
          onServer("POST /container?action=rebalancing-disable", ADMIN),
          onServer("POST /container?action=limit-rebalancing", ADMIN),
          onServer("POST /container?action=rebalancing-limit", ADMIN),
          onServer("POST /cache-managers/*?action=enable-rebalancing", ADMIN),
          onServer("POST /cache-managers/*?action=disable-rebalancing", ADMIN),
          onServer("GET /security/roles", ADMIN),
          onServer("GET /security/roles?action=detailed", ADMIN),
          onServer("GET /security/roles/*", ADMIN),
          onServer("GET /security/users", ADMIN),
          onServer("GET /security/principals", ADMIN),
          onServer("GET /security/principals?action=detailed", ADMIN),
          onServer("POST /security/cache?action=flush", ADMIN),
          onServer("POST /security/roles/*?action=grant", ADMIN),
          onServer("POST /security/roles/*?action=deny", ADMIN),
          onServer("PUT /security/roles/*?action=grant", ADMIN),
          onServer("PUT /security/roles/*?action=deny", ADMIN),
          onServer("DELETE /security/roles/*?action=grant", ADMIN),
          onServer("DELETE /security/roles/*?action=deny", ADMIN));

  private RestRequirements() {}

  private static Requirement onServer(String request, int needed) {
    return new Requirement(request, needed, On.SERVER);
  }

  private static Requirement onServer(String request, Permission needed) {
    return new Requirement(request, needed.mask(), On.SERVER);
  }

  private static Requirement onCache(String request, int needed) {
    return new Requirement(request, needed, On.CACHE);
  }

  private static Requirement onCache(String request, Permission needed) {
    return new Requirement(request, needed.mask(), On.CACHE);
  }

  private static Requirement onBoth(String request, Permission needed) {
    return new Requirement(request, needed.mask(), On.SERVER_AND_CACHE);
  }

  /** The request of a route, in the notation of {@link #ALL}. */
  static String request(String verb, List<String> pattern, String action) {
    boolean isVersioned =
        pattern.size() > 2 && pattern.get(0).equals("rest") && pattern.get(1).matches("v[23]");
    List<String> path = isVersioned ? pattern.subList(2, pattern.size()) : pattern;
    String actual = action;
    if (path.getLast().startsWith("_")) {
      actual = path.getLast().substring(1);
      path = path.subList(0, path.size() - 1);
    }
    String request = verb + " /" + String.join("/", path);
    return actual.isEmpty() ? request : request + "?action=" + actual;
  }
}
