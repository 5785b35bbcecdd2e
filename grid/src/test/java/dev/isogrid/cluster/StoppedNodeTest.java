package dev.isogrid.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.Env;
import dev.isogrid.cluster.MembershipMessage.Fetch;
import dev.isogrid.cluster.MembershipMessage.Prepare;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.NodeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process is stopped for fifteen seconds, and given up meanwhile, while another one sends it all
 * it can.
 */
@Tag("deep")
class StoppedNodeTest {
  private static final long STOPPED_NANOS = 15_000_000_000L;
  private static final long PAUSE_NANOS = 1_000_000;

  /** 8 MB in the lane, two rounds of 16 MB; both once more after the node was given up. */
  private static final long BYTES_MAX = 96 << 20;

  /**
   * Sooner than silence is noticed: if its connection for that was not there yet when it stopped, a
   * node is no member any more before flow control holds anything back.
   */
  private static final long SOON_NANOS = 5_000_000_000L;

  private static final int URGENT_AT_ONCE = 300;
  private static final int STREAMED_AT_ONCE = 5;
  private static final Prepare LARGE = StreamCodec.large(1000);

  /**
   * How long the other node may hear nothing. A busy machine stops for less; a sender that waits
   * for the stopped node waits until that is given up, or goes on.
   */
  private static final long GAP_NANOS_MAX = 4_000_000_000L;

  private final Env env = Env.system();
  private final AtomicInteger received = new AtomicInteger();

  @AfterEach
  void close() {
    env.scheduler().close();
  }

  @Test
  void send_toStoppedNode_isBoundedAndHoldsUpNobody() throws Exception {
    run(null);
  }

  @Test
  void send_toStoppedNodeOverTls_isBoundedAndHoldsUpNobody(@TempDir Path folder) throws Exception {
    run(new TestKeys(folder, "node", "EC").store);
  }

  private void run(TlsKeys.@Nullable StoreFile keys) throws Exception {
    List<SeedAddress> addresses = RealNetwork.freeAddresses(3);
    String[] arguments = {"" + addresses.get(2).port(), "" + addresses.get(0).port()};
    try (JGroupsTransport one = open(addresses.get(0).port(), addresses.getFirst(), keys);
        JGroupsTransport other = open(addresses.get(1).port(), addresses.getFirst(), keys);
        SilentNode silent =
            keys == null
                ? SilentNode.start(arguments)
                : SilentNode.start(arguments[0], arguments[1], keys.file().toString())) {
      other.start(
          new TransportHandler() {
            @Override
            public void onMessages(List<Received> messages) {
              received.addAndGet(messages.size());
            }

            @Override
            public void onView(ViewHint view) {}
          });
      Await.until("three nodes", () -> one.channel().getView().size() == 3);
      NodeId stopped =
          one.channel().getView().getMembers().stream()
              .map(JGroupsReceiver::node)
              .filter(node -> !node.equals(one.self()) && !node.equals(other.self()))
              .findFirst()
              .orElseThrow();
      long before = usedBytes();
      silent.signal("STOP");
      check(one, other, stopped, before);
      silent.signal("CONT");
    }
  }

  private JGroupsTransport open(int port, SeedAddress seed, @Nullable TlsKeys keys) {
    TransportTls tls = keys == null ? null : new TransportTls.Keys(keys, keys);
    Discovery seeds = new Discovery.Seeds(List.of(seed));
    return JGroupsTransport.open(
        new TransportConfig("stopped", "127.0.0.1", port, 0, seeds, null, tls),
        new StreamCodec(),
        env);
  }

  private void check(JGroupsTransport one, JGroupsTransport other, NodeId stopped, long bytesBefore)
      throws Exception {
    long begin = System.nanoTime();
    long heard = begin;
    int answered = 0;
    long gap = 0;
    long most = 0;
    boolean isGivenUpSoon = false;
    for (int round = 0; System.nanoTime() - begin < STOPPED_NANOS; round++) {
      boolean isLaneFull = one.counters().streamOverflows() > 0;
      boolean isMember = one.channel().getView().size() == 3;
      isGivenUpSoon |= !isLaneFull && !isMember && System.nanoTime() - begin < SOON_NANOS;
      for (int i = 0; i < URGENT_AT_ONCE && (isLaneFull || isGivenUpSoon); i++) {
        one.send(stopped, new Fetch(i));
      }
      for (int i = 0; i < STREAMED_AT_ONCE; i++) {
        one.send(stopped, LARGE);
        one.flush(false);
      }
      one.send(other.self(), new Fetch(round));
      one.flush(false);
      long now = System.nanoTime();
      gap = Math.max(gap, now - heard);
      if (received.get() > answered) {
        answered = received.get();
        heard = now;
      }
      if (round % 1000 == 0) {
        most = Math.max(most, usedBytes());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    TransportCounters lost = one.counters();
    long used = Math.max(most, usedBytes()) - bytesBefore;
    assertTrue(lost.streamOverflows() > 0 || isGivenUpSoon, lost::toString);
    assertTrue(lost.unconfirmed() > 0, lost::toString);
    assertTrue(used < BYTES_MAX, "MB: " + (used >> 20));
    assertTrue(gap < GAP_NANOS_MAX, "gap: " + Duration.ofNanos(gap));
    int sent = received.get();
    one.send(other.self(), new Fetch(1));
    one.flush(false);
    Await.until("one more", () -> received.get() > sent);
  }

  private static long usedBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
