package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Seeds;
import dev.isogrid.node.CacheSetting.Cluster;
import dev.isogrid.node.CacheSetting.Promise;
import dev.isogrid.node.CacheSetting.Viewpoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random operations on random nodes whose caches have entries of their own: each node answers what
 * was written last anywhere, or nothing. Where a write does not wait for the other nodes, they may
 * answer an older value until they were told.
 */
@Timeout(60)
class InvalidatedReadsTest {
  private static final String NAME = "c";
  private static final int SEEDS = 3;
  private static final int STEPS = 1_500;
  private static final int KEYS = 8;

  /** How often it is waited until all nodes were told. */
  private static final int STEPS_OF_ROUND = 50;

  private static final String REMOVED = "";

  /** The writes of one key, by any node. */
  private static final class Written {
    private String last = REMOVED;

    /** Older values that a node may have until it was told. */
    private final Set<String> older = new HashSet<>();
  }

  private final Map<String, Written> written = new HashMap<>();
  private int writes;

  @ParameterizedTest
  @EnumSource(
      value = CacheMode.class,
      names = {"INVALIDATION_SYNC", "INVALIDATION_ASYNC"})
  void reads_onAnyNode_areOfTheLastWriteOrOfNothing(CacheMode mode) {
    CacheSetting setting =
        new CacheSetting(
            Cluster.THREE_MEMBERS, mode, false, StorageType.HEAP_BINARY, Viewpoint.FIRST);
    Seeds.run(
        SEEDS,
        random -> {
          written.clear();
          try (SteppedGrids grids = setting.start()) {
            grids.create(NAME, setting.config(CacheConfig.builder().segments(4)));
            run(grids, random, setting.promises().contains(Promise.WRITES_ARE_SEEN_AT_ONCE));
          }
        });
  }

  private void run(SteppedGrids grids, Random random, boolean areSeenAtOnce) {
    List<Cache<String, String>> caches = new ArrayList<>();
    grids.nodes().forEach(node -> caches.add(node.cache(NAME)));
    for (int step = 1; step <= STEPS; step++) {
      String key = "k" + random.nextInt(KEYS);
      Cache<String, String> cache = caches.get(random.nextInt(caches.size()));
      switch (random.nextInt(6)) {
        case 0 -> {
          writing(key, REMOVED, areSeenAtOnce);
          cache.remove(key);
        }
        case 1, 2 -> {
          String value = "v" + writes++;
          writing(key, value, areSeenAtOnce);
          cache.put(key, value);
        }
        default -> {
          String read = cache.get(key);
          Written known = written.computeIfAbsent(key, _ -> new Written());
          assertTrue(
              read == null || read.equals(known.last) || known.older.contains(read),
              () -> "read " + read + ", written last " + known.last);
        }
      }
      if (step % STEPS_OF_ROUND == 0 && !areSeenAtOnce) {
        grids.await(() -> areTold(caches));
        written.values().forEach(each -> each.older.clear());
      }
    }
  }

  private void writing(String key, String value, boolean areSeenAtOnce) {
    Written known = written.computeIfAbsent(key, _ -> new Written());
    if (!areSeenAtOnce) {
      known.older.add(known.last);
    }
    known.last = value;
  }

  /** Whether no node has an older value any more. */
  private boolean areTold(List<Cache<String, String>> caches) {
    return caches.stream()
        .allMatch(cache ->
            cache.entrySet().stream()
                .allMatch(entry -> {
                  Written known = written.get(entry.getKey());
                  return known != null && entry.getValue().equals(known.last);
                }));
  }
}
