package dev.isogrid.cluster;

import dev.isogrid.base.Env;
import dev.isogrid.codec.ByteString;
import dev.isogrid.topology.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A network in memory, whose messages take no time: whoever flushes delivers all that waits, and
 * what follows from it, unless another thread does so already. Messages are encoded and decoded as
 * on real networks. Thread-safe.
 */
public final class LoopNetwork implements TransportOpener {
  private record Packet(Link from, Link to, @Nullable ByteString bytes) {}

  private static final long PAUSE_NANOS = 20_000;

  /** A bound on waiting, in real time: a node that takes longer hangs. */
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private final Map<NodeId, Link> links = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<Packet> packets = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isDelivering = new AtomicBoolean();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  // written by: watch
  private volatile ObjIntConsumer<Message> watcher = (_, _) -> {};

  @Override
  public Transport open(TransportConfig config, MessageCodec codec, Env env) {
    NodeId self = new NodeId(env.random().nextLong(), env.random().nextLong());
    Link link = new Link(self, codec);
    links.put(self, link);
    return link;
  }

  /** Drops all that a node sends and gets from now on, as if its host had died. */
  public void cutOff(NodeId node) {
    Link link = links.remove(node);
    if (link != null) {
      link.isCut = true;
    }
  }

  /** Makes the next message that a node sends fail. */
  public void failSending(NodeId node) {
    Objects.requireNonNull(links.get(node)).isFailing = true;
  }

  /** Loses messages of a kind that others send to a node, until it is called with null. */
  public void losing(NodeId node, @Nullable Class<? extends Message> kind) {
    Objects.requireNonNull(links.get(node)).lost = kind;
  }

  /**
   * Tells of each message that a node sends, with its bytes; called by the thread that sends it.
   */
  public void watch(ObjIntConsumer<Message> watching) {
    watcher = watching;
  }

  /** Has something done when a node closes its port, before the others see it. */
  public void whenClosing(NodeId node, Runnable task) {
    Objects.requireNonNull(links.get(node)).beforeClosing = task;
  }

  /** Waits until all messages are delivered, those included that another thread is at. */
  public void awaitDelivery() {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (isDelivering.get() || !packets.isEmpty()) {
      deliverAll();
      LockSupport.parkNanos(PAUSE_NANOS);
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("a message was not delivered in time");
      }
    }
  }

  /** Fails if a message could not be delivered. */
  public void check() {
    Throwable failed = failure.getAndSet(null);
    if (failed != null) {
      throw new AssertionError("a message was not delivered", failed);
    }
  }

  /** Shows all nodes who is present. */
  private void show() {
    links.values().forEach(link -> packets.add(new Packet(link, link, null)));
    deliverAll();
  }

  private void deliverAll() {
    while (!packets.isEmpty() && isDelivering.compareAndSet(false, true)) {
      try {
        for (Packet next = packets.poll(); next != null; next = packets.poll()) {
          deliver(next);
        }
      } finally {
        isDelivering.set(false);
      }
    }
  }

  private void deliver(Packet packet) {
    Link to = packet.to;
    TransportHandler handler = to.handler;
    if (handler == null || to.isCut || packet.from.isCut) {
      return;
    }
    ByteString bytes = packet.bytes;
    try {
      if (bytes == null) {
        handler.onView(new ViewHint(List.copyOf(links.keySet()), Set.of(), Map.of()));
      } else {
        byte[] array = bytes.toByteArray();
        Message message = to.codec.decode(array, 0, array.length);
        handler.onMessages(List.of(new TransportHandler.Received(packet.from.self, message)));
      }
    } catch (MalformedMessageException | RuntimeException failed) {
      failure.compareAndSet(null, failed);
    }
  }

  private final class Link implements Transport {
    private final NodeId self;
    private final MessageCodec codec;
    // written by: start
    private volatile @Nullable TransportHandler handler;
    // written by: cutOff, close
    private volatile boolean isCut;
    // written by: failSending, send
    private volatile boolean isFailing;
    // written by: losing
    private volatile @Nullable Class<? extends Message> lost;
    // written by: whenClosing, close
    private volatile Runnable beforeClosing = () -> {};

    Link(NodeId self, MessageCodec codec) {
      this.self = self;
      this.codec = codec;
    }

    @Override
    public NodeId self() {
      return self;
    }

    @Override
    public void start(TransportHandler receiving) {
      handler = receiving;
      show();
    }

    @Override
    public void send(NodeId to, Message message) {
      if (isFailing) {
        isFailing = false;
        throw new StackOverflowError("on purpose");
      }
      Link receiver = links.get(to);
      boolean isLost = receiver != null && message.getClass().equals(receiver.lost);
      if (!isCut && receiver != null) {
        ByteString bytes = ByteString.of(codec.encode(message));
        watcher.accept(message, bytes.length());
        if (!isLost) {
          packets.add(new Packet(this, receiver, bytes));
        }
      }
    }

    @Override
    public void flush(boolean mayBlock) {
      deliverAll();
    }

    @Override
    public void probe(NodeId node) {}

    @Override
    public void close() {
      beforeClosing.run();
      beforeClosing = () -> {};
      isCut = true;
      if (links.remove(self) != null) {
        show();
      }
    }
  }
}
