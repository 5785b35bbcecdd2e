package dev.isogrid.cluster;

import dev.isogrid.base.NanoClock;
import dev.isogrid.base.Scheduler;
import dev.isogrid.topology.NodeId;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether the processes of nodes are dead: whether connections to where they listened are
 * refused. Thread-safe; what blocks runs on threads of its own.
 */
final class GoneProber implements AutoCloseable {
  /*
   * A node is probed again and again for a short time from when it is suspected: a process that
   * ends closes its sockets one after the other, and perhaps another one soon listens in its place.
   * What comes later is of no use, since nobody waits for a silent node for longer than a lease
   * lasts. That is also why an address that is given to another host does no harm.
   *
   * A connection that is accepted or gets no answer says nothing.
   */
  private static final int PROBES_MAX = 40;
  private static final int PAUSE_MILLIS = 50;

  /** Less than what it takes an operating system to give up, which is no refusal. */
  private static final int CONNECT_MILLIS = 200;

  /** Nodes that are probed at once. Where more are suspected, it is the network. */
  private static final int PROBED_MAX = 64;

  private final Scheduler scheduler;
  private final Function<NodeId, @Nullable InetSocketAddress> lookup;
  private final NanoClock clock;
  private final ObjLongConsumer<NodeId> whenGone;
  private final Map<NodeId, InetSocketAddress> addresses = new ConcurrentHashMap<>();
  private final Set<NodeId> probed = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * Knows no node yet.
   *
   * @param lookup where a node listens, or null if that is not known; does not block
   * @param clock of the node: a refusal counts from when it came, however late it is looked at
   * @param whenGone gets the time of the refusal too; is called by any thread
   */
  GoneProber(
      Scheduler scheduler,
      NanoClock clock,
      Function<NodeId, @Nullable InetSocketAddress> lookup,
      ObjLongConsumer<NodeId> whenGone) {
    this.scheduler = scheduler;
    this.clock = clock;
    this.lookup = lookup;
    this.whenGone = whenGone;
  }

  /** Takes note of where nodes listen, while that is known, and probes those that are missing. */
  void present(Collection<NodeId> nodes) {
    for (NodeId node : List.copyOf(addresses.keySet())) {
      if (!nodes.contains(node)) {
        probe(node);
        addresses.remove(node);
      }
    }
    for (NodeId node : nodes) {
      InetSocketAddress address = addresses.containsKey(node) ? null : lookup.apply(node);
      if (address != null) {
        addresses.put(node, address);
      }
    }
  }

  /** Begins to probe a node, if that is possible and not done already. */
  void probe(NodeId node) {
    InetSocketAddress known = addresses.get(node);
    InetSocketAddress address = known == null ? lookup.apply(node) : known;
    if (address == null || probed.size() >= PROBED_MAX || !probed.add(node)) {
      return;
    }
    try {
      scheduler.execute(() -> probe(node, address));
    } catch (RejectedExecutionException closing) {
      probed.remove(node);
    }
  }

  private void probe(NodeId node, InetSocketAddress address) {
    try {
      for (int i = 0; i < PROBES_MAX; i++) {
        if (isRefused(address)) {
          whenGone.accept(node, clock.nanoTime());
          return;
        }
        if (closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      probed.remove(node);
    }
  }

  /** Whether a host says that nobody listens at an address. */
  static boolean isRefused(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address, CONNECT_MILLIS);
      return false;
    } catch (ConnectException refused) {
      return true;
    } catch (IOException noAnswer) {
      return false;
    }
  }

  /** Ends all probes. */
  @Override
  public void close() {
    closed.countDown();
  }
}
