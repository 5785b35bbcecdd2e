package dev.isogrid.server.rest;

import dev.isogrid.server.net.SchemaCatalog;
import dev.isogrid.server.net.SchemaCatalog.Outcome;
import dev.isogrid.server.net.SchemaCatalog.When;
import dev.isogrid.server.net.ServerContext;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Requests about the schemas of ProtoStream messages. Thread-safe. */
final class SchemaRoutes {
  private static final String V2 = "rest/v2/schemas";
  private static final String V3 = "rest/v3/schemas";

  private final ServerContext context;
  private final List<Route> routes = new ArrayList<>();

  SchemaRoutes(ServerContext context) {
    this.context = context;
  }

  List<Route> routes() {
    both(Verb.GET, "", _ -> list());
    add(Verb.GET, V2, "types", _ -> types());
    add(Verb.GET, "rest/v3/meta/schemas/_types", null, _ -> types());
    both(Verb.GET, "/*", this::content);
    add(Verb.GET, V2 + "/*", "detailed", this::details);
    add(Verb.GET, V3 + "/*/_detailed", null, this::details);
    both(Verb.POST, "/*", this::create);
    both(Verb.PUT, "/*", this::put);
    both(Verb.DELETE, "/*", this::remove);
    return routes;
  }

  private void both(Verb verb, String path, Route.Handler handler) {
    add(verb, V2 + path, null, handler);
    add(verb, V3 + path, null, handler);
  }

  private void add(Verb verb, String path, @Nullable String action, Route.Handler handler) {
    routes.add(Route.of(verb, path, action, handler));
  }

  private SchemaCatalog schemas() {
    return context.catalog().schemas();
  }

  /** The name in the path, with the suffix that clients may leave out. */
  private static String name(AdminRequest request) {
    String name = request.path().get(3);
    return name.endsWith(SchemaCatalog.SUFFIX) ? name : name + SchemaCatalog.SUFFIX;
  }

  private Answer list() {
    Map<String, String> errors = schemas().errors();
    Json json = new Json().beginArray();
    for (String name : schemas().files().keySet()) {
      addError(json.beginObject().name("name").value(name), name, errors.get(name));
      json.endObject();
    }
    return Answer.json(json.endArray());
  }

  private static void addError(Json json, String name, @Nullable String error) {
    json.name("error");
    if (error == null) {
      json.raw("null");
      return;
    }
    json.beginObject().name("message").value("Schema " + name + " has errors");
    json.name("cause").value(error).endObject();
  }

  private Answer types() {
    return Answer.json(new Json().values(schemas().types()));
  }

  private Answer content(AdminRequest request) {
    String content = schemas().files().get(name(request));
    return content == null ? Answer.notFound() : Answer.plain(content);
  }

  private Answer details(AdminRequest request) {
    String name = name(request);
    String content = schemas().files().get(name);
    if (content == null) {
      return Answer.notFound();
    }
    Json json = new Json().beginObject().name("name").value(name);
    json.name("content").value(content);
    json.name("caches").beginArray().endArray(); // those that are indexed, which none can be
    addError(json, name, schemas().errors().get(name));
    return Answer.json(json.endObject());
  }

  private Answer create(AdminRequest request) {
    String name = name(request);
    if (schemas().write(name, body(request), When.ABSENT) == Outcome.NONE) {
      throw new RestProblem(
          HttpResponseStatus.CONFLICT,
          "schema exists already: name=%s; use PUT to change it".formatted(name));
    }
    return written(HttpResponseStatus.CREATED, name);
  }

  private Answer put(AdminRequest request) {
    schemas().write(name(request), body(request), When.ALWAYS);
    return written(HttpResponseStatus.OK, name(request));
  }

  private Answer written(HttpResponseStatus status, String name) {
    Json json = new Json().beginObject().name("name").value(name);
    addError(json, name, schemas().errors().get(name));
    return Answer.json(status, json.endObject());
  }

  private static String body(AdminRequest request) {
    if (request.body().length == 0) {
      throw RestProblem.badRequest("schema missing: send its text as the body");
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(request.body())).toString();
    } catch (CharacterCodingException e) {
      throw RestProblem.badRequest("schema is not UTF-8: size=" + request.body().length);
    }
  }

  private Answer remove(AdminRequest request) {
    return schemas().remove(name(request)) ? Answer.noContent() : Answer.notFound();
  }
}
