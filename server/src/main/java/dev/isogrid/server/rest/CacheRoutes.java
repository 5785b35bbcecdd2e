package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.codec.MediaTypeText;
import dev.isogrid.config.CacheDocument;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.NamedCacheConfig;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.CacheLatencies;
import dev.isogrid.server.net.DocumentWarnings;
import dev.isogrid.server.net.SchemaCatalog;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.security.Permission;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.wire.MediaTypes;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Requests about caches as a whole: their list, their life and their contents. Thread-safe. */
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
    both(Verb.GET, "", _ -> list());
    add(Verb.GET, V2, "detailed", this::detailed);
    add(Verb.GET, "rest/v3/meta/caches/_detailed", null, this::detailed);
    add(Verb.GET, "rest/v2/cache-managers/*/caches", null, this::detailed);
    both(Verb.POST, "/*", this::create);
    both(Verb.PUT, "/*", this::createOrUpdate);
    both(Verb.DELETE, "/*", this::remove);
    onCache(Verb.HEAD, null, "", (_, _) -> Answer.noContent());
    onCache(Verb.GET, null, "/details", (_, cache) -> details(cache));
    onCache(Verb.GET, "config", "/config", this::config);
    onCache(Verb.HEAD, "config", "/config", this::config);
    onCache(Verb.GET, "size", "/_size", (_, cache) -> size(cache));
    onCache(Verb.POST, "clear", "/_clear", (_, cache) -> clear(cache));
    onCache(Verb.GET, "stats", "/_stats", (_, cache) -> stats(cache));
    onCache(Verb.GET, "memory", "/_memory", CacheRoutes::memory);
    onCache(Verb.POST, "stats-reset", "/_stats-reset", (_, cache) -> resetStats(cache));
    onCache(Verb.GET, "health", "/_health", (_, cache) -> health(cache));
    onCache(Verb.GET, "keys", "/keys", (request, cache) -> listing(request, cache, true));
    onCache(Verb.GET, "entries", "/entries", (request, cache) -> listing(request, cache, false));
    return routes;
  }

  private void both(Verb verb, String path, Route.Handler handler) {
    add(verb, V2 + path, null, handler);
    add(verb, V3 + path, null, handler);
  }

  private void onCache(Verb verb, @Nullable String action, String v3, Route.CacheHandler handler) {
    routes.add(Route.onCache(verb, V2 + "/*", action, handler));
    routes.add(Route.onCache(verb, V3 + "/*" + v3, null, handler));
  }

  private void add(Verb verb, String path, @Nullable String action, Route.Handler handler) {
    routes.add(Route.of(verb, path, action, handler));
  }

  private Answer list() {
    return Answer.json(new Json().values(context.node().cacheNames()));
  }

  /** Lists the caches that the caller may see. */
  private Answer detailed(AdminRequest request) {
    ClusterReport cluster = ClusterReport.of(context);
    Json json = new Json().beginArray();
    for (String name : context.node().cacheNames()) {
      CacheConfig config = context.node().configOf(name);
      if (config != null && request.guard().cache(name, config).allows(Permission.MONITOR.mask())) {
        CacheReport.addSummary(
            CacheReport.addStatus(json.beginObject(), context.catalog().ignored().contains(name)),
            name,
            config,
            cluster.health(name),
            context.catalog().aliasesOf(name));
        json.endObject();
      }
    }
    return Answer.json(json.endArray());
  }

  private Answer create(AdminRequest request) {
    if (flags(request).contains(UPDATE)) {
      return createOrUpdate(request);
    }
    NamedCacheConfig wanted = named(request);
    boolean isVolatile = flags(request).contains(VOLATILE);
    if (!request.guard().administration().create(request.cacheName(), wanted, isVolatile)) {
      throw RestProblem.badRequest(
          "ISPN000507: cache exists already: name=%s; remove it first or use another name"
              .formatted(request.cacheName()));
    }
    return Answer.ok();
  }

  private Answer createOrUpdate(AdminRequest request) {
    if (request.body().length == 0 || request.parameter("template") != null) {
      throw RestProblem.badRequest(
          "cache can't be updated: a configuration in the body is needed, and no template");
    }
    NamedCacheConfig wanted = named(request);
    boolean isVolatile = flags(request).contains(VOLATILE);
    request.guard().administration().createOrUpdate(request.cacheName(), wanted, isVolatile);
    return Answer.ok();
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

  /** The configuration of the request, with the name in its path if a cache may have it. */
  private NamedCacheConfig named(AdminRequest request) {
    NamedCacheConfig wanted = wanted(request);
    return new NamedCacheConfig(
        request.cacheName(), wanted.config(), wanted.warnings(), wanted.aliases());
  }

  private NamedCacheConfig wanted(AdminRequest request) {
    String template = request.parameter("template");
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
    DocumentWarnings.log(log, request.cacheName(), named);
    return named;
  }

  /** The format of a document, or null to detect it from the text. */
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
    boolean removed = request.guard().administration().remove(request.cacheName());
    return removed ? Answer.ok() : Answer.notFound();
  }

  private Answer details(CacheEngine<BinaryKey, Bytes> engine) {
    return Answer.json(
        CacheReport.details(
            engine,
            latencies(engine),
            ClusterReport.of(context),
            context.catalog().aliasesOf(engine.name()),
            context.catalog().ignored().contains(engine.name())));
  }

  private Answer config(AdminRequest request, CacheEngine<BinaryKey, Bytes> engine) {
    DocumentFormat format = acceptedFormat(request.accept());
    List<String> aliases = context.catalog().aliasesOf(engine.name());
    NamedCacheConfig shown = CacheReport.named(engine, aliases);
    String text = CacheDocument.show(shown, format, request.flag("pretty"));
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

  private Answer size(CacheEngine<BinaryKey, Bytes> engine) {
    checkReachable(engine);
    return Answer.json(new Json().value(engine.size()));
  }

  private void checkReachable(CacheEngine<BinaryKey, Bytes> engine) {
    if (context.catalog().ignored().contains(engine.name())) {
      throw RestProblem.ignored(engine.name());
    }
  }

  private Answer clear(CacheEngine<BinaryKey, Bytes> engine) {
    checkReachable(engine);
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

  private Answer stats(CacheEngine<BinaryKey, Bytes> engine) {
    Json json = new Json();
    CacheReport.addStats(json, engine, latencies(engine));
    return Answer.json(json);
  }

  private static Answer memory(AdminRequest request, CacheEngine<BinaryKey, Bytes> engine) {
    if (request.parameter("segment") == null) {
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

  private CacheLatencies latencies(CacheEngine<BinaryKey, Bytes> engine) {
    return context.traffic().latencies().of(engine);
  }

  private Answer resetStats(CacheEngine<BinaryKey, Bytes> engine) {
    engine.resetStats();
    latencies(engine).reset();
    return Answer.noContent();
  }

  private Answer health(CacheEngine<BinaryKey, Bytes> engine) {
    return engine.isClosed()
        ? Answer.notFound()
        : Answer.plain(ClusterReport.of(context).health(engine.name()).name());
  }

  private Answer listing(
      AdminRequest request, CacheEngine<BinaryKey, Bytes> engine, boolean keysOnly) {
    checkReachable(engine);
    String guarantee = request.parameter("delivery-guarantee", "EXACTLY_ONCE");
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
        new Listing(engine, context.transcoder(), keysOnly, metadata, limit, isRaw(request)));
  }

  /** Whether a listing has stored bytes. */
  static boolean isRaw(AdminRequest request) {
    String encoding = request.parameter("encoding");
    if (encoding != null && !encoding.equals("base64")) {
      throw RestProblem.badRequest(
          "malformed parameter: name=encoding, value=%s; use base64, or leave it out"
              .formatted(encoding));
    }
    return encoding != null;
  }
}
