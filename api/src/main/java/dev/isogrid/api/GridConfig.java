package dev.isogrid.api;

/**
 * The configuration of a node: an immutable value, made by {@link #builder()}.
 *
 * @param nodeName the name of this node; empty for one made of the host's name and the process
 * @param clusterName the name of the cluster that the node belongs to
 */
public record GridConfig(String nodeName, String clusterName) {
  /** A builder that starts from the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects the attributes of a {@link GridConfig}. Not thread-safe. */
  public static final class Builder {
    private String nodeName = "";
    private String clusterName = "cluster";

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

    /** The configuration. */
    public GridConfig build() {
      return new GridConfig(nodeName, clusterName);
    }
  }
}
