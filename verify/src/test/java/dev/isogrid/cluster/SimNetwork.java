package dev.isogrid.cluster;

import static dev.isogrid.base.SimTime.MILLI;

import dev.isogrid.base.Env;
import dev.isogrid.base.SimProcess;
import dev.isogrid.base.SimTime;
import dev.isogrid.topology.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The network of a simulated world. Messages are encoded when they are sent and decoded when they
 * arrive. In between they may be lost, doubled, late and out of order. Streams use the lanes of the
 * product, and wait there for a slow link.
 */
public final class SimNetwork {
  /** The longest time until the end of a process is noticed. */
  private static final long NOTICE_MAX = 200 * MILLI;

  /** The interval of discovery between nodes, whatever the cluster decided. */
  private static final long DISCOVERY = 1000 * MILLI;

  private static final long PROBES_MAX = 20;
  private static final long PROBE_PAUSE = 50 * MILLI;

  /** The most messages that wait for one link: more are dropped, as a system's queue does. */
  private static final int BATCH_MAX = 256;

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private static final int PORT = 7800;

  private final SimTime time;
  private final SplittableRandom random;
  private final Map<NodeId, Link> links = new LinkedHashMap<>();
  private final Map<Long, Long> cutUntil = new HashMap<>();
  private final Map<NodeId, Runnable> whenCoded = new HashMap<>();
  private double lossRate;
  private double doubleRate;
  private double lateRate;
  private long delayMax = 2 * MILLI;
  private long bytesPerSecond = Long.MAX_VALUE;
  private long lastNode;
  private long delivered;
  private long bytes;

  /** Makes a network without connections. */
  public SimNetwork(SimTime time) {
    this.time = time;
    this.random = time.random().split();
    time.after(DISCOVERY, this::discover);
  }

  /** The transport of a process. */
  public TransportOpener opener(SimProcess process, String host) {
    return (config, codec, env) -> open(process, host, codec, env);
  }

  /** The same, opened. */
  Transport open(SimProcess process, String host, MessageCodec codec, Env env) {
    NodeId self = new NodeId(0, ++lastNode);
    Link link = new Link(self, process, new SeedAddress(host, PORT), codec, env);
    links.put(self, link);
    return link;
  }

  /** The number of messages that arrived. */
  public long delivered() {
    return delivered;
  }

  /** The number of bytes that arrived. */
  public long bytes() {
    return bytes;
  }

  // ---- weather

  /** Changes the weather. */
  public void weather(double loss, double doubles, double late, long delayMaxNanos) {
    lossRate = loss;
    doubleRate = doubles;
    lateRate = late;
    delayMax = delayMaxNanos;
  }

  /** Sets the capacity of links. */
  public void bandwidth(long perSecond) {
    bytesPerSecond = perSecond;
  }

  /** Drops all messages from one node to another for some time. */
  public void cut(NodeId from, NodeId to, long nanos) {
    cutUntil.put(pair(from, to), time.nanos() + nanos);
  }

  /**
   * Sets an action for each message that a node encodes or decodes, null for none.
   *
   * @param told may throw an error, which encoding or decoding the message then does
   */
  public void whenCoded(NodeId node, @Nullable Runnable told) {
    if (told == null) {
      whenCoded.remove(node);
    } else {
      whenCoded.put(node, told);
    }
  }

  private void coded(NodeId node) {
    Runnable told = whenCoded.get(node);
    if (told != null) {
      told.run();
    }
  }

  /** Ends all cuts and slow links, and messages are coded without errors. */
  public void heal() {
    cutUntil.clear();
    whenCoded.clear();
    weather(0, 0, 0, 2 * MILLI);
    bandwidth(Long.MAX_VALUE);
  }

  private boolean isCut(NodeId from, NodeId to) {
    return time.nanos() < cutUntil.getOrDefault(pair(from, to), 0L);
  }

  private static long pair(NodeId from, NodeId to) {
    return from.low() << 32 | to.low();
  }

  // ---- processes that end

