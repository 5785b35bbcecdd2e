package dev.isogrid.node;

import static dev.isogrid.base.SimTime.MILLI;

import dev.isogrid.api.GridException;
import dev.isogrid.base.SimTime;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.Topology;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The removal of a cache, and the definition of another one of its name, step by step. */
final class SimRemoval {
  private static final long LOOK = 20 * MILLI;

  /** The longest time without a cache of the name. */
  private static final long GONE_MAX = 2000 * MILLI;

  private enum Stage {
    /** Clients begin nothing, and wait for their answers. */
    ENDING,
    /** A node is asked to remove the cache. */
    REMOVING,
    /** There is no cache, unless a process that starts defines it. */
    GONE,
    /** A node is asked to define the cache. */
    DEFINING
  }

  private final SimGrids grids;
  private final SimCache cache;
  private final SimTime time;
  private final SplittableRandom random;
  private Stage stage = Stage.ENDING;
  private long definedNanos;

  /** The member that is asked now, or null. */
  private @Nullable SimMember asked;

  SimRemoval(SimGrids grids, SimCache cache, SimTime time, SplittableRandom random) {
    this.grids = grids;
    this.cache = cache;
    this.time = time;
    this.random = random;
  }

  /** Begins, if the cluster has the cache. */
  boolean tryBegin() {
    Topology known = grids.newest();
    CacheDefinition defined = known == null ? null : known.cache(cache.name);
    if (defined == null || cache.isEnded(defined)) {
      return false;
    }
    cache.end(defined.id());
    look();
    return true;
  }

  private void look() {
    boolean isAsking = asked != null && !asked.isDead;
    if (!isAsking && step()) {
      cache.beginAnew();
    } else {
      time.after(LOOK, this::look);
    }
  }

  /** Takes one step; returns whether clients can use the next cache. */
  private boolean step() {
    Topology known = grids.newest();
    CacheDefinition defined = known == null ? null : known.cache(cache.name);
    switch (stage) {
      case ENDING -> stage = cache.isIdle() ? Stage.REMOVING : Stage.ENDING;
      case REMOVING -> {
        if (defined != null && cache.isEnded(defined)) {
          ask(false, member -> member.grid().removeCache(cache.name));
        } else {
          stage = Stage.GONE;
          definedNanos = time.nanos() + random.nextLong(GONE_MAX);
        }
      }
      case GONE -> stage = time.nanos() < definedNanos ? Stage.GONE : Stage.DEFINING;
      case DEFINING -> {
        if (defined != null && !cache.isEnded(defined)) {
          return true;
        }
        ask(true, member -> SimGrids.isOpen(member, cache));
      }
    }
    return false;
  }

  /** Asks a node; if it dies, or can't do it, another one is asked. */
  private void ask(boolean isGone, Consumer<SimMember> request) {
    List<SimMember> able = grids.living().stream().filter(member -> knows(member, isGone)).toList();
    if (able.isEmpty()) {
      return;
    }
    SimMember member = able.get(random.nextInt(able.size()));
    asked = member;
    member.process.run(() -> {
      try {
        request.accept(member);
      } catch (GridException notYet) {
        time.note(notYet.getClass().getSimpleName().hashCode());
      } finally {
        asked = asked == member ? null : asked;
      }
    });
  }

  /** Whether a node knows a topology with the cache, or one without it. */
  private boolean knows(SimMember member, boolean isGone) {
    Topology known = member.topology();
    return known != null && !member.isLeaving && (known.cache(cache.name) == null) == isGone;
  }
}
