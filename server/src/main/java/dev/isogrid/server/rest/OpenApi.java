package dev.isogrid.server.rest;

import dev.isogrid.config.DocumentFormat;
import dev.isogrid.server.security.Permission;
import dev.isogrid.server.security.Requirement;
import dev.isogrid.server.security.Requirements;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/**
 * Describes the requests of version 3, and those without a version, as a document of OpenAPI 3.1.
 * It is made from the routes, so that it has all of them and no others.
 */
final class OpenApi {
  private static final String BEGIN = "rest/v3/";
  private static final String YAML = DocumentFormat.YAML.mediaType();

  /** The statuses that any request may have, with their reasons. */
  private static final Map<Integer, String> ERRORS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(400, "The request is malformed, or lacks something."),
              Map.entry(401, "A login is needed, or the one given is wrong."),
              Map.entry(403, "The caller lacks the permission, or the web page its origin."),
              Map.entry(404, "There is no such thing."),
              Map.entry(405, "The method means nothing here."),
              Map.entry(406, "No wanted format can be made."),
              Map.entry(408, "The request did not arrive in time."),
              Map.entry(409, "It exists, or it conflicts with the existing state."),
              Map.entry(412, "A condition of the request does not hold."),
              Map.entry(413, "The body is too large."),
              Map.entry(415, "The format of the body is not known."),
              Map.entry(421, "The server is not known by this host name."),
              Map.entry(503, "The server can't do it now; try again."),
              Map.entry(504, "It is not known whether it was done."),
              Map.entry(507, "There is no room for it.")));

  private static final List<Verb> ENTRY_VERBS =
      List.of(Verb.GET, Verb.HEAD, Verb.PUT, Verb.POST, Verb.DELETE);

  /** The names of segments with any text, by the segment before. */
  private static final Map<String, String> NAMES =
      Map.of(
          "caches", "cache",
          "entries", "key",
          "_distribution", "key",
          "counters", "counter",
          "schemas", "schema",
          "tasks", "task",
          "attributes", "attribute",
          "loggers", "logger",
          "connections", "id",
          "roles", "role");

  /** One request of the document. */
  private record Operation(List<String> actions, Requirement requirement) {}

  private final RouteMeanings meanings = RouteMeanings.read();
  private final Map<String, Map<Verb, Operation>> paths = new TreeMap<>();
  private final String version;

  private OpenApi(List<Route> routes, String version) {
    this.version = version;
    for (Verb verb : ENTRY_VERBS) {
      addEntry(verb, "rest/v3/caches/*/entries/*");
    }
    addEntry(Verb.GET, "rest/v3/caches/*/_distribution/*");
    for (Route route : routes) {
      if (!String.join("/", route.pattern()).startsWith("rest/v2")) {
        add(route.verb(), route.pattern(), route.action(), route.requirement());
      }
    }
  }

  private void addEntry(Verb verb, String path) {
    List<String> pattern = List.of(path.split("/", -1));
    add(verb, pattern, null, Requirements.rest(verb.name(), pattern, ""));
  }

  private void add(
      Verb verb, List<String> pattern, @Nullable String action, Requirement requirement) {
    Map<Verb, Operation> operations =
        paths.computeIfAbsent(path(pattern), _ -> new EnumMap<>(Verb.class));
    Operation operation =
        operations.computeIfAbsent(verb, _ -> new Operation(new ArrayList<>(), requirement));
    if (action != null) {
      operation.actions.add(action);
    }
  }

  /**
   * The route that answers with the document.
   *
   * @param routes of the document; called at the first request
   */
  static Route route(Supplier<List<Route>> routes, String version) {
    return Route.of(
        Verb.GET, "openapi", null, request -> answer(request, new OpenApi(routes.get(), version)));
  }

  private static Answer answer(AdminRequest request, OpenApi document) {
    String json = document.json();
    String accept = request.accept();
    boolean isYaml = accept != null && accept.toLowerCase(Locale.ROOT).contains("yaml");
    return isYaml ? new Answer.Text(HttpResponseStatus.OK, YAML, yaml(json)) : jsonAnswer(json);
  }

  private static Answer jsonAnswer(String json) {
    return new Answer.Text(HttpResponseStatus.OK, DocumentFormat.JSON.mediaType(), json);
  }

  private static String yaml(String json) {
    Object document = new Load(LoadSettings.builder().build()).loadFromString(json);
    DumpSettings settings = DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).build();
    return new Dump(settings).dumpToString(document);
  }

  private static String path(List<String> pattern) {
    return "/"
        + IntStream.range(0, pattern.size())
            .mapToObj(
                i -> pattern.get(i).equals("*") ? "{" + name(pattern, i) + "}" : pattern.get(i))
            .collect(Collectors.joining("/"));
  }

  private static String name(List<String> pattern, int index) {
    return NAMES.getOrDefault(pattern.get(index - 1), "name");
  }

  private String json() {
    Json json = new Json().beginObject().name("openapi").value("3.1.0");
    json.name("info").beginObject().name("title").value("Isogrid").name("version").value(version);
    json.name("license").beginObject().name("name").value("Apache-2.0");
    json.name("identifier").value("Apache-2.0").endObject().endObject();
    json.name("security").beginArray().raw("{}");
    for (String scheme : List.of("basic", "digest", "bearer")) {
      json.beginObject().name(scheme).beginArray().endArray().endObject();
    }
    json.endArray().name("paths").beginObject();
    paths.forEach((path, operations) -> writePath(json.name(path), path, operations));
    json.endObject().name("components").beginObject();
    writeErrors(json.name("responses"));
    json.name("securitySchemes").beginObject();
    for (String scheme : List.of("basic", "digest", "bearer")) {
      json.name(scheme).beginObject().name("type").value("http");
      json.name("scheme").value(scheme).endObject();
    }
    return json.endObject().endObject().endObject().toString();
  }

  private static void writeErrors(Json json) {
    json.beginObject();
    ERRORS.forEach((status, text) -> {
      json.name("Error" + status).beginObject().name("description").value(text);
      json.name("content").raw("{\"text/plain\":{\"schema\":{\"type\":\"string\"}}}").endObject();
    });
    json.endObject();
  }

  private void writePath(Json json, String path, Map<Verb, Operation> operations) {
    json.beginObject();
    List<String> names = new ArrayList<>();
    for (String segment : path.split("/", -1)) {
      if (segment.startsWith("{")) {
        names.add(segment.substring(1, segment.length() - 1));
      }
    }
    if (!names.isEmpty()) {
      json.name("parameters").beginArray();
      names.forEach(name -> writeParameter(json, name, "path", true));
      json.endArray();
    }
    operations.forEach((verb, operation) -> {
      json.name(verb.name().toLowerCase(Locale.ROOT));
      writeOperation(json, verb, path, operation);
    });
    json.endObject();
  }

  private void writeOperation(Json json, Verb verb, String path, Operation operation) {
    Requirement requirement = operation.requirement;
    RouteMeanings.Meaning meaning = meanings.of(requirement.request());
    int needed = requirement.needed();
    String permission =
        needed == Permission.PUBLIC ? "nothing" : Permission.names(needed).replace("+", ", ");
    json.beginObject().name("operationId").value(operationId(verb, path));
    json.name("summary").value(meaning.text().replace("`", ""));
    json.name("description").value("Needs " + permission + ".");
    List<RouteMeanings.Parameter> parameters = meaning.parameters();
    if (!parameters.isEmpty() || !operation.actions.isEmpty()) {
      json.name("parameters").beginArray();
      parameters.forEach(each -> writeParameter(json, each.name(), "query", each.isNeeded()));
      if (!operation.actions.isEmpty()) {
        json.beginObject().name("name").value("action").name("in").value("query");
        json.name("schema").beginObject().name("type").value("string").name("enum");
        json.values(new TreeSet<>(operation.actions)).endObject().endObject();
      }
      json.endArray();
    }
    if (verb == Verb.PUT || verb == Verb.POST) {
      json.name("requestBody").raw("{\"content\":{\"*/*\":{\"schema\":{}}}}");
    }
    writeResponses(json.name("responses"), verb);
    json.endObject();
  }

  private static String operationId(Verb verb, String path) {
    return (verb.name().toLowerCase(Locale.ROOT) + path.replaceFirst("^/" + BEGIN, "/"))
        .replaceAll("[^A-Za-z0-9]+", "_")
        .replaceFirst("_$", "");
  }

  private static void writeParameter(Json json, String name, String in, boolean isNeeded) {
    json.beginObject().name("name").value(name).name("in").value(in);
    json.name("required").value(isNeeded);
    json.name("schema").raw("{\"type\":\"string\"}").endObject();
  }

  private static void writeResponses(Json json, Verb verb) {
    json.beginObject();
    writeDone(json, 200, "Done, with the requested content.");
    if (verb == Verb.POST || verb == Verb.PUT) {
      writeDone(json, 201, "It is made.");
    }
    writeDone(json, 204, "Done, and there is nothing to say.");
    writeDone(json, 304, "Nothing changed, or the client has the current state.");
    for (int status : ERRORS.keySet()) {
      json.name(String.valueOf(status)).beginObject();
      json.name("$ref").value("#/components/responses/Error" + status).endObject();
    }
    json.endObject();
  }

  private static void writeDone(Json json, int status, String text) {
    json.name(String.valueOf(status)).beginObject();
    json.name("description").value(text).endObject();
  }
}
