package dev.isogrid.bench.cluster;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Passes the messages of a cluster's operations between nodes, and does nothing else: no entries,
 * no order, no failures. So its figures are the least that a cluster can have whose writes go from
 * the caller to the primary, from there to the backup, and back the same way.
 *
 * <p>Each node has one event loop and a connection to each other one. A caller hands its message to
 * the event loop, and is woken when the answer is there. All messages that were read in one go are
 * answered before anything is flushed.
 */
final class FloorMember implements ClusterMember {
  /** To the primary: stores a value, and wants the one before. */
  private static final int PUT = 1;

  /** To the primary: stores a value. */
  private static final int SET = 2;

  /** To the primary: wants the value. */
  private static final int GET = 3;

  /** To the backup. */
  private static final int APPEND = 4;

  /** From the backup. */
  private static final int APPENDED = 5;

  /** To the caller. */
  private static final int DONE = 6;

  /** The length, the kind, the kind of operation, the caller's node and thread, the key's hash. */
  private static final int HEADER_BYTES = 4 + 1 + 1 + 4 + 4 + 4;

  private static final int FRAME_BYTES_MAX = 16 << 20;
  private static final int CALLERS_MAX = 1024;
  private static final byte[] NOTHING = {};

  /** A thread that waits for an answer, as the event loop sees it. */
  private static final class Caller {
    final int number;
    final Thread thread;
    volatile byte @Nullable [] answer;

    Caller(int number, Thread thread) {
      this.number = number;
      this.thread = thread;
    }
  }

  /** A message that a caller hands over. */
  private record Message(int node, ByteBuf frame) {}

  private final int self;
  private final List<Integer> ports;
  private final EventLoop loop;
  private final Class<? extends SocketChannel> socketClass;
  private final Map<Integer, Channel> channels = new ConcurrentHashMap<>();
  private final Queue<Message> handedOver = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isWoken = new AtomicBoolean();
  private final AtomicInteger callerCount = new AtomicInteger();
  private final Caller[] callers = new Caller[CALLERS_MAX];
  private final Map<Thread, Caller> callerOf = new ConcurrentHashMap<>();
  private final LongAdder messages = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final Values cache = new Values();

  /** The value that all keys have. */
  private volatile byte[] value = NOTHING;

  private FloorMember(int port, List<Integer> ports) throws IOException {
    this.ports = List.copyOf(ports.subList(0, ClusterBenchmark.NODES));
    this.self = this.ports.indexOf(port);
    boolean isEpoll = Epoll.isAvailable();
    IoHandlerFactory handlers = isEpoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    this.loop = new MultiThreadIoEventLoopGroup(1, handlers).next();
    this.socketClass = isEpoll ? EpollSocketChannel.class : NioSocketChannel.class;
    Class<? extends ServerSocketChannel> serverClass =
        isEpoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    new ServerBootstrap()
        .group(loop)
        .channel(serverClass)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childHandler(receiver())
        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
        .syncUninterruptibly();
  }

  static FloorMember open(int port, List<Integer> ports) throws IOException {
    return new FloorMember(port, ports);
  }

