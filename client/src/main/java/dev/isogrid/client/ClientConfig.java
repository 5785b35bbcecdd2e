package dev.isogrid.client;

import dev.isogrid.api.Marshaller;
import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.Versions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How a client connects and behaves. Immutable; made by a {@link Builder}. */
public final class ClientConfig {
  private final List<ServerAddress> servers;
  private final Intelligence intelligence;
  private final RequestLimits limits;
  private final Marshaller<Object> marshaller;
  private final boolean forceReturnValues;
  private final int connectTimeoutMillis;
  private final int operationTimeoutMillis;
  private final int retriesMax;
  private final int requestBytesMax;
  private final int eventLoops;
  private final int batchSize;
  private final int iterationServers;
  private final boolean statistics;
  private final Map<String, NearCacheConfig> nearCaches;
  private final Map<String, List<ServerAddress>> clusters;
  private final boolean tcpNoDelay;
  private final boolean tcpKeepAlive;
  private final @Nullable TlsConfig tls;
  private final @Nullable SaslConfig sasl;
  private final ProtocolVersion protocolVersion;
  private final @Nullable ConnectionPoolConfig connectionPool;

  private ClientConfig(Builder builder) {
    servers =
        builder.servers.isEmpty()
            ? List.of(new ServerAddress("127.0.0.1", HotRod.DEFAULT_PORT))
            : List.copyOf(builder.servers);
    intelligence = builder.intelligence;
    limits = builder.limits;
    marshaller = builder.marshaller;
    forceReturnValues = builder.forceReturnValues;
    connectTimeoutMillis = builder.connectTimeoutMillis;
    operationTimeoutMillis = builder.operationTimeoutMillis;
    retriesMax = builder.retriesMax;
    requestBytesMax = builder.requestBytesMax;
    eventLoops = builder.eventLoops;
    batchSize = builder.batchSize;
    iterationServers = builder.iterationServers;
    statistics = builder.statistics;
    nearCaches = Map.copyOf(builder.nearCaches);
    Map<String, List<ServerAddress>> others = new LinkedHashMap<>();
    builder.clusters.forEach((name, cluster) -> {
      if (cluster.servers.isEmpty()) {
        throw new IllegalArgumentException("cluster without servers: name=" + name);
      }
      others.put(name, List.copyOf(cluster.servers));
    });
    clusters = Collections.unmodifiableMap(others);
    tcpNoDelay = builder.tcpNoDelay;
    tcpKeepAlive = builder.tcpKeepAlive;
    tls = builder.tls;
    sasl = builder.sasl;
    protocolVersion = builder.protocolVersion;
    boolean needsPool = protocolVersion.newest() < Versions.V30;
    if (builder.connectionPool != null) {
      connectionPool = builder.connectionPool.pool();
    } else {
      connectionPool = needsPool ? ConnectionPoolConfig.DEFAULT : null;
    }
    boolean isTooNew =
        protocolVersion.newest() > Versions.V31 && protocolVersion != ProtocolVersion.AUTO;
    if (connectionPool != null && isTooNew) {
      throw new IllegalArgumentException(
          "connection pool with protocol_version=%s; it speaks 2.0 to 3.1: leave the pool out"
              .formatted(protocolVersion));
    }
  }

  /** Begins with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * A configuration by URI, such as {@code
   * hotrod://user:password@a:11222,b:11222?socket_timeout=5000}; {@code hotrods} for TLS.
   * Properties follow the question mark, without their prefix.
   *
   * @throws IllegalArgumentException if it is no such URI, or has a property that is not known
   */
  public static ClientConfig of(String uri) {
    return builder().uri(uri).build();
  }

  /** The servers to begin with; 127.0.0.1:11222 if none was given. */
  public List<ServerAddress> servers() {
    return servers;
  }

  /** The knowledge of the cluster that the client asks for. */
  public Intelligence intelligence() {
    return intelligence;
  }