  /**
   * Ends a process: no messages come from it or go to it any more, and others notice.
   *
   * @param isRefused whether its host still refuses connections, so that others can detect the end
   */
  public void crash(SimProcess process, boolean isRefused) {
    for (Link link : List.copyOf(links.values())) {
      if (link.process == process && !link.isDead) {
        link.isDead = true;
        link.isClosed = true;
        link.isSilent = !isRefused;
        noticed(link);
      }
    }
  }

  /** Handles ended connections to a node: their peers check whether it is dead. */
  private void noticed(Link gone) {
    for (Link other : links.values()) {
      if (other != gone && !other.isClosed) {
        long delay = random.nextInt(4) == 0 ? MILLI : random.nextLong(NOTICE_MAX);
        time.after(delay, () -> other.probe(gone.self));
      }
    }
  }

  private void discover() {
    links.values().removeIf(link -> link.isForgotten());
    for (Link link : links.values()) {
      if (link.handler != null && !link.isClosed) {
        link.see(present(link), Map.of());
      }
    }
    time.after(DISCOVERY, this::discover);
  }

  private List<NodeId> present(Link viewer) {
    List<NodeId> seen = new ArrayList<>();
    for (Link other : links.values()) {
      boolean isSeen = !isCut(viewer.self, other.self) && !isCut(other.self, viewer.self);
      if (other == viewer || (!other.isClosed && other.handler != null && isSeen)) {
        seen.add(other.self);
      }
    }
    return seen;
  }

  /** One node's end of the network. */
  private final class Link implements Transport {
    private final NodeId self;
    private final SimProcess process;
    private final SeedAddress address;
    private final MessageCodec codec;
    private final Env env;
    private final Map<NodeId, SendLane> lanes = new LinkedHashMap<>();
    private final ArrayDeque<SendLane> unsent = new ArrayDeque<>();
    private final ArrayDeque<Runnable> arrived = new ArrayDeque<>();
    private final List<TransportHandler.Received> batch = new ArrayList<>();
    private final Set<NodeId> probed = new LinkedHashSet<>();
    private final Map<NodeId, Long> arrivals = new LinkedHashMap<>();
    private @Nullable TransportHandler handler;
    private boolean isDraining;
    private boolean isClosed;
    private boolean isDead;
    private boolean isSilent;
    private long endedNanos;
    private long freeAt;

    Link(NodeId self, SimProcess process, SeedAddress address, MessageCodec codec, Env env) {
      this.self = self;
      this.process = process;
      this.address = address;
      this.codec = codec;
      this.env = env;
    }

    boolean isForgotten() {
      if (isClosed && endedNanos == 0) {
        endedNanos = time.nanos();
      }
      return isClosed && time.nanos() - endedNanos > 10 * DISCOVERY;
    }

    @Override
    public NodeId self() {
      return self;
    }

    @Override
    public @Nullable Long lastArrivalNanos(NodeId node) {
      return arrivals.get(node);
    }

    @Override
    public SeedAddress listensAt() {
      return address;
    }

    @Override
    public void start(TransportHandler receiving) {
      handler = receiving;
      see(present(this), Map.of());
      for (Link other : links.values()) {
        if (other != this && other.handler != null && !other.isClosed) {
          time.after(random.nextLong(DISCOVERY), () -> other.see(present(other), Map.of()));
        }
      }
    }

    // ---- sending

    @Override
    public void send(NodeId to, Message message) {
      if (isClosed) {
        return;
      }
      byte[] encoded;
      try {
        coded(self);
        encoded = codec.encode(message);
      } catch (IllegalArgumentException tooLarge) {
        return; // counted and logged by the real transport
      }
      if (!codec.isStream(message)) {
        post(to, encoded);
        return;
      }
      lanes
          .computeIfAbsent(
              to, node -> new SendLane(env.scheduler(), bytes -> stream(node, bytes), unsent::add))
          .tryAdd(encoded);
    }

    @Override
    public void flush(boolean mayBlock) {
      for (SendLane lane = unsent.poll(); lane != null; lane = unsent.poll()) {
        if (mayBlock) {
          lane.sendHere();
        } else {
          lane.sendAside();
        }
      }
    }

