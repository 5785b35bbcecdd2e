package dev.isogrid.client;

import dev.isogrid.client.CounterConfiguration.CounterType;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The counters of the servers: numbers with a name that all clients share. Thread-safe; each method
 * but the listed ones is one round trip.
 *
 * <pre>{@code
 * RemoteCounterManager counters = manager.counters();
 * counters.defineCounter("orders", CounterConfiguration.strong(0));
 * long number = counters.getStrongCounter("orders").sync().incrementAndGet();
 * }</pre>
 *
 * <p>A change takes effect at most once: it is not tried again when its connection is lost after it
 * was sent. It fails then, and may have taken effect or not.
 */
public final class RemoteCounterManager { // tidy: the name that users know
  private final Router router;
  private final RequestFormat format;

  RemoteCounterManager(Router router, RequestFormat format) {
    this.router = router;
    this.format = format;
  }

  private static String checked(String name) {
    return Objects.requireNonNull(name, "name");
  }

  /**
   * Defines a counter.
   *
   * @return false if there is one of this name; it stays as it is
   * @throws ServerErrorException if the servers don't allow that
   */
  public boolean defineCounter(String name, CounterConfiguration configuration) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(configuration, "configuration");
    return router.call(new CounterRequest.Create(format, checked(name), configuration));
  }

  /** Whether a counter of this name exists. */
  public boolean isDefined(String name) {
    return status(Opcodes.COUNTER_IS_DEFINED, name) == Statuses.OK;
  }

  private int status(int opcode, String name) {
    CounterRequest<CounterRequest.Answer> request =
        new CounterRequest.OfNumbers(format, opcode, checked(name));
    return router.call(request).status();
  }

  /** The definition of a counter, or null if there is none. */
  public @Nullable CounterConfiguration getConfiguration(String name) {
    return router.call(new CounterRequest.Configuration(format, checked(name)));
  }

  private CounterConfiguration existing(String name) {
    CounterConfiguration found = getConfiguration(name);
    if (found == null) {
      throw new CounterNotFoundException(name);
    }
    return found;
  }

  /**
   * A strong counter.
   *
   * @throws CounterNotFoundException if there is none
   * @throws IllegalArgumentException if it is weak
   */
  public RemoteStrongCounter getStrongCounter(String name) {
    CounterConfiguration found = existing(name);
    if (found.type() == CounterType.WEAK) {
      throw new IllegalArgumentException("counter is weak: name=" + name);
    }
    return new RemoteStrongCounter(new CounterCalls(router, format, name), found);
  }

  /**
   * A weak counter.
   *
   * @throws CounterNotFoundException if there is none
   * @throws IllegalArgumentException if it is strong
   */
  public RemoteWeakCounter getWeakCounter(String name) {
    CounterConfiguration found = existing(name);
    if (found.type() != CounterType.WEAK) {
      throw new IllegalArgumentException("counter is strong: name=" + name);
    }
    return new RemoteWeakCounter(new CounterCalls(router, format, name), found);
  }

  /** Removes the value of a counter; its next use starts from the initial one. */
  public void remove(String name) {
    if (status(Opcodes.COUNTER_REMOVE, name) == Statuses.NOT_FOUND) {
      throw new CounterNotFoundException(name);
    }
  }

  /** The names of all counters, sorted. */
  public Set<String> getCounterNames() {
    return router.call(new CounterRequest.Names(format));
  }
}
