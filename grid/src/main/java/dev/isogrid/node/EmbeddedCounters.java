package dev.isogrid.node;

import dev.isogrid.api.CounterConfig;
import dev.isogrid.api.Counters;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StrongCounter;
import dev.isogrid.api.WeakCounter;
import dev.isogrid.base.Scheduler;
import dev.isogrid.structure.CounterState;
import dev.isogrid.structure.CounterTable;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The counters for users in this process. Thread-safe. */
final class EmbeddedCounters implements Counters {
  private final CounterTable table;
  private final Futures futures;

  EmbeddedCounters(CounterTable table, Scheduler scheduler) {
    this.table = table;
    this.futures = new Futures(scheduler, table.engine().isClustered());
  }

  @Override
  public boolean define(String name, CounterConfig config) {
    return table.define(
        Objects.requireNonNull(name, "name"), Objects.requireNonNull(config, "config"));
  }

  @Override
  public boolean isDefined(String name) {
    return table.find(Objects.requireNonNull(name, "name")) != null;
  }

  @Override
  public @Nullable CounterConfig configuration(String name) {
    CounterState found = table.find(Objects.requireNonNull(name, "name"));
    return found == null ? null : found.config();
  }

  @Override
  public StrongCounter strong(String name) {
    return new EmbeddedStrongCounter(counter(name, false));
  }

  @Override
  public WeakCounter weak(String name) {
    return new EmbeddedWeakCounter(counter(name, true));
  }

  private EmbeddedCounter counter(String name, boolean isWeak) {
    CounterState found = table.find(Objects.requireNonNull(name, "name"));
    if (found == null) {
      throw EmbeddedCounter.undefined(name);
    }
    if (found.config().isWeak() != isWeak) {
      throw new InvalidRequestException(
          "counter of another type: name=%s, type=%s; ask for a %s one"
              .formatted(name, found.config().type(), isWeak ? "strong" : "weak"));
    }
    return new EmbeddedCounter(table, name, found.config(), futures);
  }

  @Override
  public boolean remove(String name) {
    return table.remove(Objects.requireNonNull(name, "name")).outcome()
        == CounterTable.Outcome.DONE;
  }

  @Override
  public boolean undefine(String name) {
    return table.undefine(Objects.requireNonNull(name, "name")).outcome()
        == CounterTable.Outcome.DONE;
  }

  @Override
  public Set<String> names() {
    return Collections.unmodifiableSet(table.names());
  }
}
