package dev.isogrid.server.rest;

import dev.isogrid.server.net.ServerContext;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All administrative requests: finds the one that answers. Immutable and shared. */
final class AdminRoutes {
  private final List<Route> routes = new ArrayList<>();

  AdminRoutes(ServerContext context) {
    routes.addAll(new CacheRoutes(context).routes());
    routes.addAll(new ContainerRoutes(context).routes());
    routes.addAll(new CacheSettingRoutes(context).routes());
    routes.addAll(new SchemaRoutes(context).routes());
  }

  /**
   * Answers a request; may block.
   *
   * @throws RestProblem if the request is unknown or wrong
   */
  Answer answer(AdminRequest request) {
    List<Route> onPath = routes.stream().filter(r -> r.fitsPath(request.path())).toList();
    if (onPath.isEmpty()) {
      throw new RestProblem(HttpResponseStatus.NOT_FOUND, "Resource not found");
    }
    List<Route> ofVerb = onPath.stream().filter(r -> r.fitsVerb(request.verb())).toList();
    if (ofVerb.isEmpty()) {
      return new Answer.NotAllowed(allowed(onPath));
    }
    String action = request.parameters().get("action");
    return ofVerb.stream()
        .filter(r -> Objects.equals(r.action(), action))
        .min((a, b) -> Boolean.compare(a.verb() != request.verb(), b.verb() != request.verb()))
        .orElseThrow(() -> unknownAction(action))
        .handler()
        .answer(request);
  }

  private static Set<Verb> allowed(List<Route> routes) {
    Set<Verb> verbs = EnumSet.noneOf(Verb.class);
    for (Route route : routes) {
      verbs.add(route.verb());
      if (route.verb() == Verb.GET) {
        verbs.add(Verb.HEAD);
      }
    }
    return verbs;
  }

  private static RestProblem unknownAction(@Nullable String action) {
    return RestProblem.badRequest(
        action == null
            ? "action missing: this request needs the parameter action"
            : "unknown action: action=%s".formatted(action));
  }
}
