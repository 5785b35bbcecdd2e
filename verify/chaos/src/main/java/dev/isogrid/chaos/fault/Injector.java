package dev.isogrid.chaos.fault;

import dev.isogrid.chaos.cluster.Cluster;
import dev.isogrid.chaos.cluster.Node;
import dev.isogrid.chaos.fault.Fault.Cut;
import dev.isogrid.chaos.fault.Fault.Join;
import dev.isogrid.chaos.fault.Fault.Kill;
import dev.isogrid.chaos.fault.Fault.Majority;
import dev.isogrid.chaos.fault.Fault.OneWay;
import dev.isogrid.chaos.fault.Fault.Pause;
import dev.isogrid.chaos.fault.Fault.Restart;
import dev.isogrid.chaos.fault.Fault.Two;
import dev.isogrid.chaos.time.RealTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Applies faults to a cluster. Not thread-safe. */
public final class Injector {
  private final Cluster cluster;

  /** Makes an injector. */
  public Injector(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Applies a fault and ends it: on return, all its nodes run. */
  public void inject(Fault fault) throws IOException, InterruptedException {
    List<Fault> parts = new ArrayList<>(parts(fault));
    for (Fault part : parts) {
      begin(part);
    }
    parts.sort(Comparator.comparingLong(Injector::millis));
    long passedMillis = 0;
    for (Fault part : parts) {
      RealTime.pauseMillis(millis(part) - passedMillis);
      passedMillis = millis(part);
      end(part);
    }
    // A node may need the others to get ready.
    for (Fault part : parts) {
      if (part instanceof Kill || part instanceof Restart) {
        cluster.awaitReady(part.node());
      }
    }
  }

  /** The faults of single nodes that happen at once. */
  private static List<Fault> parts(Fault fault) {
    return switch (fault) {
      case Two(Fault first, Fault second) -> List.of(first, second);
      case Majority(List<Integer> nodes, long downMillis) ->
          nodes.stream().map(node -> (Fault) new Kill(node, downMillis)).toList();
      case Kill _, Pause _, Cut _, OneWay _, Restart _, Join _ -> List.of(fault);
    };
  }

  private static long millis(Fault part) {
    return switch (part) {
      case Kill(int _, long downMillis) -> downMillis;
      case Restart(int _, long downMillis) -> downMillis;
      case Pause(int _, long millis) -> millis;
      case Cut(int _, long millis) -> millis;
      case OneWay(int _, int _, boolean _, long millis) -> millis;
      case Join(int _, long millis, boolean _) -> millis;
      case Two _, Majority _ -> throw new IllegalArgumentException("not of one node: " + part);
    };
  }

  private void begin(Fault part) throws IOException, InterruptedException {
    switch (part) {
      case Kill(int node, long _) -> cluster.kill(node);
      case Restart(int node, long _) -> cluster.stop(node);
      case Pause(int node, long _) -> cluster.pause(node);
      case Cut(int node, long _) -> {
        cutOff(node, OneWay.ALL, true);
        cutOff(node, OneWay.ALL, false);
      }
      case OneWay(int node, int peer, boolean isOutward, long _) -> cutOff(node, peer, isOutward);
      case Join(int node, long _, boolean _) -> {
        cluster.start(node);
        cluster.awaitReady(node);
      }
      case Two _, Majority _ -> throw new IllegalArgumentException("not of one node: " + part);
    }
  }

  private void end(Fault part) throws IOException, InterruptedException {
    switch (part) {
      case Kill(int node, long _) -> cluster.start(node);
      case Restart(int node, long _) -> cluster.start(node);
      case Pause(int node, long _) -> cluster.resume(node);
      case Cut _, OneWay _ -> cluster.heal();
      case Join(int node, long _, boolean isOrderly) -> {
        if (isOrderly) {
          cluster.stop(node);
        } else {
          cluster.kill(node);
        }
      }
      case Two _, Majority _ -> throw new IllegalArgumentException("not of one node: " + part);
    }
  }

  private void cutOff(int node, int peer, boolean isOutward)
      throws IOException, InterruptedException {
    for (Node other : cluster.nodes()) {
      int index = other.place().index();
      if (index == node || !other.isRunning() || (peer != OneWay.ALL && peer != index)) {
        continue;
      }
      cluster.cut(isOutward ? node : index, isOutward ? index : node);
    }
  }
}
