package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.config.CacheDocument;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.MutableAttributes;
import dev.isogrid.config.NamedCacheConfig;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.security.Permission;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Requests about mutable attributes of caches, about their aliases, and about configurations.
 * Thread-safe.
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
    routes.add(
        Route.onCache(
            Verb.GET, V2 + "/*", "get-mutable-attributes", CacheSettingRoutes::attributes));
    routes.add(
        Route.onCache(Verb.GET, V3 + "/*/config/attributes", null, CacheSettingRoutes::attributes));
    routes.add(
        Route.onCache(Verb.GET, V2 + "/*", "get-mutable-attribute", CacheSettingRoutes::attribute));
    routes.add(
        Route.onCache(
            Verb.GET, V3 + "/*/config/attributes/*", null, CacheSettingRoutes::attribute));
    routes.add(
        Route.onCache(
            Verb.POST, V2 + "/*", "set-mutable-attribute", CacheSettingRoutes::setAttribute));
    routes.add(
        Route.onCache(
            Verb.POST, V3 + "/*/config/attributes/*", null, CacheSettingRoutes::setAttribute));
    routes.add(
        Route.onCache(Verb.POST, V2 + "/*", "assign-alias", CacheSettingRoutes::assignAlias));
    routes.add(
        Route.onCache(Verb.POST, V3 + "/*/_assign-alias", null, CacheSettingRoutes::assignAlias));
    add(Verb.POST, V2, "convert", this::convert);
    add(Verb.POST, V2, "toJSON", this::convert);
    add(Verb.POST, "rest/v3/_cache-config-convert", null, this::convert);
    add(Verb.POST, V2, "compare", this::compare);
    add(Verb.POST, "rest/v3/_cache-config-compare", null, this::compare);
    for (String version : List.of("rest/v2/", "rest/v3/")) {
      add(Verb.GET, version + "container/cache-configs", null, this::configurations);
      add(Verb.GET, version + "container/cache-configs/templates", null, _ -> templates());
    }
    return routes;
  }

  private void add(Verb verb, String path, @Nullable String action, Route.Handler handler) {
    routes.add(Route.of(verb, path, action, handler));
  }

  private static Answer attributes(AdminRequest request, CacheEngine<BinaryKey, Bytes> cache) {
    Map<String, Object> attributes = MutableAttributes.of(cache.config());
    if (!request.flag("full")) {
      return Answer.json(new Json().values(attributes.keySet()));
    }
    Json json = new Json().beginObject();
    attributes.forEach((name, value) -> {
      add(json.name(name).beginObject().name("value"), value);
      json.name("type").value(value instanceof Boolean ? "boolean" : "long").endObject();
    });
    return Answer.json(json.endObject());
  }

  /** The name of an attribute: a parameter, or the end of the path. */
  private static String attributeName(AdminRequest request) {
    String name = request.parameter(NAME);
    if (name != null) {
      return name;
    }
    if (request.path().size() > 6) {
      return request.path().get(6);
    }
    throw RestProblem.badRequest("parameter missing: name=" + NAME);
  }

  private static Answer attribute(AdminRequest request, CacheEngine<BinaryKey, Bytes> cache) {
    String name = attributeName(request);
    Map<String, Object> attributes = MutableAttributes.of(cache.config());
    Object value = attributes.get(name);
    if (value == null) {
      throw RestProblem.badRequest(
          "attribute can't be changed: attribute=%s; those that can are %s"
              .formatted(name, attributes.keySet()));
    }
    return Answer.json(add(new Json(), value));
  }

  private static Json add(Json json, Object value) {
    return json.raw(value.toString()); // a number or a boolean
  }

  private static Answer setAttribute(AdminRequest request, CacheEngine<BinaryKey, Bytes> cache) {
    String name = attributeName(request);
    String value = request.parameter(VALUE);
    if (value == null) {
      throw RestProblem.badRequest("parameter missing: name=" + VALUE);
    }
    request.guard().administration().updateAttribute(cache.name(), name, value);
    return Answer.noContent();
  }

  private static Answer assignAlias(AdminRequest request, CacheEngine<BinaryKey, Bytes> cache) {
    String alias = request.parameter("alias");
    if (alias == null) {
      throw RestProblem.badRequest("parameter missing: name=alias");
    }
    request.guard().administration().assignAlias(alias, cache.name());
    return Answer.noContent();
  }

  private Answer convert(AdminRequest request) {
    DocumentFormat format = CacheRoutes.acceptedFormat(request.accept());
    NamedCacheConfig read =
        CacheDocument.read(
            request.body(),
            CacheRoutes.format(request.contentType()),
            context.catalog().documentContext().withFolders());
    String text = CacheDocument.show(read, format, request.flag("pretty"));
    return new Answer.Text(HttpResponseStatus.OK, format.mediaType(), text);
  }

  /** Compares the two configurations of a form. Their names don't count. */
  private Answer compare(AdminRequest request) {
    boolean ignoresMutable = request.flag("ignoreMutable");
    List<NamedCacheConfig> both = ComparedForm.read(request, context.catalog().documentContext());
    Set<String> differences = differences(both.getFirst(), both.getLast(), ignoresMutable);
    if (differences.isEmpty()) {
      return Answer.noContent();
    }
    throw new RestProblem(
        HttpResponseStatus.CONFLICT,
        "configurations differ: attributes=%s, ignoreMutable=%s"
            .formatted(differences, ignoresMutable));
  }

  private static Set<String> differences(
      NamedCacheConfig one, NamedCacheConfig other, boolean ignoresMutable) {
    Set<String> names = new TreeSet<>();
    if (ignoresMutable) {
      names.addAll(MutableAttributes.immutableDifferences(one.config(), other.config()));
      return names;
    }
    MutableAttributes.differences(one.config(), other.config())
        .forEach(difference -> names.add(difference.name()));
    if (!Set.copyOf(one.aliases()).equals(Set.copyOf(other.aliases()))) {
      names.add("aliases");
    }
    return names;
  }

  /** Lists the configurations of the caches that the caller may see. */
  private Answer configurations(AdminRequest request) {
    Json json = new Json().beginArray();
    for (String name : context.node().cacheNames()) {
      CacheConfig config = context.catalog().config(name);
      if (config != null && request.guard().cache(name, config).allows(Permission.MONITOR.mask())) {
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
    json.name("configuration").raw(CacheDocument.show(name, config, DocumentFormat.JSON, false));
    json.endObject();
  }
}
