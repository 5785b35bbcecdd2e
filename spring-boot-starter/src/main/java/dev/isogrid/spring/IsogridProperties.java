package dev.isogrid.spring;

import dev.isogrid.api.CacheMode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code isogrid.*}.
 *
 * @param mode where the entries are
 * @param uri the servers, for {@link Mode#REMOTE}
 * @param nodeName the name of this node; empty for one made of host and process
 * @param cluster the cluster of an embedded grid
 * @param cache how caches are made, and how long entries live
 */
@ConfigurationProperties("isogrid")
public record IsogridProperties(
    @DefaultValue("embedded") Mode mode,
    @DefaultValue("hotrod://127.0.0.1:11222") String uri,
    @DefaultValue("") String nodeName,
    @DefaultValue Cluster cluster,
    @DefaultValue Cache cache) {
  /** Where the entries are. */
  public enum Mode {
    /** In a grid that is part of the application. */
    EMBEDDED,
    /** In servers. */
    REMOTE
  }

  /**
   * The cluster of an embedded grid.
   *
   * @param enabled whether the grid is a node of a cluster
   * @param name nodes of one name find each other
   * @param bindAddress where the node listens; empty for the default
   * @param bindPort the port where the node listens
   * @param seeds other nodes as {@code host:port}
   */
  public record Cluster(
      @DefaultValue("false") boolean enabled,
      @DefaultValue("cluster") String name,
      @DefaultValue("") String bindAddress,
      @DefaultValue("7800") int bindPort,
      @DefaultValue List<String> seeds) {}

  /**
   * The caches of Spring.
   *
   * @param mode where an embedded grid keeps the entries; by default on this node, or distributed
   *     if the grid is in a cluster
   * @param lifespan how long entries live; for ever by default
   * @param maxCount the most entries of an embedded cache; -1 for any number
   */
  public record Cache(
      @Nullable CacheMode mode, @Nullable Duration lifespan, @DefaultValue("-1") long maxCount) {}
}
