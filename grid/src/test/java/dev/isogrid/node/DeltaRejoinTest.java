package dev.isogrid.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Fsync;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Mutation;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.Topology;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that comes back to its cluster with its folder is sent what changed. */
class DeltaRejoinTest {
  private static final String CACHE = "orders";
  private static final CacheConfig CONFIG =
      ClusterStoreTest.config(CacheMode.REPL_SYNC, Fsync.INTERVAL);
  private static final int ENTRIES = 20_000;

  @TempDir private Path folder;

  private final StoredNodes nodes = new StoredNodes();

  @AfterEach
  void close() {
    nodes.close();
  }

  private Path data(String name) {
    return folder.resolve(name);
  }

  private static Cache<String, String> cache(Node node) {
    return requireNonNull(node.findCache(CACHE));
  }

  private static String value(int key, String what) {
    return "%s-%060d".formatted(what, key);
  }

  private static void fill(Node node, int count) {
    Cache<String, String> cache = node.cache(CACHE, CONFIG);
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < count; i++) {
      many.put("key-" + i, value(i, "old"));
    }
    cache.putAll(many);
  }

  private static void awaitCopies(Node node, int copies) {
    Await.until(
        "copies",
        () -> {
          Topology known = requireNonNull(node.topology());
          return known.members().size() == copies
              && known.segments().stream().allMatch(each -> each.isr().size() == copies);
        });
  }

  /** Starts a node again, waits for its copies; returns the bytes that another one sent. */
  private long bytesOfRejoin(Node living, String name, Path data, int members) {
    long before = living.copyState().bytesSent();
    Node again = nodes.start(name, data);
    awaitCopies(living, members);
    Map<String, String> expected = new TreeMap<>(cache(living));
    long sent = living.copyState().bytesSent() - before;
    nodes.stop(living);
    assertEquals(expected, new TreeMap<>(cache(again)));
    return sent;
  }

  private static long bytesOfAll() {
    return (long) ENTRIES * value(0, "old").length();
  }

  @Test
  void rejoin_afterFewEntriesChanged_isSentFewBytes() {
    Node a = nodes.start("a", data("a"));
    Node b = nodes.start("b", data("b"));
    fill(a, ENTRIES);
    awaitCopies(a, 2);
    nodes.stop(b);
    awaitCopies(a, 1);
    for (int i = 0; i < ENTRIES; i += 100) {
      cache(a).put("key-" + i, value(i, "new"));
    }

    long sent = bytesOfRejoin(a, "b", data("b"), 2);
    long all = bytesOfAll();
    assertTrue(sent * 100 <= all * 3, "sent " + sent + " of " + all);
  }

  @Test
  void rejoin_afterEntriesWereRemoved_hasThemNoMore() {
    Node a = nodes.start("a", data("a"));
    Node b = nodes.start("b", data("b"));
    fill(a, ENTRIES);
    awaitCopies(a, 2);
    nodes.stop(b);
    awaitCopies(a, 1);
    for (int i = 0; i < ENTRIES; i += 100) {
      cache(a).remove("key-" + i);
      cache(a).put("other-" + i, value(i, "new"));
    }

    long sent = bytesOfRejoin(a, "b", data("b"), 2);
    long all = bytesOfAll();
    assertTrue(sent * 100 <= all * 5, "sent " + sent + " of " + all);
  }

  @Test
  void rejoin_afterAllWasCleared_hasNothingOfBefore() {
    Node a = nodes.start("a", data("a"));
    Node b = nodes.start("b", data("b"));
    fill(a, 1000);
    awaitCopies(a, 2);
    nodes.stop(b);
    awaitCopies(a, 1);
    cache(a).clear();
    cache(a).put("key-1", "new");

    long sent = bytesOfRejoin(a, "b", data("b"), 2);
    assertTrue(sent < 40_000, "sent " + sent);
  }

  @Test
  void rejoin_ofKilledNodes_whileEntriesChange_isRight() throws Exception {
    Random random = new Random(7);
    Node a = nodes.start("a", data("a"));
    Node b = nodes.start("b", data("b"));
    fill(a, 2000);
    awaitCopies(a, 2);
    for (int round = 0; round < 3; round++) {
      Path killed = StoredNodes.copy(data("b"), folder.resolve("killed-" + round));
      change(a, random, 200);
      nodes.kill(b);
      change(a, random, 200);
      String name = "b" + round;
      long before = a.copyState().bytesSent();
      b = nodes.start(name, killed);
      change(a, random, 400);
      awaitCopies(a, 2);
      assertEquals(new TreeMap<>(cache(a)), new TreeMap<>(cache(b)));
      assertTrue(a.copyState().bytesSent() > before);
    }
    Map<String, String> expected = new TreeMap<>(cache(a));
    nodes.stop(a);
    assertEquals(expected, new TreeMap<>(cache(b)));
  }

  private static BinaryKey key(int number) {
    return BinaryKey.of(("k" + number).getBytes(UTF_8));
  }

  private static void write(Node node, int number, Mutation<BinaryKey, Bytes> mutation) {
    BinaryKey key = key(number);
    long _ = requireNonNull(node.engine(CACHE)).write(key, key.hash(), mutation);
  }

  private static long lifespan(Node node, int number) {
    long[] lifespan = new long[1];
    write(
        node,
        number,
        (current, _) -> lifespan[0] = current.isPresent() ? current.lifespanMillis() : 0);
    return lifespan[0];
  }

  @Test
  void rejoin_afterEntriesWereTouched_hasTheirTimes() {
    Node a = nodes.start("a", data("a"));
    Node b = nodes.start("b", data("b"));
    fill(a, 1);
    for (int i = 0; i < 200; i++) {
      Bytes value = Bytes.of(value(i, "old").getBytes(UTF_8));
      write(a, i, (_, effect) -> effect.store(value, 3_600_000, -1, 0, null));
    }
    awaitCopies(a, 2);
    nodes.stop(b);
    awaitCopies(a, 1);
    for (int i = 0; i < 200; i += 10) {
      write(a, i, (_, effect) -> effect.touch(7_200_000, -1));
    }

    long before = a.copyState().bytesSent();
    Node again = nodes.start("b", data("b"));
    awaitCopies(a, 2);
    assertTrue(a.copyState().bytesSent() - before < 200L * 70);
    nodes.stop(a);
    for (int i = 0; i < 200; i++) {
      assertEquals(i % 10 == 0 ? 7_200_000 : 3_600_000, lifespan(again, i), "entry " + i);
    }
  }

  private static void change(Node node, Random random, int count) {
    Cache<String, String> cache = cache(node);
    for (int i = 0; i < count; i++) {
      String key = "key-" + random.nextInt(2500);
      if (random.nextInt(4) == 0) {
        cache.remove(key);
      } else {
        cache.put(key, value(random.nextInt(), "new"));
      }
    }
  }
}
