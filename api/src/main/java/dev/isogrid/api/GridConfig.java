package dev.isogrid.api;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a node: an immutable value, made by {@link #builder()}.
 *
 * @param nodeName the name of this node; empty for one made of the host's name and the process
 * @param clusterName the name of the cluster that the node belongs to
 * @param offHeapMaxBytes the most off-heap memory of all caches of the node in bytes, or -1 for
 *     half of the memory that the process may have
 * @param cluster how the node takes part in the cluster; null for a node that is alone
 * @param allowedPackages the packages whose classes other nodes may send, each with the packages
 *     below it; {@link #ALL_PACKAGES} for all of the application
 * @param marshaller turns keys and values of all caches that keep bytes into bytes; null for the
 *     built-in one
 * @param namedMarshallers further marshallers that caches can use, by the names that the nodes of
 *     the cluster know them by
 * @param defaultCache how a cache is made that is asked for by a name that has no definition; null
 *     for a local cache of objects on a node that is alone, and for an error in a cluster
 * @param dataFolder the folder that stores of caches are in, unless they name an absolute one; null
 *     for none
 */
public record GridConfig(
    String nodeName,
    String clusterName,
    long offHeapMaxBytes,
    @Nullable ClusterConfig cluster,
    List<String> allowedPackages,
    @Nullable Marshaller<Object> marshaller,
    Map<String, Marshaller<?>> namedMarshallers,
    @Nullable CacheConfig defaultCache,
    @Nullable Path dataFolder) {
  /** Half of the machine's or the container's memory. */
  public static final long OFF_HEAP_DEFAULT = -1;

  /** At most 200 characters: it is part of the definition of each cache that uses it. */
  private static final Pattern MARSHALLER_NAME = Pattern.compile("[\\w.$-]{1,200}");

  /** Stands for all packages of the application. */
  public static final String ALL_PACKAGES = "*";

  /**
   * Copies the collections and checks the values.
   *
   * @throws InvalidConfigurationException if one is out of its range, naming it
   */
  public GridConfig {
    Objects.requireNonNull(nodeName, "nodeName");
    Objects.requireNonNull(clusterName, "clusterName");
    allowedPackages = List.copyOf(Objects.requireNonNull(allowedPackages, "allowedPackages"));
    for (String name : allowedPackages) {
      boolean isName = Pattern.matches("[\\p{javaJavaIdentifierPart}.]+", name);
      if (!name.equals(ALL_PACKAGES) && (!isName || name.endsWith("."))) {
        throw new InvalidConfigurationException(
            "invalid grid configuration: allowed-packages=%s; give names such as com.acme.tasks"
                .formatted(name));
      }
    }
    namedMarshallers = Map.copyOf(namedMarshallers);
    for (String name : namedMarshallers.keySet()) {
      if (!MARSHALLER_NAME.matcher(name).matches()) {
        throw new InvalidConfigurationException(
            "invalid grid configuration: marshaller=%s; give a name of letters, digits and ._-"
                .formatted(name));
      }
    }
    if (offHeapMaxBytes < 0 && offHeapMaxBytes != OFF_HEAP_DEFAULT) {
      throw new InvalidConfigurationException(
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
    private List<String> allowedPackages = List.of(ALL_PACKAGES);
    private @Nullable Marshaller<Object> marshaller;
    private final Map<String, Marshaller<?>> namedMarshallers = new HashMap<>();
    private @Nullable CacheConfig defaultCache;
    private @Nullable Path dataFolder;

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
     * Sets the packages whose classes other nodes may send this one: functions of streams, tasks,
     * map/reduces and entry processors, and what they hold and return. Each stands for the packages
     * below it too. Classes of Isogrid, and those of Java for plain values, functions and
     * exceptions, always may. Default {@link #ALL_PACKAGES}: all classes that the application can
     * see, and of Java's own those of {@code java} packages that only hold values.
     */
    public Builder allowedPackages(List<String> packages) {
      this.allowedPackages = packages;
      return this;
    }

    /**
     * Sets the marshaller of all caches that keep bytes and say nothing else. A cache keeps the
     * marshaller of the node that defines it. Other nodes use their marshaller of the same class,
     * or make one by its public constructor without parameters. Default null: the built-in one,
     * which takes scalars, common types of Java and ProtoStream messages. Caches of objects don't
     * use it.
     */
    public Builder marshaller(@Nullable Marshaller<Object> marshaller) {
      this.marshaller = marshaller;
      return this;
    }

    /**
     * Names a marshaller that the configuration of a cache uses. All nodes of the cluster name it
     * alike; each gives its own instance. A marshaller needs no name if its class is public and has
     * a public constructor without parameters.
     *
     * @param name 1 to 200 letters, digits, dots, hyphens, underscores and dollar signs
     */
    public Builder marshaller(String name, Marshaller<?> marshaller) {
      namedMarshallers.put(
          Objects.requireNonNull(name, "name"), Objects.requireNonNull(marshaller, "marshaller"));
      return this;
    }

    /**
     * Sets how {@link Grid#cache(String)} makes a cache of a name that has no definition. Default
     * null: a node without a cluster makes a local cache of objects, a member of a cluster refuses
     * the name.
     */
    public Builder defaultCache(@Nullable CacheConfig defaultCache) {
      this.defaultCache = defaultCache;
      return this;
    }

    /**
     * Sets the folder that stores of caches are in; default null, for none. One process at a time
     * uses the store of a cache.
     */
    public Builder dataFolder(@Nullable Path dataFolder) {
      this.dataFolder = dataFolder;
      return this;
    }

    /**
     * The configuration.
     *
     * @throws InvalidConfigurationException if a value is out of its range, naming it
     */
    public GridConfig build() {
      return new GridConfig(
          nodeName,
          clusterName,
          offHeapMaxBytes,
          cluster,
          allowedPackages,
          marshaller,
          namedMarshallers,
          defaultCache,
          dataFolder);
    }
  }
}
