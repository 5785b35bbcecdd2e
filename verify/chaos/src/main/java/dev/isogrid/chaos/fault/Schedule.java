package dev.isogrid.chaos.fault;

import dev.isogrid.chaos.fault.Fault.Cut;
import dev.isogrid.chaos.fault.Fault.Join;
import dev.isogrid.chaos.fault.Fault.Kill;
import dev.isogrid.chaos.fault.Fault.Majority;
import dev.isogrid.chaos.fault.Fault.OneWay;
import dev.isogrid.chaos.fault.Fault.Pause;
import dev.isogrid.chaos.fault.Fault.Restart;
import dev.isogrid.chaos.fault.Fault.Two;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The faults of a run, which its seed determines. Not thread-safe. */
public final class Schedule {
  private static final long SHORT_DOWN_MILLIS = 500;
  private static final long DOWN_MILLIS_MAX = 8_000;
  private static final long PAUSE_MILLIS_MIN = 500;
  private static final long PAUSE_MILLIS_MAX = 6_000;
  private static final long CUT_MILLIS_MIN = 1_000;
  private static final long CUT_MILLIS_MAX = 8_000;
  private static final long JOIN_MILLIS_MIN = 200;
  private static final long JOIN_MILLIS_MAX = 6_000;
  private static final long CALM_MILLIS_MIN = 1_000;
  private static final long CALM_MILLIS_MAX = 3_000;

  /** Two of these may happen at once. */
  private static final Set<FaultKind> SINGLE =
      Set.of(FaultKind.KILL, FaultKind.PAUSE, FaultKind.CUT, FaultKind.ONEWAY, FaultKind.RESTART);

  private final SplittableRandom random;
  private final int nodes;
  private final List<FaultKind> kinds;

  /** The kinds of the current turn that are still to come. */
  private final List<FaultKind> left = new ArrayList<>();

  /**
   * Makes a schedule.
   *
   * @param nodes the number of nodes at the start
   * @param kinds at least one
   */
  public Schedule(long seed, int nodes, List<FaultKind> kinds) {
    this.random = new SplittableRandom(seed);
    this.nodes = nodes;
    this.kinds = List.copyOf(kinds);
  }

  /** The pause before the next fault, in milliseconds. */
  public long calmMillis() {
    return random.nextLong(CALM_MILLIS_MIN, CALM_MILLIS_MAX);
  }

  /** The next fault. Each kind comes once per turn. */
  public Fault next() {
    if (left.isEmpty()) {
      left.addAll(kinds);
    }
    FaultKind kind = left.remove(random.nextInt(left.size()));
    return of(kind, random.nextInt(nodes));
  }

  private Fault of(FaultKind kind, int node) {
    return switch (kind) {
      case KILL -> new Kill(node, downMillis());
      case PAUSE -> new Pause(node, random.nextLong(PAUSE_MILLIS_MIN, PAUSE_MILLIS_MAX));
      case CUT -> new Cut(node, random.nextLong(CUT_MILLIS_MIN, CUT_MILLIS_MAX));
      case ONEWAY -> oneWay(node);
      case RESTART -> new Restart(node, downMillis());
      case JOIN ->
          new Join(nodes, random.nextLong(JOIN_MILLIS_MIN, JOIN_MILLIS_MAX), random.nextBoolean());
      case MAJORITY -> {
        List<Integer> killed =
            IntStream.rangeClosed(0, nodes / 2).mapToObj(i -> (node + i) % nodes).toList();
        yield new Majority(killed, downMillis());
      }
      case TWO -> {
        int other = (node + 1 + random.nextInt(nodes - 1)) % nodes;
        yield new Two(single(node), single(other));
      }
    };
  }

  /** A fault of one node that other nodes may have at the same time. */
  private Fault single(int node) {
    List<FaultKind> single = kinds.stream().filter(kind -> SINGLE.contains(kind)).toList();
    List<FaultKind> usual = single.isEmpty() ? List.of(FaultKind.KILL, FaultKind.PAUSE) : single;
    return of(usual.get(random.nextInt(usual.size())), node);
  }

  private long downMillis() {
    return random.nextBoolean()
        ? SHORT_DOWN_MILLIS
        : random.nextLong(SHORT_DOWN_MILLIS, DOWN_MILLIS_MAX);
  }

  private OneWay oneWay(int node) {
    int peer = (node + 1 + random.nextInt(nodes - 1)) % nodes;
    return new OneWay(
        node,
        random.nextBoolean() ? OneWay.ALL : peer,
        random.nextBoolean(),
        random.nextLong(CUT_MILLIS_MIN, CUT_MILLIS_MAX));
  }
}
