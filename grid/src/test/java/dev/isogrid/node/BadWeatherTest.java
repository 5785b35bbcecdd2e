package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.CacheListener;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.ClusterSecret;
import dev.isogrid.api.ClusterTls;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.KeyAffinity;
import dev.isogrid.api.StorageType;
import dev.isogrid.cluster.JGroupsTransport;
import dev.isogrid.cluster.OtherVersionNode;
import dev.isogrid.cluster.RealNetwork;
import dev.isogrid.cluster.SeedAddress;
import dev.isogrid.cluster.TestKeys;
import dev.isogrid.testkit.Await;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole nodes when others, or their own users, misbehave. */
class BadWeatherTest {
  private static final int VALUE_BYTES = 4000;
  private static final int ATTEMPTS_MAX = 5;

  private static ClusterConfig.Builder cluster(SeedAddress at, List<SeedAddress> seeds) {
    return ClusterConfig.builder()
        .bindPort(at.port())
        .seeds(seeds.stream().map(SeedAddress::toString).toList())
        .joinTimeout(60, TimeUnit.SECONDS)
        .leaveTimeout(0, TimeUnit.SECONDS);
  }

  private static Grid start(
      SeedAddress at, List<SeedAddress> seeds, @Nullable ClusterTls tls, int timeoutSeconds) {
    return start(cluster(at, seeds).joinTimeout(timeoutSeconds, TimeUnit.SECONDS).tls(tls));
  }

  private static Grid start(ClusterConfig.Builder cluster) {
    ClusterConfig config = cluster.build();
    return Grid.start(
        GridConfig.builder().nodeName("n" + config.bindPort()).cluster(config).build());
  }

  private static String refusal(
      SeedAddress at, List<SeedAddress> seeds, @Nullable ClusterTls tls, int timeoutSeconds) {
    FatalGridException refused =
        assertThrows(FatalGridException.class, () -> start(at, seeds, tls, timeoutSeconds).close());
    return String.valueOf(refused.getMessage());
  }

  @Test
  void node_thatMeetsAnotherVersion_saysWhichBothSpeak() throws Exception {
    List<SeedAddress> addresses = RealNetwork.freeAddresses(2);
    String name = GridConfig.builder().build().clusterName();
    try (OtherVersionNode _ = new OtherVersionNode(name, addresses.getFirst())) {
      String message = refusal(addresses.getLast(), addresses, null, 60);
      assertTrue(message.contains("another version of the protocol"), message);
      assertTrue(message.contains("speaks=" + OtherVersionNode.VERSION), message);
    }
  }

  @Test
  void node_withAnotherCertificateOrNone_isRefused_andTheOthersGoOn(@TempDir Path folder)
      throws Exception {
    List<SeedAddress> addresses = RealNetwork.freeAddresses(3);
    Path ours = new TestKeys(folder, "ours", "EC").store.file();
    Path foreign = new TestKeys(folder, "foreign", "EC").store.file();
    String password = TestKeys.PASSWORD;
    ClusterTls right = new ClusterTls(ours, password, ours, password);
    ClusterTls stranger = new ClusterTls(foreign, password, foreign, password);
    List<SeedAddress> seeds = addresses.subList(0, 1);
    try (Grid one = start(addresses.get(0), seeds, right, 60);
        Grid other = start(addresses.get(1), seeds, right, 60)) {
      one.cache("c", EmbeddedNodes.distributed()).put("k", "v");
      String distrusted = refusal(addresses.get(2), seeds, stranger, 3);
      assertTrue(distrusted.contains("certificate=CN=ours"), distrusted);
      String plain = refusal(addresses.get(2), seeds, null, 3);
      assertTrue(plain.contains("no cluster: name="), plain);
      assertTrue(plain.contains(seeds.getFirst() + " takes connections"), plain);
      assertEquals("v", other.cache("c", EmbeddedNodes.distributed()).get("k"));
    }
  }

