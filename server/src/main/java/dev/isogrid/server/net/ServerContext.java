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
 * The parts of the server that every connection uses. Immutable and shared.
 *
 * @param node the node of the server
 * @param engines finds a cache as bytes, or null, by its name
 * @param topology supplies the newest topology of the cluster, or null if there is none; any thread
 * @param ownEndpoint the address that this server announces for clients
 * @param catalog creates and removes caches on behalf of clients
 * @param version the product's version, such as {@code 0.1.0}
 * @param contentLengthMax the most bytes of a key and a value together, or of a request's body
 * @param defaultCache the name of the cache for requests without a name
 * @param memcachedCache the name of the cache of memcached clients
 * @param startedMillis when the server started, milliseconds since 1970
 * @param traffic counts the bytes and requests of all connections
 * @param problems logs mistakes of clients, at most one line per second and cause
 * @param security decides on logins and permissions
 * @param tasks runs deployed tasks
 * @param intake the limits of unfinished requests
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
   * A cache as bytes, or null if no cache has that name or alias.
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
