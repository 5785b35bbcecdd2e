package dev.isogrid.node;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.engine.ReplicatedEngine;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The caches of the cluster that this node does not serve, since their definitions are of another
 * version and can't be read. Thread-safe.
 */
final class UnreadableCaches {
  private static final System.Logger log = System.getLogger(UnreadableCaches.class.getName());

  private final String nodeName;

  /** The reasons why definitions can't be read, by the names of the caches. */
  private final Map<String, String> problems = new ConcurrentHashMap<>();

  /** The caches of which this node keeps entries, by their names. */
  private final Map<String, ReplicatedEngine> engines = new ConcurrentHashMap<>();

  UnreadableCaches(String nodeName) {
    this.nodeName = nodeName;
  }

  /** Adds a cache that the cluster has now. */
  void add(String name, String problem) {
    problems.put(name, problem);
    log.log(
        Level.WARNING,
        ("cache is not served by this node, which can't read its definition: cache=%s, node=%s,"
                + " reason=%s; another version of Isogrid defined it. The node keeps its copies of"
                + " the entries; upgrade it, or remove the cache through a node that serves it")
            .formatted(name, nodeName, problem));
  }

  /** Keeps the entries of a cache if it is one of these; returns whether it is. */
  boolean tryKeep(ReplicatedEngine engine) {
    if (!problems.containsKey(engine.name())) {
      return false;
    }
    engines.put(engine.name(), engine);
    return true;
  }

  /** The cluster has a cache no more; returns whether it was one of these. */
  boolean remove(String name) {
    engines.remove(name);
    return problems.remove(name) != null;
  }

  /**
   * Refuses an operation on a cache that is one of these.
   *
   * @throws RetryableGridException if so: other nodes may serve it
   */
  void check(String name) {
    String problem = problems.get(name);
    if (problem != null) {
      throw new RetryableGridException(
          ("cache is not served by this node, which can't read its definition: cache=%s, node=%s,"
                  + " reason=%s; use a node of the version that defined it, or upgrade this one")
              .formatted(name, nodeName, problem));
    }
  }

  /** Gives back memory as other caches do. */
  void vacate() {
    engines.values().forEach(ReplicatedEngine::vacate);
  }

  /** Frees the entries. */
  void close() {
    engines.values().forEach(ReplicatedEngine::close);
  }
}
