package dev.isogrid.server.rest;

import dev.isogrid.server.log.ServerLog;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests about the log of this server's process. Thread-safe. */
final class LoggingRoutes {
  private static final String LOGGERS = "rest/v2/logging/loggers";

  /** The name of the root in requests and answers that need one. */
  private static final String ROOT_NAME = "root";

  private final @Nullable ServerLog log;

  LoggingRoutes() {
    this.log = ServerLog.ofProcess();
  }

  List<Route> routes() {
    return Route.inBothVersions(
        List.of(
            Route.of(Verb.GET, LOGGERS, null, _ -> list()),
            Route.of(Verb.GET, "rest/v2/logging/appenders", null, _ -> appenders()),
            Route.of(Verb.PUT, LOGGERS, null, request -> set(ServerLog.ROOT, request)),
            Route.of(Verb.PUT, LOGGERS + "/*", null, request -> set(name(request), request)),
            Route.of(Verb.DELETE, LOGGERS + "/*", null, this::remove)));
  }

  private ServerLog known() {
    ServerLog own = log;
    if (own == null) {
      throw new RestProblem(
          HttpResponseStatus.CONFLICT,
          "the log of this process is another library's; configure it there");
    }
    return own;
  }

  private static String name(AdminRequest request) {
    String name = request.path().get(4);
    return name.equals(ROOT_NAME) ? ServerLog.ROOT : name;
  }

  private Answer list() {
    ServerLog own = known();
    Json json = new Json().beginArray();
    own.levels()
        .forEach((name, level) -> {
          json.beginObject().name("name").value(name).name("level").value(shown(level));
          json.name("appenders").values(own.appenders(name)).endObject();
        });
    return Answer.json(json.endArray());
  }

  /** The level's name in Infinispan's loggers. */
  private static String shown(Level level) {
    return level == Level.WARNING ? "WARN" : level.name();
  }

  private Answer appenders() {
    Json json = new Json().beginObject();
    for (String name : known().appenders()) {
      json.name(name).beginObject().name("name").value(name).endObject();
    }
    return Answer.json(json.endObject());
  }

  private Answer set(String name, AdminRequest request) {
    String text = request.parameter("level");
    Level level = text == null ? null : ServerLog.level(text);
    if (level == null) {
      throw RestProblem.badRequest(
          "unknown level: level=%s; use TRACE, DEBUG, INFO, WARN, ERROR, OFF or ALL"
              .formatted(text));
    }
    String appender = request.parameter("appender");
    List<String> appenders = known().appenders(name);
    if (appender != null && appenders.stream().noneMatch(appender::equalsIgnoreCase)) {
      throw RestProblem.badRequest(
          "unknown appender: appender=%s; this logger has %s"
              .formatted(appender, String.join(", ", appenders)));
    }
    known().level(name, level);
    return Answer.noContent();
  }

  private Answer remove(AdminRequest request) {
    String name = name(request);
    if (name.equals(ServerLog.ROOT)) {
      throw RestProblem.badRequest("the level of the root can't be removed; set another one");
    }
    if (!known().removeLevel(name)) {
      throw new RestProblem(
          HttpResponseStatus.NOT_FOUND, "logger has no level of its own: name=" + name);
    }
    return Answer.noContent();
  }
}
