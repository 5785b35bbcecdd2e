package dev.isogrid.engine;

import dev.isogrid.engine.HandOver.Ending;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counts what became of kept writes. Thread-safe. */
final class SideCounters {
  private final Map<Ending, LongAdder> counts = new EnumMap<>(Ending.class);

  SideCounters() {
    for (Ending ending : Ending.values()) {
      counts.put(ending, new LongAdder());
    }
  }

  void count(Ending ending) {
    add(ending, 1);
  }

  void add(Ending ending, long number) {
    Objects.requireNonNull(counts.get(ending)).add(number);
  }

  private long of(Ending ending) {
    return Objects.requireNonNull(counts.get(ending)).sum();
  }

  /** The counts so far. */
  SideCounts counts(boolean isApart, long keptBytes) {
    return new SideCounts(
        isApart,
        keptBytes,
        of(Ending.HANDED_OVER),
        of(Ending.SAME),
        of(Ending.CONFLICT_LOST),
        of(Ending.CONFLICT_WON),
        of(Ending.CONFLICT_MERGED),
        of(Ending.ANSWER_LOST),
        of(Ending.REFUSED));
  }
}
