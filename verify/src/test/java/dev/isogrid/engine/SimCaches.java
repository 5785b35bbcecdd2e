package dev.isogrid.engine;

import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The caches of a simulated cluster, and the commands of their clients. */
final class SimCaches {
  private static final int SEGMENTS_MAX = 4;
  private static final int TWINS = 3;
  private static final String LAST_NAME = "last";
  private static final int READ_ATTEMPTS = 10;

  /**
   * The command of a client.
   *
   * @param segment the number of its segment in the cluster
   * @param keys the keys of the command
   */
  record Call(SimCommand command, int segment, List<SimKey> keys) {}

  private final SplittableRandom random;
  private final List<CacheRequest> requests = new ArrayList<>();
  private final int keys;
  private final int owners;
  private final boolean isAsync;
  private long lastValue;

  SimCaches(SplittableRandom random, boolean isAsync) {
    this.random = random;
    this.isAsync = isAsync;
    this.owners = 1 + random.nextInt(3);
    int caches = 1 + random.nextInt(3);
    this.keys = (10 + random.nextInt(30)) / caches + 1;
    for (int i = 0; i < caches; i++) {
      requests.add(request("cache" + i, 1 + random.nextInt(SEGMENTS_MAX / caches + 1)));
    }
  }

  private CacheRequest request(String name, int segmentCount) {
    int copies =
        switch (random.nextInt(6)) {
          case 0 -> CacheGroup.EVERY_MEMBER;
          case 1 -> owners + 1;
          default -> owners;
        };
    CacheGroup group = new CacheGroup(copies, segmentCount, isAsync);
    return new CacheRequest(name, group, 1 + random.nextInt(9), "");
  }

  /** Defines all caches on a node that begins. */
  void defineAll(ClusterNode node) {
    requests.forEach(request -> define(node, request));
  }

  private static void define(ClusterNode node, CacheRequest request) {
    SimOracle.check(node.tryDefine(request), "too many requests: %s", request);
  }

  /** Redefines or removes a cache from some node. */
  void change(ClusterNode node) {
    Topology topology = node.topology();
    CacheRequest request = requests.get(random.nextInt(requests.size()));
    CacheDefinition cache = topology == null ? null : topology.cache(request.name());
    if (cache == null) {
      define(node, request(request.name(), 1 + random.nextInt(2)));
    } else if (cache.id() <= 2 * requests.size()) {
      node.tryUndefine(cache.name(), cache.id());
    }
    if (random.nextInt(4) == 0) {
      node.forget(request.name());
    }
  }

  /** Defines one more cache from some node, which must exist at the end. */
  void defineLast(ClusterNode node) {
    define(node, new CacheRequest(LAST_NAME, new CacheGroup(owners, 1, isAsync), 1, ""));
  }

  static boolean hasLast(Topology topology) {
    return topology.cache(LAST_NAME) != null;
  }

  /** The next command of a client with this topology, or null if there is no cache. */
  @Nullable Call randomCall(@Nullable Topology topology) {
    if (topology == null || topology.caches().isEmpty()) {
      return null;
    }
    CacheDefinition cache = topology.caches().get(random.nextInt(topology.caches().size()));
    int segmentCount = topology.groups().get(cache.group()).segmentCount();
    int first = topology.firstSegment(cache.group());
    SimKey.Scope scope = new SimKey.Scope(cache.id());
    if (random.nextInt(60) == 0) {
      int segment = random.nextInt(segmentCount);
      List<SimKey> cleared =
          Stream.concat(
                  IntStream.range(0, keys)
                      .mapToObj(i -> new SimKey(scope, "k" + i))
                      .filter(key -> key.segment(segmentCount) == segment),
                  Stream.of(family(scope, segment)))
              .toList();
      SimCommand clear = new SimCommand(SimCommand.Kind.CLEAR, scope, null, null);
      return new Call(clear, first + segment, cleared);
    }
    if (random.nextInt(12) == 0) {
      return twinsCall(scope, first, segmentCount);
    }
    SimKey key = new SimKey(scope, "k" + random.nextInt(keys));
    return new Call(randomCommand(key), first + key.segment(segmentCount), List.of(key));
  }

  /** A read of some key of a segment, or null if a few attempts find none. */
  @Nullable Call randomRead(@Nullable Topology topology, int segment) {
    for (int attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
      Call call = randomCall(topology);
      boolean isOfOne =
          call != null && call.segment() == segment && call.command().key() instanceof SimKey;
      if (call != null && isOfOne && !call.command().isRead()) {
        SimCommand read = new SimCommand(SimCommand.Kind.GET, call.command().key(), null, null);
        return new Call(read, segment, call.keys());
      }
      if (call != null && call.segment() == segment && call.command().isRead()) {
        return call;
      }
    }
    return null;
  }

  /**
   * The key that stands for all twins of a segment in the history: they are one entry, since they
   * are equal.
   */
  private static SimKey family(SimKey.Scope scope, int segment) {
    return new SimKey(scope, "family" + segment);
  }

  private Call twinsCall(SimKey.Scope scope, int first, int segmentCount) {
    int segment = random.nextInt(segmentCount);
    List<SimKey> twins =
        IntStream.iterate(0, i -> i + 1)
            .mapToObj(i -> new SimKey(scope, "twin" + i))
            .filter(key -> key.segment(segmentCount) == segment)
            .limit(TWINS)
            .toList();
    Object value = ++lastValue;
    SimCommand command =
        switch (random.nextInt(4)) {
          case 0 -> new SimCommand(SimCommand.Kind.GET_TWINS, scope, twins, null);
          case 1 -> {
            SimKey twin = twins.get(random.nextInt(TWINS));
            yield new SimCommand(SimCommand.Kind.GET_TWIN, twin, null, null);
          }
          default -> {
            ManyValues all =
                new ManyValues(twins.stream().collect(Collectors.toMap(k -> k, _ -> value)));
            yield new SimCommand(SimCommand.Kind.PUT_TWINS, scope, null, all);
          }
        };
    return new Call(command, first + segment, List.of(family(scope, segment)));
  }

  private SimCommand randomCommand(SimKey key) {
    Object value = ++lastValue;
    Object old = lastValue - 1 - random.nextLong(Math.min(lastValue, 10));
    return switch (random.nextInt(12)) {
      case 10, 11 -> new SimCommand(SimCommand.Kind.PROCESS, key, null, value);
      case 0, 1, 2 -> new SimCommand(SimCommand.Kind.GET, key, null, null);
      case 3, 4 -> new SimCommand(SimCommand.Kind.PUT, key, null, value);
      case 5, 6 -> new SimCommand(SimCommand.Kind.REMOVE, key, null, null);
      case 7, 8 -> new SimCommand(SimCommand.Kind.PUT_IF_ABSENT, key, null, value);
      default -> new SimCommand(SimCommand.Kind.REPLACE, key, old, value);
    };
  }

  @Override
  public String toString() {
    return "owners=%d, caches=%d".formatted(owners, requests.size());
  }
}
