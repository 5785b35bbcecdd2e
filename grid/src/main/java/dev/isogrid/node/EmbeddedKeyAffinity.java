package dev.isogrid.node;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.KeyAffinity;
import dev.isogrid.topology.NodeId;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * Finds keys by their segments, which never change: the nodes are looked up when a key is wanted.
 *
 * @param <K> the type of the keys
 */
final class EmbeddedKeyAffinity<K> implements KeyAffinity<K> {
  /** Keys of a segment that were found while looking for others, and are kept. */
  private static final int KEPT_MAX = 4;

  /** Keys that are looked at, for each segment: after so many none is left out by chance. */
  private static final int TRIES_A_SEGMENT = 100;

  private final EmbeddedCache<?, ?, ?, ?> cache;
  private final ClusterNodes nodes;
  private final Supplier<K> generator;
  private final ConcurrentMap<Integer, LinkedBlockingQueue<K>> kept = new ConcurrentHashMap<>();

  EmbeddedKeyAffinity(EmbeddedCache<?, ?, ?, ?> cache, ClusterNodes nodes, Supplier<K> generator) {
    this.cache = cache;
    this.nodes = nodes;
    this.generator = Objects.requireNonNull(generator, "generator");
  }

  @Override
  public K keyFor(String node) {
    NodeId wanted = nodes.byName().get(node);
    if (wanted == null) {
      throw new InvalidRequestException(
          "no such node: node=%s, there=%s".formatted(node, nodes.byName().keySet()));
    }
    boolean[] isOfNode = new boolean[cache.segmentCount()];
    boolean hasAny = false;
    for (int segment = 0; segment < isOfNode.length; segment++) {
      isOfNode[segment] = cache.primary(segment, nodes.self()).equals(wanted);
      hasAny |= isOfNode[segment];
    }
    if (!hasAny) {
      throw new InvalidRequestException(
          "node answers for no segment: cache=%s, node=%s; choose another one"
              .formatted(cache.name(), node));
    }
    return find(segment -> isOfNode[segment], "node=" + node);
  }

  @Override
  public K keyForSegment(int segment) {
    Objects.checkIndex(segment, cache.segmentCount());
    return find(other -> other == segment, "segment=" + segment);
  }

  @Override
  public K keyBeside(K other) {
    return keyForSegment(segmentOf(other));
  }

  private K find(IntPredicate wanted, String what) {
    for (var each : kept.entrySet()) {
      K found = wanted.test(each.getKey()) ? each.getValue().poll() : null;
      if (found != null) {
        return found;
      }
    }
    int tries = TRIES_A_SEGMENT * cache.segmentCount();
    for (int i = 0; i < tries; i++) {
      K key = generator.get();
      int segment = segmentOf(key);
      if (wanted.test(segment)) {
        return key;
      }
      boolean isKept =
          kept.computeIfAbsent(segment, _ -> new LinkedBlockingQueue<>(KEPT_MAX)).offer(key);
      assert isKept || kept.containsKey(segment);
    }
    throw new InvalidRequestException(
        "the generator gave no such key: cache=%s, %s, keys=%d; let it give more different ones"
            .formatted(cache.name(), what, tries));
  }

  @Override
  public int segmentOf(K key) {
    return cache.segmentOf(Objects.requireNonNull(key, "key"));
  }

  @Override
  public String nodeOf(K key) {
    return nodes.nameOf(cache.primary(segmentOf(key), nodes.self()));
  }
}
