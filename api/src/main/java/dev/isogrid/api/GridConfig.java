package dev.isogrid.api;

import org.jspecify.annotations.Nullable;

/**
 * The configuration of a node: an immutable value, made by {@link #builder()}.
 *
 * @param nodeName the name of this node; empty for one made of the host's name and the process
 * @param clusterName the name of the cluster that the node belongs to
 * @param offHeapMaxBytes the most off-heap memory of all caches of the node in bytes, or -1 for
 *     half of the memory that the process may have
 * @param cluster how the node takes part in the cluster; null for a node that is alone
 */
public record GridConfig(
    String nodeName, String clusterName, long offHeapMaxBytes, @Nullable ClusterConfig cluster) {
  /** Half of the machine's or the container's memory. */
  public static final long OFF_HEAP_DEFAULT = -1;

  /**
   * Checks the values.
   *
   * @throws InvalidRequestException if one is out of its range, naming it
   */
  public GridConfig {
    if (offHeapMaxBytes < 0 && offHeapMaxBytes != OFF_HEAP_DEFAULT) {
      throw new InvalidRequestException(
          "invalid grid configuration: off-heap-max=%d; allowed is 0 or more bytes, or -1"
              .formatted(offHeapMaxBytes));
    }
  }

  /** A builder that starts from the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects the attributes of a {@link GridConfig}. Not thread-safe. */
  public static final class Builder {
    private String nodeName = "";
    private String clusterName = "cluster";
    private long offHeapMaxBytes = OFF_HEAP_DEFAULT;
    private @Nullable ClusterConfig cluster;

    private Builder() {}

    /** Sets the name of this node; empty, the default, for a generated one. */
    public Builder nodeName(String nodeName) {
      this.nodeName = nodeName;
      return this;
    }

    /** Sets the name of the cluster; default {@code cluster}. */
    public Builder clusterName(String clusterName) {
      this.clusterName = clusterName;
      return this;
    }

    /**
     * Sets the most off-heap memory of all caches together, in bytes; default half of the memory
     * that the process may have. A write that would need more is refused with {@link
     * CacheFullException}, or makes its cache remove entries if that is bounded with {@link
     * WhenFull#REMOVE}.
     */
    public Builder offHeapMax(long bytes) {
      this.offHeapMaxBytes = bytes;
      return this;
    }

    /** Sets how the node takes part in the cluster; default null, for a node that is alone. */
    public Builder cluster(@Nullable ClusterConfig cluster) {
      this.cluster = cluster;
      return this;
    }

    /**
     * The configuration.
     *
     * @throws InvalidRequestException if a value is out of its range, naming it
     */
    public GridConfig build() {
      return new GridConfig(nodeName, clusterName, offHeapMaxBytes, cluster);
    }
  }
}