  @Test
  void node_withAnotherSecretOrNone_isRefusedInWords_andTheOthersGoOn() throws Exception {
    List<SeedAddress> addresses = RealNetwork.freeAddresses(3);
    List<SeedAddress> seeds = addresses.subList(0, 1);
    ClusterSecret right = new ClusterSecret("the secret of this cluster");
    ClusterSecret wrong = new ClusterSecret("the secret of another cluster");
    try (Grid one = start(cluster(addresses.get(0), seeds).secret(right));
        Grid other = start(cluster(addresses.get(1), seeds).secret(right))) {
      one.cache("c", EmbeddedNodes.distributed()).put("k", "v");
      String distrusted = refusal(cluster(addresses.get(2), seeds).secret(wrong));
      assertTrue(distrusted.contains("it has another secret than this node"), distrusted);
      String plain = refusal(cluster(addresses.get(2), seeds));
      assertTrue(plain.contains("no cluster: name="), plain);
      assertEquals("v", other.cache("c", EmbeddedNodes.distributed()).get("k"));
    }
  }

  private static String refusal(ClusterConfig.Builder config) {
    config.joinTimeout(3, TimeUnit.SECONDS);
    Exception refused = assertThrows(FatalGridException.class, () -> start(config).close());
    return String.valueOf(refused.getMessage());
  }

