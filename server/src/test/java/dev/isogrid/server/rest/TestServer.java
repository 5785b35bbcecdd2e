package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.StandInEngine;
import dev.isogrid.node.Node;
import dev.isogrid.server.net.CacheCatalog;
import dev.isogrid.server.net.CacheFiles;
import dev.isogrid.server.net.Intake;
import dev.isogrid.server.net.Metrics;
import dev.isogrid.server.net.OwnEndpoint;
import dev.isogrid.server.net.ProblemLog;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.net.Shutdown;
import dev.isogrid.server.net.Traffic;
import dev.isogrid.server.security.Roles;
import dev.isogrid.server.security.Security;
import dev.isogrid.server.security.SecuritySettings;
import dev.isogrid.server.task.TaskDesk;
import dev.isogrid.server.task.TaskLibrary;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.topology.Topology;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A node with a REST endpoint and the test's own time. It has the caches {@code plain}, which keeps
 * bytes unchanged, and {@code proto}, which keeps ProtoStream.
 */
final class TestServer implements AutoCloseable {
  static final int CONTENT_LENGTH_MAX = 100_000;
  static final long START_MILLIS = 1_800_000_000_500L;

  private static final WebRules RULES =
      new WebRules(List.of("here", "x"), List.of("http://page.example"));

  final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
  final Node node;
  final CacheCatalog catalog;
  final RestProtocol protocol;
  private final ServerContext context;
  long nowMillis = START_MILLIS;
  long nowNanos;

  /** Whether administrative requests wait in {@link #held} instead of running at once. */
  boolean holding;

  final Queue<Runnable> held = new ArrayDeque<>();
  private final List<TestClient> clients = new ArrayList<>();
  private @Nullable StandInEngine clustered;

  /** The number of requests to stop the server. */
  final AtomicInteger stops = new AtomicInteger();

  private final Shutdown shutdown;

  /** The state of the cluster, if there is one. */
  volatile @Nullable Topology topology;

  private final @Nullable CacheFiles files;

  TestServer() {
    this(null);
  }

  /**
   * A server with permanent state.
   *
   * @param data its folder; null for none
   */
  TestServer(@Nullable Path data) {
    this(data, TaskLibrary.open(null));
  }

  private TestServer(@Nullable Path data, TaskLibrary tasks) {
    files = data == null ? null : CacheFiles.open(data);
    Env env =
        new Env(() -> nowNanos, () -> nowMillis, new SplittableRandom(1), new TestScheduler());
    node = Node.start(GridConfig.builder().nodeName("node-a").clusterName("grid").build(), env);
    catalog = new CacheCatalog(node, files);
    context =
        new ServerContext(
            node,
            this::anyEngine,
            () -> topology,
            new OwnEndpoint(false),
            catalog,
            "1.2.3",
            CONTENT_LENGTH_MAX,
            "plain",
            "plain",
            START_MILLIS,
            new Traffic(),
            new ProblemLog(() -> 0),
            Security.off(node.env()),
            new TaskDesk(node, tasks, Security.off(node.env())));
    shutdown = new Shutdown(node, stops::incrementAndGet);
    protocol = new RestProtocol(context, shutdown, RULES);
    create("plain", CacheConfig.UNKNOWN_MEDIA_TYPE);
    create("proto", "application/x-protostream");
    if (files != null) {
      catalog.begin();
    }
  }

  /** A server with deployed tasks. */
  static TestServer ofTasks(Path folder) {
    return new TestServer(null, TaskLibrary.open(folder));
  }

  /** The administrative routes that it has. */
  List<Route> routes() {
    return new AdminRoutes(context, shutdown, new Metrics(context)).all();
  }

  /** The periodic tasks. */
  final List<Runnable> periodic = new ArrayList<>();

  private final class TestScheduler implements Scheduler {
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean isRunning;

