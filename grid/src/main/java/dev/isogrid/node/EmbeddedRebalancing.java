package dev.isogrid.node;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.LostMajority;
import dev.isogrid.api.RebalanceProgress;
import dev.isogrid.api.Rebalancing;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.NodeCalls;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Pauses;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The rebalancing of a node's cluster; of none if the node is alone. Thread-safe. */
final class EmbeddedRebalancing implements Rebalancing {
  /** How long other members have to say what they do. */
  private static final long ANSWER_MILLIS = 1_000;

  private final @Nullable NodeCluster cluster;
  private final NodeCalls calls;
  private final ClusterNodes nodes;

  EmbeddedRebalancing(@Nullable NodeCluster cluster, NodeCalls calls, ClusterNodes nodes) {
    this.cluster = cluster;
    this.calls = calls;
    this.nodes = nodes;
  }

  private NodeCluster cluster() {
    if (cluster == null) {
      throw new InvalidRequestException(
          "no rebalancing without a cluster; start the node with a cluster configuration");
    }
    return cluster;
  }

  @Override
  public RebalanceProgress progress() {
    Topology known = cluster == null ? null : cluster.topology();
    if (known == null) {
      return RebalanceProgress.NONE;
    }
    Map<String, CompletableFuture<ByteString>> answers = new LinkedHashMap<>();
    nodes.byName().forEach((name, node) -> answers.put(name, ask(node)));
    List<String> silent = new ArrayList<>();
    RebalanceWatch.Part sum = new RebalanceWatch.Part(0, 0, 0, 0, 0, 0);
    for (Map.Entry<String, CompletableFuture<ByteString>> each : answers.entrySet()) {
      RebalanceWatch.Part part = answer(each.getValue());
      if (part == null) {
        silent.add(each.getKey());
      } else {
        sum = plus(sum, part);
      }
    }
    return progress(known, sum, silent);
  }

  private CompletableFuture<ByteString> ask(NodeId node) {
    return calls.call(node, RebalanceWatch.SERVICE, ByteString.of(new byte[0]), ANSWER_MILLIS);
  }

  private static RebalanceWatch.@Nullable Part answer(CompletableFuture<ByteString> answer) {
    try {
      return RebalanceWatch.Part.of(answer.join());
    } catch (CompletionException _) {
      return null; // the caller lists who did not answer
    }
  }

  private static RebalanceWatch.Part plus(RebalanceWatch.Part one, RebalanceWatch.Part other) {
    return new RebalanceWatch.Part(
        one.underWay() + other.underWay(),
        one.left() + other.left(),
        one.bytesLeft() + other.bytesLeft(),
        one.bytesDone() + other.bytesDone(),
        one.bytesPerSecond() + other.bytesPerSecond(),
        one.bytesTotal() + other.bytesTotal());
  }

  private static RebalanceProgress progress(
      Topology known, RebalanceWatch.Part sum, List<String> silent) {
    boolean isStanding = sum.underWay() == 0 && sum.left() > 0;
    long seconds =
        isStanding ? -1 : RebalanceWatch.secondsLeft(sum.bytesLeft(), sum.bytesPerSecond());
    List<String> paused =
        known.caches().stream()
            .filter(cache -> known.pauses().holds(cache.group()))
            .map(CacheDefinition::name)
            .filter(name -> !InternalCaches.isReserved(name))
            .sorted()
            .toList();
    return new RebalanceProgress(
        sum.underWay(),
        sum.left(),
        sum.bytesDone(),
        sum.bytesLeft(),
        sum.bytesPerSecond(),
        seconds,
        known.pauses().all(),
        paused,
        silent);
  }

  @Override
  public boolean isPaused() {
    Topology known = cluster == null ? null : cluster.topology();
    return known != null && known.pauses().all();
  }

  @Override
  public boolean isPaused(String cacheName) {
    Topology known = cluster().topology();
    return known != null && known.pauses().holds(group(cacheName));
  }

  private int group(String cacheName) {
    CacheDefinition found = cluster().find(cacheName);
    if (found == null) {
      throw new InvalidRequestException(
          "no such cache in the cluster: cache=%s; local caches are not rebalanced"
              .formatted(cacheName));
    }
    return found.group();
  }

  @Override
  public long bytesPerSecondMax() {
    return cluster == null ? AS_CONFIGURED : cluster.rebalancing().copySpeed();
  }

  @Override
  public void limit(long bytesPerSecondMax) {
    boolean isKnown = bytesPerSecondMax == AS_CONFIGURED || bytesPerSecondMax >= SPEED_MIN;
    if (!isKnown) {
      throw new InvalidRequestException(
          "invalid speed of rebalancing: bytesPerSecondMax=%d, min=%d; pause it to hold it back"
              .formatted(bytesPerSecondMax, SPEED_MIN));
    }
    cluster().rebalancing().limitCopies(bytesPerSecondMax);
  }

  @Override
  public void pause() {
    cluster().rebalancing().pause(Pauses.ALL, true);
  }

  @Override
  public void resume() {
    cluster().rebalancing().pause(Pauses.ALL, false);
  }

  @Override
  public void pause(String cacheName) {
    cluster().rebalancing().pause(group(cacheName), true);
  }

  @Override
  public void resume(String cacheName) {
    cluster().rebalancing().pause(group(cacheName), false);
  }

  @Override
  public int lostSegments(String cacheName) {
    Topology known = cluster().topology();
    int group = group(cacheName);
    return known == null ? 0 : known.offline(group);
  }

  @Override
  public int restartLost(String cacheName) {
    return cluster().rebalancing().restartLost(group(cacheName));
  }

  @Override
  public @Nullable LostMajority lostMajority() {
    return cluster().recovery().lostMajority();
  }

  @Override
  public LostMajority recoverMajority(String confirmation) {
    return cluster().recovery().recoverMajority(confirmation);
  }
}
