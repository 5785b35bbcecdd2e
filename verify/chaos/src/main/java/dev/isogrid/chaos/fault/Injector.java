package dev.isogrid.chaos.fault;

import dev.isogrid.chaos.cluster.Cluster;
import dev.isogrid.chaos.cluster.Node;
import dev.isogrid.chaos.fault.Fault.Cut;
import dev.isogrid.chaos.fault.Fault.Join;
import dev.isogrid.chaos.fault.Fault.Kill;
import dev.isogrid.chaos.fault.Fault.OneWay;
import dev.isogrid.chaos.fault.Fault.Pause;
import dev.isogrid.chaos.fault.Fault.Restart;
import dev.isogrid.chaos.time.RealTime;
import java.io.IOException;

/** Applies faults to a cluster, one at a time. Not thread-safe. */
public final class Injector {
  private final Cluster cluster;

  /** Makes an injector. */
  public Injector(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Applies a fault and ends it: on return, all its nodes run. */
  public void inject(Fault fault) throws IOException, InterruptedException {
    switch (fault) {
      case Kill(int node, long downMillis) -> {
        cluster.kill(node);
        RealTime.pauseMillis(downMillis);
        cluster.start(node);
      }
      case Restart(int node, long downMillis) -> {
        cluster.stop(node);
        RealTime.pauseMillis(downMillis);
        cluster.start(node);
      }
      case Pause(int node, long millis) -> {
        cluster.pause(node);
        RealTime.pauseMillis(millis);
        cluster.resume(node);
      }
      case Cut(int node, long millis) -> {
        cutOff(node, OneWay.ALL, true);
        cutOff(node, OneWay.ALL, false);
        RealTime.pauseMillis(millis);
        cluster.heal();
      }
      case OneWay(int node, int peer, boolean isOutward, long millis) -> {
        cutOff(node, peer, isOutward);
        RealTime.pauseMillis(millis);
        cluster.heal();
      }
      case Join(int node, long millis, boolean isOrderly) -> join(node, millis, isOrderly);
    }
  }

  private void join(int node, long millis, boolean isOrderly)
      throws IOException, InterruptedException {
    cluster.start(node);
    RealTime.pauseMillis(millis);
    if (isOrderly) {
      cluster.stop(node);
    } else {
      cluster.kill(node);
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
