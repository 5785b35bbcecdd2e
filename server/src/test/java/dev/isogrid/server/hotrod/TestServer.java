package dev.isogrid.server.hotrod;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.StandInEngine;
import dev.isogrid.node.Node;
import dev.isogrid.server.net.CacheCatalog;
import dev.isogrid.server.net.Intake;
import dev.isogrid.server.net.OwnEndpoint;
import dev.isogrid.server.net.ProblemLog;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.net.Traffic;
import dev.isogrid.server.security.Roles;
import dev.isogrid.server.security.Security;
import dev.isogrid.server.security.SecuritySettings;
import dev.isogrid.server.task.TaskDesk;
import dev.isogrid.server.task.TaskLibrary;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.topology.Topology;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A node with a clock that the test sets, and connections without a network. */
final class TestServer implements AutoCloseable {
  static final int CONTENT_LENGTH_MAX = 1 << 20;
  static final int STREAMED_VALUE_MAX = 16 << 20;
  static final long START_MILLIS = 1_800_000_000_000L;

  final Node node;
  final ServerContext context;
  final OwnEndpoint ownEndpoint = new OwnEndpoint(false);
  long nowMillis = START_MILLIS;

  /** The tasks for other threads, if they do not run at once. */
  final Deque<Runnable> aside = new ArrayDeque<>();

  /** The periodic tasks, if the test runs them. */
  final List<Runnable> periodic = new CopyOnWriteArrayList<>();

  boolean runsAsideAtOnce = true;

  /** Runs the tasks for other threads, if it is set. */
  @Nullable Executor threads;

  /** The cache {@code clustered}, if the test has created it. */
  private @Nullable StandInEngine clustered;

  /** The state of the cluster, if there is one. */
  volatile @Nullable Topology topology;

  TestServer() {
    this(CONTENT_LENGTH_MAX);
  }

  TestServer(int contentLengthMax) {
    this(contentLengthMax, TaskLibrary.open(null));
  }

  TestServer(int contentLengthMax, TaskLibrary tasks) {
    Env env =
        new Env(
            () -> nowMillis * 1_000_000,
            () -> nowMillis,
            new SplittableRandom(1),
            new TestScheduler());
    node = Node.start(GridConfig.builder().nodeName("a").build(), env);
    context =
        new ServerContext(
            node,
            this::engine,
            () -> topology,
            ownEndpoint,
            new CacheCatalog(node, null),
            "0.0.1",
            contentLengthMax,
            "default",
            "memcached",
            START_MILLIS,
            new Traffic(),
            new ProblemLog(env.nanoClock()),
            Security.off(env),
            new TaskDesk(node, tasks, Security.off(env)));
  }

  /** The failure of looking for a cache, if it is set. */
  @Nullable Error broken;

  private @Nullable CacheEngine<BinaryKey, Bytes> engine(String name) {
    if (broken != null) {
      throw broken;
    }
    return clustered != null && name.equals(clustered.name()) ? clustered : node.engine(name);
  }

  /** Creates a clustered cache of this name. */
  StandInEngine clustered(String name) {
    clustered = new StandInEngine(name, config().statistics(true), node.env());
    return clustered;
  }

  static CacheConfig.Builder config() {
    return CacheConfig.builder().storage(StorageType.OFF_HEAP);
  }

  /** Creates a local cache of opaque bytes. */
  TestServer with(String name) {
    return with(name, config());
  }

  TestServer with(String name, CacheConfig.Builder config) {
    node.createForServer(name, config.build());
    return this;
  }

  TestServer with(String name, CacheMode mode, int segments) {
    return with(name, config().mode(mode).segments(segments));
  }

  /** Enables schemas, templates and aliases for clients. */
  TestServer withSchemas() {
    context.catalog().begin();
    return this;
  }

  TestServer withEncoding(String name, String mediaType) {
    return with(name, config().encoding(mediaType, mediaType));
  }

  /** A connection whose client must log in, by users in a folder. */
  Connection connectSecured(Path folder) {
    return connect(newSecuredProtocol(folder));
  }

