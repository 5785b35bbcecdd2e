package dev.isogrid.cluster;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.protocols.TP;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * A protocol of JGroups for tests, above the transport: what comes from the other side of a cut is
 * lost without a word. For all channels of this JVM, which it knows by their ports.
 */
public final class CuttableLink extends Protocol {
  private static final Set<CuttableLink> LINKS = ConcurrentHashMap.newKeySet();

  /** By port, the side; 0 if there is no cut. */
  private static final Map<Integer, Integer> SIDES = new ConcurrentHashMap<>();

  /** For JGroups. */
  public CuttableLink() {}

  /** Puts the node of a port on a side; nodes of different sides don't hear each other. */
  public static void cut(int port, int side) {
    SIDES.put(port, side);
  }

  /** Lets all hear each other again. */
  public static void heal() {
    SIDES.clear();
  }

  @Override
  public void start() throws Exception {
    super.start();
    LINKS.add(this);
  }

  @Override
  public void stop() {
    super.stop();
    LINKS.remove(this);
  }

  private int side() {
    TP transport = getTransport();
    return SIDES.getOrDefault(transport.getBindPort(), 0);
  }

  private boolean isLost(@Nullable Address from) {
    if (SIDES.isEmpty() || from == null) {
      return false;
    }
    for (CuttableLink link : LINKS) {
      if (from.equals(link.getAddress())) {
        return link.side() != side();
      }
    }
    return false;
  }

  @Override
  public @Nullable Object up(Message message) {
    return isLost(message.getSrc()) ? null : up_prot.up(message);
  }

  @Override
  public void up(MessageBatch batch) {
    batch.removeIf(message -> isLost(message.getSrc()), true);
    if (!batch.isEmpty()) {
      up_prot.up(batch);
    }
  }
}
