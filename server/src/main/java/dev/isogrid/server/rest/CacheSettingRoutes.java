package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.config.CacheDocument;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.MutableAttributes;
import dev.isogrid.config.NamedCacheConfig;
import dev.isogrid.server.net.ServerContext;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requests about what can be changed of caches while they exist, about their other names, and about
 * configurations as such. Thread-safe.
 */
final class CacheSettingRoutes {
  private static final String V2 = "rest/v2/caches";
  private static final String V3 = "rest/v3/caches";
  private static final String NAME = "attribute-name";
  private static final String VALUE = "attribute-value";

  private final ServerContext context;
  private final List<Route> routes = new ArrayList<>();

  CacheSettingRoutes(ServerContext context) {
    this.context = context;
  }

  List<Route> routes() {
    add(Verb.GET, V2 + "/*", "get-mutable-attributes", this::attributes);
    add(Verb.GET, V3 + "/*/config/attributes", null, this::attributes);
    add(Verb.GET, V2 + "/*", "get-mutable-attribute", this::attribute);
    add(Verb.GET, V3 + "/*/config/attributes/*", null, this::attribute);
    add(Verb.POST, V2 + "/*", "set-mutable-attribute", this::setAttribute);
    add(Verb.POST, V3 + "/*/config/attributes/*", null, this::setAttribute);
    add(Verb.POST, V2 + "/*", "assign-alias", this::assignAlias);
    add(Verb.POST, V3 + "/*/_assign-alias", null, this::assignAlias);
    add(Verb.POST, V2, "convert", this::convert);
    add(Verb.POST, "rest/v3/_cache-config-convert", null, this::convert);
    for (String version : List.of("rest/v2/", "rest/v3/")) {
      add(Verb.GET, version + "container/cache-configs", null, _ -> configurations());
      add(Verb.GET, version + "container/cache-configs/templates", null, _ -> templates());
    }
    return routes;
  }

  private void add(Verb verb, String path, @Nullable String action, Route.Handler handler) {
    routes.add(Route.of(verb, path, action, handler));
  }

  private Map<String, Long> mutable(AdminRequest request) {
    var engine = context.engine(request.cacheName());
    if (engine == null) {
      throw RestProblem.noSuchCache(request.cacheName());
    }
    return MutableAttributes.of(engine.config());
  }

  private Answer attributes(AdminRequest request) {
    Map<String, Long> attributes = mutable(request);
    if (!request.flag("full")) {
      return Answer.json(new Json().values(attributes.keySet()));
    }
    Json json = new Json().beginObject();
    attributes.forEach((name, value) -> {
      json.name(name).beginObject().name("value").value(value);
      json.name("type").value("long").endObject();
    });
    return Answer.json(json.endObject());
  }

  /** The name of an attribute: a parameter, or the end of the path. */
  private static String attributeName(AdminRequest request) {
    String name = request.parameters().get(NAME);
    if (name != null) {
      return name;
    }
    if (request.path().size() > 6) {
      return request.path().get(6);
    }
    throw RestProblem.badRequest("parameter missing: name=" + NAME);
  }

  private Answer attribute(AdminRequest request) {
    String name = attributeName(request);
    Long value = mutable(request).get(name);
    if (value == null) {
      throw RestProblem.badRequest(
          "attribute can't be changed: attribute=%s; those that can are %s"
              .formatted(name, mutable(request).keySet()));
    }
    return Answer.json(new Json().value(value));
  }

  private Answer setAttribute(AdminRequest request) {
    String name = attributeName(request);
    String value = request.parameters().get(VALUE);
    if (value == null) {
      throw RestProblem.badRequest("parameter missing: name=" + VALUE);
    }
    mutable(request);
    context.catalog().updateAttribute(request.cacheName(), name, value);
    return Answer.noContent();
  }

  private Answer assignAlias(AdminRequest request) {
    String alias = request.parameters().get("alias");
    if (alias == null) {
      throw RestProblem.badRequest("parameter missing: name=alias");
    }
    mutable(request);
    context.catalog().assignAlias(alias, request.cacheName());
    return Answer.noContent();
  }

  private Answer convert(AdminRequest request) {
    DocumentFormat format = CacheRoutes.acceptedFormat(request.accept());
    NamedCacheConfig read =
        CacheDocument.read(
            request.body(),
            CacheRoutes.format(request.contentType()),
            context.catalog().documentContext());
    String text = CacheDocument.write(read.name(), read.config(), format, request.flag("pretty"));
    return new Answer.Text(HttpResponseStatus.OK, format.mediaType(), text);
  }

  private Answer configurations() {
    Json json = new Json().beginArray();
    for (String name : context.node().cacheNames()) {
      CacheConfig config = context.catalog().config(name);
      if (config != null) {
        addConfiguration(json, name, config);
      }
    }
    return Answer.json(json.endArray());
  }

  private Answer templates() {
    Json json = new Json().beginArray();
    context
        .catalog()
        .templates()
        .all()
        .forEach((name, config) -> addConfiguration(json, name, config));
    return Answer.json(json.endArray());
  }

  private static void addConfiguration(Json json, String name, CacheConfig config) {
    json.beginObject().name("name").value(name);
    json.name("configuration").raw(CacheDocument.write(name, config, DocumentFormat.JSON));
    json.endObject();
  }
}
