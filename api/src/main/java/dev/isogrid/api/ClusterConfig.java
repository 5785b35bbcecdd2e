package dev.isogrid.api;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How a node takes part in a cluster: an immutable value, made by {@link #builder()}.
 *
 * @param bindAddress the address or host name to listen on for the other nodes
 * @param bindPort the port for it, 1 to 65,535; the next hundredth one is used too
 * @param portRange how many further ports are tried if that one is taken, 0 or more
 * @param seeds addresses of nodes to join, each as {@code host:port}, the same list on all nodes;
 *     empty for a node that founds a cluster, which others can join
 * @param discovery how others are found in place of seeds, or null
 * @param found whether this node founds a cluster even if it can't reach the other seeds; only for
 *     the first start of a cluster whose other nodes are surely not up
 * @param foundAfterMillis how long the node looks for a living cluster before it founds one, 0 or
 *     more: if others are found in another way than by seeds, or if its data folder has addresses
 *     of members. It does not look if it was never in a cluster and has no seeds. With {@code
 *     found}, how long a node that remembers stored caches waits for each further node that has
 *     entries of them
 * @param stackFile a stack of JGroups in XML in place of the built-in one, or null
 * @param tls what secures the connections between nodes, or null for nothing
 * @param secret what secures them in place of {@code tls}, or null for nothing
 * @param whenGone what a refused connection is taken for
 * @param zone where the node runs, as {@code site/rack/machine}, for copies to be far apart; parts
 *     that are not known are left out from the right
 * @param capacity the node's share of the entries in comparison to the others'; 0 to keep none
 * @param operationTimeoutMillis how long an operation waits for other nodes, 1 or more
 * @param joinTimeoutMillis how long the start waits for the cluster, 1 or more
 * @param leaveTimeoutMillis how long {@link Grid#close} takes at most to hand entries over; 0 for
 *     not at all
 * @param rebalanceBytesPerSecondMax what the node sends other nodes of copies at most, bytes a
 *     second; 0 for as much as it can
 * @param rebalanceLatencyMaxMillis what 99 of 100 operations of this node on other nodes' entries,
 *     and writes of copied ones, may take before it sends less of copies; 0 not to heed that
 * @param splitBytesMax what the node keeps at most of writes that are made without the majority of
 *     the cluster, in bytes, 0 or more; see {@link WhenSplit#ALLOW_READ_WRITES}
 */
public record ClusterConfig(
    String bindAddress,
    int bindPort,
    int portRange,
    List<String> seeds,
    @Nullable ClusterDiscovery discovery,
    boolean found,
    long foundAfterMillis,
    @Nullable Path stackFile,
    @Nullable ClusterTls tls,
    @Nullable ClusterSecret secret,
    WhenGone whenGone,
    String zone,
    float capacity,
    long operationTimeoutMillis,
    long joinTimeoutMillis,
    long leaveTimeoutMillis,
    long rebalanceBytesPerSecondMax,
    long rebalanceLatencyMaxMillis,
    long splitBytesMax) {
  /** The port for other nodes if nobody says otherwise. */
  public static final int PORT = 7800;

  /** The further ports that are tried if nobody says otherwise. */
  public static final int PORT_RANGE = 50;

  /** The default limit of the writes that a side of a split keeps: 64 MiB. */
  public static final long SPLIT_BYTES_MAX = 64 << 20;

  private static final int PORT_MAX = 0xFFFF;

  /** A hundred years. Longer times are taken as this one, so that sums with it are no overflow. */
  private static final long TIME_MAX_MILLIS = TimeUnit.DAYS.toMillis(36_500);

  /**
   * Copies the list and checks the values.
   *
   * @throws InvalidConfigurationException if one is out of its range, naming it
   */
  public ClusterConfig {
    Objects.requireNonNull(bindAddress, "bindAddress");
    Objects.requireNonNull(whenGone, "whenGone");
    Objects.requireNonNull(zone, "zone");
    Objects.requireNonNull(seeds, "seeds").forEach(seed -> Objects.requireNonNull(seed, "seed"));
    seeds = List.copyOf(seeds);
    if (discovery != null && !seeds.isEmpty()) {
      throw new InvalidConfigurationException(
          "invalid cluster configuration: seeds=%s, discovery=%s; give one of them"
              .formatted(seeds, discovery));
    }
    if (tls != null && secret != null) {
      throw new InvalidConfigurationException(
          "invalid cluster configuration: tls=%s, secret=given; give one of them".formatted(tls));
    }
    require(bindPort >= 1 && bindPort <= PORT_MAX, "port", bindPort, "1 to " + PORT_MAX);
    require(portRange >= 0, "port range", portRange, "0 or more");
    require(capacity >= 0 && capacity < Float.POSITIVE_INFINITY, "capacity", capacity, "0 or more");
    require(foundAfterMillis >= 0, "time before founding", foundAfterMillis, "0 ms or more");
    require(
        operationTimeoutMillis >= 1, "operation timeout", operationTimeoutMillis, "1 ms or more");
    require(joinTimeoutMillis >= 1, "join timeout", joinTimeoutMillis, "1 ms or more");
    require(leaveTimeoutMillis >= 0, "leave timeout", leaveTimeoutMillis, "0 ms or more");
    require(
        rebalanceBytesPerSecondMax >= 0,
        "rebalancing bytes per second",
        rebalanceBytesPerSecondMax,
        "0 or more");
    require(
        rebalanceLatencyMaxMillis >= 0,
        "rebalancing latency",
        rebalanceLatencyMaxMillis,
        "0 ms or more");
    require(splitBytesMax >= 0, "split bytes", splitBytesMax, "0 or more");
    foundAfterMillis = Math.min(foundAfterMillis, TIME_MAX_MILLIS);
    operationTimeoutMillis = Math.min(operationTimeoutMillis, TIME_MAX_MILLIS);
    joinTimeoutMillis = Math.min(joinTimeoutMillis, TIME_MAX_MILLIS);
    leaveTimeoutMillis = Math.min(leaveTimeoutMillis, TIME_MAX_MILLIS);
  }

  private static void require(boolean holds, String name, Number value, String range) {
    if (!holds) {
      throw new InvalidConfigurationException(
          "invalid cluster configuration: %s=%s; allowed is %s".formatted(name, value, range));
    }
  }

  /** A builder that starts from the defaults: on the loopback interface, without seeds. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects the attributes of a {@link ClusterConfig}. Not thread-safe. */
  public static final class Builder {
    private String bindAddress = "127.0.0.1";
    private int bindPort = PORT;
    private int portRange = PORT_RANGE;
    private List<String> seeds = List.of();
    private @Nullable ClusterDiscovery discovery;
    private boolean found;
    private long foundAfterMillis = 5_000;
    private @Nullable Path stackFile;
    private @Nullable ClusterTls tls;
    private @Nullable ClusterSecret secret;
    private WhenGone whenGone = WhenGone.OF_TWO;
    private String zone = "";
    private float capacity = 1;
    private long operationTimeoutMillis = 10_000;
    private long joinTimeoutMillis = 60_000;
    private long leaveTimeoutMillis = 10_000;
    private long rebalanceBytesPerSecondMax;
    private long rebalanceLatencyMaxMillis = 50;
    private long splitBytesMax = SPLIT_BYTES_MAX;

    private Builder() {}

    /**
     * Sets where to listen for the other nodes; default 127.0.0.1, which only this host reaches.
     */
    public Builder bindAddress(String address) {
      this.bindAddress = address;
      return this;
    }

    /** Sets the port to listen on; default {@value #PORT}. */
    public Builder bindPort(int port) {
      this.bindPort = port;
      return this;
    }

    /** Sets how many further ports are tried if that one is taken; default {@value #PORT_RANGE}. */
    public Builder portRange(int ports) {
      this.portRange = ports;
      return this;
    }

    /** Sets the nodes to join, each as {@code host:port}; default none. */
    public Builder seeds(List<String> seeds) {
      this.seeds = seeds;
      return this;
    }

    /** Sets how others are found in place of seeds; default null, by seeds or not at all. */
    public Builder discovery(@Nullable ClusterDiscovery discovery) {
      this.discovery = discovery;
      return this;
    }

    /** Sets what secures the connections between nodes; default null, nothing. */
    public Builder tls(@Nullable ClusterTls tls) {
      this.tls = tls;
      return this;
    }

    /**
     * Sets the secret that secures the connections between nodes in place of {@link #tls}, the same
     * on all nodes; default null, nothing.
     */
    public Builder secret(@Nullable ClusterSecret secret) {
      this.secret = secret;
      return this;
    }

    /**
     * Sets what a refused connection is taken for; the same on all nodes; default {@link
     * WhenGone#OF_TWO}.
     */
    public Builder whenGone(WhenGone whenGone) {
      this.whenGone = whenGone;
      return this;
    }

    /** Sets whether the node founds a cluster whoever else may be alive; default no. */
    public Builder found(boolean found) {
      this.found = found;
      return this;
    }

    /**
     * Sets how long the node looks for a living cluster before it founds one, unless it is the
     * first node without seeds; default 5 s.
     */
    public Builder foundAfter(long time, TimeUnit unit) {
      this.foundAfterMillis = Objects.requireNonNull(unit, "unit").toMillis(time);
      return this;
    }

    /** As {@link #foundAfter(long, TimeUnit)}. */
    public Builder foundAfter(Duration time) {
      return foundAfter(
          TimeUnit.MILLISECONDS.convert(Objects.requireNonNull(time, "time")),
          TimeUnit.MILLISECONDS);
    }

    /** Sets the file of a JGroups stack; default null, the built-in one. */
    public Builder stackFile(@Nullable Path file) {
      this.stackFile = file;
      return this;
    }

    /** Sets where the node runs, as {@code site/rack/machine}; default not known. */
    public Builder zone(String zone) {
      this.zone = zone;
      return this;
    }

    /** Sets the node's share of the entries; default 1, and 0 for a node that keeps none. */
    public Builder capacity(float capacity) {
      this.capacity = capacity;
      return this;
    }

    /** Sets how long an operation waits for other nodes; default 10 s. */
    public Builder operationTimeout(long timeout, TimeUnit unit) {
      this.operationTimeoutMillis = Objects.requireNonNull(unit, "unit").toMillis(timeout);
      return this;
    }

    /** As {@link #operationTimeout(long, TimeUnit)}. */
    public Builder operationTimeout(Duration timeout) {
      return operationTimeout(
          TimeUnit.MILLISECONDS.convert(Objects.requireNonNull(timeout, "timeout")),
          TimeUnit.MILLISECONDS);
    }

    /** Sets how long the start waits for the cluster; default 1 minute. */
    public Builder joinTimeout(long timeout, TimeUnit unit) {
      this.joinTimeoutMillis = Objects.requireNonNull(unit, "unit").toMillis(timeout);
      return this;
    }

    /** As {@link #joinTimeout(long, TimeUnit)}. */
    public Builder joinTimeout(Duration timeout) {
      return joinTimeout(
          TimeUnit.MILLISECONDS.convert(Objects.requireNonNull(timeout, "timeout")),
          TimeUnit.MILLISECONDS);
    }

    /** Sets how long closing takes at most to hand entries over; default 10 s. */
    public Builder leaveTimeout(long timeout, TimeUnit unit) {
      this.leaveTimeoutMillis = Objects.requireNonNull(unit, "unit").toMillis(timeout);
      return this;
    }

    /** As {@link #leaveTimeout(long, TimeUnit)}. */
    public Builder leaveTimeout(Duration timeout) {
      return leaveTimeout(
          TimeUnit.MILLISECONDS.convert(Objects.requireNonNull(timeout, "timeout")),
          TimeUnit.MILLISECONDS);
    }

    /** Sets the most bytes of copies that the node sends per second; default 0, no limit. */
    public Builder rebalanceBytesPerSecond(long max) {
      this.rebalanceBytesPerSecondMax = max;
      return this;
    }

    /**
     * Sets the limit of the 99 % quantile of operations' times, above which the node sends fewer
     * copies; default 50 ms, 0 for no limit.
     */
    public Builder rebalanceLatency(long max, TimeUnit unit) {
      this.rebalanceLatencyMaxMillis = Objects.requireNonNull(unit, "unit").toMillis(max);
      return this;
    }

    /** As {@link #rebalanceLatency(long, TimeUnit)}. */
    public Builder rebalanceLatency(Duration max) {
      return rebalanceLatency(
          TimeUnit.MILLISECONDS.convert(Objects.requireNonNull(max, "max")), TimeUnit.MILLISECONDS);
    }

    /**
     * Sets what the node keeps at most of writes that are made without the majority, in bytes;
     * default 64 MiB. Beyond that they are refused.
     */
    public Builder splitBytesMax(long bytes) {
      this.splitBytesMax = bytes;
      return this;
    }

    /**
     * The configuration.
     *
     * @throws InvalidConfigurationException if a value is out of its range, naming it
     */
    public ClusterConfig build() {
      return new ClusterConfig(
          bindAddress,
          bindPort,
          portRange,
          seeds,
          discovery,
          found,
          foundAfterMillis,
          stackFile,
          tls,
          secret,
          whenGone,
          zone,
          capacity,
          operationTimeoutMillis,
          joinTimeoutMillis,
          leaveTimeoutMillis,
          rebalanceBytesPerSecondMax,
          rebalanceLatencyMaxMillis,
          splitBytesMax);
    }
  }
}