  /** The protocol of a server whose clients must log in, by users in a folder. */
  HotRodProtocol newSecuredProtocol(Path folder) {
    SecuritySettings.Login login =
        new SecuritySettings.Login("default", "infinispan", true, true, null, null, false);
    SecuritySettings settings = new SecuritySettings(login, Roles.PREDEFINED, false, folder);
    Security security = new Security(settings, node.env(), _ -> true);
    ServerContext secured =
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
            context.tasks());
    return new HotRodProtocol(secured, STREAMED_VALUE_MAX);
  }

  /** The protocol of a server with limits for unfinished requests. */
  HotRodProtocol bounded(Intake intake) {
    ServerContext bounded =
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
            context.security(),
            context.tasks(),
            intake);
    return new HotRodProtocol(bounded, STREAMED_VALUE_MAX);
  }

  /** A connection to 10.1.2.3:11222. */
  Connection connect() {
    return connect(newProtocol());
  }

  /** The protocol of a server, with the limits of tests. */
  HotRodProtocol newProtocol() {
    return new HotRodProtocol(context, STREAMED_VALUE_MAX);
  }

  /** The handler of a connection to a server without a cluster. */
  static HotRodConnection newConnection(AsidePool pool, OwnEndpoint ownEndpoint) {
    return new HotRodConnection(
        new SharedParts(
            pool,
            new TopologySections(() -> null, ownEndpoint),
            new CounterListeners(),
            STREAMED_VALUE_MAX,
            EventLimits.DEFAULT,
            ClientBudgets.ofProcess(1 << 30, () -> 0),
            new ClientSessions(() -> 0)));
  }

  /** A connection to a server with other limits of events. */
  Connection connect(EventLimits eventLimits) {
    return connect(new HotRodProtocol(context, STREAMED_VALUE_MAX, eventLimits));
  }

  /** The protocol of a server with other limits of events, and other budgets. */
  HotRodProtocol newProtocol(EventLimits eventLimits, ClientBudgets budgets) {
    return new HotRodProtocol(context, STREAMED_VALUE_MAX, eventLimits, budgets);
  }

  /** A connection of an existing protocol object, as on one server. */
  Connection connect(HotRodProtocol protocol) {
    return new Connection(protocol, new UnpooledByteBufAllocator(true, true));
  }

  /** The same with the buffers of another one, as on one server: pooled objects serve both. */
  Connection connect(HotRodProtocol protocol, Connection other) {
    return new Connection(protocol, other.allocator);
  }

  @Override
  public void close() {
    node.close();
  }

  /** Runs each task at once in the calling thread. */
  private final class TestScheduler implements Scheduler {
    @Override
    public Task every(long periodMillis, Runnable task) {
      periodic.add(task);
      return () -> periodic.remove(task);
    }

    @Override
    public void execute(Runnable task) {
      if (threads != null) {
        threads.execute(task);
      } else if (runsAsideAtOnce) {
        task.run();
      } else {
        aside.add(task);
      }
    }

    @Override
    public void close() {}
  }

  /** A connection of a client, from the client's view. Closing it checks that no buffer is left. */
  static final class Connection implements AutoCloseable {
    final EmbeddedChannel channel;
    final UnpooledByteBufAllocator allocator;

    Connection(HotRodProtocol protocol, UnpooledByteBufAllocator allocator) {
      this.allocator = allocator;
      channel =
          new EmbeddedChannel() {
            @Override
            protected SocketAddress localAddress0() {
              return new InetSocketAddress("10.1.2.3", 11222);
            }
          };
      channel.config().setAllocator(allocator);
      protocol.install(channel.pipeline());
    }

    /** Makes the connection take the results of requests executed aside. */
    void runPendingTasks() {
      channel.runPendingTasks();
    }

    /** Reads all responses that were received. */
    List<Response> responses(int version) {
      WireInput in = new WireInput(received());
      List<Response> responses = new ArrayList<>();
      while (in.hasMore()) {
        responses.add(Response.read(in, version, 0));
      }
      return responses;
    }

    /** Sends bytes in one piece. */
    void send(byte[] bytes) {
      channel.writeInbound(allocator.directBuffer(bytes.length).writeBytes(bytes));
    }

    /** Sends bytes in pieces of a size. */
    void send(byte[] bytes, int pieceSize) {
      for (int from = 0; from < bytes.length; from += Math.min(pieceSize, bytes.length)) {
        send(Arrays.copyOfRange(bytes, from, from + Math.min(pieceSize, bytes.length - from)));
      }
    }

    /** All bytes that the server sent since the last call. */
    byte[] received() {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
        all.writeBytes(ByteBufUtil.getBytes(part));
        part.release();
      }
      return all.toByteArray();
    }

    /** Sends a request and reads the response. */
    Response call(RequestBytes request) {
      send(request.bytes());
      return response(request);
    }

    /** Reads the response to a request, which must be the only received one. */
    Response response(RequestBytes request) {
      byte[] received = received();
      WireInput in = new WireInput(received);
      Response response = Response.read(in, request.version, request.flagsForReading());
      if (in.hasMore()) {
        throw new AssertionError("more than one response: " + ByteBufUtil.hexDump(received));
      }
      return response;
    }

    /** Advances the time by single seconds; from now on it stands still otherwise. */
    void pass(int seconds) {
      channel.freezeTime();
      for (int i = 0; i < seconds; i++) {
        channel.advanceTimeBy(1, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
      }
    }

    /** Advances the time by the server's delay of closing. */
    void passFarewell() {
      channel.advanceTimeBy(HotRodConnection.FAREWELL_SECONDS, TimeUnit.SECONDS);
      channel.runScheduledPendingTasks();
    }

    /** Bytes of buffers that are not released. */
    long usedMemory() {
      return allocator.metric().usedDirectMemory() + allocator.metric().usedHeapMemory();
    }

    @Override
    public void close() {
      channel.finishAndReleaseAll();
      if (usedMemory() != 0) {
        throw new AssertionError("buffers not released: bytes=" + usedMemory());
      }
    }
  }
}
