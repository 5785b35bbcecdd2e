package dev.isogrid.cluster;

import dev.isogrid.base.Env;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * The connections between this node and others. Thread-safe, never blocks except where it says so.
 */
final class Links implements AutoCloseable {
  /*
   * One event loop does the I/O of all connections, and hands over what came on its thread as soon
   * as it is read. A node sends by connections that it opened, and receives by those that others
   * opened, so that two that connect at once need not agree which one stays. There are up to three
   * for each pair and direction, so that streams hold up nothing else. Acknowledgements and answers
   * go with the streams while hardly anything waits there: one call of the system sends both.
   *
   * Others take a refused connection for the proof that this node is dead. If its port is closed
   * without being asked for, as an Error while accepting makes Netty do, the handler is told at
   * once.
   */

  /** Connections that have not shown yet that they are of a node; then the oldest gives way. */
  private static final int STRANGERS_MAX = 64;

  /** Three for each node of a large cluster. */
  private static final int CONNECTIONS_MAX = 3000;

  private static final int CONNECT_MILLIS = 2000;
  private static final int HANDSHAKE_MILLIS_MAX = 5000;

  private static final long SWEEP_MILLIS = 1000;
  private static final long CLOSE_MILLIS_MAX = 2000;
  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(128 << 10, 512 << 10);
  private static final String[] TLS_PROTOCOLS = {"TLSv1.3"};

  /** The links to one node. */
  private record Peer(Link urgent, Link stream) {}

  private final Env env;
  private final LinkSockets sockets = LinkSockets.choose();
  private final LinkFrames.Handler handler;
  private final FrameEncoder encoder;
  private final SentCount sentPackets = new SentCount();
  private final SentCount sentMessages = new SentCount();
  private final @Nullable SSLContext tls;
  private final EventLoopGroup group;
  private final EventLoop loop;
  private final Map<InetSocketAddress, Link> byAddress = new ConcurrentHashMap<>();
  private final Map<NodeId, Peer> byNode = new ConcurrentHashMap<>();

  /** Where nodes said that they listen when they connected. */
  private final Map<NodeId, InetSocketAddress> addresses = new ConcurrentHashMap<>();

  /** Links with something to send, for which nobody goes yet. */
  private final ConcurrentLinkedQueue<Link> unsent = new ConcurrentLinkedQueue<>();

  /** Whether the event loop was asked to see to {@link #unsent}. */
  private final AtomicBoolean isWoken = new AtomicBoolean();

  /** The connections that others opened. */
  private final ChannelGroup fromOthers;

  // for the event loop
  private final byte[] scratch = new byte[LinkFrames.SCRATCH_BYTES];
  private final ArrayDeque<Channel> strangers = new ArrayDeque<>();

  /** When something came last from where a node listens. */
  private final Map<InetSocketAddress, Long> hearing = new HashMap<>();

  private int accepted;

  /** By node, the connections of it that are open. Written by the event loop. */
  private final Map<NodeId, Integer> connected = new ConcurrentHashMap<>();

  // written by: bind, before there are other threads
  private @Nullable Channel server;
  private @Nullable InetSocketAddress address;

  // written by: start
  private volatile @Nullable NodeId self;

  // written by: start
  private volatile Function<NodeId, @Nullable InetSocketAddress> lookup = _ -> null;

  // written by: learn; where members of the topology listen
  private volatile Map<NodeId, InetSocketAddress> members = Map.of();

  // written by: lose
  private volatile boolean isLosing;

  // written by: close
  private volatile boolean isClosing;

  /**
   * Connects nobody yet.
   *
   * @param handler gets what comes, on the event loop
   * @param codec encodes messages, on the event loop
   * @param tls secures the connections, each side showing a certificate, or null
   */
  Links(LinkFrames.Handler handler, MessageCodec codec, @Nullable SSLContext tls, Env env) {
    this.handler = handler;
    this.encoder = new FrameEncoder(codec);
    this.tls = tls;
    this.env = env;
    this.group =
        new MultiThreadIoEventLoopGroup(
            1,
            env.scheduler().threads(Thread.ofPlatform().daemon().name("isogrid-links-", 0)),
            sockets.ioHandlers());
    this.loop = group.next();
    this.fromOthers = new DefaultChannelGroup(loop, true);
  }

  // ---- begin and end