  /** The limits on requests under way to a server. */
  public RequestLimits limits() {
    return limits;
  }

  /** Makes keys and values bytes. */
  public Marshaller<Object> marshaller() {
    return marshaller;
  }

  /** Whether writes return the previous value without a flag. */
  public boolean forceReturnValues() {
    return forceReturnValues;
  }

  /** How long the making of a connection may take. */
  public int connectTimeoutMillis() {
    return connectTimeoutMillis;
  }

  /** How long an operation may take, all tries together. */
  public int operationTimeoutMillis() {
    return operationTimeoutMillis;
  }

  /** How often an operation is tried again, at most. */
  public int retriesMax() {
    return retriesMax;
  }

  /**
   * The most bytes of a request: what the servers take. A larger one would make a server close the
   * connection, so it is refused with {@link RequestTooLargeException} before it is sent.
   */
  public int requestBytesMax() {
    return requestBytesMax;
  }

  /**
   * The number of event loops, each with a thread for work that no caller waits for; each server
   * belongs to one of them.
   */
  public int eventLoops() {
    return eventLoops;
  }

  /** The number of entries that the iterators of keys, values and entries fetch at once. */
  public int batchSize() {
    return batchSize;
  }

  /** The number of servers that one iterator or publisher asks for entries at the same time. */
  public int iterationServers() {
    return iterationServers;
  }

  /** Whether operations are counted for {@link RemoteCache#clientStatistics}. */
  public boolean statistics() {
    return statistics;
  }

  /** Other clusters by their names, in the order in which they are tried. */
  public Map<String, List<ServerAddress>> clusters() {
    return clusters;
  }

  /** The settings of a cache's near cache; disabled unless it was configured. */
  public NearCacheConfig nearCache(String cache) {
    return nearCaches.getOrDefault(cache, NearCacheConfig.DISABLED);
  }

  /** Whether small packets are sent at once. */
  public boolean tcpNoDelay() {
    return tcpNoDelay;
  }

  /** Whether the operating system probes silent connections. */
  public boolean tcpKeepAlive() {
    return tcpKeepAlive;
  }

  /** How connections are encrypted, or null if they are not. */
  public @Nullable TlsConfig tls() {
    return tls;
  }

  /** How the client logs in, or null if it does not. */
  public @Nullable SaslConfig sasl() {
    return sasl;
  }

  /** The version of the protocol; {@link ProtocolVersion#AUTO} for the newest that both have. */
  public ProtocolVersion protocolVersion() {
    return protocolVersion;
  }

  /** The pool of connections to each server, or null if there is one connection to each. */
  public @Nullable ConnectionPoolConfig connectionPool() {
    return connectionPool;
  }

  /** Puts a {@link ClientConfig} together. For one thread. */
  public static final class Builder {
    private static final int TIMEOUT_MILLIS = 2_000;
    private static final int RETRIES_MAX = 3;

    /** The default limit of servers. */
    private static final int REQUEST_BYTES_MAX = 10 << 20;

    private static final int EVENT_LOOPS_LIMIT = 256;
    private static final int BATCH_SIZE = 1_000;
    private static final int ITERATION_SERVERS = 4;
    private static final int ITERATION_SERVERS_MAX = 1_000;

    private final List<ServerAddress> servers = new ArrayList<>();
    private Intelligence intelligence = Intelligence.HASH_DISTRIBUTION_AWARE;
    private RequestLimits limits = RequestLimits.DEFAULT;
    private Marshaller<Object> marshaller = new ProtoStreamMarshaller();
    private boolean forceReturnValues;
    private int connectTimeoutMillis = TIMEOUT_MILLIS;
    private int operationTimeoutMillis = TIMEOUT_MILLIS;
    private int retriesMax = RETRIES_MAX;
    private int requestBytesMax = REQUEST_BYTES_MAX;
    private int eventLoops = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    private int batchSize = BATCH_SIZE;
    private int iterationServers = ITERATION_SERVERS;
    private boolean statistics;
    private final Map<String, NearCacheConfig> nearCaches = new HashMap<>();
    private final Map<String, ClusterBuilder> clusters = new LinkedHashMap<>();
    private boolean tcpNoDelay = true;
    private boolean tcpKeepAlive;
    private @Nullable TlsConfig tls;
    private @Nullable SaslConfig sasl;
    private ProtocolVersion protocolVersion = ProtocolVersion.AUTO;
    private ConnectionPoolConfig.@Nullable Builder connectionPool;

