package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.engine.StandInEngine;
import dev.isogrid.node.Node;
import dev.isogrid.server.net.CacheCatalog;
import dev.isogrid.server.net.Intake;
import dev.isogrid.server.net.OwnEndpoint;
import dev.isogrid.server.net.ProblemLog;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.net.SlowLog;
import dev.isogrid.server.net.Traffic;
import dev.isogrid.server.security.Roles;
import dev.isogrid.server.security.Security;
import dev.isogrid.server.security.SecuritySettings;
import dev.isogrid.server.task.TaskDesk;
import dev.isogrid.server.task.TaskLibrary;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A node with a cache for memcached clients, and its protocol, with a clock of its own. */
final class TestServer implements AutoCloseable {
  static final String CACHE = "memcachedCache";
  static final String VERSION = MemcachedEndpoint.VERSION;

  /** The version of the server, which clients of memcached do not get as theirs. */
  static final String OWN_VERSION = "0.7.3";

  static final int CONTENT_LENGTH_MAX = 1 << 20;

  final ManualEnv world = new ManualEnv();
  final Node node = Node.start(GridConfig.builder().build(), world.env());
  final ServerContext context;
  final MemcachedProtocol protocol;

  /** Gives buffers that can't be used after they were released, and counts them. */
  private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);

  private final List<EmbeddedChannel> channels = new ArrayList<>();
  private @Nullable StandInEngine clustered;

  /** The lines of the log of slow requests. */
  final List<String> slow = new ArrayList<>();

  TestServer() {
    this(CONTENT_LENGTH_MAX);
  }

  TestServer(int contentLengthMax) {
    CacheConfig config = CacheConfig.builder().storage(StorageType.OFF_HEAP).build();
    node.createForServer(CACHE, config);
    context =
        new ServerContext(
            node,
            this::engine,
            () -> null,
            new OwnEndpoint(false),
            new CacheCatalog(node, null),
            OWN_VERSION,
            contentLengthMax,
            CACHE,
            CACHE,
            world.nowMillis(),
            new Traffic(() -> 0, new SlowLog(world.env().nanoClock(), slow::add)),
            new ProblemLog(world.env().nanoClock()),
            Security.off(world.env()),
            new TaskDesk(node, TaskLibrary.open(null), Security.off(node.env())));
    protocol = new MemcachedProtocol(context);
  }

  private @Nullable CacheEngine<BinaryKey, Bytes> engine(String name) {
    return clustered != null && name.equals(CACHE) ? clustered : node.engine(name);
  }

  /** Turns the cache into one of a cluster. */
  StandInEngine cluster() {
    clustered = new StandInEngine(CACHE, CacheConfig.builder(), world.env());
    return clustered;
  }

  /** A security with logins by the users of a folder, also in clear text. */
  Security secured(Path folder) {
    SecuritySettings.Login login =
        new SecuritySettings.Login("default", "isogrid", true, true, null, null, false);
    SecuritySettings settings = new SecuritySettings(login, Roles.PREDEFINED, false, folder);
    return new Security(settings, node.env(), _ -> true);
  }

  /** This server with other security and another budget. */
  ServerContext context(Security security, Intake intake) {
    return new ServerContext(
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
  }

  /** A new connection. */
  EmbeddedChannel connect() {
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.config().setAllocator(allocator);
    channels.add(channel);
    protocol.install(channel.pipeline());
    return channel;
  }

  CacheEngine<BinaryKey, Bytes> engine() {
    return Objects.requireNonNull(node.engine(CACHE));
  }

  /** Writes an entry in the way of other protocols. */
  void put(String key, String value, long lifespanMillis, long maxIdleMillis, String mediaType) {
    BinaryKey binaryKey = BinaryKey.of(ascii(key));
    var write =
        new KeyWrite<BinaryKey, Bytes>()
            .put(Bytes.of(ascii(value)))
            .expiry(lifespanMillis, maxIdleMillis)
            .attributes(0, mediaType);
    engine().write(binaryKey, binaryKey.hash(), write);
  }

  /** Sends lines on a new connection, with CR LF added to each; returns the output with LF only. */
  String ask(String... lines) {
    EmbeddedChannel channel = connect();
    try {
      return ask(channel, lines);
    } finally {
      channel.finishAndReleaseAll();
    }
  }

  /** As {@link #ask(String...)}, on a connection. */
  static String ask(EmbeddedChannel channel, String... lines) {
    String text = String.join("\r\n", lines) + "\r\n";
    channel.writeInbound(channel.alloc().buffer().writeBytes(ascii(text)));
    return received(channel).replace("\r\n", "\n");
  }

  /** The output of the server so far, one character per byte. */
  static String received(EmbeddedChannel channel) {
    StringBuilder text = new StringBuilder();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      text.append(part.toString(StandardCharsets.ISO_8859_1));
      part.release();
    }
    return text.toString();
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Ends all connections and checks that each buffer was released. */
  @Override
  public void close() {
    channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    assertEquals(0, allocator.metric().usedDirectMemory(), "direct memory leaked");
    assertEquals(0, allocator.metric().usedHeapMemory(), "heap buffers leaked");
    node.close();
  }
}
