package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.cluster.RealNetwork;
import dev.isogrid.cluster.SeedAddress;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.engine.WouldWaitException;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Calls of a thread that must not wait, while another one holds the lock of the node's driver. A
 * test that waits for the lock never ends.
 */
class HeldDriverTest {
  private static final BinaryKey KEY = BinaryKey.of(new byte[] {1});
  private static final Bytes VALUE = Bytes.of("value".getBytes(StandardCharsets.UTF_8));

  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  /** Looks at the clock under the driver's lock only. */
  private volatile @Nullable Thread holder;

  private final Node node;

  HeldDriverTest() throws Exception {
    node = start();
  }

  private Node start() throws Exception {
    SeedAddress at = RealNetwork.freeAddresses(1).getFirst();
    ClusterConfig cluster =
        ClusterConfig.builder().bindPort(at.port()).seeds(List.of(at.toString())).build();
    Env system = Env.system();
    Env env = new Env(this::nanoTime, system.epochClock(), system.random(), system.scheduler());
    return Node.start(GridConfig.builder().nodeName("n").cluster(cluster).build(), env);
  }

  private long nanoTime() {
    if (Thread.currentThread().equals(holder)) {
      held.countDown();
      try {
        release.await();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
    return System.nanoTime();
  }

  private void holdDriver() throws InterruptedException {
    Thread holding = Thread.ofPlatform().unstarted(node::obstacle);
    holder = holding;
    holding.start();
    held.await();
  }

  @AfterEach
  void close() {
    release.countDown();
    node.close();
  }

  private CacheEngine<BinaryKey, Bytes> create(String name, int minInSync) {
    CacheConfig config =
        CacheConfig.builder()
            .mode(CacheMode.DIST_SYNC)
            .storage(StorageType.OFF_HEAP)
            .minInSync(minInSync)
            .build();
    node.createForServer(name, config);
    return requireNonNull(node.engine(name));
  }

  private static long put(CacheEngine<BinaryKey, Bytes> engine) {
    return engine.write(KEY, KEY.hash(), new KeyWrite<BinaryKey, Bytes>().put(VALUE), false);
  }

  private static boolean isThere(CacheEngine<BinaryKey, Bytes> engine) {
    return engine.read(KEY, KEY.hash(), engine.newView(), _ -> {}, false);
  }

  @Test
  void operations_whileTheDriverIsHeld_areDoneOrRefusedAtOnce() throws Exception {
    CacheEngine<BinaryKey, Bytes> own = create("own", 1);
    CacheEngine<BinaryKey, Bytes> copied = create("copied", 2);
    Await.until("its own", () -> !own.mayWait(KEY.hash(), false));
    Await.until("served", () -> !copied.mayWait(KEY.hash(), true));
    holdDriver();
    long version = put(own);
    assertTrue(version > 0);
    assertTrue(isThere(own));
    assertThrows(WouldWaitException.class, () -> put(copied));
    assertEquals(1, release.getCount());
    assertTrue(put(own) > version);
  }
}
