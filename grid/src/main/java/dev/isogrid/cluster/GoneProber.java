package dev.isogrid.cluster;

import dev.isogrid.base.NanoClock;
import dev.isogrid.base.Scheduler;
import dev.isogrid.topology.NodeId;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
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
   * A connection that is accepted or gets no answer says nothing. Firewalls that reject refuse
   * connections too, as does a living process for a moment. So a node counts as dead after several
   * refusals over some time, in which nothing came from it, and only when the connections that it
   * opened have ended: the system of a process that ends ends them, a firewall lets them stand. The
   * first of these refusals is the time that counts.
   */
  private static final int PROBES_MAX = 40;
  private static final int PAUSE_MILLIS = 50;

  /** Refusals that show a death, and the time from the first to the last one. */
  private static final int REFUSALS_MIN = 3;

  private static final long REFUSED_NANOS_MIN = 100_000_000;

  /** What the text of a refused connection begins with if a system has no other one. */
  private static final String REFUSED = "Connection refused";

  /** Less than what it takes an operating system to give up, which is no refusal. */
  private static final int CONNECT_MILLIS = 200;

  /** Nodes that are probed at once. Where more are suspected, it is the network. */
  private static final int PROBED_MAX = 64;

  /** Tells whether nodes gave signs of life. */
  @FunctionalInterface
  interface Life {
    /**
     * Returns whether something of a node came at a time or later, or a connection that it opened
     * is there yet. Any thread.
     */
    boolean isSeen(NodeId node, long sinceNanos);
  }

  private final Scheduler scheduler;
  private final Life life;
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
   * @param life shows which nodes are alive
   * @param whenGone gets the time of the refusal too; is called by any thread
   */
  GoneProber(
      Scheduler scheduler,
      NanoClock clock,
      Function<NodeId, @Nullable InetSocketAddress> lookup,
      Life life,
      ObjLongConsumer<NodeId> whenGone) {
    this.scheduler = scheduler;
    this.life = life;
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
      int refusals = 0;
      long first = clock.nanoTime();
      for (int i = 0; i < PROBES_MAX; i++) {
        boolean isRefused = isRefused(address);
        long now = clock.nanoTime();
        if (!isRefused) {
          refusals = 0;
        } else if (refusals == 0 || life.isSeen(node, first)) {
          refusals = 1;
          first = now;
        } else if (++refusals >= REFUSALS_MIN && now - first >= REFUSED_NANOS_MIN) {
          whenGone.accept(node, first);
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
    } catch (ConnectException failure) {
      return isRefusal(failure);
    } catch (IOException noAnswer) {
      return false;
    }
  }

  /** Whether a connection failed since it was refused, and not since nobody answered. */
  static boolean isRefusal(ConnectException failure) {
    return String.valueOf(failure.getMessage()).startsWith(Refusal.TEXT);
  }

  /** The text by which a connection is refused, in the language of the operating system. */
  private static final class Refusal {
    static final String TEXT = text();

    private static String text() {
      // an address that is taken, where nobody listens
      try (Socket taken = new Socket();
          Socket socket = new Socket()) {
        taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        socket.connect(taken.getLocalSocketAddress(), CONNECT_MILLIS);
      } catch (ConnectException refused) {
        // some JVMs add the address
        return String.valueOf(refused.getMessage()).split(":", 2)[0];
      } catch (IOException _) {
        // no loopback interface
      }
      return REFUSED;
    }
  }

  /** Ends all probes. */
  @Override
  public void close() {
    closed.countDown();
  }
}
