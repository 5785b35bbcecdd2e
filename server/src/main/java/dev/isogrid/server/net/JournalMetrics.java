package dev.isogrid.server.net;

import dev.isogrid.engine.CacheEngine;
import dev.isogrid.journal.JournalState;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The figures of caches with file stores. Those of a store that is not open are not a number. */
final class JournalMetrics {
  private static final double MILLIS_PER_SECOND = 1000;

  /**
   * A figure of a journal.
   *
   * @param unit null for a plain number
   * @param isTotal whether it only grows
   */
  private record Figure(
      String name,
      @Nullable String unit,
      boolean isTotal,
      String meaning,
      ToDoubleFunction<JournalState> of) {}

  private static final List<Figure> FIGURES =
      List.of(
          new Figure("file", "bytes", false, "Files of the store", s -> s.stats().fileBytes()),
          new Figure(
              "live",
              "bytes",
              false,
              "Part of the store's files that is in use",
              s -> s.stats().liveBytes()),
          new Figure(
              "unforced",
              "bytes",
              false,
              "Writes that a loss of power would lose",
              s -> s.stats().appendedBytes() - s.stats().forcedBytes()),
          new Figure(
              "failing",
              null,
              false,
              "1 while the store's disk fails and writes are refused",
              s -> s.trouble() == null ? 0 : 1),
          new Figure(
              "cleaning.failing",
              null,
              false,
              "1 while old records can't be cleaned, so that the store's files grow",
              s -> s.cleaningTrouble() == null ? 0 : 1),
          new Figure(
              "appended",
              "bytes",
              true,
              "Records that were appended to the store",
              s -> s.stats().appendedBytes()),
          new Figure(
              "carried",
              "bytes",
              true,
              "Records that were written again so that old files could be deleted",
              s -> s.stats().carriedBytes()),
          new Figure("forces", null, true, "Forces of the disk", s -> s.stats().forces()),
          new Figure(
              "force",
              "seconds",
              true,
              "Time that forces of the disk took",
              s -> s.stats().forceMillis() / MILLIS_PER_SECOND));

  private JournalMetrics() {}

  /** Adds the meters of a cache, if it has a file store that is written. */
  static void bind(MeterRegistry target, Tags tags, CacheEngine<?, ?> engine, List<Meter> meters) {
    var store = engine.config().fileStore();
    if (store == null || store.readOnly()) {
      return;
    }
    for (Figure figure : FIGURES) {
      meters.add(bind(target, tags, engine, figure));
    }
  }

  private static Meter bind(
      MeterRegistry target, Tags tags, CacheEngine<?, ?> engine, Figure figure) {
    String name = "isogrid.cache.journal." + figure.name();
    if (figure.isTotal()) {
      return FunctionCounter.builder(name, engine, e -> value(e, figure))
          .description(figure.meaning())
          .baseUnit(figure.unit())
          .tags(tags)
          .register(target);
    }
    return Gauge.builder(name, engine, e -> value(e, figure))
        .description(figure.meaning())
        .baseUnit(figure.unit())
        .tags(tags)
        .register(target);
  }

  private static double value(CacheEngine<?, ?> engine, Figure figure) {
    JournalState state = engine.journalState();
    return state == null ? Double.NaN : figure.of().applyAsDouble(state);
  }
}
