package dev.isogrid.server.net;

import dev.isogrid.codec.Transcoder;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.node.Node;
import dev.isogrid.server.security.Security;
import dev.isogrid.server.task.TaskDesk;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.topology.Topology;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What every connection needs to know of the server. Immutable and shared.
 *
 * @param node the node that is served
 * @param engines finds a cache as bytes, or null, by its name
 * @param topology tells the newest topology of the cluster, or null if there is none; any thread
 * @param ownEndpoint by which address other servers tell clients that they reach this one
 * @param catalog creates and removes caches on behalf of clients
 * @param version the product's version, such as {@code 0.1.0}
 * @param contentLengthMax the most bytes that a key and a value together, or the body of a request,
 *     may have
 * @param defaultCache the name of the cache that stands for an empty name
 * @param memcachedCache the name of the cache that memcached clients see
 * @param startedMillis when the server started, milliseconds since 1970
 * @param traffic counts what goes over all connections
 * @param problems logs what clients do wrong, at most one line a second and cause
 * @param security decides who may do what
 * @param tasks runs deployed tasks
 * @param intake bounds what unfinished requests take
 */
public record ServerContext(
    Node node,
    Function<String, @Nullable CacheEngine<BinaryKey, Bytes>> engines,
    Supplier<@Nullable Topology> topology,
    OwnEndpoint ownEndpoint,
    CacheCatalog catalog,
    String version,
    int contentLengthMax,
    String defaultCache,
    String memcachedCache,
    long startedMillis,
    Traffic traffic,
    ProblemLog problems,
    Security security,
    TaskDesk tasks,
    Intake intake) {
  /** With the usual bounds for unfinished requests. */
  public ServerContext( // tidy: the parts of a server
      Node node,
      Function<String, @Nullable CacheEngine<BinaryKey, Bytes>> engines,
      Supplier<@Nullable Topology> topology,
      OwnEndpoint ownEndpoint,
      CacheCatalog catalog,
      String version,
      int contentLengthMax,
      String defaultCache,
      String memcachedCache,
      long startedMillis,
      Traffic traffic,
      ProblemLog problems,
      Security security,
      TaskDesk tasks) {
    this(
        node,
        engines,
        topology,
        ownEndpoint,
        catalog,
        version,
        contentLengthMax,
        defaultCache,
        memcachedCache,
        startedMillis,
        traffic,
        problems,
        security,
        tasks,
        Intake.of(Intake.usualSize()));
  }

  /**
   * A cache as bytes, or null if there is none of that name or alias.
   *
   * @throws dev.isogrid.api.InvalidRequestException if the cache keeps objects
   */
  public @Nullable CacheEngine<BinaryKey, Bytes> engine(String name) {
    CacheEngine<BinaryKey, Bytes> engine = engines.apply(name);
    String aliased = engine == null ? catalog.aliased(name) : null;
    return aliased == null ? engine : engines.apply(aliased);
  }

  /** Converts keys and values between media types. */
  public Transcoder transcoder() {
    return catalog.schemas().transcoder();
  }

  /** The same with another limit. */
  public ServerContext withContentLengthMax(int contentLengthMax) {
    return new ServerContext(
        node,
        engines,
        topology,
        ownEndpoint,
        catalog,
        version,
        contentLengthMax,
        defaultCache,
        memcachedCache,
        startedMillis,
        traffic,
        problems,
        security,
        tasks,
        intake);
  }
}
