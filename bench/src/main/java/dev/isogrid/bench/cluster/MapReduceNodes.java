package dev.isogrid.bench.cluster;

import dev.isogrid.bench.process.Ports;
import dev.isogrid.bench.run.Checkout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Nodes that count words, each in a process of its own. For one thread. */
final class MapReduceNodes implements AutoCloseable {
  /** The limit of an answer: a slower task counts as failed. */
  private static final int ANSWER_SECONDS_MAX = 300;

  private final List<MemberChild> members = new ArrayList<>();

  private MapReduceNodes() {}

  /**
   * Starts nodes; on return they form one cluster, or a single node.
   *
   * @param heapMegabytes the heap of each
   */
  static MapReduceNodes start(
      Checkout checkout, ClusterLibrary library, int nodes, int heapMegabytes)
      throws IOException, InterruptedException {
    List<Integer> ports = new ArrayList<>();
    while (ports.size() < nodes) {
      ports.add(Ports.free());
    }
    CacheKind kind = nodes == 1 ? CacheKind.LOCAL : CacheKind.DISTRIBUTED;
    MemberChild.Plan plan = new MemberChild.Plan(library, kind, heapMegabytes + "m", ports);
    MapReduceNodes all = new MapReduceNodes();
    try {
      for (int i = 0; i < nodes; i++) {
        MemberChild member = MemberChild.start(checkout, plan, i);
        all.members.add(member);
        member.limit(ANSWER_SECONDS_MAX);
        member.ask(MemberProcess.OPEN, i + 1);
      }
      for (MemberChild member : all.members) {
        member.ask(MemberProcess.COMPLETE, nodes);
      }
      return all;
    } catch (IOException | InterruptedException | RuntimeException failure) {
      all.close();
      throw failure;
    }
  }

  /** The node that receives the commands. */
  MemberChild first() {
    return members.getFirst();
  }

  int count() {
    return members.size();
  }

  /** Kills the last node; the others continue. */
  void killLast() {
    members.removeLast().close();
  }

  /** Puts the texts of a setting; returns the digest of their counts, and the number of words. */
  long[] fill(WordCountSetting setting) throws IOException {
    return first().ask(MemberProcess.TEXTS, setting.line());
  }

  /** The processor seconds of all nodes so far. */
  double processorSeconds() throws IOException {
    double sum = 0;
    for (MemberChild member : members) {
      sum += member.processorSeconds();
    }
    return sum;
  }

  @Override
  public void close() {
    members.forEach(MemberChild::close);
  }
}
