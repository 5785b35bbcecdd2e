package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.security.Identity;
import dev.isogrid.server.security.Permission;
import dev.isogrid.server.security.Roles;
import dev.isogrid.server.security.Security;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Requests about security: logins, the caller's permissions, users and roles. The command {@code
 * isogrid user} changes users, not REST. Thread-safe.
 */
final class SecurityRoutes {
  private static final String BASE = "rest/v2/security/";

  private final ServerContext context;
  private final List<Route> routes = new ArrayList<>();

  SecurityRoutes(ServerContext context) {
    this.context = context;
  }

  List<Route> routes() {
    add(Verb.GET, "rest/v2/login", "config", this::loginConfig);
    add(Verb.GET, BASE + "user/acl", null, this::acl);
    add(Verb.GET, BASE + "roles", null, _ -> Answer.json(new Json().values(roles().names())));
    add(Verb.GET, BASE + "roles", "detailed", _ -> detailedRoles());
    add(Verb.GET, BASE + "roles/*", null, this::rolesOfUser);
    add(Verb.GET, BASE + "users", null, _ -> names());
    add(Verb.GET, BASE + "principals", null, _ -> names());
    add(Verb.GET, BASE + "principals", "detailed", _ -> detailedUsers());
    add(Verb.POST, BASE + "cache", "flush", _ -> flush());
    for (Verb verb : List.of(Verb.POST, Verb.PUT, Verb.DELETE)) {
      add(verb, BASE + "roles/*", "grant", _ -> refuse());
      add(verb, BASE + "roles/*", "deny", _ -> refuse());
    }
    return Route.inBothVersions(routes);
  }

  private void add(Verb verb, String path, @Nullable String action, Route.Handler handler) {
    routes.add(Route.of(verb, path, action, handler));
  }

  private Security security() {
    return context.security();
  }

  private Roles roles() {
    Roles known = security().roles();
    return known == null ? Roles.PREDEFINED : known;
  }

  /** The facts that a console needs before a login. */
  private Answer loginConfig(AdminRequest request) {
    Json json = new Json().beginObject().name("mode").value("HTTP");
    request.guard().schemes().forEach(scheme -> json.name(scheme).value("true"));
    boolean isReady = !security().isOn() || security().canLogIn();
    return Answer.json(json.name("ready").value(Boolean.toString(isReady)).endObject());
  }

  private Answer acl(AdminRequest request) {
    RestGuard guard = request.guard();
    Identity identity = guard.identity();
    Json json = new Json().beginObject().name("subject").beginArray();
    if (identity != null) {
      json.beginObject().name("name").value(identity.name());
      json.name("type").value("NamePrincipal").endObject();
    }
    json.endArray();
    json.name("global").values(permissions(guard.serverPermissions()));
    json.name("caches").beginObject();
    for (String name : context.node().cacheNames()) {
      CacheConfig config = context.node().configOf(name);
      if (config != null) {
        int mask = guard.cachePermissions(name, config);
        json.name(name).values(permissions(mask));
      }
    }
    return Answer.json(json.endObject().endObject());
  }

  /** The names of the permissions in a mask; ALL alone if it has them all. */
  private static List<String> permissions(int mask) {
    if ((mask & Permission.ALL.mask()) == Permission.ALL.mask()) {
      return List.of(Permission.ALL.name());
    }
    List<String> names = new ArrayList<>();
    for (Permission each : Permission.values()) {
      if (Integer.bitCount(each.mask()) == 1 && (mask & each.mask()) != 0) {
        names.add(each.name());
      }
    }
    return names;
  }

  private Answer detailedRoles() {
    Json json = new Json().beginObject();
    boolean isBuiltIn = roles().equals(Roles.PREDEFINED);
    roles()
        .masks()
        .forEach((name, mask) -> {
          json.name(name).beginObject();
          json.name("permissions").values(permissions(mask));
          json.name("inheritable").value(true);
          json.name("implicit").value(isBuiltIn).endObject();
        });
    return Answer.json(json.endObject());
  }

  private Answer rolesOfUser(AdminRequest request) {
    Set<String> found = security().userRoles().get(request.path().getLast());
    return found == null ? Answer.notFound() : Answer.json(new Json().values(found));
  }

  private Answer names() {
    return Answer.json(new Json().values(security().userRoles().keySet()));
  }

  private Answer detailedUsers() {
    Json json = new Json().beginArray();
    for (Map.Entry<String, Set<String>> user : security().userRoles().entrySet()) {
      json.beginObject().name("name").value(user.getKey());
      json.name("type").value("NamePrincipal");
      json.name("roles").values(user.getValue()).endObject();
    }
    return Answer.json(json.endArray());
  }

  private Answer flush() {
    security().refreshAll();
    return Answer.noContent();
  }

  private static Answer refuse() {
    throw new RestProblem(
        HttpResponseStatus.CONFLICT,
        "roles of users can't be changed here; use isogrid user grant or revoke on each server");
  }
}
