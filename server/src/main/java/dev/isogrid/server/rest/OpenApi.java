package dev.isogrid.server.rest;

import dev.isogrid.config.DocumentFormat;
import dev.isogrid.server.security.Permission;
import dev.isogrid.server.security.Requirement;
import dev.isogrid.server.security.Requirements;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/**
 * Describes all requests, of version 2, version 3 and without a version, as a document of OpenAPI
 * 3.1. It is made from the routes, so that it has all of them and no others.
 */
final class OpenApi {
  /** The beginning of a path that its operations are named without. */
  private static final String BEGIN = "^/rest/(v3/)?";

  /** The paths of the document: its own, and that of Infinispan. */
  private static final List<String> PATHS = List.of("openapi", "rest/v3/openapi");

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

  /** The name of any other segment. */
  private static final String NAME = "name";

  /**
   * One operation of the document: the requests of a method and path, which differ by their action
   * in version 2 only.
   *
   * @param requirements by action; empty text for none
   */
  private record Operation(Map<String, Requirement> requirements) {
    Set<String> actions() {
      Set<String> actions = new TreeSet<>(requirements.keySet());
      actions.remove("");
      return actions;
    }
  }

  private final RouteMeanings meanings = RouteMeanings.read();
  private final Map<String, Map<Verb, Operation>> paths = new TreeMap<>();
  private final String version;

  private OpenApi(List<Route> routes, String version) {
    this.version = version;
    for (Verb verb : ENTRY_VERBS) {
      addEntry(verb, "rest/v2/caches/*/*", "");
      addEntry(verb, "rest/v3/caches/*/entries/*", "");
    }
    addEntry(Verb.GET, "rest/v2/caches/*/*", "distribution");
    addEntry(Verb.GET, "rest/v3/caches/*/_distribution/*", "");
    for (Route route : routes) {
      String action = route.action();
      add(route.verb(), route.pattern(), action == null ? "" : action, route.requirement());
    }
  }

  private void addEntry(Verb verb, String path, String action) {
    List<String> pattern = List.of(path.split("/", -1));
    add(verb, pattern, action, Requirements.rest(verb.name(), pattern, action));
  }

  private void add(Verb verb, List<String> pattern, String action, Requirement requirement) {
    paths
        .computeIfAbsent(path(pattern), _ -> new EnumMap<>(Verb.class))
        .computeIfAbsent(verb, _ -> new Operation(new TreeMap<>()))
        .requirements
        .putIfAbsent(action, requirement);
  }

  /**
   * The routes that answer with the document.
   *
   * @param routes of the document; called at each request
   */
  static List<Route> routes(Supplier<List<Route>> routes, String version) {
    Route.Handler handler = request -> answer(request, new OpenApi(routes.get(), version));
    return PATHS.stream().map(path -> Route.of(Verb.GET, path, null, handler)).toList();
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
    StringBuilder path = new StringBuilder();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < pattern.size(); i++) {
      String segment = pattern.get(i);
      path.append('/');
      if (!segment.equals("*")) {
        path.append(segment);
        continue;
      }
      String name = NAMES.getOrDefault(pattern.get(i - 1), NAME);
      while (!names.add(name)) {
        name += "2"; // a name may stand for one segment only
      }
      path.append('{').append(name).append('}');
    }
    return path.toString();
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
    Map<String, Requirement> requirements = operation.requirements;
    json.beginObject().name("operationId").value(operationId(verb, path));
    json.name("summary").value(summary(requirements));
    json.name("description").value(description(requirements));
    Map<String, Boolean> parameters = parameters(requirements);
    Set<String> actions = operation.actions();
    if (!parameters.isEmpty() || !actions.isEmpty()) {
      json.name("parameters").beginArray();
      parameters.forEach((name, isNeeded) -> writeParameter(json, name, "query", isNeeded));
      if (!actions.isEmpty()) {
        json.beginObject().name("name").value("action").name("in").value("query");
        json.name("required").value(!requirements.containsKey(""));
        json.name("schema").beginObject().name("type").value("string").name("enum");
        json.values(actions).endObject().endObject();
      }
      json.endArray();
    }
    if (verb == Verb.PUT || verb == Verb.POST) {
      json.name("requestBody").raw("{\"content\":{\"*/*\":{\"schema\":{}}}}");
    }
    writeResponses(json.name("responses"), verb);
    json.endObject();
  }

  private RouteMeanings.Meaning meaning(Requirement requirement) {
    return meanings.of(requirement.request());
  }

  private String text(Requirement requirement) {
    return meaning(requirement).text().replace("`", "");
  }

  private static String needs(Requirement requirement) {
    int needed = requirement.needed();
    String permissions =
        needed == Permission.PUBLIC ? "nothing" : Permission.names(needed).replace("+", ", ");
    return "Needs " + permissions + ".";
  }

  private String summary(Map<String, Requirement> requirements) {
    Requirement plain = requirements.get("");
    if (plain == null && requirements.size() == 1) {
      plain = requirements.values().iterator().next();
    }
    return plain == null ? "Does what action says." : text(plain);
  }

  private String description(Map<String, Requirement> requirements) {
    if (requirements.size() == 1) {
      return needs(requirements.values().iterator().next());
    }
    return requirements.entrySet().stream()
        .map(each -> {
          String action = each.getKey().isEmpty() ? "Without action" : "action=" + each.getKey();
          return "%s: %s %s".formatted(action, text(each.getValue()), needs(each.getValue()));
        })
        .collect(Collectors.joining("\n"));
  }

  /** The parameters of all actions, and whether each request needs them. */
  private Map<String, Boolean> parameters(Map<String, Requirement> requirements) {
    Map<String, Boolean> parameters = new TreeMap<>();
    for (Requirement requirement : requirements.values()) {
      for (RouteMeanings.Parameter each : meaning(requirement).parameters()) {
        parameters.put(each.name(), each.isNeeded() && requirements.size() == 1);
      }
    }
    return parameters;
  }

  private String operationId(Verb verb, String path) {
    String id =
        (verb.name().toLowerCase(Locale.ROOT) + path.replaceFirst(BEGIN, "/"))
            .replaceAll("[^A-Za-z0-9]+", "_")
            .replaceFirst("_$", "");
    boolean isTaken = paths.containsKey("/rest/v3" + path); // by the request of version 3
    return isTaken ? id + "_unversioned" : id;
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
