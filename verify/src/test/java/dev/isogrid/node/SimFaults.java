package dev.isogrid.node;

import static dev.isogrid.base.SimTime.MILLI;

import dev.isogrid.base.SimTime;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** Applies faults to a simulated cluster, as far as it tolerates them. */
final class SimFaults {
  private static final long PAUSE_MAX = 1500 * MILLI;
  private static final long FAULT_MAX = 3000 * MILLI;
  private static final long RESTART_MAX = 2000 * MILLI;
  private static final long WALL_MAX_MILLIS = 3_600_000;

  /** One of this many opportunities. */
  private static final int ALL_RARELY = 4;

  private static final int SLOW_MIN = 50_000;
  private static final int SLOW_MAX = 5_000_000;

  private final SimGrids grids;
  private final List<SimFault> kinds;
  private final SimTime time;
  private final SplittableRandom random;
  private final Map<SimFault, Integer> done = new EnumMap<>(SimFault.class);
  private boolean isOver;

  SimFaults(SimGrids grids, Set<SimFault> kinds, SimTime time) {
    this.grids = grids;
    this.kinds = kinds.stream().sorted().toList();
    this.time = time;
    this.random = time.random().split();
  }

  void begin() {
    if (!kinds.isEmpty()) {
      time.after(random.nextLong(PAUSE_MAX), this::next);
    }
  }

  /** Ends all faults. */
  void end() {
    isOver = true;
    grids.network().heal();
    grids.living().forEach(member -> member.process.recover());
  }

  private void next() {
    if (isOver) {
      return;
    }
    SimFault kind = kinds.get(random.nextInt(kinds.size()));
    List<SimMember> started =
        grids.living().stream().filter(member -> member.node != null).toList();
    if (!started.isEmpty() && tryDo(kind, started)) {
      done.merge(kind, 1, Integer::sum);
      time.note(kind.name().hashCode());
    }
    time.after(random.nextLong(PAUSE_MAX), this::next);
  }

  /** Applies a fault; returns whether it did. */
  private boolean tryDo(SimFault kind, List<SimMember> started) {
    SimMember victim = started.get(random.nextInt(started.size()));
    switch (kind) {
      case WEATHER -> changeWeather();
      case CUT -> cut(victim, started);
      case PAUSE -> victim.process.pause(random.nextLong(FAULT_MAX));
      case PAUSE_INSIDE -> pauseInside(victim);
      case CRASH -> {
        if (!isSurvivable(victim)) {
          return false;
        }
        grids.crash(victim, random.nextInt(3) != 0);
      }
      case LEAVE -> {
        if (victim.isLeaving || !isSurvivable(victim)) {
          return false;
        }
        grids.leave(victim);
      }
      case SLOW_LINKS -> grids.network().bandwidth(random.nextInt(SLOW_MIN, SLOW_MAX));
      case WALL_CLOCK ->
          victim.process.moveWall(random.nextLong(-WALL_MAX_MILLIS, WALL_MAX_MILLIS));
      case CRASH_OF_ALL -> {
        if (random.nextInt(ALL_RARELY) != 0) {
          return false;
        }
        grids.crashAll();
      }
      case FROZEN_CLOCK -> {
        victim.process.freeze();
        time.after(random.nextLong(FAULT_MAX), victim.process::thaw);
      }
      case ERROR -> failInside(victim);
      case CODEC_ERROR -> failCoding(victim);
      case KILL -> kill(victim);
      case REMOVE -> {
        if (!grids.tryRemove()) {
          return false;
        }
        for (int i = random.nextInt(3); i > 0; i--) {
          time.after(random.nextLong(PAUSE_MAX), this::loseSegments);
        }
      }
    }
    return true;
  }

  /** Kills a process with segments that no cache has. */
  private void loseSegments() {
    Topology newest = grids.newest();
    if (isOver || newest == null) {
      return;
    }
    Set<NodeId> owners = new HashSet<>();
    for (int i = 0; i < newest.segments().size(); i++) {
      if (!grids.isNeeded(newest, i)) {
        owners.addAll(newest.segments().get(i).isr());
      }
    }
    List<SimMember> victims =
        grids.living().stream()
            .filter(member -> member.node != null && owners.contains(member.id()))
            .filter(this::isSurvivable)
            .toList();
    if (!victims.isEmpty()) {
      grids.crash(victims.get(random.nextInt(victims.size())), random.nextInt(3) != 0);
    }
  }

