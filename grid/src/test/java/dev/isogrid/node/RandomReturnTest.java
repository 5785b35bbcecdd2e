package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Fsync;
import dev.isogrid.api.KeyAffinity;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.Topology;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills and restarts nodes of a cluster with stores at random, at most two of five at a time, and
 * checks that every acknowledged write is there in the end.
 */
class RandomReturnTest {
  private static final String CACHE = "orders";
  private static final int NODES = 5;
  private static final int KEYS = 60;
  private static final int STEPS = 20;
  private static final int DEAD_MAX = 2;

  @TempDir private Path folder;

  private final StoredNodes nodes = new StoredNodes();
  private final Map<Integer, Node> living = new TreeMap<>();
  private final Map<Integer, Path> folders = new TreeMap<>();

  private final Map<String, String> expected = new TreeMap<>();

  private Random random = new Random();
  private int lives;
  private int values;

  @AfterEach
  void close() {
    nodes.close();
  }

  private void start(int number) {
    Path data = folders.computeIfAbsent(number, n -> folder.resolve("n" + n));
    living.put(number, nodes.start("n" + number, data));
  }

  private Node any() {
    List<Node> all = new ArrayList<>(living.values());
    return all.get(random.nextInt(all.size()));
  }

  private void kill(int count) throws IOException {
    List<Integer> numbers = new ArrayList<>(living.keySet());
    Collections.shuffle(numbers, random);
    List<Integer> doomed = numbers.subList(0, count);
    List<Node> killed =
        doomed.stream().map(number -> requireNonNull(living.remove(number))).toList();
    killed.forEach(node -> nodes.network().cutOff(node.calls().self()));
    for (int number : doomed) {
      Path left = requireNonNull(folders.get(number));
      folders.put(number, StoredNodes.copy(left, folder.resolve("life" + lives++)));
    }
    nodes.kill(killed);
  }

  /** Writes some entries that are served. */
  private void write() {
    Node node = any();
    Topology known = requireNonNull(node.topology());
    int group = requireNonNull(known.cache(CACHE)).group();
    KeyAffinity<String> affinity = node.keyAffinity(CACHE, () -> "");
    Cache<String, String> cache = requireNonNull(node.findCache(CACHE));
    for (int i = 0; i < KEYS / 4; i++) {
      String key = "key-" + random.nextInt(KEYS);
      if (!known.segmentsOf(group).get(affinity.segmentOf(key)).isOffline()) {
        String value = "value-" + values++;
        cache.put(key, value);
        expected.put(key, value);
      }
    }
  }

  /** Waits until all living nodes know who is there, so that they have a majority of the voters. */
  private void awaitMembers() {
    Await.until(
        "all members",
        () ->
            living.values().stream()
                .allMatch(node -> {
                  Topology known = requireNonNull(node.topology());
                  return known.members().size() == living.size()
                      && known.voters().size() == (living.size() - 1 | 1);
                }));
  }

  private static boolean isWhole(Node node) {
    Topology known = requireNonNull(node.topology());
    return known.segmentsOf(requireNonNull(known.cache(CACHE)).group()).stream()
        .allMatch(each -> each.isr().size() == 2 && !each.isOffline());
  }

  /** Lets all nodes return, and compares what the cluster has. */
  private void check() {
    for (int number = 0; number < NODES; number++) {
      if (!living.containsKey(number)) {
        start(number);
      }
    }
    awaitMembers();
    Await.until("two copies", () -> living.values().stream().allMatch(RandomReturnTest::isWhole));
    assertEquals(expected, new TreeMap<>(requireNonNull(any().findCache(CACHE))));
  }

  private void step() throws IOException {
    int dead = NODES - living.size();
    switch (random.nextInt(5)) {
      case 0, 1 -> write();
      case 2 -> {
        if (dead < DEAD_MAX) {
          awaitMembers();
          kill(1 + random.nextInt(DEAD_MAX - dead));
          awaitMembers();
        }
      }
      case 3 -> {
        for (int number = 0; number < NODES; number++) {
          if (!living.containsKey(number) && random.nextBoolean()) {
            start(number);
          }
        }
      }
      default -> {
        if (random.nextInt(4) == 0) {
          check();
        }
      }
    }
  }

  @Test
  void acknowledgedWrites_afterKillsAndReturns_areThere() throws IOException {
    long seed = Long.getLong("seed", 20_261_124);
    random = new Random(seed);
    CacheConfig config =
        ClusterStoreTest.config(CacheMode.DIST_SYNC, Fsync.EACH).toBuilder().segments(16).build();
    for (int number = 0; number < NODES; number++) {
      start(number);
    }
    any().cache(CACHE, config);
    awaitMembers();
    Await.until(
        "the cache everywhere",
        () -> living.values().stream().allMatch(node -> node.findCache(CACHE) != null));
    for (int i = 0; i < KEYS; i++) {
      expected.put("key-" + i, "first");
    }
    requireNonNull(any().<String, String>findCache(CACHE)).putAll(expected);
    for (int step = 0; step < STEPS; step++) {
      step();
    }
    check();
  }
}
