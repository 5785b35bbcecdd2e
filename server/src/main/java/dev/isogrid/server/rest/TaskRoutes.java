package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.ServerTask;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.security.Permission;
import dev.isogrid.server.task.TaskCall;
import dev.isogrid.server.task.TaskDesk;
import dev.isogrid.server.task.TaskValues;
import dev.isogrid.wire.MediaTypes;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Requests about deployed tasks. Thread-safe. */
final class TaskRoutes {
  private static final String TASKS = "rest/v2/tasks";

  /** The prefix of parameters for the task. */
  private static final String PARAMETER = "param.";

  private final ServerContext context;

  TaskRoutes(ServerContext context) {
    this.context = context;
  }

  List<Route> routes() {
    return Route.inBothVersions(
        List.of(
            Route.of(Verb.GET, TASKS, null, this::list),
            Route.of(Verb.POST, TASKS + "/*", "exec", this::run)));
  }

  private TaskDesk tasks() {
    return context.tasks();
  }

  private Answer list(AdminRequest request) {
    String type = request.parameter("type", "user");
    if (type.equalsIgnoreCase("admin")) {
      return Answer.json(new Json().values(List.of())); // the server's own are no tasks to execute
    }
    if (!type.equalsIgnoreCase("user") && !type.equalsIgnoreCase("all")) {
      throw RestProblem.badRequest(
          "unknown type of tasks: type=%s; use user, admin or all".formatted(type));
    }
    Json json = new Json().beginArray();
    for (ServerTask<?> task : tasks().all().values()) {
      json.beginObject().name("name").value(task.name()).name("type").value("Java");
      json.name("parameters").values(new TreeSet<>(task.parameterNames()));
      json.name("execution_mode").value(task.where().name());
      json.name("allowed_role");
      task.allowedRole().ifPresentOrElse(json::value, () -> json.raw("null"));
      json.endObject();
    }
    return Answer.json(json.endArray());
  }

  private Answer run(AdminRequest request) {
    String name = request.path().get(3);
    if (!tasks().has(name)) {
      throw new RestProblem(HttpResponseStatus.NOT_FOUND, "no such task: name=" + name);
    }
    request.guard().checkRole(tasks().allowedRole(name), request);
    String cache = request.parameter("cache");
    String ownName = cache == null ? null : checkedName(cache, request);
    Map<String, Object> parameters = new HashMap<>();
    request
        .query()
        .forEach((key, values) -> {
          if (key.startsWith(PARAMETER)) {
            parameters.put(key.substring(PARAMETER.length()), values.getFirst());
          }
        });
    return answer(tasks().run(new TaskCall(name, ownName, parameters, request.guard().vouched())));
  }

  /** The own name of a cache on which the caller may run tasks. */
  private String checkedName(String cache, AdminRequest request) {
    String name = context.catalog().ownName(cache);
    CacheConfig config = context.catalog().config(name);
    if (config == null) {
      throw RestProblem.noSuchCache(cache);
    }
    if (!request.guard().cache(name, config).allows(Permission.EXEC.mask())) {
      throw request.guard().refusal(Permission.EXEC.mask(), request.describe());
    }
    return name;
  }

  private static Answer answer(@Nullable Object result) {
    return result instanceof byte[] bytes
        ? answer(bytes)
        : new Answer.Text(HttpResponseStatus.OK, MediaTypes.JSON, TaskValues.json(result));
  }

  /** Bytes as they are, and as a text where they are one. */
  private static Answer answer(byte[] bytes) {
    try {
      return Answer.plain(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException noText) {
      return new Answer.Octets(bytes);
    }
  }
}
