package dev.isogrid.engine;

import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import dev.isogrid.store.UserMutation;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a user's function under the segment's lock: a look at the entry, with which its
 * flight begins, and later the change, if the entry is still what the function saw. Belongs to the
 * thread that runs the function.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
final class Computing<K, V> implements Mutation<K, V> {
  /** Stands for the version where there is no entry. */
  private static final long ABSENT = 0;

  private final Flights flights;
  private final K key;
  private final UserMutation<K, V> code;
  private final Effect<V> wanted = new Effect<>();
  private @Nullable Flight flight;
  private @Nullable Flight ahead;
  private long seen;
  private boolean isDone;

  Computing(Flights flights, K key, UserMutation<K, V> code) {
    this.flights = flights;
    this.key = key;
    this.code = code;
  }

  /** Takes the step that is due. */
  @Override
  public void apply(EntryView<K, V> current, Effect<V> effect) {
    long version = current.isPresent() ? current.version() : ABSENT;
    ahead = null;
    if (flight != null && version == seen) {
      effect.copy(wanted);
      isDone = true;
    } else if (!code.look(current)) {
      isDone = true;
    } else {
      seen = version;
      beginIfFree();
    }
    if (isDone) {
      end(); // before listeners hear of the change, who may write the key
    }
  }

  private void beginIfFree() {
    if (flight == null) {
      flight = flights.tryBegin(key, code.userKey());
      ahead = flight == null ? flights.of(key) : null;
    }
  }

  /** Returns whether nothing is left to do. */
  boolean isDone() {
    return isDone;
  }

  /** The flight of another thread that goes first, or null. */
  @Nullable Flight ahead() {
    return ahead;
  }

  /** Runs the function, if its flight has begun. */
  void decide() {
    Flight begun = flight;
    if (begun == null) {
      return;
    }
    wanted.clear();
    try {
      code.decide(wanted);
      begun.share(code, null);
    } catch (RuntimeException thrown) {
      begun.share(code, thrown);
      throw thrown;
    }
  }

  /** Ends the flight. Calling it twice is harmless. */
  void end() {
    if (flight != null) {
      flights.end(flight);
    }
  }
}
