package dev.isogrid.config;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a server and its node from a document. Missing parts are null; the server
 * decides on them.
 *
 * {@snippet lang="yaml" :
 * infinispan:
 *   cacheContainer:
 *     defaultCache: orders
 *     caches:
 *       orders:
 *         distributedCache: {owners: 2, statistics: true}
 *   server:
 *     interfaces:
 *       - name: public
 *         inetAddress: {value: "${infinispan.bind.address:127.0.0.1}"}
 *     socketBindings:
 *       defaultInterface: public
 *       portOffset: 0
 *       socketBinding:
 *         - {name: default, port: 11222}
 *     endpoints:
 *       socketBinding: default
 * }
 *
 * <p>The root is called {@code infinispan} or {@code isogrid}.
 *
 * @param container the node and the common settings of its caches
 * @param transport the connections to other nodes
 * @param endpoint the addresses and protocols for clients
 * @param security the logins and permissions
 * @param caches in the order of the document; each has a name, and none has warnings of its own
 * @param templates the configurations that caches may inherit from, in the order of the document
 * @param warnings a sentence for each part without effect; for one line of a log
 */
public record ServerDocument(
    Container container,
    ClusterTransport transport,
    Endpoint endpoint,
    ServerSecurity security,
    List<NamedCacheConfig> caches,
    Map<String, CacheConfig> templates,
    List<String> warnings) {
  /** The names that the outermost element can have. */
  static final Set<String> ROOTS = Set.of("infinispan", "isogrid");

  /**
   * The node and the common settings of its caches.
   *
   * @param name the name of the container, or null
   * @param statistics whether the container counts; each cache has its own setting
   * @param defaultCache the name of a cache of the document, or null
   * @param clusterName the name of the cluster, or null
   * @param nodeName the name of the node in the cluster, or null
   */
  public record Container(
      @Nullable String name,
      boolean statistics,
      @Nullable String defaultCache,
      @Nullable String clusterName,
      @Nullable String nodeName) {
    static final Container DEFAULT = new Container(null, false, null, null, null);
  }

  /**
   * The addresses and protocols for clients: one address and port for all protocols, unless a
   * connector has its own. A document without any connector enables all of them.
   *
   * @param bindAddress an address or host name, or null
   * @param port 0 to 65,535 with the offset added, 0 for any free one, or null
   * @param hotrod null if Hot Rod is disabled
   * @param rest null if REST is disabled
   * @param memcached null if memcached is disabled
   */
  public record Endpoint(
      @Nullable String bindAddress,
      @Nullable Integer port,
      @Nullable Connector hotrod,
      @Nullable Connector rest,
      @Nullable Connector memcached) {
    static final Endpoint DEFAULT =
        new Endpoint(null, null, Connector.DEFAULT, Connector.DEFAULT, Connector.DEFAULT);
  }

  /**
   * One protocol of an endpoint.
   *
   * @param name its name in the document, or null
   * @param port a port of its own, or null if it shares that of the endpoint; memcached only
   * @param cache the name of the cache that it serves, or null; memcached only
   * @param idleTimeoutSeconds after which a silent connection is closed, -1 for never, or null
   * @param contentLengthMax the longest body or value in bytes, at least 1, or null
   */
  public record Connector(
      @Nullable String name,
      @Nullable Integer port,
      @Nullable String cache,
      @Nullable Integer idleTimeoutSeconds,
      @Nullable Integer contentLengthMax) {
    static final Connector DEFAULT = new Connector(null, null, null, null, null);
  }

  /** Copies the collections. */
  public ServerDocument {
    caches = List.copyOf(caches);
    templates = Collections.unmodifiableMap(new LinkedHashMap<>(templates));
    warnings = List.copyOf(warnings);
  }

  /**
   * Reads a document. A pure function of its arguments, except for the context's look-ups. The cost
   * is proportional to the length of the document, which is limited to 1,048,576 characters.
   *
   * @param format null to detect it from the text
   * @param context the permitted references of the document
   * @throws InvalidRequestException if the text is not such a document, exceeds a limit, or has a
   *     part that is unknown, out of range or not supported; the message names it and its position
   * @throws FatalGridException if the library that reads the format is not on the class path
   */
  public static ServerDocument read(
      String text, @Nullable DocumentFormat format, ReadContext context) {
    Element document = Document.read(text, format, context.properties(), context.includeFolder());
    Notes notes = new Notes("server");
    Section top = new Section(document, "", notes);
    List<Section> roots = top.children(child -> ROOTS.contains(child.name()));
    if (roots.size() != 1) {
      throw Complaint.malformed("one element infinispan expected at the top", Position.START);
    }
    top.finish();
    return read(new Section(roots.getFirst().element(), "infinispan", notes), context);
  }

  /** Reads a document of UTF-8 bytes, which are borrowed. See the other form. */
  public static ServerDocument read(
      byte[] utf8, @Nullable DocumentFormat format, ReadContext context) {
    return read(Document.decode(utf8), format, context);
  }

  private static ServerDocument read(Section root, ReadContext context) {
    Notes notes = root.notes();
    root.refuse("include");
    root.ignoreElement("threads");
    Map<String, String> stackFiles = TransportElement.stackFiles(root);
    CacheDefinitions definitions = new CacheDefinitions(context, notes);
    Section containerSection = root.child("cache-container");
    ContainerElement.Read read =
        containerSection == null
            ? ContainerElement.Read.NOTHING
            : ContainerElement.read(
                containerSection, definitions, stackFiles, context.properties());
    Container container = read.container();
    Map<String, CacheConfig> templates = definitions.templates();
    List<NamedCacheConfig> caches = definitions.caches();
    if (containerSection != null) {
      checkDefaultCache(containerSection, container.defaultCache(), caches);
    }
    Section server = root.child("server");
    ServerElement element = server == null ? null : ServerElement.read(server);
    EndpointElement.Read endpoint =
        element == null ? EndpointElement.Read.NOTHING : element.endpointRead();
    root.finish();
    ServerSecurity security = endpoint.security();
    return new ServerDocument(
        container,
        read.transport().with(element == null ? Map.of() : element.realms()),
        endpoint.endpoint(),
        new ServerSecurity(
            security.realm(),
            read.authorization().isEnabled(),
            read.authorization().roles(),
            security.mechanisms(),
            security.serverName(),
            security.isClearTextAllowed(),
            security.needsClientCertificate()),
        caches,
        templates,
        notes.warnings());
  }

  private static void checkDefaultCache(
      Section container, @Nullable String defaultCache, List<NamedCacheConfig> caches) {
    List<String> names = new ArrayList<>();
    caches.forEach(cache -> names.add(String.valueOf(cache.name())));
    if (defaultCache != null && !names.contains(defaultCache)) {
      throw container.undefined("default-cache", defaultCache, names);
    }
  }

  /** The address to listen on, or null. */
  public @Nullable String bindAddress() {
    return endpoint.bindAddress();
  }

  /** The port that all protocols share, 0 for any free one, or null. */
  public @Nullable Integer port() {
    return endpoint.port();
  }

  /** The port of memcached alone, 0 for any free one, or null. */
  public @Nullable Integer memcachedPort() {
    return endpoint.memcached() == null ? null : endpoint.memcached().port();
  }

  /** The name of the cache that memcached serves, or null. */
  public @Nullable String memcachedCache() {
    return endpoint.memcached() == null ? null : endpoint.memcached().cache();
  }

  /** The name of the default cache, or null. */
  public @Nullable String defaultCache() {
    return container.defaultCache();
  }
}