    /** Waits until the node's own connection to the network has room. */
    private void stream(NodeId to, byte[] encoded) {
      if (bytesPerSecond != Long.MAX_VALUE) {
        long begin = Math.max(time.nanos(), freeAt);
        freeAt = begin + encoded.length * NANOS_PER_SECOND / bytesPerSecond;
        env.nanoClock().pause(freeAt - time.nanos());
      }
      post(to, encoded);
    }

    private void post(NodeId to, byte[] encoded) {
      Link receiver = links.get(to);
      if (receiver == null || isClosed) {
        return;
      }
      boolean isLost = random.nextDouble() < lossRate;
      boolean isDouble = random.nextDouble() < doubleRate;
      long delay = 100_000 + random.nextLong(delayMax);
      if (random.nextDouble() < lateRate) {
        delay += random.nextLong(3000 * MILLI);
      }
      if (isCut(self, to)) {
        // bytes in flight may arrive after the end of the cut
        long end = cutUntil.getOrDefault(pair(self, to), 0L) - time.nanos();
        isLost = random.nextInt(20) != 0;
        delay = end + random.nextLong(500 * MILLI);
      }
      if (!isLost) {
        time.after(delay, () -> receiver.arrive(this, encoded));
      }
      if (isDouble) {
        time.after(delay + random.nextLong(3000 * MILLI), () -> receiver.arrive(this, encoded));
      }
    }

    // ---- receiving

    private void arrive(Link from, byte[] encoded) {
      if (isClosed || isDead) {
        return;
      }
      delivered++;
      bytes += encoded.length;
      time.note(self.low() * 1_000_003 + encoded.length * 31L + encoded[1]);
      arrivals.put(from.self, env.nanoClock().nanoTime());
      arrived.add(() -> decode(from, encoded));
      wake();
    }

    private void decode(Link from, byte[] encoded) {
      try {
        coded(self);
        Message message = codec.decode(encoded, 0, encoded.length);
        batch.add(new TransportHandler.Received(from.self, message));
      } catch (MalformedMessageException e) {
        throw new IllegalStateException(e);
      }
    }

    private void see(List<NodeId> present, Map<NodeId, Long> gone) {
      arrived.add(() -> {
        deliver();
        if (handler != null) {
          handler.onView(new ViewHint(present, Set.of(), gone));
        }
      });
      wake();
    }

    private void wake() {
      if (handler != null && !isDraining) {
        isDraining = true;
        process.run(this::drain);
      }
    }

    /** Hands over what has come. A handler that fails with an error is told so, as ever. */
    private void drain() {
      try {
        while (!isClosed && !arrived.isEmpty()) {
          arrived.remove().run();
          if (batch.size() >= BATCH_MAX || arrived.isEmpty()) {
            deliver();
          }
        }
      } catch (Error unexpected) {
        if (handler == null || isClosed) {
          throw unexpected;
        }
        handler.onFailure(unexpected);
      } finally {
        isDraining = false;
        batch.clear();
      }
    }

    private void deliver() {
      if (!batch.isEmpty() && handler != null) {
        List<TransportHandler.Received> all = List.copyOf(batch);
        batch.clear();
        handler.onMessages(all);
      }
    }

    // ---- ended processes

    @Override
    public void probe(NodeId node) {
      if (!isClosed && probed.add(node)) {
        probe(node, 0);
      }
    }

    private void probe(NodeId node, int attempt) {
      Link other = links.get(node);
      boolean isCutOff = isCut(self, node) || isCut(node, self);
      boolean isRefused = other != null && other.isClosed && !other.isSilent && !isCutOff;
      if (isClosed) {
        return;
      }
      if (isRefused && !process.isPaused()) {
        probed.remove(node);
        see(present(this), Map.of(node, env.nanoClock().nanoTime()));
      } else if (attempt == PROBES_MAX) {
        probed.remove(node);
      } else {
        time.after(PROBE_PAUSE, () -> probe(node, attempt + 1));
      }
    }

    @Override
    public void close() {
      if (!isClosed) {
        isClosed = true;
        lanes.values().forEach(SendLane::clear);
        noticed(this);
      }
    }
  }
}