  @Test
  void listenersThatThrow_holdUpNeitherWritersNorOtherListeners() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(3)) {
      LongAdder heard = new LongAdder();
      for (int i = 0; i < 3; i++) {
        Cache<String, String> cache = nodes.node(i).cache("c", EmbeddedNodes.distributed());
        cache.addListener(event -> {
          throw new IllegalArgumentException("on purpose");
        });
        cache.addListener(event -> heard.increment());
      }
      Map<String, String> entries = new HashMap<>();
      for (int i = 0; i < 100; i++) {
        entries.put("key" + i, "value");
      }
      nodes.node(0).<String, String>cache("c").putAll(entries);
      for (int i = 0; i < 100; i++) {
        assertEquals("value", nodes.node(i % 3).<String, String>cache("c").put("key" + i, "b"));
      }
      Await.until("events", () -> heard.sum() == 3 * 200);
    }
  }

  /** On a busy machine a node may be taken for gone, which changes who decides on a write. */
  @Test
  void replicaWithoutMemory_hasWritesRefused_untilItHasSome() throws Exception {
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      if (areWritesWithoutMemoryRefused()) {
        return;
      }
    }
    fail("a node was taken for gone each time: attempts=" + ATTEMPTS_MAX);
  }

  /** Returns false if a node was taken for gone, so that nothing is known. */
  private static boolean areWritesWithoutMemoryRefused() throws Exception {
    CacheConfig everywhere =
        EmbeddedNodes.distributed().toBuilder().storage(StorageType.OFF_HEAP).owners(2).build();
    try (EmbeddedNodes nodes =
        EmbeddedNodes.start(
            2, i -> GridConfig.builder().offHeapMax(i == 0 ? 256 << 20 : 12 << 20))) {
      Cache<Integer, byte[]> large = nodes.node(0).cache("c", everywhere);
      Cache<Integer, byte[]> small = nodes.node(1).cache("c", everywhere);
      AtomicInteger numbers = new AtomicInteger();
      KeyAffinity<Integer> keys = nodes.node(0).keyAffinity("c", numbers::incrementAndGet);
      nodes.awaitCopies();
      int topology = epoch(nodes);
      fill(large, keys);
      if (topology != epoch(nodes)) {
        return false;
      }
      int key = keys.keyFor("n0");
      CacheFullException full =
          assertThrows(CacheFullException.class, () -> large.put(key, new byte[VALUE_BYTES]));
      String message = String.valueOf(full.getMessage());
      assertTrue(message.startsWith("no memory for a write on a node that keeps a copy"), message);
      assertEquals(2, requireNonNull(((Node) nodes.node(0)).topology()).members().size());
      assertEquals(large.size(), small.size());
      small.clear();
      assertNull(large.get(key));
      Await.until("room", () -> isStored(large, key));
      assertEquals(VALUE_BYTES, requireNonNull(small.get(key)).length);
      return true;
    }
  }

  @Test
  void cacheOfAnotherConfiguration_isRefused_andTheDifferenceNamed() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(2)) {
      CacheConfig present = EmbeddedNodes.distributed();
      nodes.node(0).createCache("c", present);
      CacheConfig wanted = present.toBuilder().owners(1).build();
      Grid other = nodes.node(1);
      String message =
          String.valueOf(
              assertThrows(InvalidRequestException.class, () -> other.createCache("c", wanted))
                  .getMessage());
      assertEquals("cache exists already: name=c, owners is 2, wanted 1", message);
    }
  }

  @Test
  void asyncInvalidations_thatWaitWhenANodeLeaves_areToldBefore() throws Exception {
    List<SeedAddress> addresses = RealNetwork.freeAddresses(2);
    List<SeedAddress> seeds = addresses.subList(0, 1);
    CacheConfig config = CacheConfig.builder().mode(CacheMode.INVALIDATION_ASYNC).build();
    try (Grid staying = start(cluster(addresses.get(0), seeds))) {
      Grid leaving = start(cluster(addresses.get(1), seeds).leaveTimeout(30, TimeUnit.SECONDS));
      Map<String, String> entries = new HashMap<>();
      for (int i = 0; i < 20_000; i++) {
        entries.put("key" + i, "old");
      }
      Cache<String, String> cache = staying.cache("c", config);
      cache.putAll(entries);
      CountDownLatch left = new CountDownLatch(1);
      AtomicBoolean isTooEarly = new AtomicBoolean();
      AtomicInteger slow = new AtomicInteger(3);
      cache.addListener(
          event -> {
            if (slow.getAndDecrement() > 0) {
              holdUp(left, isTooEarly);
            }
          },
          CacheListener.Delivery.SYNC);
      entries.replaceAll((_, _) -> "new");
      leaving.<String, String>cache("c", config).putAll(entries);
      leaving.close();
      left.countDown();
      assertFalse(isTooEarly.get(), "left before all was told");
      assertEquals(0, cache.size());
    }
  }

  /** Takes its time, so that a node that would not wait has left meanwhile. */
  private static void holdUp(CountDownLatch left, AtomicBoolean isTooEarly) {
    try {
      if (left.await(500, TimeUnit.MILLISECONDS)) {
        isTooEarly.set(true);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void nodeThatIsCutOff_servesNothingThatWasInvalidatedMeanwhile() throws Exception {
    CacheConfig config = CacheConfig.builder().mode(CacheMode.INVALIDATION_SYNC).build();
    try (EmbeddedNodes nodes = EmbeddedNodes.start(3)) {
      Cache<String, String> cut = nodes.node(2).cache("c", config);
      Cache<String, String> other = nodes.node(0).cache("c", config);
      nodes.node(1).cache("c", config);
      Await.until("an entry", () -> isStoredHere(cut));
      JGroupsTransport link = (JGroupsTransport) requireNonNull(((Node) nodes.node(2)).transport());
      RealNetwork.cut(link);
      other.put("k", "new");
      assertNull(cut.get("k"));
      RealNetwork.heal(link);
      Await.until("the way back", () -> isWrittenAndRead(cut));
      assertNull(cut.get("k"));
    }
  }

  /** Not at once if the node is new to the cluster. */
  private static boolean isStoredHere(Cache<String, String> cache) {
    cache.put("k", "old");
    return "old".equals(cache.get("k"));
  }

  private static boolean isWrittenAndRead(Cache<String, String> cache) {
    try {
      cache.put("other", "x");
    } catch (IndeterminateGridException notYet) {
      return false;
    }
    return "x".equals(cache.get("other"));
  }

  /** Stores entries that node n0 decides on, until it refuses more, or has too many. */
  private static void fill(Cache<Integer, byte[]> cache, KeyAffinity<Integer> keys) {
    int stored = 0;
    int refused = 0;
    while (refused < 200 && stored * (long) VALUE_BYTES < 13 << 20) {
      if (isStored(cache, keys.keyFor("n0"))) {
        stored++;
        refused = 0;
      } else {
        refused++;
      }
    }
  }

  private static int epoch(EmbeddedNodes nodes) {
    return requireNonNull(((Node) nodes.node(0)).topology()).epoch();
  }

  private static boolean isStored(Cache<Integer, byte[]> cache, int key) {
    try {
      cache.put(key, new byte[VALUE_BYTES]);
      return true;
    } catch (CacheFullException full) {
      return false;
    }
  }
}
