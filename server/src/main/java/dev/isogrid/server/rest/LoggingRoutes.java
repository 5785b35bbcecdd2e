package dev.isogrid.server.rest;

import dev.isogrid.server.log.LineLoggers;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests about the log of this server's process. Thread-safe. */
final class LoggingRoutes {
  private static final String LOGGERS = "rest/v2/logging/loggers";

  /** The name of the root in requests and answers that need one. */
  private static final String ROOT_NAME = "root";

  private final @Nullable LineLoggers loggers;

  LoggingRoutes() {
    this.loggers = LineLoggers.ofProcess();
  }

  List<Route> routes() {
    return Route.inBothVersions(
        List.of(
            Route.of(Verb.GET, LOGGERS, null, _ -> list()),
            Route.of(Verb.GET, "rest/v2/logging/appenders", null, _ -> appenders()),
            Route.of(Verb.PUT, LOGGERS, null, request -> set(LineLoggers.ROOT, request)),
            Route.of(Verb.PUT, LOGGERS + "/*", null, request -> set(name(request), request)),
            Route.of(Verb.DELETE, LOGGERS + "/*", null, this::remove)));
  }

  private LineLoggers known() {
    LineLoggers own = loggers;
    if (own == null) {
      throw new RestProblem(
          HttpResponseStatus.CONFLICT,
          "the log of this process is another library's; configure it there");
    }
    return own;
  }

  private static String name(AdminRequest request) {
    String name = request.path().get(4);
    return name.equals(ROOT_NAME) ? LineLoggers.ROOT : name;
  }

  private Answer list() {
    LineLoggers own = known();
    Json json = new Json().beginArray();
    own.levels()
        .forEach((name, level) -> {
          json.beginObject().name("name").value(name).name("level").value(shown(level));
          json.name("appenders").values(List.of(own.targetName())).endObject();
        });
    return Answer.json(json.endArray());
  }

  /** The level's name in Infinispan's loggers. */
  private static String shown(Level level) {
    return level == Level.WARNING ? "WARN" : level.name();
  }

  private Answer appenders() {
    String target = known().targetName();
    Json json = new Json().beginObject().name(target).beginObject();
    return Answer.json(json.name("name").value(target).endObject().endObject());
  }

  private Answer set(String name, AdminRequest request) {
    String text = request.parameters().get("level");
    Level level = text == null ? null : LineLoggers.level(text);
    if (level == null) {
      throw RestProblem.badRequest(
          "unknown level: level=%s; use TRACE, DEBUG, INFO, WARN, ERROR, OFF or ALL"
              .formatted(text));
    }
    String appender = request.parameters().get("appender");
    if (appender != null && !appender.equalsIgnoreCase(known().targetName())) {
      throw RestProblem.badRequest(
          "unknown appender: appender=%s; all loggers have %s"
              .formatted(appender, known().targetName()));
    }
    known().level(name, level);
    return Answer.noContent();
  }

  private Answer remove(AdminRequest request) {
    String name = name(request);
    if (name.equals(LineLoggers.ROOT)) {
      throw RestProblem.badRequest("the level of the root can't be removed; set another one");
    }
    if (!known().removeLevel(name)) {
      throw new RestProblem(
          HttpResponseStatus.NOT_FOUND, "logger has no level of its own: name=" + name);
    }
    return Answer.noContent();
  }
}