  /**
   * Kills one process, some, or all of them at once. Some only where that leaves a majority of the
   * voters: a survivor without one may wait for an operator.
   */
  private void kill(SimMember victim) {
    Set<SimMember> victims = new LinkedHashSet<>(List.of(victim));
    switch (random.nextInt(3)) {
      case 0 -> victims.addAll(grids.living());
      case 1 -> grids.living().stream().filter(_ -> random.nextBoolean()).forEach(victims::add);
      default -> {
        // this one only
      }
    }
    if (!hasMajorityWithout(victims)) {
      victims.addAll(grids.living());
    }
    for (SimMember member : List.copyOf(victims)) {
      grids.crash(member, true); // the system of a killed process refuses connections
    }
  }

  private boolean hasMajorityWithout(Set<SimMember> victims) {
    Set<NodeId> left = new HashSet<>();
    for (SimMember member : grids.living()) {
      if (!victims.contains(member) && member.node != null && !member.hasStopped()) {
        left.add(member.id());
      }
    }
    Topology newest = grids.newest();
    return newest != null
        && newest.isMajority((int) newest.voters().stream().filter(left::contains).count());
  }

  private void changeWeather() {
    double loss = random.nextInt(2) == 0 ? random.nextDouble() * 0.1 : 0;
    double doubles = random.nextInt(2) == 0 ? random.nextDouble() * 0.1 : 0.01;
    double late = random.nextInt(2) == 0 ? 0.005 : 0;
    long delay = random.nextInt(3) == 0 ? 50 * MILLI : 2 * MILLI;
    grids.network().weather(loss, doubles, late, delay);
  }

  private void cut(SimMember victim, List<SimMember> others) {
    long nanos = random.nextLong(FAULT_MAX);
    boolean isInward = random.nextInt(3) != 0;
    boolean isOutward = !isInward || random.nextInt(3) != 0;
    boolean isWhole = random.nextBoolean();
    for (SimMember other : others) {
      if (other != victim && (isWhole || random.nextInt(others.size()) == 0)) {
        if (isInward) {
          grids.network().cut(other.id(), victim.id(), nanos);
        }
        if (isOutward) {
          grids.network().cut(victim.id(), other.id(), nanos);
        }
      }
    }
  }

  /** Pauses a process while it reads a clock: it has decided but not acted yet. */
  private void pauseInside(SimMember victim) {
    int[] looks = {random.nextInt(200)};
    long nanos = random.nextLong(FAULT_MAX);
    victim.process.whenLooked(_ -> {
      if (looks[0]-- == 0) {
        victim.process.whenLooked(null);
        victim.process.pause(nanos);
      }
    });
  }

  /** Fails a thread while it reads a clock, whatever it is doing, if the others tolerate that. */
  private void failInside(SimMember victim) {
    int[] looks = {random.nextInt(200)};
    victim.process.whenLooked(_ -> {
      if (looks[0]-- <= 0 && isSurvivable(victim)) {
        victim.process.whenLooked(null);
        throw new OutOfMemoryError("simulated");
      }
    });
  }

  /** Fails a thread at a message that it encodes or decodes, if the others tolerate that. */
  private void failCoding(SimMember victim) {
    int[] messages = {random.nextInt(200)};
    grids
        .network()
        .whenCoded(
            victim.id(),
            () -> {
              if (messages[0]-- <= 0 && isSurvivable(victim)) {
                grids.network().whenCoded(victim.id(), null);
                throw new OutOfMemoryError("simulated");
              }
            });
  }

  /**
   * Whether the end of a process leaves a majority of voters, and a replica of each segment: by the
   * newest topology, and by the newest topology that the survivors know. The victim may be the only
   * node with a decision.
   */
  private boolean isSurvivable(SimMember victim) {
    Topology newest = grids.newest();
    Topology newestLeft = null;
    Set<NodeId> left = new HashSet<>();
    for (SimMember member : grids.living()) {
      boolean isEnding = member.isLeaving || member.hasStopped();
      if (member != victim && member.node != null && !isEnding) {
        left.add(member.id());
        Topology known = member.topology();
        boolean isNewer =
            newestLeft == null || (known != null && known.epoch() > newestLeft.epoch());
        newestLeft = isNewer ? known : newestLeft;
      }
    }
    return newest != null
        && newestLeft != null
        && isSurvivable(newest, left)
        && isSurvivable(newestLeft, left);
  }

  private boolean isSurvivable(Topology known, Set<NodeId> left) {
    for (int i = 0; i < known.segments().size(); i++) {
      SegmentOwners segment = known.segments().get(i);
      if (grids.isNeeded(known, i) && segment.isr().stream().noneMatch(left::contains)) {
        return false;
      }
    }
    return known.isMajority((int) known.voters().stream().filter(left::contains).count());
  }

  /** Restarts a process on a host where one died. */
  void restart(int host) {
    time.after(isOver ? 0 : random.nextLong(RESTART_MAX), () -> grids.start(host));
  }

  @Override
  public String toString() {
    return "faults=" + done;
  }
}
