package dev.isogrid.bench.cluster;

import dev.isogrid.bench.process.ProcessFacts;
import java.io.IOException;
import java.util.List;

/**
 * The use of all nodes together, since they started.
 *
 * @param processorSeconds processor time, of user and kernel
 * @param voluntary switches of threads that had to wait
 * @param involuntary switches of threads that others were preferred to
 * @param counts what the processes count
 */
record ClusterUse(double processorSeconds, long voluntary, long involuntary, MemberCounts counts) {
  /** That of nodes up to now. */
  static ClusterUse of(List<MemberChild> members) throws IOException {
    double seconds = 0;
    long voluntary = 0;
    long involuntary = 0;
    MemberCounts counts = MemberCounts.NONE;
    for (MemberChild member : members) {
      ProcessFacts.Switches switches = member.facts().switches();
      seconds += member.facts().processorSeconds();
      voluntary += switches.voluntary();
      involuntary += switches.involuntary();
      counts = counts.plus(MemberCounts.of(member.ask(MemberProcess.COUNTS)));
    }
    return new ClusterUse(seconds, voluntary, involuntary, counts);
  }

  /** The use since an earlier one. */
  ClusterUse since(ClusterUse earlier) {
    return new ClusterUse(
        processorSeconds - earlier.processorSeconds,
        voluntary - earlier.voluntary,
        involuntary - earlier.involuntary,
        counts.since(earlier.counts));
  }
}
