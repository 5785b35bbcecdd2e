package dev.isogrid.topology;

/**
 * A cache that the cluster has.
 *
 * @param id 1 or more, and never that of another cache of this cluster, of the same name or not
 * @param name one cache has it at a time
 * @param group the place of its group in the topology
 * @param versionEpoch as it was asked for, see {@link CacheRequest}
 * @param config as it was asked for, see {@link CacheRequest}
 */
public record CacheDefinition(int id, String name, int group, int versionEpoch, String config) {
  /** Checks the ranges that need no topology. */
  public CacheDefinition {
    new CacheRequest(name, 1, 1, versionEpoch, config);
    if (id < 1 || group < 0) {
      throw new IllegalArgumentException(
          "invalid cache: id=%d, name=%s, group=%d".formatted(id, name, group));
    }
  }
}