  /**
   * Takes an address, but no connections yet. Blocks shortly.
   *
   * @param ports how many ports after the first one are tried
   * @throws IOException if none is free
   */
  void bind(InetAddress host, int firstPort, int ports) throws IOException {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loop)
            .channel(sockets.serverChannel())
            .option(ChannelOption.AUTO_READ, false)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(new Accepting());
    ChannelFuture bound = bootstrap.bind(host, firstPort).awaitUninterruptibly();
    for (int i = 1; i <= ports && !bound.isSuccess(); i++) {
      bound = bootstrap.bind(host, firstPort + i).awaitUninterruptibly();
    }
    if (!bound.isSuccess()) {
      close();
      BindException failure = new BindException(String.valueOf(bound.cause().getMessage()));
      failure.initCause(bound.cause());
      throw failure;
    }
    Channel listening = bound.channel();
    server = listening;
    listening
        .closeFuture()
        .addListener(_ -> {
          if (!isClosing) {
            handler.onPortClosed();
          }
        });
    int port = ((InetSocketAddress) listening.localAddress()).getPort();
    address =
        new InetSocketAddress(host.isAnyLocalAddress() ? InetAddress.getLocalHost() : host, port);
  }

  /** How the connections use the system's sockets, for the log. */
  String sockets() {
    return sockets.name();
  }

  /** Where others find this node, or null if it has not been bound. */
  @Nullable InetSocketAddress address() {
    return address;
  }

  /**
   * Takes connections from now on.
   *
   * @param self who this node is
   * @param found where a node listens, or null if that is not known
   */
  void start(NodeId self, Function<NodeId, @Nullable InetSocketAddress> found) {
    this.self = self;
    this.lookup = found;
    Channel listening = server;
    if (listening != null) {
      listening.config().setAutoRead(true);
      loop.scheduleWithFixedDelay(this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Sets the receiver of failures to encode a message; called before there are any. */
  void whenNotEncoded(BiConsumer<Message, Throwable> listener) {
    encoder.whenFailed(listener);
  }

  /** The messages that were sent, without packets of JGroups. */
  SentMessages sentMessages() {
    return sentMessages.sum();
  }

  /** Loses all that comes and goes, or no longer: for tests of nodes that are cut off. */
  void lose(boolean isLosing) {
    this.isLosing = isLosing;
  }

  /**
   * Ends all connections; the address is free then. Blocks until that is done, 6 s at most. Each is
   * closed by itself: the end of an event loop may leave some of them open, and who sends by one
   * would take it for a connection to the next node at this address.
   */
  @Override
  public void close() {
    isClosing = true;
    Channel listening = server;
    if (listening != null) {
      listening.close().awaitUninterruptibly(CLOSE_MILLIS_MAX);
    }
    execute(this::closeLinks);
    fromOthers.close().awaitUninterruptibly(CLOSE_MILLIS_MAX);
    group
        .shutdownGracefully(0, CLOSE_MILLIS_MAX, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(CLOSE_MILLIS_MAX);
  }

  private void closeLinks() {
    byAddress.values().forEach(Link::close);
    byNode.values().forEach(Links::close);
  }

  private static void close(Peer peer) {
    peer.urgent.close();
    peer.stream.close();
  }

  private void sweep() {
    long now = env.nanoClock().nanoTime();
    for (Iterator<Link> i = byAddress.values().iterator(); i.hasNext(); ) {
      Link link = i.next();
      sweep(link, now);
      if (link.isUnused()) {
        i.remove();
        link.close();
      }
    }
    for (Iterator<Peer> i = byNode.values().iterator(); i.hasNext(); ) {
      Peer peer = i.next();
      sweep(peer.urgent, now);
      sweep(peer.stream, now);
      if (peer.urgent.isUnused() && peer.stream.isUnused()) {
        i.remove();
        close(peer);
      }
    }
    for (Channel channel : fromOthers) {
      LinkFrames frames = channel.pipeline().get(LinkFrames.class);
      if (frames != null) {
        frames.sweep(channel);
      }
    }
    addresses.keySet().removeIf(node -> !byNode.containsKey(node));
    hearing.keySet().removeIf(at -> !byAddress.containsKey(at));
  }

  private void sweep(Link link, long nowNanos) {
    Long heard = hearing.get(link.target().address());
    link.sweep(nowNanos, heard == null ? nowNanos : heard);
  }

  // ---- sending

  /**
   * Adds a packet of JGroups to what waits for whoever listens at an address.
   *
   * @param packet not changed from now on
   * @return false if too much waits already
   */
  boolean tryAdd(InetSocketAddress to, byte[] packet) {
    Link link = byAddress.get(to);
    if (link == null) {
      link = byAddress.computeIfAbsent(to, _ -> link(LinkHello.Purpose.PACKETS, null, to));
    }
    return tryAdd(link, Frame.of(packet));
  }

  /**
   * Adds a message to what waits for a node; it is lost if nobody knows where the node is. It is
   * encoded when it is sent.
   *
   * @return false if too much waits already
   */
  boolean tryAdd(NodeId to, boolean isStream, Frame message) {
    Peer peer = byNode.get(to);
    if (peer == null) {
      InetSocketAddress at = addressOf(to);
      if (at == null) {
        return true;
      }
      peer =
          byNode.computeIfAbsent(
              to,
              node ->
                  new Peer(
                      link(LinkHello.Purpose.URGENT, node, at),
                      link(LinkHello.Purpose.STREAM, node, at)));
    }
    boolean travelsAlong =
        !isStream && !(message.message() instanceof MembershipMessage) && peer.stream.isFree();
    return tryAdd(isStream || travelsAlong ? peer.stream : peer.urgent, message);
  }

  /**
   * Where a node listens, or null if that is not known. Members of a topology know each other by it
   * alone: JGroups may need seconds more until all of them are in one view.
   */
  @Nullable InetSocketAddress addressOf(NodeId node) {
    InetSocketAddress said = addresses.get(node);
    InetSocketAddress known = said == null ? members.get(node) : said;
    return known == null ? lookup.apply(node) : known;
  }

  /** Takes note of where the members of a topology listen. Any thread, does not block. */
  void learn(Topology topology) {
    Map<NodeId, InetSocketAddress> known = new HashMap<>();
    for (Member member : topology.members()) {
      SeedAddress address = SeedAddress.ofSeat(member.profile().seat());
      InetSocketAddress literal = address == null ? null : address.literal();
      if (literal != null && !member.id().equals(self)) {
        known.put(member.id(), literal);
      }
    }
    members = known;
  }

  private Link link(LinkHello.Purpose purpose, @Nullable NodeId node, InetSocketAddress at) {
    return new Link(
        new Link.Target(purpose, node, at),
        env.nanoClock(),
        this::open,
        encoder,
        purpose == LinkHello.Purpose.PACKETS ? sentPackets : sentMessages);
  }

  private boolean tryAdd(Link link, Frame frame) {
    if (isLosing) {
      return true;
    }
    if (!link.tryAdd(frame)) {
      return false;
    }
    if (link.claim()) {
      unsent.add(link);
    }
    return true;
  }

  /** Sends what waits soon; what the event loop adds, after it has read all connections. */
  void flush() {
    if (!unsent.isEmpty() && !isWoken.get() && isWoken.compareAndSet(false, true)) {
      execute(this::writeUnsent);
    }
  }

  private void writeUnsent() {
    isWoken.set(false);
    for (Link link = unsent.poll(); link != null; link = unsent.poll()) {
      link.write();
    }
  }

  /**
   * As {@link #execute}, but a task that the event loop itself adds runs when it has looked at all
   * connections again.
   */
  void executeInTurn(Runnable task) {
    if (loop.inEventLoop() && !loop.isShuttingDown()) {
      loop.schedule(task, 0, TimeUnit.NANOSECONDS);
    } else {
      execute(task);
    }
  }

  /** Runs a task on the event loop; drops it if that has ended. */
  void execute(Runnable task) {
    boolean isTaken = false;
    try {
      loop.execute(task);
      isTaken = true;
    } catch (RejectedExecutionException closed) {
      // what waits is lost
    } finally {
      if (!isTaken) {
        isWoken.set(false); // also after an Error: the next one asks again
      }
    }
  }

  /** Whether a connection is open that a node opened. Any thread. */
  boolean isConnected(NodeId node) {
    return connected.containsKey(node);
  }

  /** The channel that takes connections, for tests. */
  Channel server() {
    return Objects.requireNonNull(server, "bound before");
  }

  // ---- connections to others

  private void open(Link link, long pauseNanos) {
    if (pauseNanos > 0) {
      loop.schedule(() -> open(link), pauseNanos, TimeUnit.NANOSECONDS);
    } else {
      open(link);
    }
  }

  private void open(Link link) {
    new Bootstrap()
        .group(loop)
        .channel(sockets.channel())
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
        .handler(new Opening(link))
        .connect(link.target().address())
        .addListener(done -> {
          if (!done.isSuccess()) {
            link.failed();
          }
        });
  }

  /** Prepares connections that this node opens. */
  private final class Opening extends ChannelInitializer<Channel> {
    private final Link link;

    Opening(Link link) {
      this.link = link;
    }

    @Override
    protected void initChannel(Channel channel) {
      secure(channel.pipeline(), link.target().address());
      channel.pipeline().addLast(new LinkOpener(link, Links.this::hello, handler, tls != null));
    }
  }

  private LinkHello hello(Link link) {
    Link.Target target = link.target();
    return new LinkHello(
        target.purpose(),
        Objects.requireNonNull(self),
        target.node(),
        Objects.requireNonNull(address));
  }

  /** Secures a connection to an address, or from one if there is none. */
  private void secure(ChannelPipeline pipeline, @Nullable InetSocketAddress at) {
    if (tls == null) {
      return;
    }
    SSLEngine engine =
        at == null ? tls.createSSLEngine() : tls.createSSLEngine(at.getHostString(), at.getPort());
    engine.setUseClientMode(at != null);
    engine.setNeedClientAuth(at == null);
    engine.setEnabledProtocols(TLS_PROTOCOLS);
    // Strangers can ask for handshakes, which take a processor some milliseconds each.
    SslHandler handler = new SslHandler(engine, env.scheduler()::execute);
    handler.setHandshakeTimeoutMillis(HANDSHAKE_MILLIS_MAX);
    pipeline.addLast(handler);
  }

  // ---- connections from others

  /** Prepares connections that others open. */
  private final class Accepting extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      if (accepted >= CONNECTIONS_MAX) {
        handler.onRefusal(
            String.valueOf(channel.remoteAddress()),
            "too many connections: max=" + CONNECTIONS_MAX);
        channel.close();
        return;
      }
      accepted++;
      fromOthers.add(channel);
      strangers.add(channel);
      channel
          .closeFuture()
          .addListener(_ -> {
            accepted--;
            strangers.remove(channel);
          });
      if (strangers.size() > STRANGERS_MAX) {
        strangers.remove().close();
      }
      secure(channel.pipeline(), null);
      channel.pipeline().addLast(new LinkFrames(new Listening(), scratch, Links.this::admit));
    }
  }

  /** Whether a connection is for this node: who opened it may not know yet that another is gone. */
  private boolean admit(Channel channel, LinkHello hello) {
    if (hello.to() != null && !hello.to().equals(self)) {
      return false;
    }
    strangers.remove(channel);
    addresses.put(hello.from(), hello.listensAt());
    connected.merge(hello.from(), 1, Integer::sum);
    channel.closeFuture().addListener(_ -> ended(hello.from()));
    return true;
  }

  private void ended(NodeId of) {
    Integer left = connected.computeIfPresent(of, (_, open) -> open > 1 ? open - 1 : null);
    if (left == null && !isClosing) {
      handler.onLastClosed(of);
    }
  }

  /** Notes who was heard, and loses what a test wants lost. */
  private final class Listening implements LinkFrames.Handler {
    @Override
    public void onPacket(LinkHello of, byte[] packet) {
      if (!isLosing) {
        handler.onPacket(of, packet);
      }
    }

    @Override
    public void onMessage(LinkHello of, byte[] array, int length, boolean isOwn) {
      if (!isLosing) {
        handler.onMessage(of, array, length, isOwn);
      }
    }

    @Override
    public void onRead(LinkHello of) {
      if (!isLosing) {
        hearing.put(of.listensAt(), env.nanoClock().nanoTime());
        handler.onRead(of);
      }
    }

    @Override
    public void onLastClosed(NodeId node) {
      handler.onLastClosed(node);
    }

    @Override
    public void onRefusal(String address, String reason) {
      handler.onRefusal(address, reason);
    }

    @Override
    public void onFault(String from, Throwable fault) {
      handler.onFault(from, fault);
    }

    @Override
    public void onFailure(String address, String reason) {
      handler.onFailure(address, reason);
    }
  }
}