    private Builder() {}

    /** Adds a server. */
    public Builder addServer(String host, int port) {
      servers.add(new ServerAddress(Objects.requireNonNull(host, "host"), port));
      return this;
    }

    /** Adds servers, as {@link ServerAddress#parseList} reads them. */
    public Builder addServers(String list) {
      servers.addAll(ServerAddress.parseList(Objects.requireNonNull(list, "list")));
      return this;
    }

    /** Takes over the settings of a URI; see {@link ClientConfig#of}. */
    public Builder uri(String uri) {
      ClientProperties.applyUri(Objects.requireNonNull(uri, "uri"), this);
      return this;
    }

    /**
     * Takes over properties: the ones known from Infinispan's client, {@code
     * infinispan.client.hotrod.*}, or the same with {@code isogrid.client.} as prefix.
     *
     * @throws IllegalArgumentException if one has such a prefix but is not known, or a wrong value
     */
    public Builder withProperties(Properties properties) {
      ClientProperties.apply(Objects.requireNonNull(properties, "properties"), this);
      return this;
    }

    /** Default: {@link Intelligence#HASH_DISTRIBUTION_AWARE}. */
    public Builder intelligence(Intelligence value) {
      intelligence = Objects.requireNonNull(value, "intelligence");
      return this;
    }

    /** Default: {@link RequestLimits#DEFAULT}. */
    public Builder limits(RequestLimits value) {
      limits = Objects.requireNonNull(value, "limits");
      return this;
    }

    /**
     * Makes keys and values bytes, unless {@link RemoteCache#withDataFormat} says otherwise;
     * default: {@link ProtoStreamMarshaller} with the usual types.
     *
     * @param value for objects of all classes that the client uses; a grid takes the same
     */
    public Builder marshaller(Marshaller<Object> value) {
      marshaller = Objects.requireNonNull(value, "marshaller");
      return this;
    }

    /** Default: false. */
    public Builder forceReturnValues(boolean value) {
      forceReturnValues = value;
      return this;
    }

    /** As {@link #connectTimeoutMillis}. */
    public Builder connectTimeout(Duration value) {
      return connectTimeoutMillis(millis(Objects.requireNonNull(value, "connectTimeout")));
    }

    /** As {@link #operationTimeoutMillis}. */
    public Builder operationTimeout(Duration value) {
      return operationTimeoutMillis(millis(Objects.requireNonNull(value, "operationTimeout")));
    }

    private static int millis(Duration value) {
      return (int) Math.min(Integer.MAX_VALUE, TimeUnit.MILLISECONDS.convert(value));
    }

    /** Default: 2,000 ms. */
    public Builder connectTimeoutMillis(int value) {
      connectTimeoutMillis = inRange("connectTimeoutMillis", value, 1, Integer.MAX_VALUE);
      return this;
    }

    /** Default: 2,000 ms. */
    public Builder operationTimeoutMillis(int value) {
      operationTimeoutMillis = inRange("operationTimeoutMillis", value, 1, Integer.MAX_VALUE);
      return this;
    }

    /** Default: 3. */
    public Builder retriesMax(int value) {
      retriesMax = inRange("retriesMax", value, 0, Short.MAX_VALUE);
      return this;
    }

    /** Default: 10 MiB, as that of servers; change both or none. */
    public Builder requestBytesMax(int value) {
      requestBytesMax = inRange("requestBytesMax", value, 1, Integer.MAX_VALUE);
      return this;
    }

