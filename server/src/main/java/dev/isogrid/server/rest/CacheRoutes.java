package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.codec.MediaTypeText;
import dev.isogrid.config.CacheDocument;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.NamedCacheConfig;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.SchemaCatalog;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.wire.MediaTypes;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Requests about caches as a whole: which there are, their life and their contents. Thread-safe.
 */
final class CacheRoutes {
  private static final Logger log = System.getLogger(CacheRoutes.class.getName());

  private static final String V2 = "rest/v2/caches";
  private static final String V3 = "rest/v3/caches";
  private static final String DEFAULT_TEMPLATE = "org.infinispan.LOCAL";
  private static final String VOLATILE = "VOLATILE";
  private static final String UPDATE = "UPDATE";

  /** The values of {@code delivery-guarantee}; on one node all mean the same. */
  private static final Set<String> GUARANTEES =
      Set.of("AT_MOST_ONCE", "AT_LEAST_ONCE", "EXACTLY_ONCE");

  private final ServerContext context;
  private final List<Route> routes = new ArrayList<>();

  CacheRoutes(ServerContext context) {
    this.context = context;
  }

  List<Route> routes() {
    both(Verb.GET, "", null, "", _ -> list());
    add(Verb.GET, V2, "detailed", _ -> detailed());
    add(Verb.GET, "rest/v3/meta/caches/_detailed", null, _ -> detailed());
    add(Verb.GET, "rest/v2/cache-managers/*/caches", null, _ -> detailed());
    both(Verb.POST, "/*", null, "/*", this::create);
    both(Verb.PUT, "/*", null, "/*", this::createOrUpdate);
    both(Verb.HEAD, "/*", null, "/*", this::exists);
    both(Verb.DELETE, "/*", null, "/*", this::remove);
    both(Verb.GET, "/*", null, "/*/details", this::details);
    both(Verb.GET, "/*", "config", "/*/config", this::config);
    both(Verb.HEAD, "/*", "config", "/*/config", this::config);
    both(Verb.GET, "/*", "size", "/*/_size", r -> Answer.json(new Json().value(engine(r).size())));
    both(Verb.POST, "/*", "clear", "/*/_clear", this::clear);
    both(Verb.GET, "/*", "stats", "/*/_stats", this::stats);
    both(Verb.GET, "/*", "memory", "/*/_memory", this::memory);
    both(Verb.POST, "/*", "stats-reset", "/*/_stats-reset", this::resetStats);
    both(Verb.GET, "/*", "health", "/*/_health", this::health);
    both(Verb.GET, "/*", "keys", "/*/keys", r -> listing(r, true));
    both(Verb.GET, "/*", "entries", "/*/entries", r -> listing(r, false));
    return routes;
  }

  private void both(
      Verb verb, String v2, @Nullable String action, String v3, Route.Handler handler) {
    add(verb, V2 + v2, action, handler);
    add(verb, V3 + v3, null, handler);
  }

  private void add(Verb verb, String path, @Nullable String action, Route.Handler handler) {
    routes.add(Route.of(verb, path, action, handler));
  }

  private Answer list() {
    return Answer.json(new Json().values(context.node().cacheNames()));
  }

  private Answer detailed() {
    ClusterReport cluster = ClusterReport.of(context);
    Json json = new Json().beginArray();
    for (String name : context.node().cacheNames()) {
      var cache = context.node().findCache(name);
      if (cache != null) {
        CacheReport.addSummary(
            json.beginObject(),
            name,
            cache.config(),
            cluster.health(name),
            context.catalog().aliasesOf(name));
        json.endObject();
      }
    }
    return Answer.json(json.endArray());
  }

  private Answer exists(AdminRequest request) {
    return context.engine(request.cacheName()) != null ? Answer.noContent() : Answer.notFound();
  }

