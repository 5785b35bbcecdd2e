package dev.isogrid.server.rest;

import dev.isogrid.server.net.Metrics;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.net.Shutdown;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All administrative requests: finds the handler of a request. Immutable and shared. */
final class AdminRoutes {
  private final List<Route> routes = new ArrayList<>();

  AdminRoutes(ServerContext context, Shutdown shutdown, Metrics metrics) {
    routes.addAll(new CacheRoutes(context).routes());
    routes.addAll(new LongKeyRoutes(context).routes());
    routes.addAll(new ContainerRoutes(context, metrics).routes());
    routes.addAll(new StopRoutes(context, shutdown).routes());
    routes.addAll(new CacheSettingRoutes(context).routes());
    routes.addAll(new RebalanceRoutes(context).routes());
    routes.addAll(new RecoveryRoutes(context).routes());
    routes.addAll(new AvailabilityRoutes(context).routes());
    routes.addAll(new SecurityRoutes(context).routes());
    routes.addAll(new SchemaRoutes(context).routes());
    routes.addAll(new CounterRoutes(context).routes());
    routes.addAll(new TaskRoutes(context).routes());
    routes.addAll(new MapReduceRoutes(context).routes());
    routes.addAll(new LoggingRoutes().routes());
    routes.addAll(new EventRoutes(context).routes());
    routes.addAll(new BackupRoutes(context).routes());
    routes.addAll(new ServerRoutes(context).routes());
    routes.addAll(new ConnectionRoutes(context).routes());
    routes.addAll(new IgnoredCacheRoutes(context).routes());
    routes.addAll(OpenApi.routes(this::all, context.version()));
  }

  /**
   * Answers a request; may block.
   *
   * @throws RestProblem if the request is unknown or wrong
   */
  Answer answer(AdminRequest request) {
    List<Route> onPath = onPath(request);
    List<Route> ofVerb = ofVerb(onPath, request);
    if (ofVerb.isEmpty()) {
      return new Answer.NotAllowed(allowed(onPath));
    }
    return best(ofVerb, request).handler().answer(request);
  }

  /**
   * The route of a request, or null if none has its method.
   *
   * @throws RestProblem if there is no such path or action
   */
  @Nullable Route find(AdminRequest request) {
    List<Route> ofVerb = ofVerb(onPath(request), request);
    return ofVerb.isEmpty() ? null : best(ofVerb, request);
  }

  /** All routes. */
  List<Route> all() {
    return List.copyOf(routes);
  }

  private List<Route> onPath(AdminRequest request) {
    List<Route> onPath = routes.stream().filter(r -> r.fitsPath(request.path())).toList();
    if (onPath.isEmpty()) {
      throw new RestProblem(HttpResponseStatus.NOT_FOUND, "Resource not found");
    }
    return onPath;
  }

  private static List<Route> ofVerb(List<Route> onPath, AdminRequest request) {
    return onPath.stream().filter(r -> r.fitsVerb(request.verb())).toList();
  }

  private static Route best(List<Route> ofVerb, AdminRequest request) {
    String action = request.parameter("action");
    return ofVerb.stream()
        .filter(r -> Objects.equals(r.action(), action))
        .min((a, b) -> Boolean.compare(a.verb() != request.verb(), b.verb() != request.verb()))
        .orElseThrow(() -> unknownAction(action));
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