    /** Default: half as many as processors. */
    public Builder eventLoops(int value) {
      eventLoops = inRange("eventLoops", value, 1, EVENT_LOOPS_LIMIT);
      return this;
    }

    /** Default: 1,000 entries. */
    public Builder batchSize(int value) {
      batchSize = inRange("batchSize", value, 1, Integer.MAX_VALUE);
      return this;
    }

    /** Default: 4. */
    public Builder iterationServers(int value) {
      iterationServers = inRange("iterationServers", value, 1, ITERATION_SERVERS_MAX);
      return this;
    }

    /** Default: false. */
    public Builder statistics(boolean value) {
      statistics = value;
      return this;
    }

    /** Another cluster, a second site, to be used when this one can't be reached; default: none. */
    public ClusterBuilder addCluster(String name) {
      if (Objects.requireNonNull(name, "name").equals(RemoteCacheManager.DEFAULT_CLUSTER)) {
        throw new IllegalArgumentException("name of the default cluster: name=" + name);
      }
      return clusters.computeIfAbsent(name, n -> new ClusterBuilder(this));
    }

    /** Keeps values of a cache; default: of none. */
    public Builder nearCache(String cache, NearCacheConfig value) {
      nearCaches.put(
          Objects.requireNonNull(cache, "cache"), Objects.requireNonNull(value, "nearCache"));
      return this;
    }

    /** Default: true. */
    public Builder tcpNoDelay(boolean value) {
      tcpNoDelay = value;
      return this;
    }

    /** Default: false. */
    public Builder tcpKeepAlive(boolean value) {
      tcpKeepAlive = value;
      return this;
    }

    /** Default: null, for no encryption. */
    public Builder tls(@Nullable TlsConfig value) {
      tls = value;
      return this;
    }

    /** Default: null, for no login. */
    public Builder sasl(@Nullable SaslConfig value) {
      sasl = value;
      return this;
    }

    /** Default: {@link ProtocolVersion#AUTO}. One before 3.0 needs, and makes, a pool. */
    public Builder protocolVersion(ProtocolVersion value) {
      protocolVersion = Objects.requireNonNull(value, "protocolVersion");
      return this;
    }

    /** Uses a pool of connections to each server, and lets one configure it; default: none. */
    public ConnectionPoolConfig.Builder connectionPool() {
      ConnectionPoolConfig.Builder pool = connectionPool;
      if (pool == null) {
        pool = new ConnectionPoolConfig.Builder(this);
        connectionPool = pool;
      }
      return pool;
    }

    private static int inRange(String name, int value, int min, int max) {
      if (value < min || value > max) {
        throw new IllegalArgumentException(
            "invalid %s: value=%d; %d to %d".formatted(name, value, min, max));
      }
      return value;
    }

    /** The configuration. */
    public ClientConfig build() {
      return new ClientConfig(this);
    }
  }

  /** Collects the servers of another cluster. For one thread. */
  public static final class ClusterBuilder {
    private final Builder whole;
    private final List<ServerAddress> servers = new ArrayList<>();

    private ClusterBuilder(Builder whole) {
      this.whole = whole;
    }

    /** Adds a server. */
    public ClusterBuilder addClusterNode(String host, int port) {
      servers.add(new ServerAddress(Objects.requireNonNull(host, "host"), port));
      return this;
    }

    /** Adds servers, as {@link ServerAddress#parseList} reads them. */
    public ClusterBuilder addClusterNodes(String list) {
      servers.addAll(ServerAddress.parseList(Objects.requireNonNull(list, "list")));
      return this;
    }

    /** Yet another cluster; see {@link Builder#addCluster}. */
    public ClusterBuilder addCluster(String name) {
      return whole.addCluster(name);
    }

    /** Returns to the rest of the configuration. */
    public Builder and() {
      return whole;
    }

    /** The configuration. */
    public ClientConfig build() {
      return whole.build();
    }
  }
}