  private Answer create(AdminRequest request) {
    if (flags(request).contains(UPDATE)) {
      return createOrUpdate(request);
    }
    NamedCacheConfig wanted = wanted(request);
    wanted.aliases().forEach(context.catalog()::checkAlias);
    if (!createNew(request, wanted.config())) {
      throw RestProblem.badRequest(
          "ISPN000507: cache exists already: name=%s; remove it first or use another name"
              .formatted(request.cacheName()));
    }
    assignAliases(request, wanted);
    return Answer.ok();
  }

  private void assignAliases(AdminRequest request, NamedCacheConfig wanted) {
    wanted.aliases().forEach(alias -> context.catalog().assignAlias(alias, request.cacheName()));
  }

  private Answer createOrUpdate(AdminRequest request) {
    if (request.body().length == 0 || request.parameters().containsKey("template")) {
      throw RestProblem.badRequest(
          "cache can't be updated: a configuration in the body is needed, and no template");
    }
    String name = request.cacheName();
    NamedCacheConfig wanted = wanted(request);
    wanted.aliases().forEach(context.catalog()::checkAlias);
    CacheConfig checked = new NamedCacheConfig(name, wanted.config(), List.of()).config();
    context.catalog().createOrUpdate(name, checked, flags(request).contains(VOLATILE));
    assignAliases(request, wanted);
    return Answer.ok();
  }

  private boolean createNew(AdminRequest request, CacheConfig config) {
    String name = request.cacheName();
    CacheConfig checked = new NamedCacheConfig(name, config, List.of()).config();
    return flags(request).contains(VOLATILE)
        ? context.catalog().getOrCreateVolatile(name, checked)
        : context.catalog().getOrCreatePermanent(name, checked);
  }

  private static List<String> flags(AdminRequest request) {
    if (request.flags() == null) {
      return List.of();
    }
    List<String> flags = new ArrayList<>();
    for (String flag : request.flags().split(",", -1)) {
      flags.add(flag.strip().toUpperCase(Locale.ROOT));
    }
    flags.removeIf(String::isEmpty);
    for (String flag : flags) {
      if (!flag.equals(VOLATILE) && !flag.equals(UPDATE)) {
        throw RestProblem.badRequest(
            "unknown flag: flag=%s; allowed are VOLATILE and UPDATE".formatted(flag));
      }
    }
    return flags;
  }

  private NamedCacheConfig wanted(AdminRequest request) {
    String template = request.parameters().get("template");
    if (request.body().length == 0) {
      String used = template == null ? DEFAULT_TEMPLATE : template;
      return new NamedCacheConfig(null, context.catalog().templates().template(used), List.of());
    }
    if (template != null) {
      throw RestProblem.badRequest("configuration given twice: use a template or a body, not both");
    }
    NamedCacheConfig named =
        CacheDocument.read(
            request.body(), format(request.contentType()), context.catalog().documentContext());
    if (!named.warnings().isEmpty()) {
      log.log(
          Level.INFO,
          () -> "cache configuration of " + request.cacheName() + ": " + named.warnings());
    }
    return named;
  }

  /** The format of a document, or null to find it out from its text. */
  static @Nullable DocumentFormat format(@Nullable String contentType) {
    if (contentType == null) {
      return null;
    }
    String type = MediaTypeText.essence(contentType);
    if (type.equals("*/*") || type.equals(MediaTypes.TEXT_PLAIN)) {
      return null;
    }
    DocumentFormat format = DocumentFormat.ofMediaType(type);
    if (format == null) {
      throw new RestProblem(
          HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
          "configuration of unknown type: type=%s; use application/json, -/xml or -/yaml"
              .formatted(type));
    }
    return format;
  }

  private Answer remove(AdminRequest request) {
    return context.catalog().remove(request.cacheName()) ? Answer.ok() : Answer.notFound();
  }

  private Answer details(AdminRequest request) {
    return Answer.json(
        CacheReport.details(
            engine(request),
            ClusterReport.of(context),
            context.catalog().aliasesOf(request.cacheName())));
  }