  private ChannelInitializer<SocketChannel> receiver() {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(SocketChannel channel) {
        channel
            .pipeline()
            .addLast(new LengthFieldBasedFrameDecoder(FRAME_BYTES_MAX, 0, 4))
            .addLast(new Receiver());
      }
    };
  }

  private Caller newCaller(Thread thread) {
    Caller created = new Caller(callerCount.getAndIncrement(), thread);
    callers[created.number] = created;
    return created;
  }

  private int primary(int hash) {
    return Math.floorMod(hash, ports.size());
  }

  private int backup(int hash) {
    return (primary(hash) + 1 + (hash >>> 8 & 1)) % ports.size();
  }

  /** Answers the messages of a connection. */
  private final class Receiver extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
      ByteBuf message = (ByteBuf) frame;
      try {
        message.skipBytes(4);
        receive(message);
      } finally {
        message.release();
      }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      flush();
    }
  }

  // ---- on the event loop

  private void receive(ByteBuf message) {
    int kind = message.readByte();
    int operation = message.readByte();
    int from = message.readInt();
    int thread = message.readInt();
    int hash = message.readInt();
    switch (kind) {
      case GET -> send(from, frame(DONE, operation, from, thread, hash, value));
      case PUT, SET -> {
        byte[] written = bytesOf(message);
        value = written;
        send(backup(hash), frame(APPEND, operation, from, thread, hash, written));
      }
      case APPEND -> {
        value = bytesOf(message);
        send(primary(hash), frame(APPENDED, operation, from, thread, hash, NOTHING));
      }
      case APPENDED -> answer(operation, from, thread, hash);
      default -> wake(thread, bytesOf(message));
    }
  }

  private static byte[] bytesOf(ByteBuf message) {
    byte[] bytes = new byte[message.readableBytes()];
    message.readBytes(bytes);
    return bytes;
  }

  private void answer(int operation, int from, int thread, int hash) {
    byte[] before = operation == PUT ? value : NOTHING;
    if (from == self) {
      wake(thread, before);
    } else {
      send(from, frame(DONE, operation, from, thread, hash, before));
    }
  }

  private void wake(int thread, byte[] answer) {
    Caller woken = callers[thread];
    woken.answer = answer;
    LockSupport.unpark(woken.thread);
  }

  private void send(int node, ByteBuf frame) {
    messages.increment();
    bytes.add(frame.readableBytes());
    Channel channel = Objects.requireNonNull(channels.get(node));
    channel.write(frame, channel.voidPromise());
  }

  private void flush() {
    channels.values().forEach(Channel::flush);
  }

  private void takeOver() {
    isWoken.set(false);
    for (Message next = handedOver.poll(); next != null; next = handedOver.poll()) {
      send(next.node, next.frame);
    }
    flush();
  }

  // ---- on the threads of callers

  // tidy: the fields of a message
  private static ByteBuf frame(
      int kind, int operation, int node, int thread, int hash, byte[] content) {
    int length = HEADER_BYTES + content.length;
    return ByteBufAllocator.DEFAULT
        .directBuffer(length)
        .writeInt(length - 4)
        .writeByte(kind)
        .writeByte(operation)
        .writeInt(node)
        .writeInt(thread)
        .writeInt(hash)
        .writeBytes(content);
  }

  /** Sends an operation, and waits for the answer. */
  private byte[] call(int kind, int hash, byte[] content) {
    Caller own = callerOf.computeIfAbsent(Thread.currentThread(), this::newCaller);
    own.answer = null;
    if (primary(hash) == self) {
      value = content;
      handOver(backup(hash), frame(APPEND, kind, self, own.number, hash, content));
    } else {
      handOver(primary(hash), frame(kind, kind, self, own.number, hash, content));
    }
    byte[] answer = own.answer;
    while (answer == null) {
      LockSupport.park(this);
      answer = own.answer;
    }
    return answer;
  }

  private void handOver(int node, ByteBuf frame) {
    handedOver.add(new Message(node, frame));
    if (isWoken.compareAndSet(false, true)) {
      loop.execute(this::takeOver);
    }
  }

  /** The operations that are measured; each key has the value that was written last. */
  private final class Values extends AbstractMap<String, byte[]>
      implements ConcurrentMap<String, byte[]> {
    @Override
    public byte[] put(String key, byte[] written) {
      return call(PUT, key.hashCode(), written);
    }

    /** Asks another node for the keys of which this one would have no copy. */
    @Override
    public byte[] get(Object key) {
      int hash = key.hashCode();
      boolean isHere = primary(hash) == self || backup(hash) == self;
      return isHere ? value : call(GET, hash, NOTHING);
    }

    @Override
    public Set<Entry<String, byte[]>> entrySet() {
      throw new UnsupportedOperationException("no entries");
    }

    @Override
    public byte[] putIfAbsent(String key, byte[] written) {
      throw new UnsupportedOperationException("not measured");
    }

    @Override
    public boolean remove(Object key, Object expected) {
      throw new UnsupportedOperationException("not measured");
    }

    @Override
    public boolean replace(String key, byte[] expected, byte[] written) {
      throw new UnsupportedOperationException("not measured");
    }

    @Override
    public byte[] replace(String key, byte[] written) {
      throw new UnsupportedOperationException("not measured");
    }
  }

  // ---- the node

  /** Ends the event loop, and with it all connections. */
  void close() {
    loop.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS).syncUninterruptibly();
  }

  @Override
  public ConcurrentMap<String, byte[]> cache() {
    return cache;
  }

  @Override
  public void set(String key, byte[] written) {
    call(SET, key.hashCode(), written);
  }

  @Override
  public MemberCounts counts() {
    return new MemberCounts(0, messages.sum(), bytes.sum(), 0);
  }

  /** Connects to the others that are there. */
  @Override
  public boolean isComplete(int nodes) {
    for (int node = 0; node < Math.min(nodes, ports.size()); node++) {
      if (node != self && !channels.containsKey(node) && !tryConnect(node)) {
        return false;
      }
    }
    return true;
  }

  private boolean tryConnect(int node) {
    ChannelFuture connected =
        new Bootstrap()
            .group(loop)
            .channel(socketClass)
            .option(ChannelOption.TCP_NODELAY, true)
            .handler(receiver())
            .connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.get(node)))
            .awaitUninterruptibly();
    if (connected.isSuccess()) {
      channels.put(node, connected.channel());
    }
    return connected.isSuccess();
  }

  @Override
  public ConcurrentMap<String, Long> numbers() {
    throw new UnsupportedOperationException("no entries");
  }

  @Override
  public ConcurrentMap<String, String> texts() {
    throw new UnsupportedOperationException("no entries");
  }

  @Override
  public void putMortal(String key, byte[] written) {
    throw new UnsupportedOperationException("no entries");
  }

  @Override
  public int nodes() {
    return ports.size();
  }

  @Override
  public String primary(String key) {
    throw new UnsupportedOperationException("no entries");
  }

  @Override
  public boolean isHere(String key) {
    throw new UnsupportedOperationException("no entries");
  }

  @Override
  public long localSize() {
    return 0;
  }

  @Override
  public int localSegments() {
    return 0;
  }

  @Override
  public int segments() {
    return 0;
  }
}