    @Override
    public Task every(long periodMillis, Runnable task) {
      periodic.add(task);
      return () -> periodic.remove(task);
    }

    @Override
    public void execute(Runnable task) {
      if (holding) {
        held.add(task);
      } else if (files == null) {
        task.run();
      } else {
        runInTurn(task);
      }
    }

    /** Writers of files wait for each other, so none may begin within another one. */
    private void runInTurn(Runnable task) {
      waiting.add(task);
      if (isRunning) {
        return;
      }
      isRunning = true;
      try {
        for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
          next.run();
        }
      } finally {
        isRunning = false;
      }
    }

    @Override
    public void close() {}
  }

  /** The context of all requests. */
  ServerContext context() {
    return context;
  }

  /** The writes that were refused at a bound. */
  long refusedWrites() {
    return context.traffic().writesRefused();
  }

  void create(String name, String mediaType) {
    node.createForServer(
        name,
        CacheConfig.builder()
            .storage(StorageType.OFF_HEAP)
            .segments(16)
            .statistics(true)
            .encoding(mediaType, mediaType)
            .build());
  }

  /** The failure of looking for a cache, if it is set. */
  @Nullable Error broken;

  private @Nullable CacheEngine<BinaryKey, Bytes> anyEngine(String name) {
    if (broken != null) {
      throw broken;
    }
    return clustered != null && name.equals(clustered.name()) ? clustered : node.engine(name);
  }

  /** Turns a cache into one of a cluster. */
  StandInEngine cluster(String name) {
    clustered = new StandInEngine(name, CacheConfig.builder().segments(16), node.env());
    return clustered;
  }

  CacheEngine<BinaryKey, Bytes> engine(String name) {
    return Objects.requireNonNull(node.engine(name));
  }

  TestClient connect() {
    TestClient client = new TestClient(this);
    clients.add(client);
    return client;
  }

  /**
   * A server with the same caches, whose clients must log in.
   *
   * @param folder of the users
   */
  RestProtocol secured(Path folder) {
    return secured(folder, Intake.of(1 << 20));
  }

  /** The same with limits of its own. */
  RestProtocol secured(Path folder, Intake intake) {
    SecuritySettings.Login login =
        new SecuritySettings.Login("default", "isogrid", true, true, null, null, false);
    SecuritySettings settings = new SecuritySettings(login, Roles.PREDEFINED, false, folder);
    return protocol(new Security(settings, node.env(), _ -> true), intake);
  }

  /** A server with the same caches and limits of its own. */
  RestProtocol bounded(Intake intake) {
    return protocol(Security.off(node.env()), intake);
  }

  private RestProtocol protocol(Security security, Intake intake) {
    ServerContext changed =
        new ServerContext(
            context.node(),
            context.engines(),
            context.topology(),
            context.ownEndpoint(),
            context.catalog(),
            context.version(),
            context.contentLengthMax(),
            context.defaultCache(),
            context.memcachedCache(),
            context.startedMillis(),
            context.traffic(),
            context.problems(),
            security,
            context.tasks(),
            intake);
    return new RestProtocol(changed, shutdown, RULES);
  }

  /** A server with the same caches, whose metrics also have the names of Infinispan. */
  RestProtocol withInfinispanNames() {
    return new RestProtocol(context, shutdown, RULES, true);
  }

  TestClient connect(RestProtocol other) {
    TestClient client = new TestClient(this, other);
    clients.add(client);
    return client;
  }

  /** Forgets a closed client. */
  void forget(TestClient client) {
    clients.remove(client);
  }

  /** Ends all connections and checks that each buffer was released. */
  @Override
  public void close() {
    clients.forEach(TestClient::close);
    assertEquals(0, allocator.metric().usedDirectMemory(), "direct memory leaked");
    assertEquals(0, allocator.metric().usedHeapMemory(), "heap buffers leaked");
    node.close();
    if (files != null) {
      files.close();
    }
  }
}