  private Answer config(AdminRequest request) {
    CacheEngine<BinaryKey, Bytes> engine = engine(request);
    DocumentFormat format = acceptedFormat(request.accept());
    String text =
        CacheDocument.write(engine.name(), engine.config(), format, request.flag("pretty"));
    return new Answer.Text(HttpResponseStatus.OK, format.mediaType(), text);
  }

  static DocumentFormat acceptedFormat(@Nullable String accept) {
    if (accept == null) {
      return DocumentFormat.JSON;
    }
    DocumentFormat best = null;
    float bestQuality = 0;
    for (String range : accept.split(",", -1)) {
      String type = MediaTypeText.essence(range);
      boolean any = type.equals("*/*") || type.equals("application/*");
      DocumentFormat format = any ? DocumentFormat.JSON : DocumentFormat.ofMediaType(type);
      float quality = MediaTypeText.quality(range);
      if (format != null && quality > bestQuality) {
        best = format;
        bestQuality = quality;
      }
    }
    if (best == null) {
      throw RestProblem.notAcceptable(accept, DocumentFormat.JSON.mediaType());
    }
    return best;
  }

  private Answer clear(AdminRequest request) {
    CacheEngine<BinaryKey, Bytes> engine = engine(request);
    if (!engine.name().equals(SchemaCatalog.CACHE)) {
      engine.clear();
      return Answer.noContent();
    }
    SchemaCatalog schemas = context.catalog().schemas();
    schemas.writeDirectly(
        0,
        () -> {
          engine.clear();
          return true;
        });
    schemas.refresh();
    return Answer.noContent();
  }

  private Answer stats(AdminRequest request) {
    Json json = new Json();
    CacheReport.addStats(json, engine(request));
    return Answer.json(json);
  }

  private Answer memory(AdminRequest request) {
    CacheEngine<BinaryKey, Bytes> engine = engine(request);
    if (!request.parameters().containsKey("segment")) {
      return Answer.json(MemoryReport.cache(engine));
    }
    long segment = request.number("segment", 0);
    if (segment < 0 || segment >= engine.segmentCount()) {
      throw RestProblem.badRequest(
          "no such segment: segment=%d; allowed is 0 to %d"
              .formatted(segment, engine.segmentCount() - 1));
    }
    return Answer.json(MemoryReport.segment(engine, (int) segment));
  }

  private Answer resetStats(AdminRequest request) {
    engine(request).resetStats();
    return Answer.noContent();
  }

  private Answer health(AdminRequest request) {
    return engine(request).isClosed()
        ? Answer.notFound()
        : Answer.plain(health(request.cacheName()).name());
  }

  private ClusterReport.Health health(String cacheName) {
    return ClusterReport.of(context).health(cacheName);
  }

  private Answer listing(AdminRequest request, boolean keysOnly) {
    CacheEngine<BinaryKey, Bytes> engine = engine(request);
    Map<String, String> parameters = request.parameters();
    String guarantee = parameters.getOrDefault("delivery-guarantee", "EXACTLY_ONCE");
    if (!GUARANTEES.contains(guarantee)) {
      throw RestProblem.badRequest(
          "malformed parameter: name=delivery-guarantee, value=%s; use one of %s"
              .formatted(guarantee, GUARANTEES));
    }
    request.number("batch", 0); // parts are sized by bytes; only checked
    request.flag("content-negotiation"); // text where possible, hex digits elsewhere, either way
    long limit = request.number("limit", -1);
    boolean metadata = !keysOnly && request.flag("metadata");
    return new Answer.Streamed(
        new Listing(engine, context.transcoder(), keysOnly, metadata, limit));
  }

  private CacheEngine<BinaryKey, Bytes> engine(AdminRequest request) {
    CacheEngine<BinaryKey, Bytes> engine = context.engine(request.cacheName());
    if (engine == null) {
      throw RestProblem.noSuchCache(request.cacheName());
    }
    return engine;
  }
}
