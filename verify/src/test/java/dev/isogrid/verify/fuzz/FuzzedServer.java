package dev.isogrid.verify.fuzz;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.node.Node;
import dev.isogrid.server.net.CacheCatalog;
import dev.isogrid.server.net.OwnEndpoint;
import dev.isogrid.server.net.ProblemLog;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.net.Traffic;
import dev.isogrid.server.security.Security;
import dev.isogrid.server.task.TaskDesk;
import dev.isogrid.server.task.TaskLibrary;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server without a network, in one thread, under a clock that stands still. The effects of an
 * input are undone before the next one, so that its input alone repeats each crash.
 */
final class FuzzedServer {
  static final int CONTENT_LENGTH_MAX = 1 << 16;
  static final int STREAMED_VALUE_MAX = 1 << 20;

  /** The limit of a connection's memory: an incomplete request, grown twofold, and replies. */
  private static final long MEMORY_MAX = 8L * CONTENT_LENGTH_MAX;

  /** The form of answers to unexpected failures: the name of an exception. */
  private static final Pattern UNEXPECTED =
      Pattern.compile("(java\\.|io\\.netty\\.)[\\w.]+(Exception|Error)(?!: Unknown task)");

  private static final int SEGMENTS = 4;
  private static final long NOW_MILLIS = 1_800_000_000_000L;
  private static final int FAREWELL_SECONDS = 60;

  private final Node node;
  private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);
  private final ServerContext context;
  private final Set<String> caches;

  FuzzedServer() {
    Env env =
        new Env(
            () -> NOW_MILLIS * 1_000_000,
            () -> NOW_MILLIS,
            new SplittableRandom(1),
            new AtOnceScheduler());
    node = Node.start(GridConfig.builder().nodeName("f").offHeapMax(64 << 20).build(), env);
    create("default", "application/octet-stream", StorageType.OFF_HEAP);
    create("ps", "application/x-protostream", StorageType.OFF_HEAP);
    create("text", "text/plain", StorageType.HEAP_BINARY);
    for (String opaque : List.of("octet", "c", "memcached")) {
      node.createForServer(opaque, config(StorageType.OFF_HEAP).build());
    }
    caches = Set.copyOf(node.cacheNames());
    context =
        new ServerContext(
            node,
            node::engine,
            () -> null,
            new OwnEndpoint(false),
            new CacheCatalog(node, null),
            "0.0.1",
            CONTENT_LENGTH_MAX,
            "default",
            "memcached",
            NOW_MILLIS,
            new Traffic(),
            new ProblemLog(env.nanoClock()),
            Security.off(node.env()),
            new TaskDesk(node, TaskLibrary.open(null), Security.off(node.env())));
  }

  private void create(String name, String mediaType, StorageType storage) {
    node.createForServer(name, config(storage).encoding(mediaType, mediaType).build());
  }

  private static CacheConfig.Builder config(StorageType storage) {
    return CacheConfig.builder().storage(storage).segments(SEGMENTS).statistics(true);
  }

  ServerContext context() {
    return context;
  }

  /**
   * Sends bytes on a new connection, then lets the time pass in which a refused one is closed.
   *
   * @param protocol adds the protocol to the connection
   * @param input the bytes; the first one determines their division into pieces
   * @param after checks the connection before it ends
   */
  void feed(Consumer<ChannelPipeline> protocol, byte[] input, Consumer<Connection> after) {
    if (input.length == 0) {
      return;
    }
    Connection connection = new Connection();
    try {
      protocol.accept(connection.channel.pipeline());
      int pieceSize = (input[0] & 0xFF) == 0xFF ? input.length : 1 + (input[0] & 0xFF);
      for (int from = 1; from < input.length; from += pieceSize) {
        connection.send(Arrays.copyOfRange(input, from, Math.min(input.length, from + pieceSize)));
      }
      after.accept(connection);
    } finally {
      connection.channel.finishAndReleaseAll();
    }
    long left = used();
    check(left == 0, "buffers were not released: bytes=" + left);
    reset();
  }

  private long used() {
    return allocator.metric().usedDirectMemory() + allocator.metric().usedHeapMemory();
  }

  private void reset() {
    for (String name : node.cacheNames()) {
      CacheEngine<?, ?> engine = caches.contains(name) ? node.engine(name) : null;
      if (engine == null) {
        node.removeCache(name);
      } else {
        engine.clear();
      }
    }
    long left = node.offHeapUse().allocatedBytes();
    check(left == 0, "memory of caches was not freed: bytes=" + left);
  }

  static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  /** A connection of a client, from the client's view. */
  final class Connection {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();

    private Connection() {
      channel.config().setAllocator(allocator);
    }

    /** Sends a piece, and receives the answers of the server. */
    void send(byte[] piece) {
      if (channel.isOpen()) {
        channel.writeInbound(allocator.directBuffer(piece.length).writeBytes(piece));
        channel.runPendingTasks();
        take();
        long used = used();
        check(used < MEMORY_MAX, "too much is held: bytes=" + used);
      }
    }

    private void take() {
      for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
        received.writeBytes(ByteBufUtil.getBytes(part));
        part.release();
      }
      channel.checkException();
      Matcher unexpected = UNEXPECTED.matcher(received.toString(StandardCharsets.ISO_8859_1));
      boolean isFound = unexpected.find();
      check(!isFound, isFound ? "unexpected: " + unexpected.group() : "");
    }

    /** Whether the server still reads; advances the time in which it delays closing. */
    boolean isOpen() {
      channel.advanceTimeBy(FAREWELL_SECONDS, TimeUnit.SECONDS);
      channel.runScheduledPendingTasks();
      take();
      return channel.isOpen();
    }

    /** Whether the server keeps none of the sent bytes. */
    boolean isIdle() {
      return used() == 0;
    }

    /** All bytes received so far. */
    byte[] received() {
      return received.toByteArray();
    }
  }

  /** Runs each task at once in the calling thread. */
  private static final class AtOnceScheduler implements Scheduler {
    @Override
    public Task every(long periodMillis, Runnable task) {
      return () -> {};
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public void close() {}
  }
}
