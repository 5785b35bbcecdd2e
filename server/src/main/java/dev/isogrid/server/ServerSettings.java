package dev.isogrid.server;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.ForeignConfiguration;
import dev.isogrid.config.NamedCacheConfig;
import dev.isogrid.config.ServerDocument;
import dev.isogrid.config.ServerDocument.Connector;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The complete settings of a server.
 *
 * @param bindAddress the address or host name to listen on
 * @param port the port that all protocols share; 0 for any free one
 * @param memcachedPort the port of memcached alone; 0 for any free one, {@link #OFF} for none
 * @param external the address by which clients reach the server, as far as the configuration sets
 *     it
 * @param grid the configuration of the node
 * @param dataDirectory the directory of permanent caches' configurations, or null to store none
 * @param tasksDirectory the folder of the jars of tasks, or null if there are none
 * @param caches the caches to start with
 * @param protocols the settings of the protocols
 * @param protection the settings of security and encryption
 * @param warnings settings without effect, and dangerous ones; for the log
 * @param notes other facts about the settings for an operator; for the log
 * @param reporting the settings of reports
 */
public record ServerSettings(
    String bindAddress,
    int port,
    int memcachedPort,
    External external,
    GridConfig grid,
    @Nullable Path dataDirectory,
    @Nullable Path tasksDirectory,
    CacheSetup caches,
    Protocols protocols,
    Protection protection,
    List<String> warnings,
    List<String> notes,
    Reporting reporting) {
  /** The mark of a protocol without a port of its own. */
  public static final int OFF = -1;

  private static final String BIND_ADDRESS = "127.0.0.1";
  private static final int PORT = 11222;
  private static final int MEMCACHED_PORT = 11211;

  /** Copies the lists. */
  public ServerSettings {
    warnings = List.copyOf(warnings);
    notes = List.copyOf(notes);
  }

  /** Without notes and reports. */
  public ServerSettings( // tidy: the components of the record
      String bindAddress,
      int port,
      int memcachedPort,
      External external,
      GridConfig grid,
      @Nullable Path dataDirectory,
      @Nullable Path tasksDirectory,
      CacheSetup caches,
      Protocols protocols,
      Protection protection,
      List<String> warnings) {
    this(
        bindAddress,
        port,
        memcachedPort,
        external,
        grid,
        dataDirectory,
        tasksDirectory,
        caches,
        protocols,
        protection,
        warnings,
        List.of(),
        Reporting.NONE);
  }

  /**
   * The default settings of a server that is part of a program: on the loopback address, without a
   * port for memcached alone, and without folders.
   *
   * @param port the port that all protocols share; 0 for any free one
   */
  public static ServerSettings local(int port, GridConfig grid, Protection protection) {
    ServerSettings defaults = defaults();
    return new ServerSettings(
        defaults.bindAddress,
        port,
        OFF,
        External.NONE,
        grid,
        null,
        null,
        defaults.caches,
        defaults.protocols,
        protection,
        defaults.warnings);
  }

  /**
   * The address by which clients reach a server, if it differs from the bound one.
   *
   * @param host null for the bound host
   * @param port null for the bound port
   */
  public record External(@Nullable String host, @Nullable Integer port) {
    /** No external address. */
    public static final External NONE = new External(null, null);
  }

  /**
   * The settings of the protocols.
   *
   * @param hotRod null if it is not served
   * @param rest null if it is not served
   * @param memcached null if it is not served
   * @param streamedValueMax the largest value that Hot Rod clients may write in chunks, in bytes
   * @param memcachedItemMax the largest item on the port for memcached only, by memcached's count
   * @param sharedItemMax the same on the port of all protocols
   */
  public record Protocols(
      @Nullable Protocol hotRod,
      @Nullable Protocol rest,
      @Nullable Protocol memcached,
      int streamedValueMax,
      int memcachedItemMax,
      int sharedItemMax) {
    /**
     * Protocols with the default limits of items: memcached's on its own port, and the limit of
     * requests.
     */
    public Protocols(
        @Nullable Protocol hotRod,
        @Nullable Protocol rest,
        @Nullable Protocol memcached,
        int streamedValueMax) {
      this(hotRod, rest, memcached, streamedValueMax, ITEM_MAX, Integer.MAX_VALUE);
    }

    /** The default of memcached. */
    public static final int ITEM_MAX = 1 << 20;

    /** The smallest limit of items that can be chosen, as in memcached. */
    static final int ITEM_MIN = 1 << 10;

    /** The largest limit of items that can be chosen, as in memcached. */
    static final int ITEM_LIMIT = 1 << 30;

    /** The same with another limit of items on all ports, or this if there is none. */
    private Protocols withItemMax(@Nullable Integer itemMax) {
      if (itemMax == null || memcached == null) {
        return this;
      }
      int length = Math.max(itemMax, memcached.contentLengthMax());
      Protocol raised = new Protocol(length, memcached.idleTimeoutSeconds());
      return new Protocols(hotRod, rest, raised, streamedValueMax, itemMax, itemMax);
    }

    /** The default limit: far above a request's, and still small for the memory of a server. */
    public static final int STREAMED_VALUE_MAX = 1 << 30;

    /**
     * The largest limit: values have lengths of 31 bits, and need room for the rest of the entry.
     */
    static final int STREAMED_VALUE_LIMIT = Integer.MAX_VALUE - (16 << 20);
  }

  /**
   * The settings of a protocol.
   *
   * @param contentLengthMax the most bytes of a key and a value together, or of a body
   * @param idleTimeoutSeconds after which a silent connection is closed; 0 for never
   */
  public record Protocol(int contentLengthMax, int idleTimeoutSeconds) {
    /**
     * The default limit of one request: enough for documents and pictures, and little enough that
     * some hundred connections at once don't exhaust the memory.
     */
    public static final int CONTENT_LENGTH_MAX = 10 << 20;

    private static @Nullable Protocol of(@Nullable Connector connector) {
      if (connector == null) {
        return null;
      }
      Integer length = connector.contentLengthMax();
      Integer idle = connector.idleTimeoutSeconds();
      return new Protocol(
          length == null ? CONTENT_LENGTH_MAX : length, idle == null ? 0 : Math.max(0, idle));
    }
  }

  /** The settings of an empty command line. */
  public static ServerSettings defaults() {
    return of(ServerOptions.NONE, null);
  }

  /**
   * Combines the command line, which wins, and the configuration document, if there is one.
   *
   * @throws InvalidRequestException if they contradict each other
   */
  static ServerSettings of(ServerOptions options, @Nullable ServerDocument document) {
    String data = options.dataDirectory();
    String tasks = options.tasksDirectory();
    String bindAddress =
        first(
            options.bindAddress(), document == null ? null : document.bindAddress(), BIND_ADDRESS);
    Protection protection = Protection.of(options, document);
    ClusterConfig cluster =
        options.cluster().isOff() ? null : ClusterSettings.of(options, document, bindAddress);
    List<String> warnings = new ArrayList<>(document == null ? List.of() : document.warnings());
    List<String> notes = new ArrayList<>();
    if (cluster != null) {
      boolean hasLogin = protection.security().login() != null;
      cluster =
          allowed(
              new ClusterPort(options, document, cluster, bindAddress, hasLogin), warnings, notes);
      NodeTrust.check(protection.tls(), cluster == null ? null : cluster.tls());
    }
    return new ServerSettings(
        bindAddress,
        first(options.port(), document == null ? null : document.port(), PORT),
        memcachedPort(options, document),
        new External(options.externalAddress(), options.externalPort()),
        grid(options, document, cluster),
        data == null ? null : Path.of(data),
        tasks == null ? null : Path.of(tasks),
        document == null ? CacheSetup.DEFAULT : caches(document),
        protocols(options, document),
        protection,
        warnings,
        notes,
        options.reporting());
  }

  private static Protocols protocols(ServerOptions options, @Nullable ServerDocument document) {
    Protocol usual = new Protocol(Protocol.CONTENT_LENGTH_MAX, 0);
    int streamedValueMax = first(options.streamedValueMax(), null, Protocols.STREAMED_VALUE_MAX);
    Protocols protocols =
        document == null
            ? new Protocols(usual, usual, usual, streamedValueMax)
            : new Protocols(
                Protocol.of(document.endpoint().hotrod()),
                Protocol.of(document.endpoint().rest()),
                Protocol.of(document.endpoint().memcached()),
                streamedValueMax);
    return protocols.withItemMax(options.memcachedItemMax());
  }

  /** The configuration of the cluster, or null if its port must stay closed. */
  private static @Nullable ClusterConfig allowed(
      ClusterPort port, List<String> warnings, List<String> notes) {
    ClusterPort.Decision decision = port.decide();
    warnings.addAll(decision.warnings());
    notes.addAll(decision.notes());
    return decision.cluster();
  }

  private static int memcachedPort(ServerOptions options, @Nullable ServerDocument document) {
    Integer given = options.memcachedPort();
    if (document != null && document.endpoint().memcached() == null) {
      if (given != null && given > 0) {
        throw new InvalidRequestException(
            "--memcached-port %d contradicts the configuration, which lists no memcached connector;"
                    .formatted(given)
                + " add one there or leave the option out");
      }
      return OFF;
    }
    if (given != null) {
      return given == 0 ? OFF : given;
    }
    Integer documented = document == null ? null : document.memcachedPort();
    return documented == null ? MEMCACHED_PORT : documented;
  }

  private static GridConfig grid(
      ServerOptions options,
      @Nullable ServerDocument document,
      @Nullable ClusterConfig clustering) {
    GridConfig defaults = GridConfig.builder().build();
    String node = document == null ? null : document.container().nodeName();
    String cluster = document == null ? null : document.container().clusterName();
    GridConfig.Builder grid =
        GridConfig.builder()
            .nodeName(first(options.nodeName(), node, defaults.nodeName()))
            .clusterName(first(options.clusterName(), cluster, defaults.clusterName()))
            .offHeapMax(first(options.offHeapMaxBytes(), null, defaults.offHeapMaxBytes()))
            .cluster(clustering)
            .dataFolder(options.dataDirectory() == null ? null : Path.of(options.dataDirectory()))
            .allowedPackages(first(options.cluster().allowedPackages(), null, List.of()));
    return ForeignConfiguration.of(grid::build);
  }

  private static CacheSetup caches(ServerDocument document) {
    Map<String, CacheConfig> caches = new LinkedHashMap<>();
    Map<String, String> aliases = new LinkedHashMap<>();
    for (NamedCacheConfig cache : document.caches()) {
      String name = String.valueOf(cache.name());
      caches.put(name, cache.config());
      cache.aliases().forEach(alias -> aliases.put(alias, name));
    }
    return new CacheSetup(
        caches,
        document.templates(),
        aliases,
        first(null, document.defaultCache(), CacheSetup.DEFAULT_CACHE),
        first(null, document.memcachedCache(), CacheSetup.MEMCACHED_CACHE));
  }

  private static <T> T first(@Nullable T wins, @Nullable T next, T otherwise) {
    if (wins != null) {
      return wins;
    }
    return next != null ? next : otherwise;
  }
}
